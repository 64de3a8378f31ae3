"""A predicted ranking with the positions that each label can have, as bars."""

from collections.abc import Sequence
from dataclasses import dataclass

from labelrank_core.explain.markup.palette import mark_class
from labelrank_core.explain.markup.rankings import chip
from labelrank_core.explain.markup.text import attribute, percent, shorten_all

_LETTERS = 24
# So many positions are written above the bars; of more every second, fifth, tenth, ….
_MOST_WRITTEN = 10
_FINE = ' class="fine"'
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


@dataclass(frozen=True)
class Span:
    """One label with the positions that it can have.

    Parameters
    ----------
    label : int
        The label.
    place : int
        Its predicted position.
    first, last : int
        The first and the last position it can have.
    truth : (float, float) or None
        The first and the last position it can truly have, where that is known.
    """

    label: int
    place: int
    first: int
    last: int
    truth: tuple[float, float] | None = None


def intervals(spans: Sequence[Span], names: Sequence[str], n_positions: int) -> str:
    """Draw a ranking as a ladder whose bars reach over all positions each label can have.

    A diamond marks the true position, a line the positions of which one is the true one.
    """
    short = shorten_all(names, _LETTERS)
    ticks = "".join(
        f'<span{"" if is_coarse else _FINE} style="left:{_at(p, n_positions)}">{p}</span>'
        for p, is_coarse in _ticks(n_positions)
    )
    head = f'<li class="head"><span></span><span></span><span class="track">{ticks}</span>'
    rows = "".join(_row(span, short, names, n_positions) for span in spans)
    apart = percent(100 * _step(n_positions) / n_positions, 2)
    return (
        f'<div class="lr"><ol class="lr-ladder lr-spans" style="--apart:{apart}">'
        f"{head}<span></span></li>{rows}</ol></div>"
    )


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
        return [(p, p % 2 == 1) for p in range(1, n_positions + 1)]
    return [(1, True), *((p, p % (2 * step) == 0) for p in range(step, n_positions + 1, step))]


def _row(span: Span, short: Sequence[str], names: Sequence[str], n_positions: int) -> str:
    left, width = (100 * n / n_positions for n in (span.first - 1, span.last - span.first + 1))
    look = f"left:{percent(left)};width:calc({percent(width)} - .24rem);min-width:4px"
    bar = f'<b class="{mark_class(span.label)}" style="{look}"></b>'
    mark = ""
    if span.truth is not None:
        lowest, highest = (_at(position, n_positions) for position in span.truth)
        mark = f'<i title="real position" style="left:{lowest}"></i>'
        if lowest != highest:
            ends = f"left:{lowest};right:calc(100% - {highest})"
            mark = f'<u title="real position" style="{ends}"></u>'
    cut = short[span.label] != names[span.label]
    title = f' title="{attribute(names[span.label])}"' if cut else ""
    extent = str(span.first) if span.first == span.last else f"{span.first} to {span.last}"
    return (
        f'<li{title}><span class="place">{span.place}</span>{chip(span.label, short)}'
        f'<span class="track">{bar}{mark}</span><span class="muted extent">{extent}</span></li>'
    )


def _at(position: float, n_positions: int) -> str:
    return percent(100 * (position - 0.5) / n_positions)
