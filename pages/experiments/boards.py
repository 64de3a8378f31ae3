"""Results of an experiment: leaderboard, differences, levels, statistics."""

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from labelrank_core import Dataset
from labelrank_core.comparison.leaderboard import Leaderboard, curve, leaderboard, levels
from labelrank_core.comparison.significance import average_ranks
from labelrank_core.data.findings import count_of
from labelrank_core.experiments import Unit
from labelrank_core.experiments.config import untuned_variants
from labelrank_core.experiments.export import measures_of_results
from labelrank_core.experiments.plan import ratio_of_tests
from labelrank_core.metrics import METRICS
from pages.experiments import added_results, downloads, folds, standings
from pages.experiments.results import Results
from pages.ui.choose import choices
from pages.ui.render import drawing, significance, tables
from pages.ui.render.charts.leaderboard import difference_intervals, level_curves
from pages.ui.render.significance import SignificanceTests
from pages.ui.wording import text

_LEVELS = {
    "missing": "Labels missing from training rankings (p₀)",
    "train_share": "Share of the training set learned from",
}
_EACH = "Each data set"
_VIEWS = (_EACH, "Numbers", "Differences", "Tests", "Single folds", "Levels")
_AXES = {"missing": "labels missing", "train_share": "share learned from"}


def render_results(results: Results) -> None:
    """Draw everything that follows from the results there are."""
    verdict_slot = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        choices_slot = st.container(horizontal=True, vertical_alignment="bottom")
        export_slot = st.container(width="content")
    names = _VIEWS[len(results.titles) < 2 :]
    *view_slots, added_slot = st.tabs([*names, "Add results"], key="ex_views")
    views = dict(zip(names, view_slots, strict=True))
    with added_slot:
        results = added_results.choose_added_results(results)
    with choices_slot:
        datasets = results.datasets.values()
        measure_keys = [m.key for m in measures_of_results(results.frame, results.units, datasets)]
        measure = choices.choose(
            st.selectbox,
            "Measure",
            [*dict.fromkeys([*measure_keys, *results.frame["measure"]])],
            format_func=lambda key: METRICS[key].title,
            key="ex_measure",
            help="What is compared; its definition stands under the numbers.",
        )
        level = {axis: _choose_level(results.frame, axis) for axis in _LEVELS}
    variants = untuned_variants([unit.method for unit in results.units])
    board = leaderboard(results.titled_frame, measure, **level, variants=variants)
    if not board.data_sets:
        with verdict_slot:
            st.markdown("No fold is complete yet: a fold counts once all methods are done with it.")
        return
    data = board.data_sets[0]
    if len(board.data_sets) > 1:
        with choices_slot:
            data = choices.choose(st.selectbox, "Data set", board.data_sets, key="ex_board_data")
    protocol = results.units[0].protocol
    ratio = ratio_of_tests(protocol, results.dataset(data), level["train_share"])
    with verdict_slot:
        standings.render_verdict(results, board, data, ratio, level)
    if _EACH in views:
        with views[_EACH]:
            standings.render_each(results, board, data, _ratios(results, board, level))
    with views["Numbers"]:
        _render_table(board)
        _render_definition(board)
    with views["Differences"]:
        _render_differences(board, data, ratio)
    with views["Levels"]:
        _render_curves(results.titled_frame, measure, data, level)
    if results.running:
        for name in ("Tests", "Single folds"):
            views[name].caption("They follow when the experiment has finished.")
        return
    with views["Tests"]:
        tests = _render_tests(board)
    with views["Single folds"]:
        folds.render_folds(results, board, data, level)
    with export_slot:
        downloads.render_menu(results, board, data, ratio, tests)


def _ratios(results: Results, board: Leaderboard, level: Mapping[str, float]) -> dict[str, float]:
    """Return the test rows per training row of each data set, which correct intervals."""
    protocol, share = results.units[0].protocol, level["train_share"]
    return {
        data: ratio_of_tests(protocol, results.dataset(data), share) for data in board.data_sets
    }


def first_method(frame: pd.DataFrame, units: Sequence[Unit], datasets: Sequence[Dataset]) -> str:
    """Return the method that is first by the first measure, and its value; empty: none is yet."""
    measures = measures_of_results(frame, units, datasets)
    if frame.empty or not measures:
        return ""
    level = {axis: _start_level(levels(frame, axis), axis) for axis in _LEVELS}  # type: ignore[arg-type]
    variants = untuned_variants([unit.method for unit in units])
    board = leaderboard(frame, measures[0].key, **level, variants=variants)
    if not board.data_sets:
        return ""
    first = str(board.by_method().index[0])
    if len(board.data_sets) > 1:
        return f"{first} has the best average rank on {len(board.data_sets)} data sets"
    mean = board.bands(board.data_sets[0]).set_index("method")["mean"][first]
    return f"{first} is first with a {board.measure.title} of {mean:.3f}"


