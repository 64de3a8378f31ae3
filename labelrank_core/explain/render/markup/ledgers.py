"""Printed numbers beside recomputed ones: a bar of verdicts, a table of numbers, links."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from labelrank_core.explain.render.markup.elements import Html, element
from labelrank_core.explain.render.markup.tables import scrollable
from labelrank_core.explain.render.markup.text import percent

# In this order from left to right.
_SHARES = ("within", "above", "below", "differs")


@dataclass(frozen=True)
class LedgerNumber:
    """A cell of a table of numbers.

    Parameters
    ----------
    ours, printed : str
        Both as they are shown; ours is empty where nothing was recomputed.
    verdict : str
        ``"within"``, ``"above"``, ``"below"`` or ``"differs"``; empty without a recomputed number.
    tooltip : str
        The verdict and its reason, for those who point at the cell.
    difference : str
        How far ours lies from the print, with a sign; empty where they agree.
    """

    ours: str
    printed: str
    verdict: str = ""
    tooltip: str = ""
    difference: str = ""


Share = tuple[str, Mapping[str, int], int, str]


def shares(
    rows: Sequence[Share],
    chosen_row: int | None = None,
    *,
    first_row: int = 0,
    are_compared: bool = False,
) -> Html:
    """Draw which share of a whole has each verdict.

    A row has a name, numbers by verdict, the whole, and words at the end. With a row that is
    chosen, names are buttons with the numbers of their rows, from `first_row`. Where numbers are
    compared instead of recomputed, those within the tolerance have no colour.
    """
    heads = [element("span", text, class_="muted") for text in ("", "numbers", "share of them", "")]
    lines = [element("li", heads, class_="heads")]
    for number, (name, counts, total, text) in enumerate(rows, first_row):
        parts = [
            element(
                "i",
                class_=verdict,
                style=f"width:{percent(100 * counts[verdict] / max(1, total), 2)}",
            )
            for verdict in _SHARES
        ]
        lines.append(
            element(
                "li",
                element("b", _share_name(name, number, chosen_row), class_="name"),
                element("span", f"{total:,}", class_="count"),
                element("span", parts, class_="track", aria_hidden="true"),
                element("span", text, class_="words muted"),
            )
        )  # fmt: skip
    return element("ul", lines, class_="lr-held compared" if are_compared else "lr-held")


def shares_legend(entries: Sequence[tuple[str, str]], *, are_compared: bool = False) -> Html:
    """Draw the meaning of the colours of `shares`: the verdict of a colour, and words."""
    parts = [
        element("span", element("i", class_=verdict, aria_hidden="true"), text)
        for verdict, text in entries
    ]
    return element("p", parts, class_="lr-verdicts compared" if are_compared else "lr-verdicts")


def _share_name(name: str, number: int, chosen_row: int | None) -> Html | str:
    if chosen_row is None:
        return name
    is_chosen = "true" if number == chosen_row else "false"
    return element("button", name, type="button", data_row=number, aria_pressed=is_chosen)


def numbers_table(
    name: str, heads: Sequence[str], rows: Sequence[tuple[str, Sequence[LedgerNumber | None]]]
) -> Html:
    """Draw recomputed numbers above printed ones; None where nothing is printed."""
    head = element("tr", element("td"), [element("th", heading, scope="col") for heading in heads])
    body = [
        element("tr", element("th", title, scope="row"), map(_number, cells))
        for title, cells in rows
    ]
    table = element("table", element("thead", head), element("tbody", body), class_="lr-numbers")
    return scrollable(name, table)


def _number(cell: LedgerNumber | None) -> Html:
    if cell is None:
        return element("td", "–", class_="none")
    printed = element("small", f"print {cell.printed}")
    if not cell.ours:
        return element("td", printed, class_="none")
    difference = element("small", cell.difference) if cell.difference else None
    return element(
        "td", element("b", cell.ours), printed, difference, class_=cell.verdict, title=cell.tooltip
    )


def links(title: str, targets: Sequence[tuple[str, str]]) -> Html:
    """Draw links with their words, side by side after a title; each is an address of this app."""
    anchors = [element("a", text, href=address, target="_self") for text, address in targets]
    heading = element("span", title, class_="muted")
    return element("nav", heading, anchors, class_="lr lr-ways", aria_label=title)
