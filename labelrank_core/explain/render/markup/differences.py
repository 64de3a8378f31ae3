"""Differences of methods from one of them, on several data sets, with their intervals."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np

from labelrank_core.explain.render.markup.elements import Html, element
from labelrank_core.explain.render.markup.text import percent, shorten_all
from labelrank_core.explain.render.markup.ticks import round_numbers

_LETTERS = 34
_MOST_TICKS = 3
# An interval that reaches further than so many usual ones is cut off at the end of the scale.
_MOST_USUAL = 2.0
# Of the scale, beside the furthest interval.
_ROOM = 0.06
# Percent of the scale between the line and an interval that misses it.
_GAP = 1.0


@dataclass(frozen=True)
class Difference:
    """A difference from the method that others are compared with; higher is better.

    Parameters
    ----------
    mean, low, high : float
        The difference and the ends of its interval; NaN: none.
    kind : {"behind", "level", "ahead"}
        Clearly worse, not clearly different, or clearly better.
    text : str
        The difference as it is shown.
    tooltip : str
        What is said to those who point at it.
    """

    mean: float
    low: float
    high: float
    kind: str
    text: str
    tooltip: str


@dataclass(frozen=True)
class DifferenceRow:
    """A data set in the drawing.

    Parameters
    ----------
    name : str
        The data set.
    score : str
        What the method reaches on it that others are compared with, as it is shown.
    differences : sequence of Difference or None
        One per other method; None: it has none.
    """

    name: str
    score: str
    differences: Sequence[Difference | None]


def difference_rows(
    control: str, rivals: Sequence[str], rows: Sequence[DifferenceRow], ranks: Sequence[str] = ()
) -> Html:
    """Draw the scores of a method and the differences of others, a column each, on data sets.

    A dotted line is where there is no difference. All have one scale. What lies beyond its ends is
    cut off there. `ranks` are the average ranks of all methods as they are shown, in a row below.
    """
    scale = _Scale.of([d for row in rows for d in row.differences if d is not None])
    first, *others = shorten_all([control, *rivals], _LETTERS)
    heads = [element("span", name, class_="rival") for name in (first, *others)]
    items = [element("li", element("span", class_="name"), heads, class_="heads")]
    for row in rows:
        cells = [
            _cell(rival, difference, scale)
            for rival, difference in zip(others, row.differences, strict=True)
        ]
        name = element("span", row.name, class_="name")
        items.append(element("li", name, _number_cell(first, row.score), cells))
    numbers = [element("small", text, style=f"left:{percent(at)}") for at, text in scale.ticks()]
    axis = element(
        "span",
        element("small", class_="of"),
        element("span", numbers, class_="track"),
        element("span", class_="value"),
        class_="cell",
    )
    blank = element("span", class_="name")
    axes = [_number_cell("", ""), [axis] * len(others)]
    items.append(element("li", blank, axes, class_="axis", aria_hidden="true"))
    if ranks:
        cells = [
            _number_cell(name, rank) for name, rank in zip((first, *others), ranks, strict=True)
        ]
        name = element("span", "average rank", class_="name")
        items.append(element("li", name, cells, class_="ranks"))
    table = element("ol", items, class_="lr-race lr-differences", style=f"--rivals:{len(others)}")
    return element("div", table, class_="lr-race-room")


def reach_beyond(rows: Sequence[DifferenceRow]) -> bool:
    """Tell whether a difference lies beyond the scale, where an arrow stands for it."""
    differences = [d for row in rows for d in row.differences if d is not None]
    scale = _Scale.of(differences)
    return any(scale.is_beyond(d.mean) for d in differences)


@dataclass(frozen=True)
class _Scale:
    low: float
    high: float

    @classmethod
    def of(cls, differences: Sequence[Difference]) -> "_Scale":
        """Return a scale on which zero and all but far ends have room."""
        ends = np.array([[d.mean, d.low, d.high] for d in differences], dtype=float)
        reach = np.nanmax(np.abs(ends), axis=1) if ends.size else np.zeros(0)
        if not (reach > 0).any():
            return cls(-1.0, 1.0)
        limit = _MOST_USUAL * float(np.median(reach[reach > 0]))
        low = max(min(float(np.nanmin(ends)), 0.0), -limit)
        high = min(max(float(np.nanmax(ends)), 0.0), limit)
        room = _ROOM * (high - low)
        return cls(low - room, high + room)

    def at(self, value: float) -> float:
        """Return the place of a value in percent; beyond the ends, at the end."""
        return 100 * (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)

    def ticks(self) -> list[tuple[float, str]]:
        """Return round numbers on the scale: their places, and texts with a sign."""
        numbers = round_numbers(self.low, self.high, _MOST_TICKS).tolist()
        return [
            (self.at(number), f"{number:+.6g}".replace("-", "−") if number else "0")
            for number in numbers
        ]

    def is_beyond(self, value: float) -> bool:
        """Tell whether a value lies outside the scale."""
        return value < self.low or value > self.high


def _cell(rival: str, difference: Difference | None, scale: _Scale) -> Html:
    """Draw the track and the number of one method on one data set, after its name."""
    track, text = element("span", class_="track"), "–"
    if difference is not None:
        track, text = _track(difference, scale), difference.text
    name, value = element("small", rival, class_="of"), element("span", text, class_="value")
    return element("span", name, track, value, class_="cell")


def _number_cell(method: str, number: str) -> Html:
    """Draw a number of a method, after its name, without a track."""
    name, value = element("small", method, class_="of"), element("span", number, class_="value")
    return element("span", name, value, class_="cell number")


def _track(difference: Difference, scale: _Scale) -> Html:
    marks = [element("i", style=f"left:{percent(scale.at(0.0))}")]
    low, high = difference.low, difference.high
    if isfinite(low) and isfinite(high) and low < high:
        start, end, zero = scale.at(low), scale.at(high), scale.at(0.0)
        # Rounding must not let it reach the line.
        if difference.kind == "behind":
            end = max(start, min(end, zero - _GAP))
        elif difference.kind == "ahead":
            start = min(end, max(start, zero + _GAP))
        cuts = [side for side, at in (("left", low), ("right", high)) if scale.is_beyond(at)]
        marks.append(
            element(
                "span",
                class_=" ".join(f"cut-{side}" for side in cuts),
                style=f"left:{percent(start)};width:{percent(end - start)}",
            )
        )
    far = ""
    if scale.is_beyond(difference.mean):
        far = "far-left" if difference.mean < scale.low else "far-right"
    marks.append(element("b", class_=far, style=f"left:{percent(scale.at(difference.mean))}"))
    return element("span", marks, class_=f"track {difference.kind}", title=difference.tooltip)
