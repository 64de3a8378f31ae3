"""Rankings one below the other, each a strip of labels in their colours."""

import html
from collections.abc import Sequence

import numpy as np

from labelrank_core.explain.markup.palette import color_class
from labelrank_core.explain.markup.text import attribute, keyed, shorten, shorten_all
from labelrank_core.rankings import FloatArray, IntArray

# With more places than these names are smaller, cut to a few letters, and then wrap like words.
_MOST_LARGE, _MOST_WHOLE, _MOST_ALIGNED = 4, 6, 12
_LETTERS, _LETTERS_OF_ALL = 24, 40


def strips(
    rankings: FloatArray | IntArray,
    row_names: Sequence[str],
    names: Sequence[str],
    *,
    has_zero_line: bool = False,
    n_places: int | None = None,
    is_dense: bool = False,
) -> str:
    """Draw rankings, positions row by row, best label on the left; places stand in columns.

    Names in dense rows are cut, so that each row is one line.
    """
    n_columns = rankings.shape[1]
    shown = min(n_places or n_columns, n_columns)
    kind = _kind(shown, is_dense=is_dense)
    called = _called(names, shown, kind)
    cells = [_cell(label, called[label], name) for label, name in enumerate(names)]
    if has_zero_line:
        cells.append('<li class="zero" title="the zero line">zero</li>')
    orders = np.argsort(rankings, axis=1, kind="stable")[:, :shown]
    ranked = ~np.isnan(np.take_along_axis(rankings, orders, axis=1))
    none = '<li class="none" title="no further label is ranked"></li>'
    rows = [
        f'<li{keyed(name)}><span class="name">{html.escape(name)}</span><ol>'
        + "".join(cells[label] if known else none for label, known in zip(order, own, strict=True))
        + "</ol></li>"
        for name, order, own in zip(row_names, orders.tolist(), ranked, strict=True)
    ]
    places = "".join(f"<span>{place}</span>" for place in range(1, shown + 1))
    head = f'<li class="head" aria-hidden="true"><span class="name"></span>{places}</li>'
    return (
        f'<ol class="lr-strips {kind}" style="--n:{shown}">'
        f"{'' if kind == 'wrapped' else head}{''.join(rows)}</ol>"
    )


def _kind(n_places: int, *, is_dense: bool) -> str:
    if n_places > _MOST_ALIGNED:
        return "wrapped"
    if is_dense or n_places > _MOST_WHOLE:
        return "short"
    return "many" if n_places > _MOST_LARGE else ""


def _called(names: Sequence[str], n_places: int, kind: str) -> list[str]:
    """Return what the cells of the labels say."""
    if kind == "short":
        return shorten_all(names, max(3, _LETTERS_OF_ALL // n_places))
    return [shorten(name, _LETTERS) for name in names]


def _cell(label: int, short: str, name: str) -> str:
    whole = "" if short == name else f' title="{attribute(name)}"'
    return f'<li class="{color_class(label)}"{whole}>{html.escape(short)}</li>'
