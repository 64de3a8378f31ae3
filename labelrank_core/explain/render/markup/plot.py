"""Points and lines between two axes: places in per cent of the drawing, sizes in pixels.

The drawing stretches with the page, while dots, lines and words keep their size. What says
something when one points at it, and all words, are HTML; behind them are an image, and a layer for
each colour of what is drawn in colours.
"""

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import atan2, degrees, hypot
from typing import TypeAlias

import numpy as np

from labelrank_core.explain.render.markup.layers import image_source, layer
from labelrank_core.explain.render.markup.palette import LINE
from labelrank_core.explain.render.markup.spread import spread
from labelrank_core.explain.render.markup.text import keyed, percent
from labelrank_core.explain.render.markup.ticks import round_numbers
from labelrank_core.rankings import FloatArray

_TICKS = 5
# Pixels: of the dots that have words, and of the words as they are usually printed.
_RADIUS, _LETTER_WIDTH, _LETTER_HEIGHT = 8, 8.0, 12.0
# Pixels: the room beside a drawing into which words may reach, and beyond everything drawn.
_ROOM_BESIDE, _FAR = 12.0, 1e4
_MOST_BADGES = 20
# Pixels between the centres of marks with numbers that touch.
_BADGE_DISTANCE = 29.0
_USUAL_ASPECT, _SMALLEST = 1.6, (200.0, 130.0)
# Marks around a place, in pixels.
_MARKS = {
    "s0": "M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0",
    "s1": "M-3-3h6v6h-6z",
    "s2": "M0-3.8l3.5 6.3h-7z",
    "s3": "M0-3.9l3.9 3.9-3.9 3.9-3.9-3.9z",
    "s4": "M-3.6-2.4h7.2l-3.6 6.2z",
}
# Left, top, right, bottom.
_Box: TypeAlias = tuple[float, float, float, float]


@dataclass(frozen=True)
class Axis:
    """One axis.

    Parameters
    ----------
    low, high : float
        Its ends.
    ticks : sequence of (float, str)
        Places with their words.
    title : str
        What it measures.
    """

    low: float
    high: float
    ticks: Sequence[tuple[float, str]] = ()
    title: str = ""

    @classmethod
    def of_shares(cls, low: float, high: float, title: str, n_ticks: int = 7) -> "Axis":
        """Return an axis of shares between two ends, in per cent, with about so many ticks."""
        shares = round_numbers(max(low, 0.0), min(high, 1.0), n_ticks).tolist()
        ticks = [(share, f"{100 * share:.4g}%") for share in shares]
        return cls(low, high, ticks, title)

    @classmethod
    def around(cls, values: FloatArray, title: str, n_ticks: int = _TICKS) -> "Axis":
        """Return an axis with room for some values, and about so many round numbers along it."""
        low, high = float(values.min()), float(values.max())
        room = 0.05 * (high - low) or 0.5
        low, high = low - room, high + room
        ticks = [(value, f"{value:,.6g}") for value in round_numbers(low, high, n_ticks).tolist()]
        return cls(low, high, ticks, title)

    def at(self, value: float) -> float:
        """Return where a value lies, in per cent from the low end."""
        return 100 * (value - self.low) / (self.high - self.low)


