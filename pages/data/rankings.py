"""The rankings of a data set: positions, pairs, and which rankings occur."""

import streamlit as st

from labelrank_core.data.profile import (
    Condition,
    NotRanked,
    Prefers,
    RankedAt,
    RankingProfile,
    SameRanking,
    Tied,
)
from pages.data import common
from pages.data.filters import View, clickable
from pages.ui import text
from pages.ui.charts import profile_charts
from pages.ui.charts.profile_charts import MOST_SHOWN


def show(view: View, whole: RankingProfile) -> None:
    """Draw positions, pairs and the different rankings.

    Parameters
    ----------
    view : View
        The data with what is chosen.
    whole : RankingProfile
        The rankings of all rows.
    """
    left, right = st.columns(2, gap="large")
    with left:
        _positions(view, whole)
    with right:
        _pairs(view, whole)
    _different_rankings(view, whole)


def _positions(view: View, whole: RankingProfile) -> None:
    st.subheader("Who stands where", anchor=False)
    profile = view.seen_by("positions").rankings or whole
    labels = whole.order[:MOST_SHOWN].tolist()
    columns = [str(place) for place in range(1, min(whole.n_labels, MOST_SHOWN) + 1)]
    columns += ["tied"] if whole.tied_counts.any() else []
    columns += ["not ranked"] if (whole.ranked_counts < whole.n_rows).any() else []
    counts = profile_charts.position_table(profile, labels, columns)
    conditions = [
        _standing(label, column) if count else None
        for label, line in zip(labels, counts, strict=True)
        for column, count in zip(columns, line, strict=True)
    ]
    best = int(profile.order[0])
    share = profile.position_counts[best, 0] / profile.n_rows
    st.markdown(
        f"**{text.markdown(whole.label_names[best])}** stands best on average (mean rank "
        f"{profile.mean_ranks[best]:.2f}) and first in {share:.0%} of the rows."
    )
    figure = profile_charts.positions(
        profile, labels, columns, view.marked("positions", conditions)
    )
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
    )
    st.caption(
        "Share of the rows with the label at each position; bold: its mean rank"
        + common.only(MOST_SHOWN, whole.n_labels, "labels with the best mean rank")
    )


def _standing(label: int, column: str) -> Condition:
    if column.isdigit():
        return RankedAt(label, int(column))
    return Tied(label) if column == "tied" else NotRanked(label)


def _pairs(view: View, whole: RankingProfile) -> None:
    st.subheader("Who beats whom", anchor=False)
    profile = view.seen_by("pairs").rankings or whole
    labels = whole.order[:MOST_SHOWN].tolist()
    conditions = [
        Prefers(first, second) if profile.pair_counts[first, second] else None
        for first in labels
        for second in labels
    ]
    st.markdown(_of_cycles(profile))
    clickable(
        profile_charts.preferences(profile, labels, view.marked("pairs", conditions)),
        view,
        "pairs",
        conditions,
        alt="shares in which one label is before another; " + _of_cycles(profile),
        table=profile.pair_frame(),
    )
    st.caption(
        "Share of the rows in which the label of the row is before that of the column"
        + (", ◇ where that majority is part of a cycle" if profile.cycle else "")
        + common.only(MOST_SHOWN, whole.n_labels, "labels with the best mean rank")
    )


def _of_cycles(profile: RankingProfile) -> str:
    if not profile.cycle:
        return "The majorities have no cycle: one ranking agrees with all of them."
    chain = [text.markdown(profile.label_names[label]) for label in profile.cycle]
    n_labels = int((profile.cycle_members > 0).sum())
    return (
        f"The majorities go round in circles among {n_labels} labels: "
        f"{' before '.join([*chain, chain[0]])}."
    )


def _different_rankings(view: View, whole: RankingProfile) -> None:
    st.subheader("Which rankings", anchor=False)
    profile = view.seen_by("rankings").rankings or whole
    variety, top = profile.diversity, int(profile.groups.counts[0])
    st.markdown(
        f"Different rankings: **{variety.n_distinct}** in {profile.n_rows} rows, the commonest "
        f"{common.times(top)}; {common.entropy(variety)}."
    )
    first = whole.groups.first[: common.MOST_BARS].tolist()
    common.bars_of_groups(view, "rankings", [SameRanking(row) for row in first], whole, profile)
    st.caption(
        f"Rows with each ranking{common.grey(view)}"
        + common.only(common.MOST_BARS, len(whole.groups.first), "commonest rankings")
    )
