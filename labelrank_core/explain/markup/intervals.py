"""A predicted ranking with the positions that each label can have, as bars."""

from collections.abc import Sequence
from dataclasses import dataclass

from labelrank_core.explain.markup.palette import mark_class
from labelrank_core.explain.markup.rankings import chip
from labelrank_core.explain.markup.text import attribute, percent, shorten_all

_LETTERS = 24
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
    place : int
        Its predicted position.
    first, last : int
        The first and the last position it can have.
    truth : float or None
        The true position, where it is known.
    """

    label: int
    place: int
    first: int
    last: int
    truth: float | None = None


def intervals(spans: Sequence[Span], names: Sequence[str], n_positions: int) -> str:
    """Draw a ranking as a ladder whose bars reach over all positions each label can have.

    A diamond marks the true position.
    """
    short = shorten_all(names, _LETTERS)
    step = next(step for step in _STEPS if n_positions <= step * _MOST_WRITTEN)
    written = [
        p for p in range(1, n_positions + 1) if p == 1 or (p % step == 0 and p - 1 > step / 2)
    ]
    ticks = "".join(f'<span style="left:{_at(p, n_positions)}">{p}</span>' for p in written)
    head = f'<li class="head"><span></span><span></span><span class="track">{ticks}</span>'
    rows = "".join(_row(span, short, names, n_positions) for span in spans)
    apart = percent(100 * step / n_positions, 2)
    return (
        f'<div class="lr"><ol class="lr-ladder lr-spans" style="--apart:{apart}">'
        f"{head}<span></span></li>{rows}</ol></div>"
    )


def _row(span: Span, short: Sequence[str], names: Sequence[str], n_positions: int) -> str:
    left, width = (100 * n / n_positions for n in (span.first - 1, span.last - span.first + 1))
    look = f"left:{percent(left)};width:calc({percent(width)} - .24rem);min-width:4px"
    bar = f'<b class="{mark_class(span.label)}" style="{look}"></b>'
    mark = ""
    if span.truth is not None:
        mark = f'<i title="true position" style="left:{_at(span.truth, n_positions)}"></i>'
    cut = short[span.label] != names[span.label]
    title = f' title="{attribute(names[span.label])}"' if cut else ""
    extent = str(span.first) if span.first == span.last else f"{span.first} to {span.last}"
    return (
        f'<li{title}><span class="place">{span.place}</span>{chip(span.label, short)}'
        f'<span class="track">{bar}{mark}</span><span class="muted extent">{extent}</span></li>'
    )


def _at(position: float, n_positions: int) -> str:
    return percent(100 * (position - 0.5) / n_positions)
