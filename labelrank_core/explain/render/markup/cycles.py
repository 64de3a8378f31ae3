"""Preferences that run in a cycle, drawn as arrows from each label to the one behind it."""

from collections.abc import Collection, Sequence
from math import cos, hypot, pi, sin

import numpy as np

from labelrank_core.data.schema import decimal_text
from labelrank_core.explain.render.markup.elements import Html, element, fragment
from labelrank_core.explain.render.markup.layers import layer
from labelrank_core.explain.render.markup.palette import THRESHOLD
from labelrank_core.explain.render.markup.rankings import chip
from labelrank_core.explain.render.markup.text import percent, shorten_all
from labelrank_core.rankings import FloatArray

# In pixels: the drawing, half a name's height, and half its width: that of a letter and its edges.
_WIDTH, _LETTERS = 360.0, 12
# Of more than three labels, two stand on each side.
_HEIGHT_OF_THREE, _HEIGHT = 190.0, 280.0
_HALF_HEIGHT, _HALF_LETTER, _EDGE = 17.0, 3.9, 14.0
_HEAD_LENGTH, _HEAD_WIDTH = 10.0, 5.0
# From an arrow to the middle of its number.
_NUMBER_DISTANCE = 20.0


def cycle_of(
    labels: Sequence[int],
    names: Sequence[str],
    shares: FloatArray,
    against: Collection[tuple[int, int]] = (),
) -> Html:
    """Draw labels in a circle, an arrow from each to the next, and how probable that preference is.

    Parameters
    ----------
    labels : sequence of int
        The labels of the cycle; the last one is preferred to the first.
    names : sequence of str
        Names of all labels.
    shares : ndarray of shape (n_labels, n_labels)
        How probable it is that the first label is preferred to the second.
    against : collection of (int, int)
        Preferences that an order does not agree with: dashed.
    """
    short = list(names)
    for label, name in zip(
        labels, shorten_all([names[label] for label in labels], _LETTERS), strict=True
    ):
        short[label] = name
    rooms = {label: np.array([_room(short[label]), _HALF_HEIGHT]) for label in labels}
    size = np.array([_WIDTH, _HEIGHT_OF_THREE if len(labels) <= 3 else _HEIGHT])
    centre = size / 2
    radii = centre - [max(room[0] for room in rooms.values()), _HALF_HEIGHT]
    angles = {label: 2 * pi * place / len(labels) - pi / 2 for place, label in enumerate(labels)}
    places = {label: centre + radii * [cos(angle), sin(angle)] for label, angle in angles.items()}
    pairs = list(zip(labels, [*labels[1:], labels[0]], strict=True))
    arrows: dict[str, list[Html]] = {"currentColor": [], THRESHOLD: []}
    numbers = []
    for first, second in pairs:
        start = _edge(places[first], places[second], rooms[first])
        end = _edge(places[second], places[first], rooms[second])
        is_against = (first, second) in against or (second, first) in against
        arrows[THRESHOLD if is_against else "currentColor"].append(
            _arrow(start, end, "5 4" if is_against else None)
        )
        outwards = _across(start, end)
        middle = (start + end) / 2
        outwards = outwards if outwards @ (middle - centre) >= 0 else -outwards
        number = element("b", decimal_text(float(shares[first, second])))
        numbers.append(_placed(number, (middle + _NUMBER_DISTANCE * outwards) / size))
    chips = [
        _placed(chip(label, short, "small", names[label]), places[label] / size) for label in labels
    ]
    box = f'viewBox="0 0 {size[0]:.0f} {size[1]:.0f}"'
    layers = [layer(fragment(drawn), color, box) for color, drawn in arrows.items() if drawn]
    shape = f"aspect-ratio:{size[0]:.0f}/{size[1]:.0f}"
    return element("div", layers, numbers, chips, class_="lr-cycle", style=shape)


def _room(name: str) -> float:
    """Return half the width of a name with its edges."""
    return _EDGE + _HALF_LETTER * len(name)


def _edge(place: FloatArray, target: FloatArray, room: FloatArray) -> FloatArray:
    """Return where the straight line from a name's middle to a target leaves the name."""
    way = target - place
    shares = room / np.maximum(np.abs(way), 1e-9)
    return place + way * min(1.0, float(shares.min()))


def _across(start: FloatArray, end: FloatArray) -> FloatArray:
    """Return the unit vector at a right angle to a line."""
    way = (end - start) / max(hypot(*(end - start)), 1e-9)
    return np.array([-way[1], way[0]])


def _arrow(start: FloatArray, end: FloatArray, dashes: str | None) -> Html:
    across = _across(start, end)
    foot = end - _HEAD_LENGTH * np.array([across[1], -across[0]])
    corners = (end, foot + _HEAD_WIDTH * across, foot - _HEAD_WIDTH * across)
    line = {"x1": start[0], "y1": start[1], "x2": foot[0], "y2": foot[1]}
    return fragment(
        element(
            "line",
            stroke="#000",
            stroke_width=2,
            stroke_dasharray=dashes,
            **{name: f"{value:.1f}" for name, value in line.items()},
        ),
        element("polygon", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in corners)),
    )


def _placed(child: Html, place: FloatArray) -> Html:
    style = f"left:{percent(100 * place[0])};top:{percent(100 * place[1])}"
    return element("span", child, class_="placed", style=style)
