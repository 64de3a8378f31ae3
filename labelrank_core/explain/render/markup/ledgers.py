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


@dataclass(frozen=True)
class PaperShare:
    """The recomputed numbers of a paper.

    Parameters
    ----------
    name : str
        The paper.
    n_printed : int
        How many numbers it prints.
    counts : mapping of str to int
        The recomputed numbers by their verdict.
    texts : mapping of str to str
        These counts in words, by verdict; without those that are 0.
    """

    name: str
    n_printed: int
    counts: Mapping[str, int]
    texts: Mapping[str, str]


def shares(papers: Sequence[PaperShare], chosen_row: int | None = None) -> Html:
    """Draw which share of each paper's numbers has which verdict; the others stay pale.

    With a row that is chosen, names are buttons with the numbers of their rows.
    """
    heads = [element("span", text, class_="muted") for text in ("", "recomputed", "", "")]
    lines = [element("li", heads, class_="heads", aria_hidden="true")]
    for row, paper in enumerate(papers):
        n_recomputed = sum(paper.counts[verdict] for verdict in _SHARES)
        parts = [
            element(
                "i",
                class_=verdict,
                style=f"width:{percent(100 * paper.counts[verdict] / max(1, paper.n_printed), 2)}",
            )
            for verdict in _SHARES
            if paper.counts[verdict]
        ]
        texts = [
            element("span", element("i", class_=verdict, aria_hidden="true"), paper.texts[verdict])
            for verdict in _SHARES
            if verdict in paper.texts
        ]
        lines.append(
            element(
                "li",
                element("b", row_button(paper.name, row, chosen_row), class_="name"),
                element("span", f"{n_recomputed:,} of {paper.n_printed:,}", class_="count"),
                element("span", parts, class_="track", aria_hidden="true"),
                element("span", texts, class_="words"),
            )
        )
    return element("ul", lines, class_="lr-held")


def shares_key(meanings: Sequence[tuple[Sequence[str], str]]) -> Html:
    """Draw what the colours of shares mean: verdicts, and a text; no verdict is pale."""
    items = [
        element("span", [element("i", class_=verdict) for verdict in verdicts], text)
        for verdicts, text in meanings
    ]
    return element("p", items, class_="lr-held-key")


def row_button(name: str, row: int, chosen_row: int | None) -> Html | str:
    """Return a button that chooses a row; its name alone where none can be chosen."""
    if chosen_row is None:
        return name
    is_chosen = "true" if row == chosen_row else "false"
    return element("button", name, type="button", data_row=row, aria_pressed=is_chosen)


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
