"""Tables with drawings in them: a case beside its neighbours, methods side by side."""

import html
from collections.abc import Sequence
from dataclasses import dataclass

from labelrank_core.explain.markup.rankings import chip
from labelrank_core.explain.markup.text import attribute, keyed, shorten, shorten_all

# Of names at the head of a column, and of those of labels there.
_LETTERS, _LABEL_LETTERS = 24, 16


@dataclass(frozen=True)
class CaseRow:
    """A case in a table of cases.

    Parameters
    ----------
    mark : str
        What the first column says, such as "1" for the nearest case.
    name : str
        What the case is called.
    values : tuple of str
        Its values, as they are shown.
    strip : str
        Its ranking as markup, or "?".
    differs : tuple of bool
        Which values to shade.
    """

    mark: str
    name: str
    values: tuple[str, ...]
    strip: str
    differs: tuple[bool, ...] = ()


def cases_table(
    own: CaseRow, others: Sequence[CaseRow], heads: Sequence[str], ends: tuple[str, str]
) -> str:
    """Draw a case above similar ones; values that differ much are shaded.

    `ends` heads the first and the last column: what a row is, and what its strip says. Where no row
    has a mark there is no column for them.
    """
    what, targets = ends
    is_marked = any(row.mark for row in (own, *others))
    corner = "<td></td>" if is_marked else ""
    head = "".join(map(_head, heads))
    rows = "".join(
        _case(row, heads, "own" if row is own else "", is_marked=is_marked)
        for row in (own, *others)
    )
    return scrollable(
        "Similar cases",
        f'<table><thead><tr>{corner}<th class="text">{html.escape(what)}</th>{head}'
        f'<th class="text">{html.escape(targets)}</th></tr></thead><tbody>{rows}</tbody></table>',
    )


def _head(name: str) -> str:
    short = shorten(name, _LETTERS)
    title = "" if short == name else f' title="{attribute(name)}"'
    return f"<th{title}>{html.escape(short)}</th>"


def scrollable(name: str, table: str) -> str:
    """Let the arrow keys scroll a table sideways that is wider than its place."""
    return f'<div class="lr lr-scroll" tabindex="0" role="region" aria-label="{name}">{table}</div>'


def _case(row: CaseRow, heads: Sequence[str], kind: str, *, is_marked: bool) -> str:
    mark = f"<td>{html.escape(row.mark)}</td>" if is_marked else ""
    differs = row.differs or (False,) * len(row.values)
    # Narrow reports write the name of the feature into the cell.
    cells = "".join(
        f'<td class="{"differs" if far else ""}" data-head="{attribute(head)}">'
        f"{html.escape(value)}</td>"
        for value, far, head in zip(row.values, differs, heads, strict=True)
    )
    return (
        f'<tr class="{kind}"{keyed(row.name)}>{mark}<td class="text">'
        f'{html.escape(row.name)}</td>{cells}<td class="text">{row.strip}</td></tr>'
    )


def deciding_table(
    names: Sequence[str], rows: Sequence[tuple[str, str, Sequence[tuple[str, str]]]]
) -> str:
    """Draw numbers of labels, one column per label: each with its mark, such as "decides".

    A row is headed by its name and by what its numbers are.
    """
    short = shorten_all(names, _LABEL_LETTERS)
    heads = "".join(
        f'<th scope="col">{chip(label, short, "small", name)}</th>'
        for label, name in enumerate(names)
    )
    body = "".join(
        f'<tr><th scope="row"><b>{html.escape(name)}</b><small>{html.escape(said)}</small></th>'
        f"{''.join(map(_deciding, cells))}</tr>"
        for name, said, cells in rows
    )
    return scrollable(
        "What decides",
        f'<table class="lr-deciding"><thead><tr><td></td>{heads}</tr></thead>'
        f"<tbody>{body}</tbody></table>",
    )


def _deciding(cell: tuple[str, str]) -> str:
    number, mark = cell
    said = f"<small>{html.escape(mark)}</small>" if mark else ""
    return f'<td class="{"won" if mark else ""}">{html.escape(number)}{said}</td>'


def plain_table(name: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Draw a table of words; the first column heads the rows."""
    head = "".join(f'<th scope="col" class="text">{html.escape(each)}</th>' for each in heads)
    body = "".join(
        "<tr>" + "".join(f'<td class="text">{html.escape(cell)}</td>' for cell in row) + "</tr>"
        for row in rows
    )
    return scrollable(name, f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")
