"""Methods as dots between the worst of them and perfect."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from labelrank_core.explain.render.markup.elements import Html, element
from labelrank_core.explain.render.markup.text import percent

# An interval that is clearly behind or ahead must not touch the dotted line by rounding.
_GAP = 0.4


@dataclass(frozen=True)
class QualityRow:
    """A method in the drawing.

    Parameters
    ----------
    name, note, value : str
        The method, a line below it, and its value as it is shown.
    share, low, high : float
        Where it lies between the worst value (0) and perfect (1), with the interval of its
        difference from the first method around it; NaN: none.
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


def quality_plot(
    rows: Sequence[QualityRow], start: str, perfect: str, ticks: Sequence[tuple[float, str]] = ()
) -> Html:
    """Draw methods below each other on one scale, whose ends `start` and `perfect` name.

    Below it stand `ticks`: shares of the way from the worst to perfect, with their texts.
    A dotted line runs through the first one. Each other one has its interval around its dot: one
    that reaches the line is not clearly different.
    """
    line = 100 * rows[0].share
    items = []
    for row in rows:
        span = None
        if isfinite(row.low) and isfinite(row.high):
            left, right = (100 * min(max(end, 0.0), 1.0) for end in sorted((row.low, row.high)))
            if row.kind == "behind":
                left, right = (
                    (left, min(right, line - _GAP)) if row.share < rows[0].share else
                    (max(left, line + _GAP), right)
                )  # fmt: skip
            span = element("span", style=f"left:{percent(left)};width:{percent(right - left)}")
        dot = element("b", style=f"left:{percent(100 * min(max(row.share, 0.0), 1.0))}")
        first = element("i", style=f"left:{percent(line)}")
        items.append(
            element(
                "li",
                element("span", row.name, element("small", row.note), class_="name"),
                element("span", row.value, class_="value"),
                element("span", first, span, dot, class_="track"),
                class_=row.kind,
            )
        )
    ends = [element("small", start, class_="start"), element("small", perfect)]
    blank, scale = element("span"), element("span", ends, class_="track")
    head = element("li", blank, blank, scale, class_="ends", aria_hidden="true")
    numbers = [
        element("small", tick, style=f"left:{percent(100 * share)}") for share, tick in ticks
    ]
    axis = element("span", numbers, class_="track")
    foot = element("li", blank, blank, axis, class_="ends numbers", aria_hidden="true")
    return element("ol", head, items, foot if numbers else None, class_="lr-race lr-quality")
