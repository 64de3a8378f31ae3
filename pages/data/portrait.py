"""The portrait of the data in use: one case, the most common targets, and who is first."""

from collections.abc import Sequence

import streamlit as st

from labelrank_core import Dataset
from labelrank_core.data.profile import Profile
from labelrank_core.data.schema import number_text
from labelrank_core.explain.render import markup, target_ranking
from labelrank_core.explain.render.markup.elements import Child, Html, element
from pages.ui.render import drawing, tables

# More features of the case, targets and labels than these are left out.
_N_FEATURES, _N_TARGETS, _N_LABELS, _N_CHIPS = 3, 3, 6, 8


def render_portrait(profile: Profile) -> None:
    """Draw a card for each question."""
    if not (cards := portrait_cards(profile)):
        return
    with st.container(key="portrait"), st.grid(3, min_column_width=290, gap="small"):
        for card in cards:
            with st.container(border=True, height="stretch", gap="xsmall"):
                drawing.render_at_once(card)


def portrait_cards(profile: Profile) -> list[Html]:
    """Return the cards as HTML; none for data of pairs, which have no single order."""
    orders, sets = profile.rankings, profile.label_sets
    targets = sets or orders
    if targets is None:
        return []
    dataset, nouns = profile.dataset, profile.dataset.nouns
    groups = targets.groups
    target = "ranking" if sets is None else f"set of {nouns.labels}"
    common_rows = [
        _line(f"{int(count)}", _strip(dataset, int(row)))
        for row, count in zip(groups.first[:_N_TARGETS], groups.counts[:_N_TARGETS], strict=True)
    ]
    if sets is not None:
        together = f"Which sets of {nouns.labels} are common?"
        title = f"Which {nouns.labels} are common?"
        caption = f"{nouns.rows.capitalize()} that have each {nouns.label}."
        counts: Sequence[int] = sets.label_counts.tolist()
    else:
        together = "Which rankings are common?"
        title = f"Which {nouns.label} is first?"
        caption = f"{nouns.rows.capitalize()} that rank each {nouns.label} first."
        counts = [] if orders is None else orders.position_counts[:, 0].tolist()
    by_count = sorted(range(len(counts)), key=lambda label: -counts[label])[:_N_LABELS]
    label_rows = [
        _bar(counts[label], max(counts), markup.chip(label, dataset.label_names, "small"))
        for label in by_count
    ]
    return [
        _card(f"What is one {nouns.row}?", *_case(dataset, target)),
        _card(together, f"{nouns.rows.capitalize()} with each {target}.", common_rows),
        _card(title, caption, label_rows),
    ]


def _card(title: str, caption: str, rows: Sequence[Html]) -> Html:
    return element(
        "div",
        element("h2", title),
        element("p", caption, class_="muted"),
        element("table", element("tbody", rows)),
        class_="lr lr-portrait",
    )


def _case(dataset: Dataset, target: str) -> tuple[str, list[Html]]:
    """Return the caption and the lines of the card of the first case."""
    name = dataset.case_names[0] if dataset.case_names else f"{dataset.nouns.row} 1"
    values = tables.features(dataset, [0]).iloc[0]
    rows = [
        _line(
            str(feature),
            number_text(value) if isinstance(value, float) else str(value),
        )
        for feature, value in list(values.items())[:_N_FEATURES]
    ]
    n_more = len(dataset.schema.columns) - len(rows)
    more = f", and {n_more} more," if n_more > 0 else ""
    return (
        f"These values of {name}{more} predict its {target}.",
        [*rows, _line(element("b", target), _strip(dataset, 0))],
    )


def _line(head: Child, content: Child) -> Html:
    return element("tr", element("th", head, scope="row"), element("td", content))


def _bar(count: int, largest: int, chip: Child) -> Html:
    width = 100 * count / max(1, largest)
    bar = element("span", class_="lr-portrait-bar", style=f"width:{width:.1f}%") if count else None
    return element(
        "tr",
        element("th", chip, scope="row"),
        element("td", count, class_="number"),
        element("td", bar),
    )


def _strip(dataset: Dataset, row: int) -> Html:
    ranking = target_ranking(dataset, row)
    if not ranking.buckets:
        return element("span", "none", class_="muted")
    return Html(markup.strip(ranking, dataset.label_names, n_labels=_N_CHIPS))
