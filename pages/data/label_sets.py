"""The label sets of a data set: frequencies of labels, pairs, sizes and sets."""

import numpy as np
import pandas as pd
import streamlit as st

from labelrank_core.data.findings import count_of
from labelrank_core.data.profile import LabelSetProfile
from labelrank_core.data.profile.conditions import HasLabels, LabelCount, SameLabels, condition_text
from labelrank_core.explain.render.markup.palette import label_color
from pages.data import common
from pages.data.filters import ProfileView, render_clickable
from pages.ui.render import drawing
from pages.ui.render.charts.profile import MOST_SHOWN, count_bars, together_matrix
from pages.ui.wording import labels as label_choice
from pages.ui.wording import text

_MEANS = {
    "Share": "Of the cases with the label on the left, the share that also has the one above",
    "Correlation": "Phi coefficient: the correlation of two labels, from −1 to 1",
}


def render_label_sets(view: ProfileView, full_profile: LabelSetProfile) -> None:
    """Draw the frequencies of labels and pairs, the sizes, and the label sets."""
    left_column, right_column = st.columns(2, gap="large")
    with left_column:
        _render_labels(view, full_profile)
    with right_column:
        _render_pairs(view, full_profile)
    left_column, right_column = st.columns(2, gap="large")
    with left_column:
        _render_frequent_sets(view, full_profile)
    with right_column:
        _render_sizes(view, full_profile)


def _render_labels(view: ProfileView, full_profile: LabelSetProfile) -> None:
    st.header(drawing.with_nouns("How common is each label?"), anchor=False)
    profile = view.profile_for("labels", "label_sets").label_sets or full_profile
    label_selection = label_choice.choose_labels(view.dataset, "data", "the 15 most frequent")
    labels = label_selection.of(full_profile.order.tolist())
    counts, names = profile.label_counts[labels], full_profile.label_names
    conditions = [HasLabels((label,)) for label in labels]
    most_frequent, least_frequent = int(profile.order[0]), int(profile.order[-1])
    st.markdown(
        f"From **{text.markdown(names[most_frequent])}** in "
        f"{profile.label_counts[most_frequent] / profile.n_rows:.0%} of the "
        f"{view.dataset.nouns.rows} to **{text.markdown(names[least_frequent])}** in "
        f"{profile.label_counts[least_frequent] / profile.n_rows:.1%}.",
        help=f"The imbalance of a label (IRLbl) is the number behind ×; its mean is "
        f"{profile.mean_imbalance:.2f}.",
    )
    texts = [
        f"{names[label]}  ×{ratio:.1f}"
        if np.isfinite(ratio := profile.imbalance[label])
        else names[label]
        for label in labels
    ]
    hovers = [
        f"{names[label]}: {count_of(count, 'row')} ({count / profile.n_rows:.1%}), imbalance "
        f"{profile.imbalance[label]:.2f}"
        for label, count in zip(labels, counts, strict=True)
    ]
    render_clickable(
        count_bars(
            counts,
            full_profile.label_counts[labels],
            texts,
            hovers,
            view.marked("labels", conditions),
            colors=[label_color(label) for label in labels],
        ),
        view,
        "labels",
        common.with_rows(conditions, counts),
        alt=f"rows with each label: {'; '.join(hovers)}",
        table=profile.label_frame(),
        caption=f"Cases with each label{common.grey(view)}. ×: how many times rarer it is than the "
        "most common one",
    )


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


def _render_pairs(view: ProfileView, full_profile: LabelSetProfile) -> None:
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


def _render_frequent_sets(view: ProfileView, full_profile: LabelSetProfile) -> None:
    st.header("Most frequent label sets", anchor=False)
    profile = view.profile_for("sets", "label_sets").label_sets or full_profile
    variety, top = profile.diversity, int(profile.groups.counts[0])
    st.markdown(
        f"{profile.n_rows} {view.dataset.nouns.rows} have **{variety.n_distinct}** different sets. "
        f"The most common one occurs {common.times(top)}.",
        help=f"How evenly they are spread: {common.entropy(variety)}.",
    )
    first = full_profile.groups.first[: common.MOST_BARS].tolist()
    caption = f"Cases with exactly these labels{common.grey(view)}" + common.omission_note(
        common.MOST_BARS, len(full_profile.groups.first), "most common label sets"
    )
    same = [SameLabels(row) for row in first]
    common.render_group_bars(view, "sets", same, full_profile, profile, caption)


def _render_sizes(view: ProfileView, full_profile: LabelSetProfile) -> None:
    st.header(drawing.with_nouns("Labels per case"), anchor=False)
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
    condition_texts = [condition_text(view.dataset, condition) for condition in conditions]
    hovers = [
        f"{size_text}: {count_of(count, 'row')}"
        for size_text, count in zip(condition_texts, counts, strict=True)
    ]
    render_clickable(
        count_bars(
            counts,
            full_profile.size_counts[sizes],
            condition_texts,
            hovers,
            view.marked("sizes", conditions),
        ),
        view,
        "sizes",
        common.with_rows(conditions, counts),
        alt=f"rows with each number of labels: {'; '.join(hovers)}",
        table=profile.size_frame(),
        caption=f"Cases with each number of labels{common.grey(view)}",
    )
