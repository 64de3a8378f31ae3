"""Rankings one below the other, each a strip of labels in their colours."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labelrank_core.explain.markup.elements import Html, element
from labelrank_core.explain.markup.palette import color_class
from labelrank_core.explain.markup.rankings import first_labels_of, left_out, tied_cell
from labelrank_core.explain.markup.text import shorten_all
from labelrank_core.rankings import FloatArray, IntArray, label_buckets

# With more places than these names are smaller, cut to a few letters, and then wrap like words.
_MOST_LARGE, _MOST_WHOLE, _MOST_ALIGNED = 4, 6, 12
_LETTERS, _LETTERS_OF_ALL = 24, 40
# Names in one line that have together more letters than these have no room on a phone.
_LETTERS_ABREAST = 30


def strips(
    rankings: FloatArray | IntArray,
    row_names: Sequence[str],
    names: Sequence[str],
    *,
    has_zero_line: bool = False,
    n_places: int | None = None,
    is_dense: bool = False,
) -> Html:
    """Draw rankings, positions row by row, best label on the left; places stand in columns.

    Tied labels share a cell as wide as the places they fill. Names in dense rows are cut, so that
    each row is one line. Behind the first `n_places` the number of further labels is written.
    """
    n_columns = rankings.shape[1]
    shown = min(n_places or n_columns, n_columns)
    kind = _kind(shown, is_dense=is_dense)
    called = _called(names, shown, kind)
    cells = [_Cell(color_class(label), called[label], name) for label, name in enumerate(names)]
    zero = n_columns - 1 if has_zero_line else None
    if has_zero_line:
        cells.append(_Cell("zero", "zero", "the zero line"))
    drawn = [_row(ranking, cells, shown, zero) for ranking in rankings]
    is_cut = any(rest for _, rest in drawn)
    rows = [
        element(
            "li",
            element("span", name, class_="name"),
            element("ol", row, element("li", rest, class_="rest") if is_cut else None),
            data_key=name,
        )
        for name, (row, rest) in zip(row_names, drawn, strict=True)
    ]
    places = [element("span", place) for place in range(1, shown + 1)]
    head = element("li", element("span", class_="name"), places, class_="head", aria_hidden="true")
    if kind == "short" and shown * max(map(len, called)) > _LETTERS_ABREAST:
        kind = "short tight"
    return element(
        "ol",
        None if kind == "wrapped" else head,
        rows,
        class_=f"lr-strips {f'{kind} cut' if is_cut else kind}",
        style=f"--n:{shown}",
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

    def html(self, tag: str) -> Html:
        whole = "" if self.short == self.name else self.name
        return element(tag, self.short, class_=self.kind, title=whole)


def _row(
    ranking: NDArray[np.generic], cells: Sequence[_Cell], n_places: int, zero: int | None
) -> tuple[list[Html], Html]:
    """Draw the first places of a ranking, and what is behind them.

    Places that no label takes are empty. The zero line is never cut off.
    """
    # Of tied ones the zero line is drawn first.
    buckets = [sorted(bucket, key=lambda j: j != zero) for bucket in label_buckets(ranking)]
    kept = first_labels_of(buckets, n_places)
    drawn = []
    for bucket in kept:
        tag = "span" if len(bucket) > 1 else "li"
        fills = f"--fills:{len(bucket)}"
        drawn.append(tied_cell([cells[label].html(tag) for label in bucket], "li", fills))
    n_drawn = sum(map(len, kept))
    none = element("li", class_="none", title="no further label is ranked")
    row = [*drawn, *[none] * (n_places - n_drawn)]
    if zero is None or any(zero in bucket for bucket in kept):
        return row, left_out(buckets, n_drawn)
    n_ahead = next((i for i, bucket in enumerate(buckets) if zero in bucket), None)
    labels = [[label for label in bucket if label != zero] for bucket in buckets]
    return row, left_out(labels, n_drawn, n_ahead, cells[zero].html("span"))
