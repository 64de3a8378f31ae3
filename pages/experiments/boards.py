"""Results of an experiment: leaderboard, differences, levels, statistics."""

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from labelrank_core.comparison.leaderboard import Leaderboard, curve, leaderboard, levels
from labelrank_core.comparison.significance import average_ranks
from labelrank_core.experiments.config import untuned_twins
from labelrank_core.experiments.plan import ratio_of_tests
from labelrank_core.metrics import METRICS
from pages.experiments import board_details
from pages.experiments.board_details import Run
from pages.ui import parts, statistics, text
from pages.ui.charts import svg
from pages.ui.charts.leaderboard import difference_intervals, level_curves

_LEVELS = {
    "missing": "Labels missing from training rankings (p₀)",
    "train_share": "Share of the training part learned from",
}
_AXES = {"missing": "labels missing", "train_share": "share learned from"}


def draw(run: Run) -> None:
    """Draw everything that follows from the results there are."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        measure = st.selectbox(
            "Measure",
            list(dict.fromkeys(run.results["measure"])),
            format_func=lambda key: METRICS[key].title,
            key="ex_measure",
            help="What is compared; below is what it means.",
        )
        level = {axis: _level(run.results, axis) for axis in _LEVELS}
    twins = untuned_twins([unit.method for unit in run.units])
    board = leaderboard(run.results, measure, **level, twins=twins)
    if not board.data_sets:
        st.markdown("No fold is complete yet: a fold counts when all its methods are done.")
        return
    method = _leaderboard(board)
    _definition(board)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        data = board.data_sets[0]
        if len(board.data_sets) > 1:
            data = st.selectbox("Data set", board.data_sets, key="ex_board_data")
        control = _control(board, data)
    if control is not None:
        _differences(run, board, data, control, level["train_share"])
    for axis in _LEVELS:
        _curve(run, measure, data, axis, level)
    if run.going:
        st.caption("Tests over data sets, single folds, cases and files follow at the end.")
        return
    _statistics(board)
    board_details.draw(run, board, data, method, level)
    board_details.exports(run, board, data, level)


def _level(results: pd.DataFrame, axis: str) -> float:
    known = levels(results, axis)  # type: ignore[arg-type]
    if len(known) == 1:
        return known[0]
    start = 0 if axis == "missing" else len(known) - 1
    return st.selectbox(
        _LEVELS[axis], known, index=start, format_func=lambda v: f"{v:.0%}", key=f"ex_at_{axis}"
    )


def _leaderboard(board: Leaderboard) -> str | None:
    """Show the table; return the method of the row that was chosen."""
    st.subheader("Leaderboard", anchor=False)
    table = board_details.wide(board)
    event = st.dataframe(
        table,
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        key="ex_rows",
        column_config={"mean seconds": st.column_config.NumberColumn(format="%.3f")},
    )
    n = sum(board.n_folds(data) for data in board.data_sets)
    words = (
        "Mean ± standard deviation over folds (rank on the data set); ★ is best. Compared are the "
        f"folds that all methods have: {n:,}"
    )
    if board.n_left_out:
        words += f"; left out because some lack them: {board.n_left_out:,}"
    st.caption(f"{words}. Tick a row to see its single folds and worst cases at the end.")
    rows = event["selection"]["rows"]
    return str(table["method"].iloc[rows[0]]) if rows and rows[0] < len(table) else None


def _definition(board: Leaderboard) -> None:
    measure = board.measure
    st.caption(
        f"{measure.title}: {parts.in_range(measure)}, {measure.better} is better. "
        f"{measure.definition}"
    )


def _control(board: Leaderboard, data: str) -> str | None:
    table = board.frame()
    methods = table.loc[table["data"] == data, "method"].tolist()
    if len(methods) < 2:
        return None
    return st.selectbox("Compare with", methods, key=f"ex_control_{data}")


def _differences(run: Run, board: Leaderboard, data: str, control: str, train_share: float) -> None:
    st.subheader("Differences on single folds", anchor=False)
    protocol = run.units[0].protocol
    ratio = ratio_of_tests(protocol, run.dataset(data), train_share)
    table = board.against(data, control, ratio)
    clear = table[table["verdict"] != "unclear"]
    said = "; ".join(f"{row.method} is {row.verdict}" for row in clear.itertuples())
    title = f"difference in {board.measure.title}"
    parts.chart(
        difference_intervals(table, title),
        key="ex_differences",
        alt=f"mean differences from {control} with 95 % intervals; {said or 'none is clear'}",
        table=table,
    )
    side = "right" if board.measure.greater_is_better else "left"
    words = f"Dots to the {side} of the line are better than {text.markdown(control)}. "
    if board.n_folds(data) < 2:
        words += "One fold has no interval."
    else:
        words += (
            f"Lines are 95 % intervals over {board.n_folds(data)} folds, widened because folds "
            "share training cases (Nadeau and Bengio 2003); grey ones hold 0: not told apart."
        )
    st.caption(words)
    statistics.download(
        "Differences (SVG)",
        svg.intervals(table, title=f"{title} from {text.shorten(control, 40)}", zero=True),
        "differences.svg",
    )


def _curve(run: Run, measure: str, data: str, axis: str, level: Mapping[str, float]) -> None:
    if len(levels(run.results, axis)) < 2:  # type: ignore[arg-type]
        return
    other = level["train_share" if axis == "missing" else "missing"]
    table = curve(run.results, measure, axis, other=other)  # type: ignore[arg-type]
    table = table[table["data"] == data]
    st.subheader("Missing labels" if axis == "missing" else "Learning curve", anchor=False)
    title = METRICS[measure].title
    parts.chart(
        level_curves(table, title, _AXES[axis]),
        key=f"ex_curve_{axis}",
        alt=f"{title} of {table['method'].nunique()} methods over {_LEVELS[axis]}",
        table=table,
    )
    st.caption("Means over folds; bands reach one standard deviation up and down.")


def _statistics(board: Leaderboard) -> None:
    scores = board.distinct_scores()
    if scores.shape[1] < 2:
        return
    if len(scores) < 2:
        st.caption(
            "Friedman's test and critical differences need two or more data sets on which all "
            "methods are measured: ranks on the folds of one data set are not independent."
        )
        return
    better = board.measure.greater_is_better
    ranks = average_ranks(scores.to_numpy(), greater_is_better=better)
    statistics.differences(ranks)
    if board.twins:
        left_out = ", ".join(board.twins)
        st.caption(
            f"{text.markdown(left_out)}: not counted here, because a tuned method with these "
            "settings is."
        )
    if left := len(board.data_sets) - len(scores):
        st.caption(f"{left} data sets that some method lacks are left out.")
    statistics.draw(scores, ranks, board.deviations(scores))
