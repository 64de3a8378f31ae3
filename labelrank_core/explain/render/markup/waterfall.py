"""The steps from an average to the support of one case, each as a bar between two dots."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise, permutations
from math import ceil, floor

import numpy as np

from labelrank_core.data.schema import decimal_text
from labelrank_core.explain.render.markup.elements import Html, element
from labelrank_core.explain.render.markup.palette import mark_class
from labelrank_core.explain.render.markup.text import percent
from labelrank_core.explain.render.markup.ticks import round_numbers

# Numbers below a scale that is not one of shares.
_TICKS = 3
# Between these percentages of the scale, a title fits on both sides of its line.
_CENTRED = (25, 75)
# A scale of shares is cut to the tenths around what takes less of it.
_CROWDED = 0.4
# A sum of steps that ends on an end of the scale may miss it by so much.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Waterfall:
    """The support of a pair of labels, or of one: the average, the changes, and the case's.

    Parameters
    ----------
    labels : tuple of int
        The label that support above `even` is for, and the other one; None: no other label.
    average : tuple of (str, float)
        The name of the first row and its support.
    steps : sequence of (str, str, float)
        The name of a feature, its value (may be empty) and what it adds, in the order preferred.
    case_name : str
        The name of the last row, whose support is where the steps end.
    even : float
        The support at which neither label is ahead.
    is_share : bool
        Whether support is a share of votes, written in per cent.
    label_names : tuple of str
        The names of both labels, for the legend; the second is ignored where there is none.
    even_text : str
        The support at `even` in the words of the prediction; empty: a number.
    note : str
        What the values of the steps mean, behind the legend; may be empty.
    """

    labels: tuple[int, int | None]
    average: tuple[str, float]
    steps: Sequence[tuple[str, str, float]]
    case_name: str
    even: float
    is_share: bool
    label_names: tuple[str, str] = ("", "")
    even_text: str = ""
    note: str = ""

    @cached_property
    def drawn_steps(self) -> Sequence[tuple[str, str, float]]:
        """The steps from the top down: of shares, in the first order that stays on the scale.

        Where every order leads beyond an end of the scale, in the one that does so least.

        >>> steps = [("a", "", 0.5), ("b", "", 0.4), ("c", "", -0.3)]
        >>> chart = Waterfall((0, 1), ("average", 0.2), steps, "case", 0.5, True)
        >>> [name for name, _, _ in chart.drawn_steps]
        ['a', 'c', 'b']
        """
        if not self.is_share:
            return self.steps
        best_order, least_excess = self.steps, float("inf")
        for order in permutations(self.steps):
            levels = list(accumulate((step[2] for step in order), initial=self.average[1]))
            excess = max(0.0, -min(levels), max(levels) - 1)
            if excess < least_excess - _ROUNDING:
                best_order, least_excess = order, excess
            if excess <= _ROUNDING:
                break
        return best_order

    @property
    def levels(self) -> list[float]:
        """The support before the first step and after each one."""
        return list(accumulate((step[2] for step in self.drawn_steps), initial=self.average[1]))

    @property
    def scale(self) -> tuple[float, float]:
        """The ends of the scale, on which `even` lies, too.

        That of shares is whole, but where they take less than 40% of it, the tenths around them,
        with an end of the whole that is only a tenth away. Few sets of large steps lead beyond its
        ends in every order.

        >>> chart = Waterfall((0, None), ("average", 0.28), [("a", "", -0.17)], "case", 0.5, True)
        >>> chart.scale
        (0.0, 0.6)
        """
        low, high = min(*self.levels, self.even), max(*self.levels, self.even)
        if not self.is_share:
            return low, high
        if 0 < high - low < _CROWDED:
            # Beside the line of `even` there is room for its name.
            low, high = min(low, max(self.even - 0.05, 0)), max(high, min(self.even + 0.05, 1))
            start, end = floor(10 * low + _ROUNDING) / 10, ceil(10 * high - _ROUNDING) / 10
            return start * (start > 0.1), max(end, float(end >= 0.9))
        return min(low, 0.0), max(high, 1.0)

    def level_text(self, value: float) -> str:
        """Format a support with its unit."""
        return (
            f"{float(decimal_text(value)):.0%}"
            if self.is_share
            else decimal_text(value, signed=True)
        )

    def row_text(self, value: float) -> str:
        """Format a support without its unit, which the head of the rows has."""
        return self.level_text(value).removesuffix("%")

    @property
    def change_texts(self) -> list[str]:
        """Each step rounded so that with the average, as written, they add up to the last row.

        What is missing to the sum goes to the steps whose rounding took most away.

        >>> steps = [("a", "", 0.104), ("b", "", 0.104), ("c", "", 0.104)]
        >>> Waterfall((0, 1), ("average", 0.5), steps, "case", 0.5, True).change_texts
        ['+11', '+10', '+10']
        """
        levels = self.levels
        ends = [round(float(decimal_text(level)) * 100) for level in (levels[0], levels[-1])]
        exact = [100 * change for _, _, change in self.drawn_steps]
        points = [round(change) for change in exact]
        missing = ends[1] - ends[0] - sum(points)
        step = 1 if missing > 0 else -1
        by_remainder = sorted(range(len(exact)), key=lambda i: step * (points[i] - exact[i]))
        for i in by_remainder[: abs(missing)]:
            points[i] += step
        return [self._points_text(n) for n in points]

    def _points_text(self, points: int) -> str:
        if not points:
            return "0"
        return f"{points:+d}" if self.is_share else decimal_text(points / 100, signed=True)


def waterfall(chart: Waterfall) -> Html:
    """Draw the steps below each other, coloured by the label that each one helps."""
    levels = chart.levels
    low, high = chart.scale
    span = high - low or 1.0

    def at(value: float) -> float:
        return 100 * (value - low) / span

    is_whole = chart.is_share and high - low >= 1
    ticks = np.array([0.0, 0.5, 1.0]) if is_whole else round_numbers(low, high, _TICKS)
    tick_styles = [(tick, f"left:{percent(at(tick))}") for tick in ticks.tolist()]
    lines = [element("i", class_="tick", style=style) for _, style in tick_styles]
    tick_texts = [
        element("small", chart.row_text(tick) if tick else "0", style=style)
        for tick, style in tick_styles
    ]
    scale = element("li", element("span", lines, tick_texts, class_="track"), class_="axis scale")
    even = element("i", class_="even", style=f"left:{percent(at(chart.even))}")
    # Its title stands in the middle, near an end on the side where there is more room.
    even_left = at(chart.even)
    if _CENTRED[0] <= even_left <= _CENTRED[1]:
        title_style = f"left:{percent(even_left)};translate:-50%"
    elif even_left < _CENTRED[0]:
        title_style = f"left:{percent(even_left)}"
    else:
        title_style = f"right:{percent(100 - even_left)}"
    title = "needed" if chart.labels[1] is None else "even"
    even_text = chart.even_text or (chart.level_text(chart.even) if chart.is_share else "0")
    even_title = element("small", f"{title}: {even_text}", style=title_style)
    axis = element(
        "li",
        element("span", even_title, class_="track"),
        element("span", "support in %" if chart.is_share else "", class_="said"),
        class_="axis",
    )

    def row(name: str, value: str, ends: tuple[float, float], text: str, kind: str = "") -> Html:
        start, end = sorted(map(at, ends))
        # The first and the last row have a dot at their support.
        style = f"left:{percent(start)};width:{percent(end - start)}"
        if kind:
            style = f"left:{percent(at(ends[1]))}"
        label = chart.labels[0 if ends[1] >= ends[0] else 1]
        bar = element("b", class_=_bar_class(label), style=style)
        join = element("i", class_="join", style=f"left:{percent(at(ends[1]))}")
        value_part = (" ", element("span", value, class_="muted")) if value else None
        return element(
            "li",
            element("span", name, value_part, class_="name"),
            element("span", lines, even, None if kind == "last" else join, bar, class_="track"),
            element("span", text, class_="said"),
            class_=kind,
        )

    name, average = chart.average
    rows = [row(name, "", (chart.even, average), chart.row_text(average), "first")]
    for (feature, value, _), ends, text in zip(
        chart.drawn_steps, pairwise(levels), chart.change_texts, strict=True
    ):
        rows.append(row(feature, value, ends, text))
    total = levels[-1]
    rows.append(row(chart.case_name, "", (chart.even, total), chart.row_text(total), "last"))
    return element(
        "div", _legend(chart), element("ol", axis, rows, scale, class_="lr-waterfall"), class_="lr"
    )


def _bar_class(label: int | None) -> str:
    return "against" if label is None else mark_class(label)


def _legend(chart: Waterfall) -> Html | None:
    """Draw the colours of both labels with the side that each one helps."""
    first, second = chart.label_names
    if not first:
        return None
    texts = [f"helps {first}", f"against {first}" if chart.labels[1] is None else f"helps {second}"]
    items = [
        element("span", element("b", class_=_bar_class(label)), text)
        for label, text in zip(chart.labels, texts, strict=True)
    ]
    note = element("span", chart.note) if chart.note else None
    return element("p", items, note, class_="lr-waterfall-legend muted")
