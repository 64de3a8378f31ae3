"""The rankings of a data set: positions, pairs, and which rankings occur."""

from collections.abc import Sequence

import streamlit as st

from labelrank_core.data.profile import RankingProfile
from labelrank_core.data.profile.conditions import (
    Condition,
    NotRanked,
    Prefers,
    RankedAt,
    SameRanking,
    Tied,
)
from pages.data import common
from pages.data.filters import View, clickable
from pages.ui import text
from pages.ui.charts.profile import MOST_SHOWN, pair_matrix, position_matrix, position_table


def show(view: View, whole: RankingProfile) -> None:
    """Draw positions, pairs and the different rankings."""
    left, right = st.columns(2, gap="large")
    with left:
        _positions(view, whole)
    with right:
        _pairs(view, whole)
    _different_rankings(view, whole)


def _positions(view: View, whole: RankingProfile) -> None:
    st.header("Positions", anchor=False)
    profile = view.seen_by("positions", "rankings").rankings or whole
    labels = whole.order[:MOST_SHOWN].tolist()
    columns = [str(place) for place in range(1, min(whole.n_labels, MOST_SHOWN) + 1)]
    columns += ["tied"] if whole.tied_counts.any() else []
    columns += ["not ranked"] if (whole.ranked_counts < whole.n_rows).any() else []
    counts = position_table(profile, labels, columns)
    conditions = [
        _standing(label, column) if count else None
        for label, line in zip(labels, counts, strict=True)
        for column, count in zip(columns, line, strict=True)
    ]
    st.markdown(common.best_labels(profile))
    figure = position_matrix(profile, labels, columns, view.marked("positions", conditions))
    clickable(
        figure,
        view,
        "positions",
        conditions,
        alt="positions of each label, best mean rank first: "
        + "; ".join(
            f"{whole.label_names[label]} {profile.mean_ranks[label]:.2f}" for label in labels
        ),
        table=profile.label_frame(),
        caption="Share of the rows with the label at each position; bold: its mean rank"
        + common.only(MOST_SHOWN, whole.n_labels, "labels with the best mean rank"),
    )


def _standing(label: int, column: str) -> Condition:
    if column.isdigit():
        return RankedAt(label, int(column))
    return Tied(label) if column == "tied" else NotRanked(label)


def _pairs(view: View, whole: RankingProfile) -> None:
    st.header("Pairwise majorities", anchor=False)
    profile = view.seen_by("pairs", "rankings").rankings or whole
    labels = whole.order[:MOST_SHOWN].tolist()
    conditions = [
        Prefers(first, second) if profile.pair_counts[first, second] else None
        for first in labels
        for second in labels
    ]
    st.markdown(_majorities(profile, [text.markdown(name) for name in profile.label_names], "**"))
    clickable(
        pair_matrix(profile, labels, view.marked("pairs", conditions)),
        view,
        "pairs",
        conditions,
        alt="shares in which one label is before another; "
        + _majorities(profile, profile.label_names),
        table=profile.pair_frame(),
        caption="Of the rows that order both labels, the share that ranks the row's label before "
        "the column's"
        + (", ◇ where that majority is part of a cycle" if profile.cycle else "")
        + common.only(MOST_SHOWN, whole.n_labels, "labels with the best mean rank"),
    )


def _majorities(profile: RankingProfile, names: Sequence[str], bold: str = "") -> str:
    """Name the order in which majorities put the labels, and a preference cycle if there is one."""
    groups = [
        names[group[0]] if len(group) == 1 else f"{{{', '.join(names[label] for label in group)}}}"
        for group in profile.majority_order
    ]
    shown = " > ".join(groups[:MOST_SHOWN]) + (" > …" if len(groups) > MOST_SHOWN else "")
    even = profile.n_even_pairs
    note = f" ({'1 pair is' if even == 1 else f'{even} pairs are'} evenly split)" if even else ""
    if not profile.cycle:
        return f"Majority order: {bold}{shown}{bold}{note}. It agrees with every majority."
    chain = [names[label] for label in (*profile.cycle, profile.cycle[0])]
    n_labels = int((profile.cycle_members > 0).sum())
    return (
        f"Majority order: {bold}{shown}{bold}{note}. The majorities among {n_labels} labels, in "
        f"braces, contain a preference cycle: {' before '.join(chain)}."
    )


def _different_rankings(view: View, whole: RankingProfile) -> None:
    st.header("Most frequent rankings", anchor=False)
    profile = view.seen_by("rankings", "rankings").rankings or whole
    variety, top = profile.diversity, int(profile.groups.counts[0])
    st.markdown(
        f"Different rankings: **{variety.n_distinct}** in {profile.n_rows} rows; the most common "
        f"occurs {common.times(top)}; {common.entropy(variety)}."
    )
    first = whole.groups.first[: common.MOST_BARS].tolist()
    said = f"Rows with each ranking{common.grey(view)}" + common.only(
        common.MOST_BARS, len(whole.groups.first), "most common rankings"
    )
    same = [SameRanking(row) for row in first]
    common.bars_of_groups(view, "rankings", same, whole, profile, said)
