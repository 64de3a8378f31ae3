"""The verdict of an experiment: a heading, the leaderboard as a picture, the limits of the test."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import streamlit as st

from labelrank_core.comparison.board_verdict import LEVEL, board_verdict
from labelrank_core.comparison.leaderboard import Leaderboard
from labelrank_core.comparison.significance import (
    average_ranks,
    critical_differences,
    friedman,
)
from labelrank_core.data.findings import count_of
from labelrank_core.data.held_out import HeldOutCases
from labelrank_core.experiments.plan import n_tests
from pages.experiments import differences
from pages.experiments.results import Results
from pages.ui.render import drawing, significance
from pages.ui.render.charts.leaderboard import N_COLORED, leaderboard_whiskers, rank_bumps
from pages.ui.render.measured import OTHER_NUMBERS
from pages.ui.wording import text


def render_verdict(
    results: Results, board: Leaderboard, data: str, ratio: float, level: Mapping[str, float]
) -> None:
    """Draw the first method as a heading, the picture it is read from, the limits of the test.

    Over data sets these are average ranks, on one data set the methods with whiskers.
    """
    verdict = board_verdict(board, data, ratio)
    start = "So far: " if results.running else ""
    st.header(start + text.markdown(verdict.heading), anchor=False)
    progress = _progress(results, board, level)
    if progress:
        st.markdown(progress)
    scores = board.distinct_scores()
    if min(scores.shape) < 2:
        _render_whiskers(results, board, data)
    else:
        better = board.measure.greater_is_better
        ranks = average_ranks(scores.to_numpy(), greater_is_better=better)
        significance.render_diagram(
            critical_differences(ranks, list(scores.columns)),
            ranks.n_data_sets,
            methods_differ=friedman(ranks).p < LEVEL,
            key="ex_average_ranks",
        )
    st.markdown(text.markdown(verdict.sentence))
    if verdict.caution:
        st.caption(verdict.caution)


def render_each(
    results: Results, board: Leaderboard, data: str, ratios: Mapping[str, float]
) -> None:
    """Draw the differences from the first method, the methods on one data set, and all ranks.

    `ratios` are the test rows per training row of each data set.
    """
    if min(board.distinct_scores().shape) >= 2:
        first = str(board.by_method().index[0])
        table = board.against_everywhere(first, ratios)
        lead = differences.clear_lead(table, f"The lead of {text.markdown(first)}")
        st.header(lead, anchor=False)
        differences.render_differences(board, table, key="ex_all_differences", more=OTHER_NUMBERS)
        _render_whiskers(results, board, data)
    _render_ranks(board)


def _render_whiskers(results: Results, board: Leaderboard, data: str) -> None:
    bands = board.bands(data)
    drawing.render_markdown(
        f"{_cases(results, board, data).sentence} A bar is one standard deviation over the folds.",
        OTHER_NUMBERS,
    )
    drawing.render_chart(
        leaderboard_whiskers(bands, f"{board.measure.title} on {data}"),
        key="ex_leaderboard",
        alt=f"{board.measure.title} of {count_of(len(bands), 'method')} on {data}, best first: "
        + ", ".join(f"{row.method} {row.mean:.3f}" for row in bands.itertuples()),
        table=bands,
    )


def _render_ranks(board: Leaderboard) -> None:
    """Draw the ranks of the methods on each data set that all have, where there are two or more."""
    scores = board.scores()
    if min(scores.shape) < 2:
        return
    ranks = average_ranks(scores.to_numpy(), greater_is_better=board.measure.greater_is_better)
    order = np.argsort(ranks.means, kind="stable")
    table = pd.DataFrame(
        ranks.ranks[:, order].T, [str(scores.columns[j]) for j in order], list(scores.index)
    ).rename_axis(index="method")
    st.header("Ranks on each data set", anchor=False)
    colored_note = f" The {N_COLORED} with the best average ranks have a colour."
    st.markdown(
        "A line is a method. The higher it runs, the better it is on that data set."
        f"{colored_note * (len(table) > N_COLORED)}"
    )
    drawing.render_chart(
        rank_bumps(table),
        key="ex_ranks",
        alt="ranks of the methods on each data set: "
        + "; ".join(
            f"{method} {', '.join(f'{rank:g}' for rank in ranks)}"
            for method, ranks in zip(table.index, table.to_numpy(), strict=True)
        ),
        table=table.reset_index(),
    )


def _cases(results: Results, board: Leaderboard, data: str) -> HeldOutCases:
    """Return the cases that a number on a data set was measured on."""
    protocol = results.units[0].protocol
    n_splits, dataset = board.n_folds(data), results.dataset(data)
    if protocol.kind == "published":
        return HeldOutCases("published", n_tests(protocol, dataset))
    if protocol.kind == "holdout":
        n_cases = n_tests(protocol, dataset) if n_splits == 1 else dataset.n_samples
        return HeldOutCases("random", n_cases, n_splits)
    n_repeats = protocol.n_repeats
    return HeldOutCases("fold", dataset.n_samples, n_splits // n_repeats, n_repeats)


def _progress(results: Results, board: Leaderboard, level: Mapping[str, float]) -> str:
    """Return a sentence on the trainings that count so far and the methods without a result."""
    names = dict.fromkeys(unit.method.name for unit in results.units)
    without = [text.markdown(name) for name in names if name not in board.methods]
    units = [
        unit
        for unit in results.units
        if (unit.missing, unit.train_share) == (level["missing"], level["train_share"])
        and unit.method.name in board.methods
    ]
    run_methods = {unit.method.name for unit in units}
    n_counted = int(board.folds["method"].isin(run_methods).sum())
    sentences = []
    if n_counted < len(units):
        sentences.append(
            f"{n_counted:,} of {len(units):,} trainings count, because a fold counts only when all "
            "methods have done it."
        )
    if without:
        sentences.append(f"No results of {', '.join(without)}.")
    return " ".join(sentences)
