"""Cells in rows and columns: which labels cases have, and numbers tinted by their size."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labelrank_core.explain.render.markup.elements import Html, element
from labelrank_core.explain.render.markup.palette import color_class, mark_class
from labelrank_core.explain.render.markup.tables import scrollable
from labelrank_core.explain.render.markup.text import percent, shorten_all
from labelrank_core.rankings import FloatArray

# Column names lie flat where a phone has room for columns that are all as wide as the longest
# name; the others stand.
_MOST_FLAT, _FLAT_LETTERS, _LETTERS_ABREAST = 4, 12, 28
_LETTERS = 18
# Where columns are wide, names of short words have two lines.
_LETTERS_ON_LINES = 36
# More columns than these scroll sideways: each is at least so wide, in rem, as are the names.
_MOST_BESIDE, _NARROWEST, _NAMES_WIDTH = 16, 1.2, 7.5
# Beside so few columns the names of rows have room.
_MOST_ROOMY = 6
# Deeper rows are indented as far as these, because names need room.
_MOST_INDENTED = 3
# Matrices with more columns have no room for their numbers.
NUMBERS_UP_TO = 10


def label_sets(
    relevant: NDArray[np.bool_],
    row_names: Sequence[str],
    names: Sequence[str],
    order: Sequence[int],
) -> Html:
    """Draw which labels each of some cases has: a column for each label, marked and coloured."""
    rows = [
        element(
            "tr",
            element("th", name, scope="row"),
            [
                element("td", "✓", class_=color_class(label)) if label_set[label] else element("td")
                for label in order
            ],
            data_key=name,
        )
        for name, label_set in zip(row_names, relevant, strict=True)
    ]
    return _grid("lr-sets", [names[label] for label in order], rows)


@dataclass(frozen=True, eq=False)
class Tinted:
    """A matrix of numbers, drawn as cells.

    Parameters
    ----------
    tints : ndarray of shape (n_rows, n_columns)
        From -1 (orange) over 0 (no colour) to 1 (blue); NaN leaves a cell empty.
    texts : sequence of sequence of str
        The numbers as they are written.
    row_names, column_names : sequence of str
        What the rows and the columns are.
    framed : frozenset of (int, int)
        Cells to frame, by row and column.
    depths : sequence of int
        How far each row's name is indented; empty: none is.
    labels : sequence of int
        The labels of both rows and columns. Each row's name has a mark in its label's colour.
        Empty: rows and columns are not labels.
    totals : sequence of str
        A number behind each row, such as its sum; empty: none.
    totals_title : str
        The name of these numbers.
    """

    tints: FloatArray
    texts: Sequence[Sequence[str]]
    row_names: Sequence[str]
    column_names: Sequence[str]
    framed: frozenset[tuple[int, int]] = frozenset()
    depths: Sequence[int] = ()
    labels: Sequence[int] = ()
    totals: Sequence[str] = ()
    totals_title: str = ""


def matrix(cells: Tinted) -> Html:
    """Draw a matrix of numbers; of many columns the numbers are left to hovering."""
    written = len(cells.column_names) <= NUMBERS_UP_TO
    rows = []
    for i, (name, tints, line) in enumerate(
        zip(cells.row_names, cells.tints, cells.texts, strict=True)
    ):
        row_cells = []
        for j, (tint, text) in enumerate(zip(tints.tolist(), line, strict=True)):
            is_framed = (i, j) in cells.framed
            if cells.labels and i == j:
                row_cells.append(element("td", class_="self"))
            else:
                row_cells.append(_number(tint, text, framed=is_framed, written=written))
        if cells.totals:
            row_cells.append(element("td", cells.totals[i], class_="total"))
        depth = min(cells.depths[i], _MOST_INDENTED) if cells.depths else 0
        indent = f"padding-left:{0.6 * depth:.1f}em" if depth else ""
        key = element("i", class_=mark_class(cells.labels[i])) if cells.labels else None
        head = element("th", key, name, scope="row", style=indent)
        rows.append(element("tr", head, row_cells, data_key=name))
    kind = "lr-matrix tiles" if cells.labels else "lr-matrix"
    return _grid(kind, cells.column_names, rows, cells.totals_title)


def tint_key(behind: str, ahead: str) -> Html:
    """Draw the scale of the cells of a matrix, with the words at both ends."""
    ends = [element("span", end) for end in (behind, ahead)]
    return element("div", ends[0], element("i"), ends[1], class_="lr-tints")


def _number(tint: float, text: str, *, framed: bool, written: bool) -> Html:
    if np.isnan(tint):
        return element("td")
    kind = f"{'up' if tint >= 0 else 'down'}{' wrong' if framed else ''}"
    content, hover = (text, "") if written else ("", text)
    style = f"--t:{percent(100 * min(1.0, abs(tint)), 0)}"
    return element("td", content, class_=kind, style=style, title=hover)


def _grid(kind: str, columns: Sequence[str], rows: Sequence[Html], totals_title: str = "") -> Html:
    """Put rows below the names of their columns, and of the numbers behind them."""
    has_few = len(columns) <= _MOST_ROOMY
    column_words = " ".join(columns).split()
    has_lines = has_few and max(map(len, column_words), default=0) <= _LETTERS
    longest = max(map(len, columns), default=0)
    has_room = longest <= _FLAT_LETTERS and len(columns) * longest <= _LETTERS_ABREAST
    flat = len(columns) <= _MOST_FLAT and has_room
    short = shorten_all(columns, _LETTERS_ON_LINES if has_lines else _LETTERS)
    is_short = has_few and not flat and longest <= _FLAT_LETTERS
    heads = [
        element("th", element("span", cut), scope="col", title=name)
        for name, cut in zip(columns, short, strict=True)
    ]
    if totals_title:
        total_head = element("span", totals_title)
        heads.append(element("th", total_head, scope="col", class_="total"))
    is_wide = len(columns) > _MOST_BESIDE
    style = f"--letters:{longest}" if is_short else ""
    if is_wide:
        style = f"min-width:{_NAMES_WIDTH + len(columns) * _NARROWEST:.1f}rem"
    table = element(
        "table",
        element("thead", element("tr", element("td", class_="corner"), heads)),
        element("tbody", rows),
        class_=f"{kind}{' few' if has_few else ''}{'' if flat else ' upright'}"
        f"{' short' if is_short else ''}",
        style=style,
    )
    return scrollable("Labels", table) if is_wide else table