def _start_level(known_levels: Sequence[float], axis: str) -> float:
    """Return the level shown first: no label missing, the whole training set."""
    return known_levels[0 if axis == "missing" else -1]


def _choose_level(results: pd.DataFrame, axis: str) -> float:
    known_levels = levels(results, axis)  # type: ignore[arg-type]
    if len(known_levels) == 1:
        return known_levels[0]
    return choices.choose(
        st.selectbox,
        _LEVELS[axis],
        known_levels,
        _start_level(known_levels, axis),
        format_func=lambda v: f"{v:.0%}",
        key=f"ex_at_{axis}",
    )


def _render_table(board: Leaderboard) -> None:
    """Draw the leaderboard as a table."""
    table = _wide_frame(board)
    st.dataframe(
        table,
        hide_index=True,
        height=tables.height(len(table)),
        column_config={"mean seconds": st.column_config.NumberColumn(format="%.3f")},
    )
    n = sum(board.n_folds(data) for data in board.data_sets)
    compared = f"The {n:,} folds that all methods have are compared."
    if board.n_left_out:
        are = "is" if board.n_left_out == 1 else "are"
        compared += f" {count_of(board.n_left_out, 'fold')} that some method lacks {are} left out."
    st.caption(
        "A number is the mean over folds ± one standard deviation, with the rank on the data set. "
        "★ marks the best.",
        help=compared,
    )


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


def _render_differences(board: Leaderboard, data: str, ratio: float) -> None:
    """Draw the differences of all methods from one that is chosen, fold by fold."""
    table = board.frame()
    methods = table.loc[table["data"] == data, "method"].tolist()
    if len(methods) < 2:
        st.caption("A single method differs from no other.")
        return
    control = choices.choose(st.selectbox, "Compare with", methods, key="ex_control")
    table = board.against(data, control, ratio)
    clear = table[table["verdict"] != "unclear"]
    clear_text = "; ".join(f"{row.method} is {row.verdict}" for row in clear.itertuples())
    side = "right" if board.measure.greater_is_better else "left"
    lines, more = "One fold has no interval.", ""
    if board.n_folds(data) > 1:
        lines = "A line is a 95% interval. It is grey where the difference may be chance."
        more = (
            f"Intervals over {board.n_folds(data)} folds, corrected for folds that share training "
            "cases (Nadeau and Bengio 2003)."
        )
    drawing.render_chart(
        difference_intervals(table, f"difference in {board.measure.title}"),
        key="ex_differences",
        alt=f"mean differences from {control} with 95% intervals; {clear_text or 'none is clear'}",
        table=table,
        caption=f"Methods to the {side} of the line are better than {text.markdown(control)}. "
        f"{lines}",
        more=more,
    )


def _render_curves(
    results: pd.DataFrame, measure: str, data: str, level: Mapping[str, float]
) -> None:
    """Draw the methods over missing labels and over shares of the training set."""
    axes = [axis for axis in _LEVELS if len(levels(results, axis)) > 1]  # type: ignore[arg-type]
    if not axes:
        st.caption(
            "This experiment has one level of missing labels and one share of the training rows. "
            "A new experiment may have several."
        )
    for axis in axes:
        _render_curve(results, measure, data, axis, level)


def _render_curve(
    results: pd.DataFrame, measure: str, data: str, axis: str, level: Mapping[str, float]
) -> None:
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
        caption="A line is the mean over folds, its band one standard deviation.",
    )


def _render_tests(board: Leaderboard) -> SignificanceTests | None:
    """Draw the tests over data sets, where there are two or more; return them."""
    scores = board.distinct_scores()
    if min(scores.shape) < 2:
        st.caption(
            "Friedman's test needs at least two methods and two data sets on which all methods are "
            "measured: ranks on the folds of one data set are not independent."
        )
        return None
    better = board.measure.greater_is_better
    ranks = average_ranks(scores.to_numpy(), greater_is_better=better)
    tests = significance.render_pairwise_tests(scores, ranks, board.deviations(scores))
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
    if tests is not None:
        significance.render_all_pairs(tests)
    return tests
