"""Tables with drawings in them: a case beside its neighbours, methods side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np
import pandas as pd

from labelrank_core.explain.render.markup.elements import Html, element
from labelrank_core.explain.render.markup.rankings import chip
from labelrank_core.explain.render.markup.text import shorten, shorten_all

# Of names at the head of a column, and of those of labels there.
_LETTERS, _LABEL_LETTERS = 24, 16
# The heads of more columns stand upright in a narrow place.
_FEW_HEADS = 4


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
    strip : Html or str
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
    case: CaseRow, similar_cases: Sequence[CaseRow], heads: Sequence[str], ends: tuple[str, str]
) -> Html:
    """Draw a case above similar ones; values that differ much are shaded.

    `ends` heads the first and the last column: what a row is, and what its strip says. Where no row
    has a mark there is no column for them.
    """
    row_head, strip_head = ends
    is_marked = any(row.mark for row in (case, *similar_cases))
    corner = element("td") if is_marked else None
    head = element(
        "tr",
        corner,
        element("th", row_head, class_="text"),
        map(_head, heads),
        element("th", strip_head, class_="text"),
    )
    rows = [
        _case(row, heads, "own" if row is case else "", is_marked=is_marked)
        for row in (case, *similar_cases)
    ]
    table = element("table", element("thead", head), element("tbody", rows))
    return scrollable("Similar cases", table)


def _head(name: str) -> Html:
    short = shorten(name, _LETTERS)
    return element("th", short, title="" if short == name else name)


def score_table(
    frame: pd.DataFrame,
    *,
    greater_is_better: bool,
    summary: pd.Series,
    deviations: pd.DataFrame | None = None,
) -> Html:
    """Draw scores, a row per data set and a column per method; the best of a row are shaded.

    The last row holds `summary`, a number per method. Beside each score stands its deviation.
    """
    best = frame.max(axis=1) if greater_is_better else frame.min(axis=1)
    # A setting stays on one line.
    head = [
        element("th", element("span", str(name).replace(" = ", "\u00a0=\u00a0")))
        for name in frame.columns
    ]
    spreads = np.full(frame.shape, np.nan) if deviations is None else deviations.to_numpy()
    rows = [
        element(
            "tr",
            element("th", str(name), class_="text", scope="row"),
            [
                _score(value, spread, is_best=value == row_best)
                for value, spread in zip(values, row_spreads, strict=True)
            ],
        )
        for name, row_best, values, row_spreads in zip(
            frame.index, best, frame.to_numpy(), spreads, strict=True
        )
    ]
    foot = element(
        "tr",
        element("th", str(summary.name), class_="text", scope="row"),
        [element("td", f"{value:.2f}") for value in summary],
    )
    table = element(
        "table",
        element("thead", element("tr", element("td"), head)),
        element("tbody", rows),
        element("tfoot", foot),
        class_="lr-scores many" if len(head) > _FEW_HEADS else "lr-scores",
    )
    return scrollable("Scores", table)


def _score(value: float, spread: float, *, is_best: bool) -> Html:
    text = "–" if isnan(value) else f"{value:.3f}"
    beside = None if isnan(spread) else element("small", f"±{spread:.3f}")
    return element("td", text, beside, class_="best" if is_best else "")


def scrollable(name: str, table: Html) -> Html:
    """Let the arrow keys scroll a table sideways that is wider than its place."""
    return element("div", table, class_="lr lr-scroll", tabindex=0, role="region", aria_label=name)


def _case(row: CaseRow, heads: Sequence[str], kind: str, *, is_marked: bool) -> Html:
    differs = row.differs or (False,) * len(row.values)
    # Narrow reports write the name of the feature into the cell.
    cells = [
        element("td", value, class_="differs" if is_different else "", data_head=head)
        for value, is_different, head in zip(row.values, differs, heads, strict=True)
    ]
    return element(
        "tr",
        element("td", row.mark) if is_marked else None,
        element("td", row.name, class_="text"),
        cells,
        element("td", row.strip, class_="text"),
        class_=kind,
        data_key=row.name,
    )


def deciding_table(
    names: Sequence[str], rows: Sequence[tuple[str, str, Sequence[tuple[str, str]]]]
) -> Html:
    """Draw numbers of labels, one column per label: each with its mark, such as "decides".

    A row is headed by its name and by what its numbers are.
    """
    short = shorten_all(names, _LABEL_LETTERS)
    heads = [
        element("th", chip(label, short, "small", name), scope="col")
        for label, name in enumerate(names)
    ]
    body = [
        element(
            "tr",
            element("th", element("b", name), element("small", numbers), scope="row"),
            map(_deciding, cells),
        )
        for name, numbers, cells in rows
    ]
    head = element("thead", element("tr", element("td"), heads))
    table = element("table", head, element("tbody", body), class_="lr-deciding")
    return scrollable("What decides", table)


def _deciding(cell: tuple[str, str]) -> Html:
    number, mark = cell
    note = element("small", mark) if mark else None
    return element("td", number, note, class_="won" if mark else "")


def plain_table(name: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Html:
    """Draw a table of words; the first column heads the rows."""
    head = [element("th", heading, scope="col", class_="text") for heading in heads]
    body = [element("tr", [element("td", cell, class_="text") for cell in row]) for row in rows]
    table = element("table", element("thead", element("tr", head)), element("tbody", body))
    return scrollable(name, table)