class Plot:
    """Parts drawn between two axes, and the drawing they make.

    Without axes of its own it lies upon a drawing that has them.
    """

    def __init__(self, x: Axis, y: Axis, *, has_axes: bool = True) -> None:
        self._x, self._y, self._has_axes = x, y, has_axes
        self._behind: list[str] = []
        self._layers: dict[str, list[str]] = {}
        self._parts: list[str] = []
        # Across and down, with the words beside it.
        self._spots: list[tuple[float, float, str]] = []
        self._cuts: list[tuple[int, float]] = []
        if has_axes:
            self._add_axes(x, y)

    def _add_axes(self, x: Axis, y: Axis) -> None:
        for value, text in y.ticks:
            self._behind.append(_straight(0, 100 - y.at(value), 100, 100 - y.at(value), ".2"))
            self._add_text("tick-y", 0, 100 - y.at(value), text)
        for value, text in x.ticks:
            self._add_text("tick-x", x.at(value), 100, text)
        if x.ticks:
            self._behind.append(_straight(0, 100, 100, 100, ".6"))

    def dot(self, x: float, y: float, shape: str, color: str) -> None:
        """Draw a small mark of a shape, the circle "s0" to "s4"."""
        at = f'x="{percent(self._x.at(x))}" y="{percent(100 - self._y.at(y))}"'
        shapes = self._shapes_in(color)
        definition = f'<defs><path id="{shape}" d="{_MARKS[shape]}" opacity=".7"/></defs>'
        if definition not in shapes:
            shapes.append(definition)
        shapes.append(f'<use href="#{shape}" {at}/>')

    def land(self, rings: Iterable[FloatArray]) -> None:
        """Fill areas behind everything, with a wide soft edge."""
        for ring in rings:
            points_text = self._points_text(*ring.T.tolist())
            self._behind.insert(
                0,
                '<svg viewBox="0 0 100 100" preserveAspectRatio="none" overflow="visible" '
                f'opacity=".16"><polygon points="{points_text}" fill="{LINE}" stroke="{LINE}" '
                'stroke-width="22" stroke-linejoin="round" vector-effect="non-scaling-stroke"/>'
                "</svg>",
            )

    def spot(self, x: float, y: float, look: str, tooltip: str, text: str = "") -> None:
        """Draw a dot that says something when one points at it, with words beside it."""
        across, down = self._x.at(x), 100 - self._y.at(y)
        self._parts.append(_spot(across, down, look, tooltip, text))
        self._spots.append((across, down, text))

    def badges(
        self,
        badges: Sequence[tuple[Sequence[float], str, str]],
        around: Sequence[float],
        size: tuple[float, float],
    ) -> None:
        """Draw numbered marks: the place, the look and the tooltip of each.

        Marks that would lie on each other or on the place `around` stand apart, with a line to
        where they belong; the drawing is about `size` wide and high, in pixels.
        """
        if not badges:
            return
        positions = np.array([self._position(*point) for point, _, _ in badges])
        pixels = np.array(size) / 100
        moves = spread(
            positions * pixels,
            np.array([self._position(*around)]) * pixels,
            _BADGE_DISTANCE,
            np.array(size),
        )
        for number, ((across, down), (dx, dy), (_, look, tooltip)) in enumerate(
            zip(positions.tolist(), moves.round(1).tolist(), badges, strict=True), start=1
        ):
            position, length = f"left:{percent(across)};top:{percent(down)}", hypot(dx, dy)
            if length > _BADGE_DISTANCE / 2:
                angle = degrees(atan2(dy, dx))
                self._parts.append(
                    f'<i class="leader" style="{position};width:{length:.0f}px;'
                    f'rotate:{angle:.0f}deg"></i>'
                )
            if length:
                position += f";translate:{dx:g}px {dy:g}px"
            self._parts.append(
                f'<i class="{look}"{keyed(str(number))} title="{html.escape(tooltip)}" '
                f'style="{position};z-index:{max(1, _MOST_BADGES - number)}"><b>{number}</b></i>'
            )

    def _position(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point lies, in per cent from the left and from the top."""
        return self._x.at(x), 100 - self._y.at(y)

    def join(self, start: Sequence[float], end: Sequence[float]) -> None:
        """Join two places by a line."""
        (x1, y1), (x2, y2) = start, end
        ends = (self._x.at(x1), 100 - self._y.at(y1), self._x.at(x2), 100 - self._y.at(y2))
        self._behind.append(_straight(*ends, "1"))

    def curve(
        self, xs: Iterable[float], ys: Iterable[float], color: str, width: float, dashes: str = ""
    ) -> None:
        """Draw a line through places; `dashes`: lengths of dashes and gaps in pixels."""
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        self._stretch(
            f'<polyline fill="none" points="{self._points_text(xs, ys)}" stroke="#000" '
            f'stroke-width="{width:g}"{dashed} vector-effect="non-scaling-stroke"/>',
            color,
        )

    def band(
        self, xs: Sequence[float], lows: Sequence[float], highs: Sequence[float], color: str
    ) -> None:
        """Fill the area between two curves."""
        around = self._points_text([*xs, *reversed(xs)], [*lows, *reversed(highs)])
        self._stretch(f'<polygon points="{around}" fill-opacity=".16"/>', color)

    def column(self, low: float, high: float, tooltip: str) -> None:
        """Let all places between two values across say something when one points at them."""
        start, end = (min(100.0, max(0.0, self._x.at(value))) for value in (low, high))
        self._parts.append(
            f'<i class="column" title="{html.escape(tooltip)}" '
            f'style="left:{percent(start)};width:{percent(end - start)}"></i>'
        )

    def bar(self, ends: tuple[float, float], height: float, color: str, tooltip: str) -> None:
        """Draw a bar from the bottom to a height, which says something when one points at it."""
        start, end = map(self._x.at, ends)
        self._parts.append(
            f'<i class="bar" title="{html.escape(tooltip)}" style="left:{percent(start, 2)};'
            f"width:{percent(end - start, 2)};height:{percent(self._y.at(height), 2)};"
            f'background:{color}"></i>'
        )

    def shade(self, low: float, high: float) -> None:
        """Shade the area between two values across."""
        start, end = map(self._x.at, (low, high))
        ends = f'x="{percent(start)}" width="{percent(end - start)}"'
        self._behind.append(f'<rect {ends} height="100%" fill="{LINE}" fill-opacity=".25"/>')

    def name(self, x: float, y: float, text: str, where: str) -> None:
        """Write words at a point; `where`: "top", "middle" or "bottom", and the side.

        "boxed" after these puts them on the colour of the page, where they lie on lines.
        """
        self._add_text(f"at {where}", self._x.at(x), 100 - self._y.at(y), text)

    def ellipse(self, x: float, y: float, reach: Sequence[float]) -> None:
        """Draw an ellipse with half axes in the units of the axes."""
        across, up = (
            reach[0] / (self._x.high - self._x.low),
            reach[1] / (self._y.high - self._y.low),
        )
        self._parts.append(
            f'<i class="reach" style="left:{percent(self._x.at(x), 2)};'
            f"top:{percent(100 - self._y.at(y), 2)};"
            f'width:{percent(200 * across, 2)};height:{percent(200 * up, 2)}"></i>'
        )

    def cut(self, axis: int, value: float, key: str, text: str) -> None:
        """Draw a line through a value across (0) or up (1), which can be tapped, with its words."""
        if axis == 0:
            at = self._x.at(value)
            self._cuts.append((axis, at))
            look, style, end = "cut", f"left:{percent(at)}", (at, 0.0)
        else:
            at = 100 - self._y.at(value)
            self._cuts.append((axis, at))
            look, style, end = "cut flat", f"top:{percent(at)}", (100.0, at)
        self._parts.append(f'<i class="{look}"{keyed(key)} style="{style}"></i>')
        self._add_text(f"name-of-{look}", *end, text, key=key)

    def upright(self, x: float, text: str) -> None:
        """Draw a dotted line from bottom to top, with words beside its upper end."""
        at = self._x.at(x)
        self._behind.append(_straight(at, 0, at, 100, ".9", dotted=True))
        self._add_text("by-line" if at < 50 else "by-line last", at, 0, text)

    def beside(self, y: float, text: str, color: str) -> None:
        """Write words to the right of the drawing, behind a square of a colour."""
        square = f'<span style="color:{color}">■</span> '
        self._add_text("name", 100, 100 - self._y.at(y), text, square)

    def drawn(self, height: float, *, aspect: float | None = None, free_right: float = 0) -> str:
        """Return the drawing in a place of a height in pixels, and as wide as there is room.

        `aspect` is width over height where both have one scale, as on a map; `free_right` how many
        pixels are left free to the right.
        """
        self._add_spot_texts(height, height * (_USUAL_ASPECT if aspect is None else aspect))
        if self._has_axes and self._x.title:
            self._add_text("title-x", 100, 100, f"{self._x.title} →")
        if self._has_axes and self._y.title:
            self._add_text("title-y", 0, 0, f"↑ {self._y.title}")
        widest = max((len(text) for _, text in self._y.ticks), default=0)
        ticks_left, ticks_right = self._room_for_ticks()
        top, padding_left = 24 if self._y.title else 6, max(10 + _LETTER_WIDTH * widest, ticks_left)
        padding_right = max(12 + free_right, ticks_right)
        bottom = (20 if self._x.ticks else 6) + (18 if self._x.title else 0)
        size = f"height:{height:g}px"
        if aspect is not None:
            width = f"min(100%,{height * aspect:.0f}px)"
            size = f"--aspect:{aspect:.3f};aspect-ratio:{aspect:.3f};width:{width}"
        image = image_source("".join(self._behind))
        layers = (layer("".join(shapes), color) for color, shapes in self._layers.items())
        return (
            f'<div class="{"lr-plot" if self._has_axes else "lr-plot upon"}" '
            f'style="padding:{top}px {padding_right:g}px {bottom}px {padding_left:g}px">'
            f'<div style="{size}"><img alt="" src="{image}"/>{"".join(layers)}'
            f"{''.join(self._parts)}</div></div>"
        )

    def _room_for_ticks(self) -> tuple[float, float]:
        """Return the pixels that numbers below the drawing may need to its left and right."""
        halves = [
            (self._x.at(value) / 100, _LETTER_WIDTH / 2 * len(text))
            for value, text in self._x.ticks
        ]
        width = _SMALLEST[0]
        left_room = max((half - share * width for share, half in halves), default=0.0)
        right_room = max((half - (1 - share) * width for share, half in halves), default=0.0)
        return left_room, right_room

    def _add_spot_texts(self, height: float, width: float) -> None:
        """Write words beside spots, on the side where they cover fewest spots and other words.

        On paper a drawing is smaller than on a screen; both count.
        """
        sizes = [(width, height), _SMALLEST]
        occupied = [
            [_box_around(x * w / 100, y * h / 100) for x, y, _ in self._spots] for w, h in sizes
        ]
        # It is better to cross a line, or to be cut off on one side, than to cover something.
        avoided = [
            [
                *(_box_of_cut(axis, at, w, h) for axis, at in self._cuts),
                (-_FAR, -_FAR, -_ROOM_BESIDE, _FAR),
                (w + _ROOM_BESIDE, -_FAR, _FAR, _FAR),
            ]
            for w, h in sizes
        ]
        for x, y, text in self._spots:
            if not text:
                continue
            boxes = [_boxes_beside(x * w / 100, y * h / 100, len(text)) for w, h in sizes]
            covered = {
                look: sum(
                    weight * _overlap(candidates[look], box)
                    for weight, boxes_by_size in ((2, occupied), (1, avoided))
                    for candidates, size_boxes in zip(boxes, boxes_by_size, strict=True)
                    for box in size_boxes
                )
                for look in boxes[0]
            }
            look = min(covered, key=covered.__getitem__)
            for candidates, occupied_boxes in zip(boxes, occupied, strict=True):
                occupied_boxes.append(candidates[look])
            self._add_text(look, x, y, text, key=text)

    def _points_text(self, xs: Iterable[float], ys: Iterable[float]) -> str:
        return " ".join(
            f"{self._x.at(x):.2f},{100 - self._y.at(y):.2f}" for x, y in zip(xs, ys, strict=True)
        )

    def _stretch(self, shape: str, color: str) -> None:
        """Draw a shape in per cent of the drawing."""
        stretched = f'<svg viewBox="0 0 100 100" preserveAspectRatio="none">{shape}</svg>'
        self._shapes_in(color).append(stretched)

    def _shapes_in(self, color: str) -> list[str]:
        return self._layers.setdefault(color, [])

    def _add_text(
        self, look: str, across: float, down: float, text: str, prefix: str = "", key: str = ""
    ) -> None:
        at = f'style="left:{percent(across)};top:{percent(down)}"'
        content = prefix + html.escape(text)
        self._parts.append(f'<span class="{look}"{keyed(key)} {at}>{content}</span>')


def _box_around(x: float, y: float) -> _Box:
    return (x - _RADIUS, y - _RADIUS, x + _RADIUS, y + _RADIUS)


def _box_of_cut(axis: int, at: float, width: float, height: float) -> _Box:
    """Return the place of a line through a drawing, `at` in per cent across (0) or down (1)."""
    if axis == 0:
        return (at * width / 100 - 2, 0, at * width / 100 + 2, height)
    return (0, at * height / 100 - 2, width, at * height / 100 + 2)


def _boxes_beside(x: float, y: float, n_letters: int) -> dict[str, _Box]:
    """Return where words beside a spot can stand, the usual place first."""
    width, height = _LETTER_WIDTH * n_letters, _LETTER_HEIGHT
    return {
        "number": (x + 10, y - height / 2, x + 10 + width, y + height / 2),
        "number left": (x - 10 - width, y - height / 2, x - 10, y + height / 2),
        "number over": (x - width / 2, y - 9 - height, x + width / 2, y - 9),
        "number under": (x - width / 2, y + 9, x + width / 2, y + 9 + height),
    }


def _overlap(first: _Box, second: _Box) -> bool:
    return (
        first[0] < second[2]
        and second[0] < first[2]
        and first[1] < second[3]
        and second[1] < first[3]
    )


@lru_cache(maxsize=1 << 13)
def _spot(across: float, down: float, look: str, tooltip: str, text: str) -> str:
    # Kept, because a picture drawn again has hundreds of the same.
    return (
        f'<i class="{look}"{keyed(text)} title="{html.escape(tooltip)}" '
        f'style="left:{percent(across)};top:{percent(down)}"></i>'
    )


def _straight(
    x1: float, y1: float, x2: float, y2: float, opacity: str, *, dotted: bool = False
) -> str:
    dash = ' stroke-dasharray="2 3"' if dotted else ""
    return (
        f'<line x1="{percent(x1)}" y1="{percent(y1)}" x2="{percent(x2)}" y2="{percent(y2)}" '
        f'stroke="{LINE}" '
        f'stroke-opacity="{opacity}"{dash}/>'
    )
