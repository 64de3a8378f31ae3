"""Curves of several methods over a number, their names beside their ends."""

from collections.abc import Sequence
from math import log10

import numpy as np
import pandas as pd

from labelrank_core.explain.render.markup.plot import Axis, Plot
from labelrank_core.explain.render.markup.ticks import round_numbers
from pages.ui.render.charts.sensitivity import line_colors
from pages.ui.wording.text import shorten_middle

_HEIGHT = 300
# The room for names, and the height of one, in pixels.
_LETTER, _NAME_HEIGHT = 7.5, 17
_MOST_TICKS = 6
# On a phone half of the width is left for the curves.
_LONGEST_NAME = 18
# Of the axis, between two numbers at it.
_LEAST_BETWEEN = 0.12


def curves(points: pd.DataFrame, titles: tuple[str, str], scales: tuple[str, str]) -> str:
    """Draw a curve for every line of a table of points with columns line, x and value.

    `scales` are "log" or "linear", across and up.
    """
    x_scale, y_scale = scales
    xs = np.array([_on_scale(x, x_scale) for x in points["x"]])
    ys = np.array([_on_scale(y, y_scale) for y in points["value"]])
    across, up = _axis(xs, titles[0], x_scale, points["x"]), _axis(ys, titles[1], y_scale)
    plot = Plot(across, up)
    names = list(dict.fromkeys(points["line"]))
    ends = []
    for name, color in zip(names, line_colors(len(names)), strict=True):
        is_of_line = (points["line"] == name).to_numpy()
        plot.curve(xs[is_of_line], ys[is_of_line], color, 3)
        ends.append(ys[is_of_line][int(np.argmax(xs[is_of_line]))])
        for x, y, row in zip(
            xs[is_of_line], ys[is_of_line], points[is_of_line].itertuples(), strict=True
        ):
            plot.spot(x, y, "point", f"{name}: {row.value:.4g} at {row.x:g} {titles[0]}")
    heights = name_heights(ends, _NAME_HEIGHT / _HEIGHT * (up.high - up.low))
    for name, color, height in zip(names, line_colors(len(names)), heights, strict=True):
        plot.beside(height, shorten_middle(name, _LONGEST_NAME), color)
    return plot.drawn(_HEIGHT, free_right=20 + _LETTER * min(_LONGEST_NAME, max(map(len, names))))


def _on_scale(value: float, scale: str) -> float:
    return log10(value) if scale == "log" else float(value)


def _axis(positions: np.ndarray, title: str, scale: str, values: Sequence[float] = ()) -> Axis:
    """Return an axis around positions; ticks are the values, if given, but none near another."""
    low, high = float(positions.min()), float(positions.max())
    room = 0.06 * (high - low) or 0.5
    low, high = low - room, high + room
    if len(values):
        ticks: list[tuple[float, str]] = []
        for value in sorted(set(values)):
            tick = _on_scale(value, scale)
            if not ticks or tick - ticks[-1][0] >= _LEAST_BETWEEN * (high - low):
                ticks.append((tick, f"{value:g}"))
    elif scale == "log":
        powers = range(int(np.ceil(low)), int(np.floor(high)) + 1)
        ticks = [(float(power), f"{10.0**power:g}") for power in powers]
    else:
        ticks = [(tick, f"{tick:.4g}") for tick in round_numbers(low, high, _MOST_TICKS).tolist()]
    return Axis(low, high, ticks, title)


def name_heights(ends: Sequence[float], least: float) -> list[float]:
    """Return heights near the ends and at least so far apart; of equal ends the first is above."""
    # Groups of names that stand close together, around the mean of their ends.
    groups: list[list[int]] = []
    for line in sorted(range(len(ends)), key=lambda number: (ends[number], -number)):
        groups.append([line])
        while len(groups) > 1 and _bottom(groups[-1], ends, least) < _top(groups[-2], ends, least):
            last = groups.pop()
            groups[-1] += last
    heights = [0.0] * len(ends)
    for group in groups:
        for index, line in enumerate(group):
            heights[line] = _bottom(group, ends, least) + (index + 0.5) * least
    return heights


def _bottom(group: Sequence[int], ends: Sequence[float], least: float) -> float:
    return float(np.mean([ends[line] for line in group])) - least * len(group) / 2


def _top(group: Sequence[int], ends: Sequence[float], least: float) -> float:
    return _bottom(group, ends, least) + least * len(group)
