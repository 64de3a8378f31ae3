"""Where a case and its neighbours lie among all cases: on a map or in the plane of two features."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import cos, radians

import numpy as np

from labelrank_core.explain.render.markup.elements import Html, element
from labelrank_core.explain.render.markup.outline import outline
from labelrank_core.explain.render.markup.palette import (
    LINE,
    color_class,
    label_color,
    mark_class,
    shape_class,
)
from labelrank_core.explain.render.markup.plot import Axis, Plot
from labelrank_core.explain.render.markup.text import shorten, shorten_all
from labelrank_core.rankings import FloatArray, IntArray

_MOST_POINTS = 500
_LETTERS = 40
_FLATTEST = 3
# Room around a map for the edge of its land, as a share of its width and height.
_ROOM_ON_MAP = 0.05
_MOST_IN_LEGEND = 8


@dataclass(frozen=True, eq=False)
class Plane:
    """Two coordinates of every case.

    Parameters
    ----------
    coordinates : ndarray of shape (n_cases, 2)
        Across and up.
    titles : tuple of (str, str)
        What they are.
    is_map : bool
        Whether they are longitude and latitude in degrees.
    """

    coordinates: FloatArray
    titles: tuple[str, str]
    is_map: bool = False


def neighborhood(
    plane: Plane,
    case_at: tuple[float, float],
    neighbors: IntArray,
    labels: IntArray,
    tooltips: Sequence[str],
    *,
    are_named: bool = False,
    reach: FloatArray | None = None,
    height: int = 380,
) -> tuple[str, str]:
    """Draw all cases in the colour of a label; upon them the numbered neighbours and the case.

    A map has the outline of the area they lie in. The first drawing stays the same while the
    neighbours change, unless one lies outside of it.

    `labels` is the label of each case, -1 for none, `tooltips` what pointing at a neighbour says,
    and at the others too if they are named; `reach` the half axes of a circle around the case.
    """
    drawn_cases = _background_cases(len(plane.coordinates))
    x, y = _axes(plane, _extent(plane, np.append(drawn_cases, neighbors), case_at, reach))
    behind, front = Plot(x, y), Plot(x, y, has_axes=False)
    coordinates = plane.coordinates.tolist()
    for case in drawn_cases:
        across, up = coordinates[case]
        if are_named:
            behind.spot(across, up, f"dot {_class(labels[case])}", tooltips[case])
        else:
            behind.dot(across, up, _shape(labels[case]), _color(labels[case]))
    aspect = _draw_land(behind, plane, x, y) if plane.is_map else None
    if reach is not None:
        front.ellipse(*case_at, reach.tolist())
    for case in neighbors:
        front.join(coordinates[case], case_at)
    badges = [
        (coordinates[case], f"near badge {_ink_class(labels[case])}", tooltips[case])
        for case in neighbors
    ]
    front.badges(badges, case_at, (height * (aspect or 1.0), height))
    front.spot(*case_at, "own", "this case")
    return behind.drawn(height, aspect=aspect), front.drawn(height, aspect=aspect)


def stacked_plots(behind: str, front: str) -> str:
    """Draw a plot without axes upon the one that has them."""
    return f'<div class="lr-stack">{behind}{front}</div>'


def named_neighborhood(
    plane: Plane,
    case_at: tuple[float, float],
    neighbors: IntArray,
    labels: IntArray,
    tooltips: Sequence[str],
    marks: Mapping[int, str],
    *,
    reach: FloatArray | None = None,
    room: FloatArray | None = None,
    height: int = 380,
) -> str:
    """Draw all cases in the colour of a label, with names, the neighbours joined to the case.

    `marks` is what is written beside cases, `room` the half axes of the widest circle that there
    must be room for; the others as of `neighborhood`.
    """
    others = np.setdiff1d(_background_cases(len(plane.coordinates)), neighbors)
    widest = reach if room is None else room
    x, y = _axes(plane, _extent(plane, np.append(others, neighbors), case_at, widest))
    plot, coordinates = Plot(x, y), plane.coordinates.tolist()
    if reach is not None:
        plot.ellipse(*case_at, reach.tolist())
    for case in others:
        across, up = coordinates[case]
        if case in marks:
            look = f"near {_class(labels[case])}{' far' if reach is not None else ''}"
            plot.spot(across, up, look, tooltips[case], marks[case])
        else:
            plot.dot(across, up, _shape(labels[case]), _color(labels[case]))
    for case in neighbors:
        plot.join(coordinates[case], case_at)
        look = f"near {_class(labels[case])}"
        across, up = coordinates[case]
        plot.spot(across, up, look, tooltips[case], marks.get(case, ""))
    aspect = None
    if plane.is_map:
        aspect = _draw_land(plot, plane, x, y)
    elif room is not None:
        # As wide as makes the circle round.
        round_ = (x.high - x.low) * room[1] / ((y.high - y.low) * room[0])
        aspect = round_ if _FLATTEST >= round_ >= 1 / _FLATTEST else None
    plot.spot(*case_at, "own", "this case")
    return plot.drawn(height, aspect=aspect)


def _extent(
    plane: Plane, cases: IntArray, case_at: tuple[float, float], reach: FloatArray | None
) -> FloatArray:
    """Return places that span the drawing."""
    extent = np.vstack([plane.coordinates[cases], case_at])
    return extent if reach is None else np.vstack([extent, case_at - reach, case_at + reach])


def _draw_land(plot: Plot, plane: Plane, x: Axis, y: Axis) -> float:
    """Draw the outline of the area on a map; return width over height of the map."""
    stretch = cos(radians(float(np.median(plane.coordinates[:, 1]))))
    scale = np.array([stretch, 1.0])
    plot.land(ring / scale for ring in outline(plane.coordinates * scale))
    return (x.high - x.low) * stretch / (y.high - y.low)


def legend(labels: IntArray, names: Sequence[str], title: str, none_text: str) -> Html:
    """Draw the mark and the name of every label that some case has; nothing for too many.

    `labels` is the label of each case, -1 for none, whose mark `none_text` names. Of few labels
    also those that no case has are named.
    """
    drawn = np.unique(labels)
    if drawn[-1] < 0 or len(drawn) > _MOST_IN_LEGEND:
        return Html()
    short = shorten_all(names, _LETTERS)
    present = set(drawn.tolist())
    shown = range(len(names)) if len(names) <= _MOST_IN_LEGEND else sorted(present - {-1})
    entries = [
        (label, short[label] if label in present else f"{short[label]} (nowhere)")
        for label in shown
    ]
    entries += [(-1, none_text)] if drawn[0] < 0 else []
    items = [element("span", element("i", class_=_class(label)), name) for label, name in entries]
    return element("p", element("span", title), items, class_="lr-marks muted")


def divided(
    plane: Plane,
    labels: IntArray,
    tooltips: Sequence[str],
    cuts: Sequence[tuple[int, float, str, str]],
    height: int,
    *,
    marks: Sequence[str] | None = None,
) -> str:
    """Draw cases in the colours of labels, and lines that divide them.

    `marks`: what is written beside each case.
    A line: the axis whose value divides, 0 across or 1 up, the value, a name to find the line by,
    and what is written at its end.
    """
    x, y = _axes(plane, plane.coordinates)
    plot, coordinates = Plot(x, y), plane.coordinates.tolist()
    for case in _background_cases(len(coordinates)):
        across, up = coordinates[case]
        mark = "" if marks is None else marks[case]
        plot.spot(across, up, f"near {_class(labels[case])}", tooltips[case], mark)
    for axis, value, name, text in cuts:
        plot.cut(axis, value, name, text)
    return plot.drawn(height)


def _background_cases(n_cases: int) -> IntArray:
    """Choose the cases to draw, at random where there are very many, and always the same ones."""
    if n_cases <= _MOST_POINTS:
        return np.arange(n_cases)
    return np.sort(np.random.default_rng(0).choice(n_cases, _MOST_POINTS, replace=False))


def _axes(plane: Plane, extent: FloatArray) -> tuple[Axis, Axis]:
    if plane.is_map:
        ends = zip(extent.min(axis=0).tolist(), extent.max(axis=0).tolist(), strict=True)
        across, up = (
            Axis(low - _ROOM_ON_MAP * (high - low), high + (_ROOM_ON_MAP * (high - low) or 1))
            for low, high in ends
        )
        return across, up
    across, up = (
        Axis.around(values, shorten(title, _LETTERS))
        for values, title in zip(extent.T, plane.titles, strict=True)
    )
    return across, up


def _ink_class(label: int) -> str:
    """Return the classes of a mark that is written on."""
    return f"{color_class(int(label))} {_shape(label)}" if label >= 0 else "none"


def _class(label: int) -> str:
    return f"{mark_class(int(label))} {_shape(label)}" if label >= 0 else "none"


def _shape(label: int) -> str:
    return shape_class(max(0, int(label)))


def _color(label: int) -> str:
    return label_color(int(label)) if label >= 0 else LINE
