"""Rankings one below the other, each a strip of labels in their colours."""

import html
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labelrank_core.explain.markup.palette import color_class
from labelrank_core.explain.markup.rankings import first_labels_of, tied_cell
from labelrank_core.explain.markup.text import attribute, keyed, shorten_all
from labelrank_core.rankings import FloatArray, IntArray, label_buckets

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

    Tied labels share a cell as wide as the places they fill. Names in dense rows are cut, so that
    each row is one line.
    """
    n_columns = rankings.shape[1]
    shown = min(n_places or n_columns, n_columns)
    kind = _kind(shown, is_dense=is_dense)
    called = _called(names, shown, kind)
    cells = [_Cell(color_class(label), called[label], name) for label, name in enumerate(names)]
    if has_zero_line:
        cells.append(_Cell("zero", "zero", "the zero line"))
    rows = [
        f'<li{keyed(name)}><span class="name">{html.escape(name)}</span><ol>'
        f"{_cells(ranking, cells, shown)}</ol></li>"
        for name, ranking in zip(row_names, rankings, strict=True)
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
    return shorten_all(names, _LETTERS)


@dataclass(frozen=True)
class _Cell:
    """A label's cell: its class, its words, and the whole name, which hovering says."""

    kind: str
    short: str
    name: str

    def html(self, tag: str) -> str:
        whole = "" if self.short == self.name else f' title="{attribute(self.name)}"'
        return f'<{tag} class="{self.kind}"{whole}>{html.escape(self.short)}</{tag}>'


def _cells(ranking: NDArray[np.generic], cells: Sequence[_Cell], n_places: int) -> str:
    """Draw the first places of a ranking; places that no label takes are empty."""
    drawn, n_left = [], n_places
    for bucket, more in first_labels_of(label_buckets(ranking), n_places):
        tag = "span" if len(bucket) + more > 1 else "li"
        fills = f' style="--fills:{len(bucket)}"'
        drawn.append(tied_cell([cells[label].html(tag) for label in bucket], more, "li", fills))
        n_left -= len(bucket)
    none = '<li class="none" title="no further label is ranked"></li>'
    return "".join([*drawn, *[none] * n_left])
