"""Methods as dots between the worst of them and perfect."""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from labelrank_core.explain.markup.text import percent

# An interval that is clearly behind must not touch the line of the first one by rounding.
_GAP = 0.4


@dataclass(frozen=True)
class QualityRow:
    """A method in the drawing.

    Parameters
    ----------
    name, note, value : str
        The method, a line below it, and its value as it is shown.
    share, low, high : float
        Where it lies between the worst value (0) and perfect (1), with an interval; NaN: none.
    kind : {"first", "level", "behind"}
        How it is drawn: the method itself, not clearly different from it, or clearly so.
    """

    name: str
    note: str
    value: str
    share: float
    low: float
    high: float
    kind: str


def quality_plot(rows: Sequence[QualityRow], perfect: str) -> str:
    """Draw methods below each other on one scale, whose right end is perfect.

    A dotted line runs through the first one; an interval that reaches it is not clearly different.
    """
    line = 100 * rows[0].share
    items = []
    for row in rows:
        span = ""
        if isfinite(row.low) and isfinite(row.high):
            left, right = (100 * min(max(end, 0.0), 1.0) for end in sorted((row.low, row.high)))
            if row.kind == "behind":
                left, right = (
                    (left, min(right, line - _GAP)) if row.share < rows[0].share else
                    (max(left, line + _GAP), right)
                )  # fmt: skip
            span = f'<span style="left:{percent(left)};width:{percent(right - left)}"></span>'
        items.append(
            f'<li class="{row.kind}"><span class="name">{html.escape(row.name)}'
            f"<small>{html.escape(row.note)}</small></span>"
            f'<span class="value">{html.escape(row.value)}</span><span class="track">'
            f'<i style="left:{percent(line)}"></i>{span}'
            f'<b style="left:{percent(100 * min(max(row.share, 0.0), 1.0))}"></b></span></li>'
        )
    head = (
        '<li class="ends" aria-hidden="true"><span></span><span></span>'
        f'<span class="track"><small>{html.escape(perfect)}</small></span></li>'
    )
    return f'<ol class="lr-race lr-quality">{head}{"".join(items)}</ol>'
