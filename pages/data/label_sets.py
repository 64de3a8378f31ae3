"""The label sets of a data set: frequencies of labels, pairs, sizes and sets."""

import numpy as np
import pandas as pd
import streamlit as st

from labelrank_core.data.profile import LabelSetProfile
from labelrank_core.data.profile.conditions import HasLabels, LabelCount, SameLabels, condition_text
from labelrank_core.explain.render import markup
from pages.data import common
from pages.data.count_rows import CountRow
from pages.data.filters import ProfileView, render_clickable, render_count_rows
from pages.ui.render import drawing
from pages.ui.render.charts.profile import MOST_SHOWN, percent, together_matrix
from pages.ui.wording import labels as label_choice
from pages.ui.wording import text

_MEANS = {
    "Share": "A cell: of the cases with the label on the left, the share that also has the one "
    "above it",
    "Correlation": "Phi coefficient: the correlation of two labels, from −1 to 1",
}


def render_labels(view: ProfileView, full_profile: LabelSetProfile) -> None:
    """Draw how many cases have each label."""
    st.header(drawing.with_nouns("How common is each label?"), anchor=False)
    profile = view.profile_for("labels", "label_sets").label_sets or full_profile
    label_selection = label_choice.choose_labels(view.dataset, "data", "the 15 most frequent")
    labels = label_selection.of(full_profile.order.tolist())
    counts, names = profile.label_counts[labels], full_profile.label_names
    conditions = [HasLabels((label,)) for label in labels]
    most_frequent, least_frequent = int(profile.order[0]), int(profile.order[-1])
    st.markdown(
        f"**{text.markdown(names[most_frequent])}** is the most common, in "
        f"{percent(profile.label_counts[most_frequent] / profile.n_rows)} of the "
        f"{view.dataset.nouns.rows}. **{text.markdown(names[least_frequent])}** is the rarest, in "
        f"{percent(profile.label_counts[least_frequent] / profile.n_rows)}.",
        help=f"The imbalance of a label (IRLbl) is the number behind ×; its mean is "
        f"{profile.mean_imbalance:.2f}.",
    )
    rows = [
        CountRow(
            markup.chip(label, names, "small"),
            int(count),
            int(full_profile.label_counts[label]),
            _rarity(profile.imbalance[label]),
        )
        for label, count in zip(labels, counts, strict=True)
    ]
    texts = [
        f"{names[label]}: {count} ({count / profile.n_rows:.1%})"
        for label, count in zip(labels, counts, strict=True)
    ]
    render_count_rows(
        view,
        "labels",
        rows,
        conditions,
        alt=f"{view.dataset.nouns.rows} with each label: {'; '.join(texts)}",
        table=profile.label_frame(),
        caption=f"Cases with each label{common.pale(view)}. ×2: half as common as the most common "
        "one",
    )


def _rarity(imbalance: float) -> str:
    """Write how many times rarer a label is than the most common one; '' for this one."""
    return f"×{imbalance:.1f}" if np.isfinite(imbalance) and imbalance > 1 else ""


def _together_sentence(pairs: pd.DataFrame) -> str:
    """Name the labels that are together most often, and those that are most correlated."""
    often, linked = pairs["rows with both"].idxmax(), pairs["correlation"].idxmax()
    both = {
        pair: f"**{text.markdown(pairs['first'][pair])}** and "
        f"**{text.markdown(pairs['second'][pair])}**"
        for pair in (often, linked)
    }
    sentence = (
        f"{both[often]} are together most often, {common.times(pairs['rows with both'][often])}"
    )
    correlation = f"correlation {pairs['correlation'][linked]:.2f}"
    if often == linked:
        return f"{sentence}, {correlation}."
    n_times = common.times(pairs["rows with both"][linked])
    return (
        f"{sentence}. For how often each occurs, {both[linked]} are together most: {n_times}, "
        f"{correlation}."
    )


