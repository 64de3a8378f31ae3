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
from pages.data.filters import ProfileView, render_clickable
from pages.ui.render import drawing
from pages.ui.render.charts.profile import MOST_SHOWN, pair_matrix, position_matrix, position_table
from pages.ui.wording import text


def render_positions(view: ProfileView, full_profile: RankingProfile) -> None:
    """Draw how often each label is at each position."""
    st.header(drawing.with_nouns("Where does each label stand?"), anchor=False)
    profile = view.profile_for("positions", "rankings").rankings or full_profile
    labels = full_profile.order[:MOST_SHOWN].tolist()
    columns = [str(position) for position in range(1, min(full_profile.n_labels, MOST_SHOWN) + 1)]
    columns += ["tied"] if full_profile.tied_counts.any() else []
    columns += ["not ranked"] if (full_profile.ranked_counts < full_profile.n_rows).any() else []
    counts = position_table(profile, labels, columns)
    conditions = [
        _standing(label, column) if count else None
        for label, line in zip(labels, counts, strict=True)
        for column, count in zip(columns, line, strict=True)
    ]
    st.markdown(common.best_labels(profile))
    figure = position_matrix(profile, labels, columns, view.marked("positions", conditions))
    render_clickable(
        figure,
        view,
        "positions",
        conditions,
        alt="positions of each label, best mean rank first: "
        + "; ".join(
            f"{full_profile.label_names[label]} {profile.mean_ranks[label]:.2f}" for label in labels
        ),
        table=profile.label_frame(),
        caption="A cell: of all cases, the share that puts the label on the left in the position "
        "above it. Bold: its mean rank"
        + common.omission_note(MOST_SHOWN, full_profile.n_labels, "labels with the best mean rank"),
    )


def _standing(label: int, column: str) -> Condition:
    if column.isdigit():
        return RankedAt(label, int(column))
    return Tied(label) if column == "tied" else NotRanked(label)


def render_pairs(view: ProfileView, full_profile: RankingProfile) -> None:
    """Draw, for every pair of labels, how many put which of them first."""
    st.header(drawing.with_nouns("Which label is ahead in each pair?"), anchor=False)
    profile = view.profile_for("pairs", "rankings").rankings or full_profile
    # In this order majorities stand above the diagonal, but for those of a cycle.
    labels = [label for group in full_profile.majority_order for label in group][:MOST_SHOWN]
    conditions = [
        Prefers(first, second) if profile.pair_counts[first, second] else None
        for first in labels
        for second in labels
    ]
    names = [text.markdown(name) for name in profile.label_names]
    st.markdown(f"{_majorities(profile, names, '**')} {common.surprise(profile)}")
    render_clickable(
        pair_matrix(
            profile, labels, view.marked("pairs", conditions), profile.majority_against_means
        ),
        view,
        "pairs",
        conditions,
        alt="shares in which one label is before another; "
        + _majorities(profile, profile.label_names),
        table=profile.pair_frame(),
        caption="A cell: of the cases that order both, the share that puts the label on the left "
        "before the one above it"
        + (", ◇ where that majority is part of a cycle" if profile.cycle else "")
        + common.omission_note(MOST_SHOWN, full_profile.n_labels, "first labels"),
    )


def _majorities(profile: RankingProfile, names: Sequence[str], bold: str = "") -> str:
    """Name the order in which majorities put the labels, and a preference cycle if there is one."""
    groups = [
        names[group[0]] if len(group) == 1 else f"{{{', '.join(names[label] for label in group)}}}"
        for group in profile.majority_order
    ]
    order_text = " > ".join(groups[:MOST_SHOWN]) + (" > …" if len(groups) > MOST_SHOWN else "")
    even = profile.n_even_pairs
    note = f" ({'1 pair is' if even == 1 else f'{even} pairs are'} evenly split)" if even else ""
    if not profile.cycle:
        return f"Majority order: {bold}{order_text}{bold}{note}. It agrees with every majority."
    chain = [names[label] for label in (*profile.cycle, profile.cycle[0])]
    n_labels = int((profile.cycle_members > 0).sum())
    return (
        f"Majority order: {bold}{order_text}{bold}{note}. The majorities among {n_labels} labels, "
        f"in braces, contain a preference cycle: {' before '.join(chain)}."
    )


def render_frequent_rankings(view: ProfileView, full_profile: RankingProfile) -> None:
    """Draw the most common rankings and how often they occur."""
    st.header("Which rankings are common?", anchor=False)
    profile = view.profile_for("rankings", "rankings").rankings or full_profile
    variety, top, nouns = profile.diversity, int(profile.groups.counts[0]), view.dataset.nouns
    st.markdown(
        f"**{top} of {profile.n_rows} {nouns.rows} have the most common ranking.** There are "
        f"{variety.n_distinct} different ones."
        if top > 1
        else f"**No two {nouns.rows} have the same ranking.**",
        help=f"How evenly they are spread: {common.entropy(variety)}.",
    )
    first = full_profile.groups.first[: common.MOST_ROWS].tolist()
    scope_text, rest_text = common.most_common(full_profile.groups.counts, "rankings")
    common.render_group_rows(
        view,
        "rankings",
        [SameRanking(row) for row in first],
        full_profile,
        profile,
        f"{scope_text}, best label first{common.pale(view)}{rest_text}",
    )
