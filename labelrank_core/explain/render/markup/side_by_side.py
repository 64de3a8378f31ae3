"""Two rankings or label sets joined by lines, ties and the zero line included."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from labelrank_core.explain.render.markup.elements import Html, element
from labelrank_core.explain.render.markup.layers import layer
from labelrank_core.explain.render.markup.palette import label_color
from labelrank_core.explain.render.markup.rankings import chip, place_of_line, tied_cell
from labelrank_core.explain.render.markup.text import shorten_all

_ROW = 20
_LETTERS = 32


@dataclass(frozen=True)
class Side:
    """One of two rankings: its title, its labels from first to last, tied ones in one group.

    With `n_relevant` a line, called `line`, stands behind so many labels.
    """

    title: str
    groups: tuple[tuple[int, ...], ...]
    n_relevant: int | None = None
    line: str = "zero line"

    @property
    def order(self) -> list[int]:
        """The labels from first to last."""
        return [label for group in self.groups for label in group]

    @property
    def rows(self) -> list[tuple[int, ...]]:
        """The groups from first to last; the empty one stands for the line."""
        rows = list(self.groups)
        if self.n_relevant is not None:
            rows.insert(place_of_line(self.groups, self.n_relevant), ())
        return rows

    @property
    def n_rows(self) -> int:
        """Number of rows of the drawing: one for each label, and one for the line."""
        return sum(max(1, len(row)) for row in self.rows)

    def heights(self) -> dict[int | None, float]:
        """Return the middle of each label's group, in rows from the top; None is the line's."""
        middles: dict[int | None, float] = {}
        top = 0
        for row in self.rows:
            n_filled = max(1, len(row))
            middles |= dict.fromkeys(row or (None,), top + n_filled / 2)
            top += n_filled
        return middles

    def only(self, labels: Collection[int]) -> "Side":
        """Leave out all labels but some."""
        groups = (tuple(label for label in group if label in labels) for group in self.groups)
        return replace(self, groups=tuple(group for group in groups if group))

    def place(self, label: int) -> int:
        """Count the groups ahead of a label."""
        return next(i for i, group in enumerate(self.groups) if label in group)


def swapped_pairs(first: Side, second: Side) -> list[tuple[int, int]]:
    """List the pairs of labels that one side orders in reverse; tied on one, a pair is not."""
    both = [label for label in first.order if label in set(second.order)]
    return [
        (a, b)
        for i, a in enumerate(both)
        for b in both[i + 1 :]
        if first.place(a) < first.place(b) and second.place(a) > second.place(b)
    ]


def side_by_side(first: Side, second: Side, names: Sequence[str]) -> Html:
    """Draw two rankings, each label joined: lines cross where two labels are swapped.

    Tied labels share a frame, in whose middle their lines end.
    """
    swapped = {label for pair in swapped_pairs(first, second) for label in pair}
    n_rows = max(first.n_rows, second.n_rows)
    starts, ends = first.heights(), second.heights()
    lines = [
        _line(label, start, ends[label], n_rows, label in swapped)
        for label, start in starts.items()
        if label in ends
    ]
    heads = [element("span", side.title, class_="head") for side in (first, second)]
    columns = [_column(side, names, n_rows) for side in (first, second)]
    joins = element(
        "span", lines, class_="lines", role="img", aria_label=_spoken(first, second, names)
    )
    is_tied = any(len(group) > 1 for side in (first, second) for group in side.groups)
    note = element("p", "In one frame: tied labels", class_="muted") if is_tied else None
    grid = [heads[0], element("span"), heads[1], columns[0], joins, columns[1]]
    return element("div", element("div", grid, class_="lr-joined lr-sides"), note, class_="lr")


def _spoken(first: Side, second: Side, names: Sequence[str]) -> str:
    pairs = swapped_pairs(first, second)
    listed = "; ".join(f"{names[a]} and {names[b]}" for a, b in pairs[:5])
    return f"swapped: {listed}{' …' if len(pairs) > 5 else ''}" if pairs else "no pair is swapped"


def _line(label: int | None, start: float, end: float, n_rows: int, is_swapped: bool) -> Html:
    line = element(
        "line",
        x1=0,
        y1=f"{_ROW * start:.0f}",
        x2=100,
        y2=f"{_ROW * end:.0f}",
        stroke="#000",
        stroke_dasharray="3 3" if label is None else None,
        stroke_width=4 if is_swapped else 2,
        opacity=1 if is_swapped or label is None else 0.6,
        vector_effect="non-scaling-stroke",
    )
    color = "#808080" if label is None else label_color(label)
    return layer(line, color, f'viewBox="0 0 100 {_ROW * n_rows}" preserveAspectRatio="none"')


def _column(side: Side, names: Sequence[str], n_rows: int) -> Html:
    short = shorten_all(names, _LETTERS)
    cells = [
        element(
            "span",
            tied_cell([chip(label, short, full_name=names[label]) for label in row])
            if row
            else element("span", side.line, class_="lr-zero"),
            class_="lr-cell",
            data_labels=" ".join(map(str, row)),
            style=f"--fills:{max(1, len(row))}",
        )
        for row in side.rows
    ]
    cells += [element("span")] * (n_rows - side.n_rows)
    return element("div", cells, class_="side")
