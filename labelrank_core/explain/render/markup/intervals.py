"""A predicted ranking with the positions that each label can have, as bars."""

from collections.abc import Sequence
from dataclasses import dataclass

from labelrank_core.explain.render.markup.elements import Html, element
from labelrank_core.explain.render.markup.palette import mark_class
from labelrank_core.explain.render.markup.rankings import chip
from labelrank_core.explain.render.markup.text import percent, shorten_all

_LETTERS = 24
_MOST_TICKS_ON_A_PHONE = 3
# So many positions are written above the bars; of more every second, fifth, tenth, ….
_MOST_WRITTEN = 10
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


@dataclass(frozen=True)
class Span:
    """One label with the positions that it can have.

    Parameters
    ----------
    label : int
        The label.
    position : int
        Its predicted position.
    first, last : int
        The first and the last position it can have.
    truth : (float, float) or None
        The first and the last position it can truly have, where that is known.
    """

    label: int
    position: int
    first: int
    last: int
    truth: tuple[float, float] | None = None

    @property
    def extent(self) -> str:
        """The positions in words."""
        return str(self.first) if self.first == self.last else f"{self.first} to {self.last}"


def intervals(spans: Sequence[Span], names: Sequence[str], n_positions: int) -> Html:
    """Draw a ranking as a ladder whose bars reach over all positions each label can have.

    A diamond marks the true position, a line the positions of which one is the true one.
    """
    short = shorten_all(names, _LETTERS)
    ticks = [
        element("span", p, class_="" if is_coarse else "fine", style=f"left:{_at(p, n_positions)}")
        for p, is_coarse in _ticks(n_positions)
    ]
    blank = element("span")
    head = element("li", blank, blank, element("span", ticks, class_="track"), blank, class_="head")
    rows = [_row(span, short, names, n_positions) for span in spans]
    apart = percent(100 * _step(n_positions) / n_positions, 2)
    ladder = element("ol", head, rows, class_="lr-ladder lr-spans", style=f"--apart:{apart}")
    return element("div", ladder, class_="lr")


def _step(n_positions: int) -> int:
    return next(step for step in _STEPS if n_positions <= step * _MOST_WRITTEN)


def _ticks(n_positions: int) -> list[tuple[int, bool]]:
    """List the positions to write, and which of them also where there is little room.

    >>> [position for position, _ in _ticks(16)]
    [1, 2, 4, 6, 8, 10, 12, 14, 16]
    >>> [position for position, is_coarse in _ticks(16) if is_coarse]
    [1, 4, 8, 12, 16]
    """
    step = _step(n_positions)
    if step == 1:
        has_room = n_positions <= _MOST_TICKS_ON_A_PHONE
        return [(p, has_room or p % 2 == 1) for p in range(1, n_positions + 1)]
    return [(1, True), *((p, p % (2 * step) == 0) for p in range(step, n_positions + 1, step))]


def _row(span: Span, short: Sequence[str], names: Sequence[str], n_positions: int) -> Html:
    start, width = (100 * n / n_positions for n in (span.first - 1, span.last - span.first + 1))
    look = f"left:{percent(start)};width:calc({percent(width)} - .24rem);min-width:4px"
    bar = element("b", class_=mark_class(span.label), style=look)
    mark = None
    if span.truth is not None:
        lowest, highest = (_at(position, n_positions) for position in span.truth)
        mark = element("i", title="real position", style=f"left:{lowest}")
        if lowest != highest:
            ends = f"left:{lowest};right:calc(100% - {highest})"
            mark = element("u", title="real position", style=ends)
    is_cut = short[span.label] != names[span.label]
    return element(
        "li",
        element("span", span.position, class_="place"),
        chip(span.label, short),
        element("span", bar, mark, class_="track"),
        element("span", span.extent, class_="muted extent"),
        title=names[span.label] if is_cut else "",
    )


def _at(position: float, n_positions: int) -> str:
    return percent(100 * (position - 0.5) / n_positions)
