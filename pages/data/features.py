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
from pages.data.filters import View, clickable
from pages.ui import choices, session, text
from pages.ui.charts.profile import count_bars, feature_histogram

_MOST_GROUPS = 100
_LIMITS = {
    "kendall_tau_score": "a mean Kendall's tau above {:.3f}",
    "hamming_loss": "a Hamming loss below {:.3f}",
}


def show(view: View) -> None:
    """List the features; of the one chosen, draw the distribution."""
    table = view.features
    left, right = st.columns(2, gap="large")
    with left:
        st.header("All features", anchor=False)
        constant, filled = int((table["different"] < 2).sum()), int(table["filled in"].sum())
        gaps = f"; {filled} missing values were filled in" if filled else ""
        st.markdown(
            f"**{len(table)}** features; {constant} have the same value in every row shown{gaps}. "
            "Tick one to see its values."
        )
        event = st.dataframe(
            table if filled else table.drop(columns="filled in"),
            hide_index=True,
            height=min(38 + 35 * len(table), 390),
            key=choices.table_key("features", view.dataset.fingerprint),
            on_select="rerun",
            selection_mode="single-row",
        )
    ticked = event["selection"]["rows"]
    with right:
        _distribution(view, ticked[0] if ticked else 0, table["feature"])


def _distribution(view: View, column: int, names: list[str]) -> None:
    chart, name = f"feature-{column}", names[column]
    st.header(text.markdown(text.shorten(name, 40)), anchor=False)
    bins = feature_bins(view.dataset, column)
    seen = view.seen_by(chart).rows
    masks = [rows_where(view.dataset, part) for part in bins]
    whole = np.array([mask.sum() for mask in masks])
    counts = whole if seen is None else np.array([mask[seen].sum() for mask in masks])
    within = [part for part in bins if isinstance(part, FeatureWithin)]
    words = [condition_text(view.dataset, part).removeprefix(f"{name} ") for part in bins]
    top = int(np.argmax(counts))
    st.markdown(f"Most rows: {text.markdown(words[top])} ({counts[top]} of {counts.sum()}).")
    marked = view.marked(chart, bins)
    if within:
        edges = np.array([within[0].low, *(part.high for part in within)])
        n = len(within)
        figure = feature_histogram(
            edges,
            counts[:n],
            whole[:n],
            name,
            marked if marked is not None and marked < n else None,
        )
    else:
        hovers = [
            f"{name} {said}: {count_of(count, 'row')}"
            for said, count in zip(words, counts, strict=True)
        ]
        figure = count_bars(counts, whole, words, hovers, marked)
    clickable(
        figure,
        view,
        chart,
        [part if count else None for part, count in zip(bins, counts, strict=True)],
        alt=f"distribution of {name}: "
        + "; ".join(f"{said} {count}" for said, count in zip(words, counts, strict=True)),
        table=pd.DataFrame({"value": words, "rows": counts, "all rows": whole}),
        caption=f"Rows by value{common.grey(view)}.",
    )


def equal_rows(view: View) -> None:
    """Say which rows have equal features, and what that means for every method."""
    twins, n_rows = view.whole.twins, view.dataset.n_samples
    n_repeats, count = int(twins.repeating.sum()), int(twins.contradicting.sum())
    left, right = st.columns(2, gap="large")
    with left:
        st.header("Copies", anchor=False)
        st.markdown(
            f"**{n_repeats}** of {n_rows} rows have the features and target of an earlier row."
        )
        _offer(view, "repeats", Repeats(), twins.repeating)
    with right:
        st.header("Contradictions", anchor=False)
        said = (
            f"**{count}** of {n_rows} rows have the features of another row and a different target"
        )
        limits = " or ".join(_LIMITS[key].format(value) for key, value in twins.bounds().items())
        st.markdown(
            f"{said}, in {twins.n_contradicting_groups} groups. No method that uses only the "
            f"features can reach {limits} on these data."
            if count
            else f"{said}."
        )
        _offer(view, "contradicts", Contradicts(), twins.contradicting)
        if count:
            st.dataframe(twins.frame(_MOST_GROUPS), hide_index=True, height=300)
            st.caption(
                "Rows of a group have equal features; the bound follows the majority within each "
                "group."
            )


def _offer(
    view: View, chart: str, condition: Repeats | Contradicts, found: NDArray[np.bool_]
) -> None:
    """Offer to show the rows found, if any is among those shown."""
    rows = view.shown.rows
    if chart not in view.chosen and (found if rows is None else found[rows]).any():
        st.button(
            "Show these rows",
            key=f"show-{chart}",
            icon=":material/filter_alt:",
            on_click=session.set_filter,
            args=(view.dataset, chart, condition),
        )
