"""Shared by the views of rankings and of label sets: counts of equal targets, and phrases."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from labelrank_core.data.profile import Diversity, LabelSetProfile, RankingProfile
from labelrank_core.data.profile.conditions import (
    SameLabels,
    SameRanking,
    condition_text,
)
from labelrank_core.rankings import list_names
from pages.data.count_rows import CountRow, target_strip
from pages.data.filters import ProfileView, render_count_rows
from pages.ui import session
from pages.ui.toolbar.case import case_title
from pages.ui.wording import text

MOST_ROWS = 8
# Of the name of a case beside its ranking.
_MOST_LETTERS = 24


def render_group_rows(
    view: ProfileView,
    chart: str,
    conditions: Sequence[SameRanking | SameLabels],
    full_profile: RankingProfile | LabelSetProfile,
    profile: RankingProfile | LabelSetProfile,
    caption: str,
) -> None:
    """Draw the number of rows with each of the most common targets."""
    groups = full_profile.groups
    filtered = view.profile_for(chart)
    of_row = groups.of_row if filtered.rows is None else groups.of_row[filtered.rows]
    counts = np.bincount(of_row, minlength=len(groups.counts))[: len(conditions)]
    chosen_row = session.row()
    own_group = int(groups.of_row[chosen_row])
    rows = [
        CountRow(
            target_strip(view.dataset, condition.row),
            int(count),
            int(full_count),
            # The chosen case, shown on the card beside the picture, has this ranking.
            note=text.shorten(case_title(view.dataset, chosen_row), _MOST_LETTERS)
            if group == own_group
            else "",
        )
        for group, (condition, count, full_count) in enumerate(
            zip(conditions, counts, groups.counts, strict=False)
        )
    ]
    texts = [
        f"{condition_text(view.dataset, condition).removeprefix('only ')}: {count}"
        for condition, count in zip(conditions[:5], counts, strict=False)
    ]
    render_count_rows(
        view,
        chart,
        rows,
        conditions,
        alt=f"{view.dataset.nouns.rows} with each of them: {'; '.join(texts)}",
        table=profile.ranking_frame(1000)
        if isinstance(profile, RankingProfile)
        else profile.set_frame(1000),
        caption=caption,
    )


def most_common(counts: NDArray[np.integer], kind: str) -> tuple[str, str]:
    """Say which of all groups of equal targets are drawn, and how many cases the others have."""
    n_others = len(counts) - MOST_ROWS
    if n_others <= 0:
        return f"All {kind}", ""
    n_cases = counts[MOST_ROWS:].sum()
    rest_text = f". {n_others} {'other' if n_others == 1 else 'others'}: {n_cases} cases"
    return f"The {MOST_ROWS} most common", rest_text


def best_labels(profile: RankingProfile) -> str:
    """Say which label has the best mean rank and which one is ranked first most often."""
    nouns = session.nouns()
    names = [f"**{text.markdown(name)}**" for name in profile.label_names]
    best, first = int(profile.order[0]), profile.most_often_first
    share = f"in {profile.position_counts[first[0], 0] / profile.n_rows:.0%} of the {nouns.rows}"
    ties = ", ties included" if profile.tied_counts.any() else ""
    mean = f"{names[best]} has the best mean rank ({profile.mean_ranks[best]:.2f})"
    if first == (best,):
        return f"{mean} and is ranked first most often ({share}{ties})."
    if len(first) == 1:
        return f"{mean}; {names[first[0]]} is ranked first most often ({share}{ties})."
    several = list_names(names[label] for label in first)
    who = several if len(first) < 4 else f"{len(first)} labels"
    return f"{mean}; {who} are ranked first most often ({share} each{ties})."


def surprise(profile: RankingProfile) -> str:
    """Say where most rows and the mean ranks disagree; '' where they do not."""
    pair = profile.majority_against_means
    if pair is None:
        return ""
    ahead, behind = (f"**{text.markdown(profile.label_names[label])}**" for label in pair)
    share = profile.pair_shares[pair]
    return (
        f"A surprise, framed: {share:.0%} of the {session.nouns().rows} that order both put "
        f"{ahead} ahead of {behind}, but {behind} has the better mean rank."
    )


def times(count: int) -> str:
    """Return a frequency as text."""
    return "once" if count == 1 else f"{count} times"


def entropy(variety: Diversity) -> str:
    """Return an entropy as text, as a share of the largest possible one."""
    return (
        f"entropy {variety.entropy:.2f} bits, {variety.normalised_entropy:.0%} of the largest "
        "possible"
    )


def pale(view: ProfileView) -> str:
    """Explain the pale bars, which show once something is chosen."""
    return " (pale: all cases)" if view.conditions else ""


def omission_note(n_shown: int, of: int, items: str) -> str:
    """Return the note that some of the items are left out; '' where all are there."""
    return f". Only the {n_shown} {items} of {of}." if of > n_shown else ""
