"""Rankings one below the other, each a strip of labels in their colours."""

from collections.abc import Sequence
from dataclasses import dataclass

from labelrank_core.explain.render.markup.elements import Html, element
from labelrank_core.explain.render.markup.palette import color_class
from labelrank_core.explain.render.markup.ranked_labels import RankedLabels
from labelrank_core.explain.render.markup.rankings import left_out, tied_cell
from labelrank_core.explain.render.markup.text import shorten_all

# With more places than these names are smaller, cut to a few letters, and then wrap like words.
_MOST_LARGE, _MOST_WHOLE, _MOST_ALIGNED = 4, 6, 12
# So many rows may be high.
_MOST_HIGH = 5
_LETTERS, _LETTERS_OF_ALL = 24, 40
# Names in one line that have together more letters than these have no room on a phone.
_LETTERS_ABREAST = 30


def strips(
    rankings: Sequence[RankedLabels],
    names: Sequence[str],
    *,
    n_zero_lines: int = 0,
    n_places: int | None = None,
    is_dense: bool = False,
) -> Html:
    """Draw rankings below each other, best label on the left; places stand in columns.

    Tied labels share a cell as wide as the places they fill. Names in dense rows are cut, so that
    each row is one line. Behind the first `n_places` the number of further labels is written. Zero
    lines are the labels behind the last name.
    """
    n_columns = len(names) + n_zero_lines
    n_shown = min(n_places or n_columns, n_columns)
    kind = _kind(n_shown, is_dense=is_dense)
    cell_texts = _cell_texts(names, n_shown, kind)
    cells = [_Cell(color_class(label), cell_texts[label], name) for label, name in enumerate(names)]
    cells += [_Cell("zero", "zero", "the zero line")] * n_zero_lines
    cut_rows = [_row(ranking, cells, n_shown, len(names)) for ranking in rankings]
    is_cut = any(remainder for _, remainder in cut_rows)
    rows = [
        element(
            "li",
            element("span", ranking.title, class_="name"),
            element("ol", row, element("li", remainder, class_="rest") if is_cut else None),
            data_key=ranking.title,
        )
        for ranking, (row, remainder) in zip(rankings, cut_rows, strict=True)
    ]
    heads = [element("span", position) for position in range(1, n_shown + 1)]
    head = element("li", element("span", class_="name"), heads, class_="head", aria_hidden="true")
    if kind == "short" and n_shown * max(map(len, cell_texts)) > _LETTERS_ABREAST:
        kind = "short tight"
    is_long = len(rows) > _MOST_HIGH
    return element(
        "ol",
        None if kind == "wrapped" else head,
        rows,
        class_=f"lr-strips {kind}{' long' if is_long else ''}{' cut' if is_cut else ''}",
        style=f"--n:{n_shown}",
    )


def _kind(n_places: int, *, is_dense: bool) -> str:
    if n_places > _MOST_ALIGNED:
        return "wrapped"
    if is_dense or n_places > _MOST_WHOLE:
        return "short"
    return "many" if n_places > _MOST_LARGE else ""


def _cell_texts(names: Sequence[str], n_places: int, kind: str) -> list[str]:
    """Return the texts of the cells of the labels."""
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
        full_name = "" if self.short == self.name else self.name
        return element(tag, self.short, class_=self.kind, title=full_name)


def _row(
    ranking: RankedLabels, cells: Sequence[_Cell], n_places: int, n_labels: int
) -> tuple[list[Html], Html]:
    """Draw the first places of a ranking, and the number of labels behind them.

    Places that no label takes are empty. Zero lines, behind the labels, are never cut off.
    """
    # Of tied ones the zero line is drawn first.
    buckets = [sorted(bucket, key=lambda j: j < n_labels) for bucket in ranking.buckets]
    first_buckets = RankedLabels(buckets).head(n_places).buckets
    parts = []
    for bucket in first_buckets:
        tag = "span" if len(bucket) > 1 else "li"
        fills = f"--fills:{len(bucket)}"
        parts.append(tied_cell([cells[label].html(tag) for label in bucket], "li", fills))
    n_drawn = sum(map(len, first_buckets))
    none = element("li", class_="none", title="no further label is ranked")
    row = [*parts, *[none] * (n_places - n_drawn)]
    n_ahead = next(
        (i for i, bucket in enumerate(buckets) if any(label >= n_labels for label in bucket)), None
    )
    if n_ahead is None or n_ahead < len(first_buckets):
        return row, left_out(buckets, n_drawn)
    labels = [[label for label in bucket if label < n_labels] for bucket in buckets]
    return row, left_out(labels, n_drawn, n_ahead, cells[n_labels].html("span"))
