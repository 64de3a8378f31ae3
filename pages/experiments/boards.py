"""Results of an experiment: leaderboard, differences, levels, statistics."""

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from labelrank_core.comparison.leaderboard import Leaderboard, curve, leaderboard, levels
from labelrank_core.comparison.significance import average_ranks
from labelrank_core.data.findings import count_of
from labelrank_core.experiments.config import untuned_variants
from labelrank_core.experiments.plan import ratio_of_tests
from labelrank_core.metrics import METRICS
from pages.experiments import added_results, downloads, folds
from pages.experiments.results import Results
from pages.ui import choices, drawing, significance, tables, text
from pages.ui.charts import svg
from pages.ui.charts.leaderboard import difference_intervals, level_curves

_LEVELS = {
    "missing": "Labels missing from training rankings (p₀)",
    "train_share": "Share of the training set learned from",
}
_AXES = {"missing": "labels missing", "train_share": "share learned from"}


def render_results(results: Results) -> None:
    """Draw everything that follows from the results there are."""
    results = added_results.choose_added_results(results)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        measure = choices.choose(
            st.selectbox,
            "Measure",
            list(dict.fromkeys(results.frame["measure"])),
            format_func=lambda key: METRICS[key].title,
            key="ex_measure",
            help="What is compared; its definition is under the leaderboard.",
        )
        level = {axis: _choose_level(results.frame, axis) for axis in _LEVELS}
    variants = untuned_variants([unit.method for unit in results.units])
    board = leaderboard(results.frame, measure, **level, variants=variants)
    if not board.data_sets:
        st.markdown("No fold is complete yet: a fold counts once all methods are done with it.")
        return
    method = _choose_in_leaderboard(board, _so_far(results, board, level))
    _render_definition(board)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        data = board.data_sets[0]
        if len(board.data_sets) > 1:
            data = choices.choose(st.selectbox, "Data set", board.data_sets, key="ex_board_data")
        control = _choose_control(board, data)
    if control is not None:
        _render_differences(results, board, data, control, level["train_share"])
    for axis in _LEVELS:
        _render_curve(results.frame, measure, data, axis, level)
    if results.running:
        st.caption(
            "Significance tests, single folds, cases and downloads follow when it has finished."
        )
        return
    _render_tests(board)
    folds.render_folds(results, board, data, method, level)
    downloads.render_downloads(results, board, data, level)


def _choose_level(results: pd.DataFrame, axis: str) -> float:
    known_levels = levels(results, axis)  # type: ignore[arg-type]
    if len(known_levels) == 1:
        return known_levels[0]
    start = 0 if axis == "missing" else len(known_levels) - 1
    return choices.choose(
        st.selectbox,
        _LEVELS[axis],
        known_levels,
        known_levels[start],
        format_func=lambda v: f"{v:.0%}",
        key=f"ex_at_{axis}",
    )


def _so_far(results: Results, board: Leaderboard, level: Mapping[str, float]) -> str:
    """Return a sentence on the folds still missing and the methods without a result."""
    folds_by_data: dict[str, set[tuple[int, int]]] = {}
    for unit in results.units:
        if (unit.missing, unit.train_share) == (level["missing"], level["train_share"]):
            folds_by_data.setdefault(unit.data_name, set()).add((unit.repeat, unit.fold))
    lacking = [
        f"{board.n_folds(name)} of {len(folds)} folds of {text.markdown(name)}"
        for name, folds in folds_by_data.items()
        if board.n_folds(name) < len(folds)
    ]
    names = dict.fromkeys(unit.method.name for unit in results.units)
    without = [text.markdown(name) for name in names if name not in board.methods]
    sentences = [f"So far {', '.join(lacking)}."] if lacking else []
    sentences += [f"No results of {', '.join(without)}."] if without else []
    return " ".join(sentences)


def _choose_in_leaderboard(board: Leaderboard, so_far: str) -> str | None:
    """Draw the table; return the method of the selected row."""
    st.header("Leaderboard", anchor=False)
    if so_far:
        st.markdown(so_far)
    table = _wide_frame(board)
    event = st.dataframe(
        table,
        hide_index=True,
        height=tables.height(len(table)),
        on_select="rerun",
        selection_mode="single-row",
        key=choices.table_key("ex_rows", table["method"].tolist()),
        column_config={"mean seconds": st.column_config.NumberColumn(format="%.3f")},
    )
    n = sum(board.n_folds(data) for data in board.data_sets)
    compared = f"The {n:,} folds that all methods have are compared"
    if board.n_left_out:
        compared += f"; {board.n_left_out:,} that some lack are left out"
    st.caption(
        "Mean ± standard deviation over folds (rank on the data set), ★ best. Tick a row for its "
        "folds and worst cases.",
        help=f"{compared}.",
    )
    rows = event["selection"]["rows"]
    return str(table["method"].iloc[rows[0]]) if rows and rows[0] < len(table) else None


