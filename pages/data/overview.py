"""The data in use: a few sentences, alerts, and the profile."""

import streamlit as st

from labelrank_core import Dataset
from labelrank_core.data.findings import Finding, Severity, count_of
from labelrank_core.data.profile import Profile
from pages.data import features, filters, label_sets, pairs, portrait, rankings
from pages.ui import compute
from pages.ui.render import assistants, tables, widgets
from pages.ui.wording import snippets, text

_SHOWN = 200
_ICONS = {Severity.WARNING: ":material/warning:", Severity.INFO: ":material/info:"}


def render_overview(dataset: Dataset) -> None:
    """Draw the profile of the data, their rows, findings and, for samples, the source."""
    profile = filters.current_view(dataset).full_profile
    st.markdown(_sentence(profile))
    # An assistant has the sentences: drawings and profile are as long as ten pages of text.
    is_read = assistants.is_reading()
    if not is_read:
        portrait.render_portrait(profile)
    _render_alerts(profile.alerts)
    sample = compute.known_sample(dataset)
    if sample is not None:
        with st.expander("About these data"):
            st.markdown(
                f"{sample.summary} **Source:** {sample.source}. **Licence:** {sample.licence}. "
                f"**Targets:** {sample.derivation}"
            )
    if not is_read:
        _render_profile(dataset)
        widgets.render_python_code(snippets.profile(dataset))
    widgets.render_findings(dataset.findings, "in-use")


def _sentence(profile: Profile) -> str:
    dataset, orders, sets = profile.dataset, profile.rankings, profile.label_sets
    n_rows, n_labels, nouns = profile.n_rows, dataset.n_labels, dataset.nouns
    sample = compute.known_sample(dataset)
    title = dataset.name if sample is None else sample.title
    features = f"{count_of(len(dataset.schema.columns), 'value')} (features)"
    labels = nouns.labels if nouns.labels == "labels" else f"{nouns.labels} (labels)"
    sentences = [f"**{text.markdown(title)}**:"]
    if sets is not None:
        ranked = "" if orders is None else ", ranked with a zero line"
        most_frequent = text.markdown(sets.label_names[int(sets.order[0])])
        sentences += [
            f"{n_rows} {nouns.rows}, each with {features}.",
            nouns.insert("A case has ")
            + f"{sets.cardinality:.2f} of {n_labels} {labels} on average{ranked}.",
            f"The most common {nouns.label} is **{most_frequent}**.",
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
    """Draw the tab that is open, and the rows; a click runs this part alone."""
    view = filters.current_view(dataset)
    filters.render_chips(view)
    if not view.filtered_profile.n_rows:
        st.info(
            "No row meets all of these conditions. Remove one.", icon=":material/filter_alt_off:"
        )
        return
    full_profile = view.full_profile
    names = ["Rankings"] if full_profile.rankings is not None else []
    names += ["Label sets"] if full_profile.label_sets is not None else []
    names += ["Pairs"] if full_profile.pairs is not None else []
    names += ["Features", "Equal rows"]
    tabs = st.tabs(names, key=f"profile-{'-'.join(names)}", on_change="rerun")
    for name, tab in zip(names, tabs, strict=True):
        if tab.open:
            with tab:
                _render_tab(name, view)
    _render_rows(view)


def _render_tab(name: str, view: filters.ProfileView) -> None:
    full_profile = view.full_profile
    if name == "Rankings" and full_profile.rankings is not None:
        rankings.render_rankings(view, full_profile.rankings)
    elif name == "Label sets" and full_profile.label_sets is not None:
        label_sets.render_label_sets(view, full_profile.label_sets)
    elif name == "Pairs" and full_profile.pairs is not None:
        pairs.render_pairs(view)
    elif name == "Features":
        features.render_features(view)
    else:
        features.render_equal_rows(view)


def _render_rows(view: filters.ProfileView) -> None:
    dataset, rows = view.dataset, view.filtered_profile.rows
    st.header("The rows", anchor=False)
    n_rows, of = view.filtered_profile.n_rows, dataset.n_samples
    first = f"; the first {_SHOWN} are listed" if n_rows > _SHOWN else ""
    st.markdown(f"{n_rows} of {of} rows{first}." if rows is not None else f"All {of} rows{first}.")
    listed = list(range(min(_SHOWN, of))) if rows is None else rows[:_SHOWN].tolist()
    # Many pairs of many labels take long to put into chains.
    key = compute.digest("targets in words", dataset.fingerprint, listed)
    targets = compute.once(key, "Writing the targets", dataset.targets_in_words, listed)
    table = tables.around_features(
        tables.features(dataset, listed),
        {"row": [row + 1 for row in listed]},
        {"target": targets},
    )
    st.dataframe(table, hide_index=True, height=320)
    tables.note_features_left_out(dataset)
