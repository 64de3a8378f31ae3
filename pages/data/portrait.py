"""The chosen case of the data as a card: some of its values, and what they predict."""

from labelrank_core import Dataset, Task
from labelrank_core.data.schema import number_text
from labelrank_core.explain.render.markup.elements import Child, Html, element
from pages.data.count_rows import target_strip
from pages.ui.render import drawing, tables
from pages.ui.toolbar.case import case_title

# More values than these are counted.
_N_VALUES = 4


def render_portrait(dataset: Dataset, row: int) -> None:
    """Draw the card."""
    drawing.render_at_once(portrait_card(dataset, row))


def portrait_card(dataset: Dataset, row: int) -> Html:
    """Return the card as HTML."""
    nouns = dataset.nouns
    target = nouns.labels if dataset.task is Task.MULTILABEL else "ranking"
    values = list(tables.features(dataset, [row]).iloc[0].items())
    lines = [
        _line(str(name), number_text(value) if isinstance(value, float) else str(value))
        for name, value in values[:_N_VALUES]
    ]
    n_more = len(dataset.schema.columns) - len(lines)
    if n_more > 0:
        lines.append(_line(f"and {n_more} more", ""))
    return element(
        "div",
        element("h2", f"One {nouns.row}"),
        element("p", case_title(dataset, row)),
        element("table", element("tbody", lines)),
        element("p", f"Its real {target}:", class_="leads"),
        target_strip(dataset, row),
        class_="lr lr-portrait",
    )


def _line(head: Child, content: Child) -> Html:
    return element("tr", element("th", head, scope="row"), element("td", content))
