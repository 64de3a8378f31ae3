"""Names at the ends of lines, placed so that none lies on another, or on a line from the origin."""

from collections.abc import Mapping, Sequence
from itertools import product
from math import ceil, hypot, inf

import numpy as np

from labelrank_core.rankings import FloatArray

# Of a letter and of a line, in pixels.
_LETTER, _LINE = 6.5, 15.0
# How densely lines are looked at.
_STEP = 5.0
# How far a name stands from its point.
_AWAY = 6.0
# Points that are nearer than so many pixels hide each other; so many letters name them together.
_SAME_PLACE, _MOST_TOGETHER = 5.0, 20
# How much of the room of a name beside a line its letters take.
_OF_LETTERS = 0.65
Box = tuple[float, float, float, float]


def places_of_names(
    points: FloatArray,
    names: Sequence[str],
    mark_points: FloatArray,
    scale: tuple[float, float],
    widest: float = inf,
) -> list[str | None]:
    """Choose for every end where its name goes, in Plotly's words; None: there is no room.

    Parameters
    ----------
    points : ndarray of shape (n_points, 2)
        The ends; those further from the origin choose first.
    names : sequence of str
        Their names; no name needs no place.
    mark_points : ndarray of shape (n_marks, 2)
        Other marks, on which no name may lie.
    scale : (float, float)
        Pixels of a unit across and up, where the drawing is narrowest.
    widest : float, default=inf
        How many pixels from the origin names may reach to the left and to the right.
    """
    ends = [(x * scale[0], y * scale[1]) for x, y in points.tolist()]
    marks = [(x * scale[0], y * scale[1]) for x, y in mark_points.tolist()]
    boxes = [(x - 9, y - 9, x + 9, y + 9) for x, y in marks]
    boxes += [(x - _AWAY, y - _AWAY, x + _AWAY, y + _AWAY) for x, y in ends]
    boxes += [(x - 1, y - 1, x + 1, y + 1) for end in ends for x, y in _along(*end)]
    name_sides: list[str | None] = [None] * len(ends)
    for i in sorted(range(len(ends)), key=lambda i: -(ends[i][0] ** 2 + ends[i][1] ** 2)):
        if not names[i]:
            continue
        for where in _ways(*ends[i]):
            box = _box(*ends[i], len(names[i]), where)
            is_inside = -widest <= box[0] and box[2] <= widest
            if is_inside and not any(_overlap(box, occupied) for occupied in boxes):
                boxes.append(box)
                name_sides[i] = where
                break
    return name_sides


def joined_names(names: Sequence[str], points: FloatArray, *, is_whole: bool) -> list[str]:
    """Name points that lie at one place together, at the last of them, which is seen.

    Parameters
    ----------
    names : sequence of str
        The names; "" for points without one.
    points : ndarray of shape (n_points, 2)
        Where they lie, in pixels.
    is_whole : bool
        Whether all names are written where they are short, or how many more points there are.
    """
    joined = list(names)
    for last in range(len(names) - 1, 0, -1):
        if not joined[last]:
            continue
        away = np.hypot(*(points[:last] - points[last]).T)
        hidden = [int(i) for i in np.flatnonzero(away < _SAME_PLACE) if joined[i]]
        if hidden:
            all_names = ", ".join([*(names[i] for i in hidden), names[last]])
            is_named = is_whole and len(all_names) <= _MOST_TOGETHER
            joined[last] = all_names if is_named else f"{names[last]} +{len(hidden)}"
            for i in hidden:
                joined[i] = ""
    return joined


def _along(x: float, y: float) -> list[tuple[float, float]]:
    """List points of the line from the origin to an end."""
    n_steps = max(1, ceil(hypot(x, y) / _STEP))
    return [(x * i / n_steps, y * i / n_steps) for i in range(n_steps + 1)]


def _ways(x: float, y: float) -> list[str]:
    """List the places around a point, away from the origin first."""
    outer_side, over = "right" if x > 0 else "left", "top" if y >= 0 else "bottom"
    first = [f"middle {outer_side}", f"{over} center"]
    ways = [*(first if abs(x) > abs(y) else first[::-1]), f"{over} {outer_side}"]
    all_ways = [f"{up} {across}" for up, across in product(("top", "middle", "bottom"), _SHIFTS)]
    return [*ways, *(way for way in all_ways if way not in (*ways, "middle center"))]


_SHIFTS = {"left": -1.0, "center": -0.5, "right": 0.0}


def _box(x: float, y: float, n_letters: int, where: str) -> Box:
    up, across = where.split()
    width = n_letters * _LETTER
    x_start = x + _SHIFTS[across] * width + {"left": -_AWAY, "center": 0, "right": _AWAY}[across]
    bottom = y + {"top": _AWAY, "middle": -_LINE / 2, "bottom": -_AWAY - _LINE}[up]
    return x_start, bottom, x_start + width, bottom + _LINE


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def names_at_ends(
    heights: Mapping[int, float], names: Sequence[str], size: float
) -> list[tuple[float, str, int]]:
    """Name lines at their ends: those at one height below each other, or, without room, one.

    Parameters
    ----------
    heights : mapping of int to float
        The height at which the line of a label ends.
    names : sequence of str
        The names of all labels.
    size : float
        How much of the height a name takes.

    Returns
    -------
    list of (float, str, int)
        Height, name and label; "+2" behind a name stands for two more labels.
    """
    levels = np.unique(list(heights.values()))
    groups = [sorted(j for j, height in heights.items() if height == level) for level in levels]
    lengths = np.array([len(group) for group in groups])
    # Around the end of the line, but not below the lowest, where the axis has its numbers.
    middles = np.maximum(levels, levels[0] + size * (lengths - 1) / 2)
    if (np.diff(middles) >= size * (lengths[1:] + lengths[:-1]) / 2).all():
        return [
            (float(middle) + size * ((len(group) - 1) / 2 - i), names[label], label)
            for middle, group in zip(middles, groups, strict=True)
            for i, label in enumerate(group)
        ]
    levels_with_labels: list[tuple[float, list[int]]] = []
    for level, group in zip(levels.tolist(), groups, strict=True):
        if levels_with_labels and level - levels_with_labels[-1][0] < _OF_LETTERS * size:
            levels_with_labels[-1][1].extend(group)
        else:
            levels_with_labels.append((level, group))
    return [
        (level, names[first] + (f" +{len(further)}" if further else ""), first)
        for level, (first, *further) in levels_with_labels
    ]
