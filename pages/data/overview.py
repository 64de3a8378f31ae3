"""The data in use: a few sentences, alerts, and the profile."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from labelrank_core import Dataset, Task
from labelrank_core.data.findings import Finding, Severity, count_of
from labelrank_core.data.profile import Profile
from labelrank_core.rankings import label_buckets
from pages.data import features, filters, label_sets, pairs, portrait, rankings
from pages.ui import compute, session
from pages.ui.render import assistants, drawing, tables, widgets
from pages.ui.wording import snippets, text

_MOST_LISTED = 1000
_TABS = {
    "Rankings", "Positions", "Majorities", "Together", "Sets", "Sizes", "Pairs", "Features",
    "Duplicates",
}  # fmt: skip
_ICONS = {Severity.WARNING: ":material/warning:", Severity.INFO: ":material/info:"}


def render_overview(dataset: Dataset) -> None:
    """Draw the profile of the data, their rows, findings and, for samples, the source."""
    profile = filters.current_view(dataset).full_profile
    st.markdown(_sentence(profile))
    is_grave = any(alert.severity is Severity.WARNING for alert in profile.alerts)
    if is_grave:
        _render_alerts(profile.alerts)
    # An assistant has the sentences: drawings and profile are as long as ten pages of text.
    is_read = assistants.is_reading()
    if not is_read:
        _render_profile(dataset)
    if not is_grave:
        _render_alerts(profile.alerts)
    sample = compute.known_sample(dataset)
    if sample is not None:
        with st.expander("About these data"):
            st.markdown(
                f"{sample.summary} **Source:** {sample.source}. **Licence:** {sample.licence}. "
                f"**Targets:** {sample.derivation}"
            )
    if not is_read:
        widgets.render_python_code(snippets.profile(dataset))
    widgets.render_findings(dataset.findings, "in-use")


def _sentence(profile: Profile) -> str:
    dataset, orders, sets = profile.dataset, profile.rankings, profile.label_sets
    n_rows, n_labels, nouns = profile.n_rows, dataset.n_labels, dataset.nouns
    sample = compute.known_sample(dataset)
    title = dataset.name if sample is None else sample.title
    n_values = len(dataset.schema.columns)
    features = f"{count_of(n_values, 'value')} ({'feature' if n_values == 1 else 'features'})"
    labels = nouns.labels if nouns.labels == "labels" else f"{nouns.labels} (labels)"
    sentences = [f"**{text.markdown(title)}**:"]
    if sets is not None:
        ranked = "" if orders is None else ", ranked with a zero line"
        sentences += [
            f"{n_rows} {nouns.rows}, each with {features}.",
            nouns.insert("A case has ")
            + f"{sets.cardinality:.2f} of {n_labels} {labels} on average{ranked}.",
        ]
    elif orders is not None:
        sentences += [
            f"{n_rows} {nouns.rows}, each with {features} and a ranking of {n_labels} {labels}.",
        ]
    elif profile.pairs is not None:
        pairs = profile.pairs
        first = [text.markdown(dataset.label_names[label]) for label in pairs.most_preferred]
        is_one = len(first) == 1
        cycles = f"{pairs.n_cyclic} {nouns.row if pairs.n_cyclic == 1 else nouns.rows}"
        sentences += [
            f"{n_rows} {nouns.rows}, each with {features}; each says of {pairs.mean_known:.1f} of "
            f"{pairs.preferences.shape[1]} pairs of {labels}, on average, which comes first.",
            f"By the pairs it wins, **{first[0]}** is the most preferred {nouns.label}."
            if is_one
            else f"By the pairs they win, {len(first)} {nouns.labels} are equally preferred.",
            f"In {cycles} the pairs form a cycle." if pairs.n_cyclic else "",
        ]
    if dataset.split is not None:
        sentences.append(f"{int(dataset.split.sum())} rows are the published test set.")
    return " ".join(filter(None, sentences))


def _render_alerts(alerts: tuple[Finding, ...]) -> None:
    if not alerts:
        st.caption("No faults found: no constant features, no copies, no contradictions.")
        return
    n_things = count_of(len(alerts), "thing")
    serious = any(alert.severity is Severity.WARNING for alert in alerts)
    with st.expander(f"{n_things} to look at", expanded=serious):
        for alert in alerts:
            st.markdown(
                f"{_ICONS[alert.severity]} **{text.markdown(alert.message)}** "
                f"{text.markdown(alert.hint)}"
            )


@st.fragment
def _render_profile(dataset: Dataset) -> None:
    """Draw one case, the tab that is open, and the rows; a click runs this part alone."""
    view = filters.current_view(dataset)
    if not view.filtered_profile.n_rows:
        filters.render_chips(view)
        st.info(
            dataset.nouns.insert("No case meets all of these conditions. Remove one."),
            icon=":material/filter_alt_off:",
        )
        return
    if view.full_profile.pairs is None:
        picture_column, case_column = st.columns([2.2, 1], gap="large")
        with case_column, st.container(border=True, key="portrait"):
            portrait.render_portrait(dataset, session.row())
        with picture_column:
            _render_tabs(view)
    else:
        _render_tabs(view)
    _render_rows(view)


def _render_tabs(view: filters.ProfileView) -> None:
    tab_renderers = _tab_renderers(view)
    tabs = st.tabs(list(tab_renderers), key=f"profile-{'-'.join(tab_renderers)}", on_change="rerun")
    for tab, render in zip(tabs, tab_renderers.values(), strict=True):
        if tab.open:
            with tab:
                render()


def _tab_renderers(view: filters.ProfileView) -> dict[str, Callable[[], None]]:
    """Return the pictures that the data have, by the name of their tab."""
    full_profile, nouns = view.full_profile, view.dataset.nouns
    renderers: dict[str, Callable[[], None]] = {}
    orders, sets = full_profile.rankings, full_profile.label_sets
    if orders is not None:
        renderers = {
            "Rankings": partial(rankings.render_frequent_rankings, view, orders),
            "Positions": partial(rankings.render_positions, view, orders),
            "Majorities": partial(rankings.render_pairs, view, orders),
        }
        if orders.groups.counts[0] == 1:
            # Where no ranking occurs twice, positions tell more.
            renderers["Rankings"] = renderers.pop("Rankings")
    if sets is not None:
        renderers |= {
            _labels_tab(nouns.labels): partial(label_sets.render_labels, view, sets),
            "Together": partial(label_sets.render_pairs, view, sets),
            "Sets": partial(label_sets.render_frequent_sets, view, sets),
            "Sizes": partial(label_sets.render_sizes, view, sets),
        }
    if full_profile.pairs is not None:
        renderers["Pairs"] = partial(pairs.render_pairs, view)
    return renderers | {
        "Features": partial(features.render_features, view),
        "Duplicates": partial(features.render_equal_rows, view),
    }


def _labels_tab(labels_noun: str) -> str:
    """Return the name of the tab of single labels, which no other tab may have."""
    name = labels_noun.capitalize()
    return "Labels" if name in _TABS else text.markdown(name)


def _render_rows(view: filters.ProfileView) -> None:
    dataset, rows, nouns = view.dataset, view.filtered_profile.rows, view.dataset.nouns
    filters.render_chips(view)
    n_rows = view.filtered_profile.n_rows
    n_listed = min(n_rows, _MOST_LISTED)
    part = f" and lists {n_listed:,} of {n_rows:,}" if n_listed < n_rows else ""
    st.caption(
        f"Click the picture above to list only some {nouns.rows}. The table scrolls sideways{part}."
    )
    listed = list(range(n_listed)) if rows is None else rows[:n_listed].tolist()
    # Many pairs of many labels take long to put into chains.
    key = compute.digest("targets listed", dataset.fingerprint, listed)
    targets = compute.once(key, "Writing the targets", _list_targets, dataset, listed)
    target = nouns.labels if dataset.task is Task.MULTILABEL else "ranking"
    # On a phone the target of a case is seen whole beside its number.
    heads: dict[str, list[Any]] = {"row": [row + 1 for row in listed], target: targets}
    if dataset.case_names:
        heads["name"] = [dataset.case_names[row] for row in listed]
    table = tables.around_features(tables.features(dataset, listed), heads)
    chips = st.column_config.MultiselectColumn(
        options=dataset.label_names, color=drawing.table_colors(dataset.n_labels)
    )
    st.dataframe(
        table,
        hide_index=True,
        height=tables.height(len(listed)),
        column_config={target: chips} if _has_chips(dataset) else None,
    )
    tables.note_features_left_out(dataset)


def _has_chips(dataset: Dataset) -> bool:
    """Return True if the labels of a case stand in a row, without ties or a zero line."""
    is_ranked = dataset.task is Task.LABEL_RANKING and not dataset.has_ties
    return dataset.task is Task.MULTILABEL or is_ranked


def _list_targets(dataset: Dataset, rows: list[int]) -> list[str] | list[list[str]]:
    """List the labels of cases, best first, or write them in words where these say more."""
    if not _has_chips(dataset):
        return dataset.targets_in_words(rows)
    if dataset.task is Task.MULTILABEL:
        orders: list[Any] = [np.flatnonzero(row) for row in dataset.Y[rows]]
    else:
        orders = [[label for (label,) in label_buckets(row)] for row in dataset.Y[rows]]
    return [[dataset.label_names[label] for label in order] for order in orders]