def _wide_frame(board: Leaderboard) -> pd.DataFrame:
    """Put the leaderboard as people read it: one row per method, one column per data set."""
    long, overall = board.frame(), board.by_method()
    long["words"] = [
        f"{'★ ' if row.rank == 1 else ''}{row.mean:.3f}"
        + ("" if pd.isna(row.sd) else f" ± {row.sd:.3f}")
        + f" ({row.rank:g})"
        for row in long.itertuples()
    ]
    cells = long.pivot_table(index="method", columns="data", values="words", aggfunc="first")
    table = cells.reindex(index=overall.index, columns=list(board.data_sets)).fillna("")
    table.columns = [f"on {name}" for name in table.columns]
    if len(board.data_sets) > 1:
        table.insert(0, "average rank", overall["rank"].round(2))
    table["mean seconds"] = overall["seconds"]
    return table.rename_axis(index="method", columns=None).reset_index()


def _render_definition(board: Leaderboard) -> None:
    measure = board.measure
    st.caption(
        f"{measure.title}: {text.value_range(*measure.value_range)}, {measure.better} is better. "
        f"{measure.definition}"
    )


def _choose_control(board: Leaderboard, data: str) -> str | None:
    table = board.frame()
    methods = table.loc[table["data"] == data, "method"].tolist()
    if len(methods) < 2:
        return None
    return choices.choose(st.selectbox, "Compare with", methods, key="ex_control")


def _render_differences(
    results: Results, board: Leaderboard, data: str, control: str, train_share: float
) -> None:
    st.header("Differences on single folds", anchor=False)
    protocol = results.units[0].protocol
    ratio = ratio_of_tests(protocol, results.dataset(data), train_share)
    table = board.against(data, control, ratio)
    clear = table[table["verdict"] != "unclear"]
    clear_text = "; ".join(f"{row.method} is {row.verdict}" for row in clear.itertuples())
    title = f"difference in {board.measure.title}"
    side = "right" if board.measure.greater_is_better else "left"
    lines, more = "One fold has no interval.", ""
    if board.n_folds(data) > 1:
        lines = "Lines: 95% intervals; grey: no significant difference."
        more = (
            f"Intervals over {board.n_folds(data)} folds, corrected for folds that share training "
            "cases (Nadeau and Bengio 2003)."
        )
    drawing.render_chart(
        difference_intervals(table, title),
        key="ex_differences",
        alt=f"mean differences from {control} with 95% intervals; {clear_text or 'none is clear'}",
        table=table,
        caption=f"Methods to the {side} of the line are better than {text.markdown(control)}. "
        f"{lines}",
        more=more,
    )
    svg_text = svg.intervals(table, title=f"{title} from {text.shorten(control, 40)}", zero=True)
    significance.render_svg_download("Differences (SVG)", svg_text, "differences.svg")


def _render_curve(
    results: pd.DataFrame, measure: str, data: str, axis: str, level: Mapping[str, float]
) -> None:
    if len(levels(results, axis)) < 2:  # type: ignore[arg-type]
        return
    other_level = level["train_share" if axis == "missing" else "missing"]
    table = curve(results, measure, axis, other=other_level)  # type: ignore[arg-type]
    table = table[table["data"] == data]
    st.header("Missing labels" if axis == "missing" else "Learning curve", anchor=False)
    title = METRICS[measure].title
    drawing.render_chart(
        level_curves(table, title, _AXES[axis]),
        key=f"ex_curve_{axis}",
        alt=f"{title} of {table['method'].nunique()} methods over {_LEVELS[axis]}",
        table=table,
        caption="Means over folds; bands: one standard deviation.",
    )


def _render_tests(board: Leaderboard) -> None:
    scores = board.distinct_scores()
    if scores.shape[1] < 2:
        return
    if len(scores) < 2:
        st.caption(
            "Friedman's test needs at least two data sets on which all methods are measured: ranks "
            "on the folds of one data set are not independent."
        )
        return
    better = board.measure.greater_is_better
    ranks = average_ranks(scores.to_numpy(), greater_is_better=better)
    significance.render_friedman_test(ranks)
    if board.variants:
        left_out = ", ".join(board.variants)
        st.caption(
            f"Not tested: {text.markdown(left_out)}, because the tuned method includes these "
            "settings."
        )
    if n_left_out := len(board.data_sets) - len(scores):
        st.caption(
            f"Left out: {count_of(n_left_out, 'data set')} on which some method is not measured."
        )
    significance.render_pairwise_tests(scores, ranks, board.deviations(scores))
