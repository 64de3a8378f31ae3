"""The features of a data set, and rows with equal ones."""

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from labelrank_core.data.findings import count_of
from labelrank_core.data.profile.conditions import (
    Contradicts,
    FeatureWithin,
    Repeats,
    condition_text,
    rows_where,
)
from labelrank_core.data.profile.features import feature_bins
from pages.data import common
from pages.data.count_rows import CountRow
from pages.data.filters import ProfileView, render_clickable, render_count_rows
from pages.ui import session
from pages.ui.choose import choices
from pages.ui.render.charts.profile import feature_histogram
from pages.ui.wording import text

_MOST_GROUPS, _LONGEST_VALUE = 100, 60
_LIMITS = {
    "kendall_tau_score": "a mean Kendall's tau above {:.3f}",
    "pair_tau_score": "a mean Kendall's tau of known pairs above {:.3f}",
    "hamming_loss": "a Hamming loss below {:.3f}",
}


def render_features(view: ProfileView) -> None:
    """Draw the list of features, and the distribution of the selected one."""
    table = view.features
    list_column, distribution_column = st.columns(2, gap="large")
    with list_column:
        st.header("All features", anchor=False)
        constant, filled = int((table["different"] < 2).sum()), int(table["filled in"].sum())
        gaps = f" {count_of(filled, 'missing value')} filled in." if filled else ""
        same = f" The same value in every row shown: {constant}." if constant else ""
        st.markdown(f"**{len(table)} features.**{same}{gaps} Tick one to see its values.")
        event = st.dataframe(
            table if filled else table.drop(columns="filled in"),
            hide_index=True,
            height=min(38 + 35 * len(table), 390),
            key=choices.table_key("features", view.dataset.fingerprint),
            on_select="rerun",
            selection_mode="single-row",
        )
    ticked = event["selection"]["rows"]
    with distribution_column:
        _render_distribution(view, ticked[0] if ticked else 0, table["feature"])


def _render_distribution(view: ProfileView, column: int, names: list[str]) -> None:
    chart, name = f"feature-{column}", names[column]
    st.header(text.markdown(text.shorten(name, 40)), anchor=False)
    bins = feature_bins(view.dataset, column)
    filtered_rows = view.profile_for(chart).rows
    masks = [rows_where(view.dataset, part) for part in bins]
    full_counts = np.array([mask.sum() for mask in masks])
    counts = (
        full_counts
        if filtered_rows is None
        else np.array([mask[filtered_rows].sum() for mask in masks])
    )
    bin_texts = [condition_text(view.dataset, part).removeprefix(f"{name} ") for part in bins]
    top, nouns = int(np.argmax(counts)), view.dataset.nouns
    st.markdown(
        f"Most {nouns.rows}: {text.markdown(bin_texts[top])} ({counts[top]} of {counts.sum()})."
    )
    conditions = [part if count else None for part, count in zip(bins, counts, strict=True)]
    alt = f"distribution of {name}: " + "; ".join(
        f"{bin_text} {count}" for bin_text, count in zip(bin_texts, counts, strict=True)
    )
    values = pd.DataFrame({"value": bin_texts, "rows": counts, "all rows": full_counts})
    caption = f"Cases by value{common.pale(view)}"
    within = [part for part in bins if isinstance(part, FeatureWithin)]
    if not within:
        rows = [
            CountRow(text.shorten(bin_text, _LONGEST_VALUE), int(count), int(full_count))
            for bin_text, count, full_count in zip(bin_texts, counts, full_counts, strict=True)
        ]
        render_count_rows(view, chart, rows, bins, alt=alt, table=values, caption=caption)
        return
    edges = np.array([within[0].low, *(part.high for part in within)])
    n, marked = len(within), view.marked(chart, bins)
    figure = feature_histogram(
        edges,
        counts[:n],
        full_counts[:n],
        name,
        marked if marked is not None and marked < n else None,
        nouns.rows,
    )
    render_clickable(figure, view, chart, conditions, alt=alt, table=values, caption=caption)


def render_equal_rows(view: ProfileView) -> None:
    """Draw the rows with equal features, and the bounds that they set for every method."""
    twins, n_rows = view.full_profile.twins, view.dataset.n_samples
    n_repeats, count = int(twins.repeating.sum()), int(twins.contradicting.sum())
    copies_column, contradictions_column = st.columns(2, gap="large")
    with copies_column:
        st.header("Copies", anchor=False)
        st.markdown(
            f"**{n_repeats}** of {n_rows} rows have the features and target of an earlier row."
        )
        _render_show_rows(view, "repeats", Repeats(), twins.repeating)
    with contradictions_column:
        st.header("Contradictions", anchor=False)
        sentence = (
            f"**{count}** of {n_rows} rows have the features of another row and a different target"
        )
        limits = " or ".join(
            _LIMITS[key].format(value) for key, value in twins.limiting_bounds().items()
        )
        groups = f", in {twins.n_contradicting_groups} groups" if count else ""
        limit = f" No method that uses only the features can reach {limits} on these data."
        st.markdown(f"{sentence}{groups}.{limit if limits else ''}")
        _render_show_rows(view, "contradicts", Contradicts(), twins.contradicting)
        if count:
            st.dataframe(twins.frame(_MOST_GROUPS), hide_index=True, height=300)
            st.caption(
                "Rows of a group have equal features; the bound follows the majority within each "
                "group."
            )


def _render_show_rows(
    view: ProfileView, chart: str, condition: Repeats | Contradicts, is_match: NDArray[np.bool_]
) -> None:
    """Draw a button to filter for some rows, if any of them is among those shown."""
    rows = view.filtered_profile.rows
    if chart not in view.conditions and (is_match if rows is None else is_match[rows]).any():
        st.button(
            "Show these rows",
            key=f"show-{chart}",
            icon=":material/filter_alt:",
            on_click=session.set_filter,
            args=(view.dataset, chart, condition),
        )