def render_pairs(view: ProfileView, full_profile: LabelSetProfile) -> None:
    """Draw how often two labels are together."""
    st.header(drawing.with_nouns("Which labels go together?"), anchor=False)
    profile = view.profile_for("together", "label_sets").label_sets or full_profile
    labels = full_profile.order[:MOST_SHOWN].tolist()
    pairs = profile.pair_frame()
    names = [full_profile.label_names[label] for label in labels]
    likely = pairs[pairs["first"].isin(names) & pairs["second"].isin(names)]
    if likely["correlation"].notna().any():
        st.markdown(_together_sentence(likely))
    conditions = [
        HasLabels((first, second) if first != second else (first,))
        if profile.pair_counts[first, second]
        else None
        for first in labels
        for second in labels
    ]
    kind = st.segmented_control(
        "Shown",
        ["Share", "Correlation"],
        default="Share",
        required=True,
        key="together-kind",
        label_visibility="collapsed",
    )
    render_clickable(
        together_matrix(
            profile,
            labels,
            view.marked("together", conditions),
            correlation=kind == "Correlation",
        ),
        view,
        "together",
        conditions,
        alt="labels that occur together, most correlated first: "
        + "; ".join(
            f"{pair['first']} and {pair['second']} {pair['correlation']:.2f}"
            for _, pair in likely.nlargest(5, "correlation").iterrows()
        ),
        table=pairs,
        caption=_MEANS[kind]
        + common.omission_note(MOST_SHOWN, full_profile.n_labels, "most frequent labels"),
    )


def render_frequent_sets(view: ProfileView, full_profile: LabelSetProfile) -> None:
    """Draw the most common label sets and how often they occur."""
    st.header(drawing.with_nouns("Which sets of labels are common?"), anchor=False)
    profile = view.profile_for("sets", "label_sets").label_sets or full_profile
    variety, top, nouns = profile.diversity, int(profile.groups.counts[0]), view.dataset.nouns
    st.markdown(
        f"**{top} of {profile.n_rows} {nouns.rows} have the most common set.** There are "
        f"{variety.n_distinct} different ones."
        if top > 1
        else f"**No two {nouns.rows} have the same set.**",
        help=f"How evenly they are spread: {common.entropy(variety)}.",
    )
    first = full_profile.groups.first[: common.MOST_ROWS].tolist()
    scope_text, rest_text = common.most_common(full_profile.groups.counts, "sets")
    common.render_group_rows(
        view,
        "sets",
        [SameLabels(row) for row in first],
        full_profile,
        profile,
        f"{scope_text}: cases that have exactly these labels{common.pale(view)}{rest_text}",
    )


def render_sizes(view: ProfileView, full_profile: LabelSetProfile) -> None:
    """Draw how many cases have how many labels."""
    st.header(drawing.with_nouns("How many labels has a case?"), anchor=False)
    profile = view.profile_for("sizes", "label_sets").label_sets or full_profile
    st.markdown(
        drawing.with_nouns(
            f"A case has **{profile.cardinality:.2f}** labels on average, {profile.density:.1%} of "
            f"the {full_profile.n_labels}."
        ),
        help="The first number is called cardinality, the second density.",
    )
    sizes = np.flatnonzero(full_profile.size_counts)[:MOST_SHOWN].tolist()
    counts, conditions = profile.size_counts[sizes], [LabelCount(size) for size in sizes]
    texts = [
        drawing.with_nouns(condition_text(view.dataset, condition)) for condition in conditions
    ]
    render_count_rows(
        view,
        "sizes",
        [
            CountRow(size_text, int(count), int(full_profile.size_counts[size]))
            for size_text, count, size in zip(texts, counts, sizes, strict=True)
        ],
        conditions,
        alt=f"{view.dataset.nouns.rows} with each number of labels: "
        + "; ".join(f"{size_text} {count}" for size_text, count in zip(texts, counts, strict=True)),
        table=profile.size_frame(),
        caption=f"Cases with each number of labels{common.pale(view)}",
    )
