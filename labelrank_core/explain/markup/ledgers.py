"""What is printed beside what was recomputed: a bar of verdicts, a table of numbers, links."""

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from labelrank_core.explain.markup.tables import scrollable
from labelrank_core.explain.markup.text import attribute, percent

# In this order from left to right.
_SHARES = ("within", "above", "below", "differs")


@dataclass(frozen=True)
class Number:
    """A cell of a table of numbers.

    Parameters
    ----------
    ours, printed : str
        Both as they are shown; ours is empty where nothing was recomputed.
    verdict : str
        ``"within"``, ``"above"``, ``"below"`` or ``"differs"``; empty without a recomputed number.
    words : str
        The verdict and its reason, for those who point at the cell.
    difference : str
        How far ours lies from the print, with a sign; empty where they agree.
    """

    ours: str
    printed: str
    verdict: str = ""
    words: str = ""
    difference: str = ""


Share = tuple[tuple[str, str], Mapping[str, int], int, str]


def shares(rows: Sequence[Share]) -> str:
    """Draw which share of a whole has each verdict.

    A row has a name and what it stands for, numbers by verdict, the whole, and words at the end.
    """
    lines = []
    for (name, title), counts, whole, words in rows:
        parts = "".join(
            f'<i class="{verdict}" '
            f'style="width:{percent(100 * counts[verdict] / max(1, whole), 2)}"></i>'
            for verdict in _SHARES
        )
        lines.append(
            f'<li><span class="name"><b>{html.escape(name)}</b> <span class="muted">'
            f"{html.escape(title)}</span></span>"
            f'<span class="track" aria-hidden="true">{parts}</span>'
            f'<span class="words muted">{html.escape(words)}</span></li>'
        )
    return f'<ul class="lr-held">{"".join(lines)}</ul>'


def numbers_table(
    name: str, heads: Sequence[str], rows: Sequence[tuple[str, Sequence[Number | None]]]
) -> str:
    """Draw recomputed numbers above printed ones; None where nothing is printed."""
    head = "".join(f'<th scope="col">{html.escape(each)}</th>' for each in heads)
    body = "".join(
        f'<tr><th scope="row">{html.escape(title)}</th>{"".join(map(_number, cells))}</tr>'
        for title, cells in rows
    )
    return scrollable(
        attribute(name),
        f'<table class="lr-numbers"><thead><tr><td></td>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table>",
    )


def _number(cell: Number | None) -> str:
    if cell is None:
        return '<td class="none">–</td>'
    if not cell.ours:
        return f'<td class="none"><small>print {html.escape(cell.printed)}</small></td>'
    difference = f"<small>{html.escape(cell.difference)}</small>" if cell.difference else ""
    return (
        f'<td class="{cell.verdict}" title="{attribute(cell.words)}"><b>{html.escape(cell.ours)}'
        f"</b><small>print {html.escape(cell.printed)}</small>"
        f"{difference}</td>"
    )


def links(title: str, targets: Sequence[tuple[str, str]]) -> str:
    """Draw links with their words, side by side after a title; each is an address of this app."""
    found = "".join(
        f'<a href="{attribute(address)}" target="_self">{html.escape(words)}</a>'
        for words, address in targets
    )
    return (
        f'<nav class="lr lr-ways" aria-label="{attribute(title)}"><span class="muted">'
        f"{html.escape(title)}</span>{found}</nav>"
    )
