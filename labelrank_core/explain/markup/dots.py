"""Dots in rows: one number for each label, with what it must beat."""

import html
from collections.abc import Sequence
from dataclasses import dataclass

from labelrank_core.data.schema import decimal_text, number_text
from labelrank_core.explain.markup.palette import mark_class
from labelrank_core.explain.markup.rankings import chip
from labelrank_core.explain.markup.text import keyed, percent, shorten_all

_LETTERS = 24


@dataclass(frozen=True)
class Bar:
    """What a label must beat.

    Parameters
    ----------
    value : float
        Where it stands.
    name : str
        What it is called, such as "zero line".
    """

    value: float
    name: str


def dot_rows(
    values: Sequence[tuple[int, int, float]],
    names: Sequence[str],
    bar: Bar | None = None,
    ends: Sequence[float] = (),
) -> str:
    """Draw places, labels and a number for each as dots above each other on one scale.

    The scale reaches from the least to the greatest number, and to its `ends` if they lie beyond;
    a scale with ends says them.
    """
    short = shorten_all(names, _LETTERS)
    reached = [*ends, *(value for _, _, value in values), *([bar.value] if bar else [])]
    low, high = min(reached), max(reached)
    # The scale of equal numbers reaches from them to the next whole number.
    high = high if high > low else low + 1.0
    reach = high - low

    def at(value: float) -> str:
        return f"left:{percent(100 * (value - low) / reach)}"

    line = f'<i style="{at(bar.value)}"></i>' if bar else ""
    rows = [
        f'<li{keyed(names[label])}><span class="place">{place}</span>'
        f"{chip(label, short, 'small')}<b>{decimal_text(value)}</b>"
        f'<span class="track">{line}<span class="{mark_class(label)}" style="{at(value)}"></span>'
        "</span></li>"
        for place, label, value in values
    ]
    head = "" if bar is None else _head(bar, (bar.value - low) / reach)
    foot = ""
    if ends:
        marks = (
            f'<span class="{at}">{words}</span>'
            for at, words in zip(("low", "high"), _ends(low, high), strict=True)
        )
        foot = f'<li class="foot"><span class="track">{"".join(marks)}</span></li>'
    return f'<ol class="lr-dots">{head}{"".join(rows)}{foot}</ol>'


def _head(bar: Bar, share: float) -> str:
    """Write the name above the line; it stays within the scale, or ends where the scale ends."""
    before, after = (f'<i style="flex:{part:.3f} 0 0"></i>' for part in (share, 1 - share))
    words = f"{html.escape(bar.name)}: {decimal_text(bar.value)}"
    return f'<li class="head"><span class="track">{before}<span>{words}</span>{after}</span></li>'


def _ends(low: float, high: float) -> tuple[str, str]:
    """Write both ends of the scale so that they differ, whole numbers as such."""
    first, last = (f"{end:.0f}" if end == round(end) else decimal_text(end) for end in (low, high))
    if float(first) == float(last):
        return number_text(low), number_text(high)
    return first, last
