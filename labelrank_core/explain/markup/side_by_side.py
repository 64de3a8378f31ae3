"""Two rankings or label sets joined by lines, ties and the zero line included."""

import html
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass

from labelrank_core.explain.markup.palette import label_color
from labelrank_core.explain.markup.rankings import chip

_ROW = 20


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
    def items(self) -> list[int | None]:
        """The labels from first to last; None stands for the line."""
        order: list[int | None] = list(self.order)
        if self.n_relevant is not None:
            order.insert(self.n_relevant, None)
        return order

    def place(self, label: int) -> int:
        """Count the groups ahead of a label."""
        return next(i for i, group in enumerate(self.groups) if label in group)


def swapped_pairs(left: Side, right: Side) -> list[tuple[int, int]]:
    """List the pairs of labels that one side orders in reverse; tied on one, a pair is not."""
    both = [label for label in left.order if label in set(right.order)]
    return [
        (a, b)
        for i, a in enumerate(both)
        for b in both[i + 1 :]
        if left.place(a) < left.place(b) and right.place(a) > right.place(b)
    ]


def side_by_side(left: Side, right: Side, names: Sequence[str]) -> str:
    """Draw two rankings, each label joined: lines cross where two labels are swapped."""
    swapped = {label for pair in swapped_pairs(left, right) for label in pair}
    n_rows = max(len(left.items), len(right.items))
    lines = [
        _line(label, left.items.index(label), right.items.index(label), label in swapped)
        for label in left.items
        if label in right.items
    ]
    drawn = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 {_ROW * n_rows}" '
        f'preserveAspectRatio="none">{"".join(lines)}</svg>'
    )
    # As an image: Streamlit's filter of markup takes bare SVG out.
    source = "data:image/svg+xml;base64," + b64encode(drawn.encode()).decode()
    heads = [f'<span class="head">{html.escape(side.title)}</span>' for side in (left, right)]
    columns = [_column(side, names, n_rows) for side in (left, right)]
    is_tied = any(len(group) > 1 for side in (left, right) for group in side.groups)
    note = '<p class="muted">Double line: tied labels</p>' if is_tied else ""
    return (
        f'<div class="lr"><div class="lr-joined lr-sides">{heads[0]}<span></span>{heads[1]}'
        f"{columns[0]}"
        f'<img src="{source}" alt="{html.escape(_spoken(left, right, names))}">{columns[1]}'
        f"</div>{note}</div>"
    )


def _spoken(left: Side, right: Side, names: Sequence[str]) -> str:
    pairs = swapped_pairs(left, right)
    listed = "; ".join(f"{names[a]} and {names[b]}" for a, b in pairs[:5])
    return f"swapped: {listed}{' …' if len(pairs) > 5 else ''}" if pairs else "no pair is swapped"


def _line(label: int | None, start: int, end: int, is_swapped: bool) -> str:
    color = "#808080" if label is None else label_color(label)
    look = 'stroke-dasharray="3 3" stroke-width="2"' if label is None else ""
    if label is not None:
        look = f'stroke-width="{4 if is_swapped else 2}" opacity="{1 if is_swapped else 0.6}"'
    middle = _ROW // 2
    return (
        f'<line x1="0" y1="{_ROW * start + middle}" x2="100" y2="{_ROW * end + middle}" '
        f'stroke="{color}" {look} vector-effect="non-scaling-stroke"/>'
    )


def _column(side: Side, names: Sequence[str], n_rows: int) -> str:
    tied = {label for group in side.groups if len(group) > 1 for label in group}
    cells = [
        f'<span class="lr-zero">{side.line}</span>'
        if label is None
        else f'<span class="lr-cell{" tied" if label in tied else ""}">{chip(label, names)}</span>'
        for label in side.items
    ]
    cells += ["<span></span>"] * (n_rows - len(cells))
    return f'<div class="side">{"".join(cells)}</div>'
