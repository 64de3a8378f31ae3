"""Figures as static SVG without scripts, for notebooks and reports.

Only the elements of the figures here are drawn: points, lines and bars between two axes. Names are
text, and lines have the colour of the text around them, so that they fit paper and dark screens.
"""

import html
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from labelrank_core.explain.markup.still_axes import (
    FONT,
    Axis,
    Scale,
    Span,
    bar_spans,
    plain,
    text_width,
)

# As wide that letters can be read where a phone draws it smaller.
_WIDTH = 400.0
# No higher than this, unless rows of names need more.
_HIGHEST, _ROW = 320.0, 17.0
# Colours that follow the theme of the page.
_BY_GROUND = {"#000000": "currentColor", "#ffffff": "Canvas"}
# Left, right, top and bottom of the place between the axes.
Box = tuple[float, float, float, float]


class _Plain:
    """A figure in plain values, read as Plotly's own are: None for what is not said."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values

    def __getattr__(self, name: str) -> Any:
        return self[name]

    def __getitem__(self, name: str) -> Any:
        found = self._values.get(name)
        if name == "title" and isinstance(found, str):
            return _Plain({"text": found})
        if name in _PARTS:
            return _Plain(found or {})
        if name in _LISTS:
            return [_Plain(each) for each in found or ()]
        return found


_PARTS = {"layout", "xaxis", "yaxis", "title", "marker", "line"}
_LISTS = {"data", "shapes", "annotations"}


def still(figure: Any) -> str:
    """Write a figure, plain values or Plotly's, as one SVG element that scales to its place."""
    figure = _Plain(figure) if isinstance(figure, Mapping) else figure
    spans = bar_spans(figure.data)
    axes = {name: Axis(figure, name, spans) for name in ("x", "y")}
    highest = max(_HIGHEST, 80 + _ROW * len(axes["y"].names))
    height = min(float(figure.layout.height), highest)
    left = 14 + axes["y"].widest + (14 if axes["y"].title else 0)
    right = 12 + _beside(figure)
    # What is said above the axes has a line of its own, below the title.
    title, is_annotated = figure.layout.title.text, bool(figure.layout.annotations)
    top = 6.0 + 16 * bool(title) + 16 * is_annotated
    bottom = height - (40 if axes["x"].title else 24)
    x = axes["x"].onto(left, _WIDTH - right)
    y = axes["y"].onto(bottom, top)
    box = (left, _WIDTH - right, top, bottom)
    parts = [*_axis_lines(axes, x, y, box, height), *_shapes(figure, x, y, box)]
    for trace, ends in zip(figure.data, spans, strict=True):
        parts += _bars(trace, x, y, ends) if trace.type == "bar" else _points(trace, x, y)
    parts += _annotations(figure, x, y, box)
    if title:
        parts.append(_words(4, 12, title.replace("<br>", "   ")))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="lr-still" viewBox="0 0 {_WIDTH:g} '
        f'{height:g}" role="presentation" font-size="{FONT}" fill="currentColor">'
        f"{''.join(parts)}</svg>"
    )


def _axis_lines(
    axes: dict[str, Axis],
    x: Scale,
    y: Scale,
    box: Box,
    height: float,
) -> list[str]:
    left, right, top, bottom = box
    parts = [_line(left, bottom, right, bottom, 'stroke-opacity=".4"')]
    for value, words in axes["x"].ticks:
        parts.append(_words(x(value), bottom + 14, words, "middle"))
    for value, words in axes["y"].ticks:
        parts.append(_words(left - 6, y(value) + 4, words, "end"))
        parts.append(_line(left, y(value), right, y(value), 'stroke-opacity=".1"'))
    if axes["x"].title:
        parts.append(_words((left + right) / 2, height - 6, axes["x"].title, "middle"))
    if axes["y"].title:
        middle = (top + bottom) / 2
        turn = f' transform="rotate(-90 10 {middle:.1f})"'
        parts.append(_words(10, middle, axes["y"].title, "middle", turn))
    return parts


def _points(trace: Any, x: Scale, y: Scale) -> list[str]:
    """Draw a line through points, their marks and their words."""
    places = [
        None if _is_missing(across) or _is_missing(up) else (x(across), y(up))
        for across, up in zip(trace.x, trace.y, strict=True)
    ]
    mode, parts = trace.mode or "lines", list[str]()
    if "lines" in mode:
        color, width = trace.line.color or "currentColor", trace.line.width or 2
        dash = ' stroke-dasharray="3 3"' if trace.line.dash in ("dot", "dash") else ""
        parts += [
            f'<line x1="{a[0]:.1f}" y1="{a[1]:.1f}" x2="{b[0]:.1f}" y2="{b[1]:.1f}" '
            f'stroke="{color}" stroke-width="{width:g}"{dash}/>'
            for a, b in pairwise(places)
            if a is not None and b is not None
        ]
    if "markers" in mode:
        parts += [
            _mark(*place, str(_nth(trace.marker.symbol, i) or "circle"),
                  str(_nth(trace.marker.color, i) or "currentColor"),
                  float(_nth(trace.marker.size, i) or 6) / 2,
                  _nth(trace.marker.line.color, i))
            for i, place in enumerate(places)
            if place is not None
        ]  # fmt: skip
    if "text" in mode and trace.text is not None:
        across, up, anchor = _around(trace.textposition)
        parts += [
            _words(place[0] + across, place[1] + up, str(_nth(trace.text, i)), anchor)
            for i, place in enumerate(places)
            if place is not None and _nth(trace.text, i)
        ]
    return parts


def _around(where: str | None) -> tuple[float, float, str]:
    """Return how far words stand from their point, and which end of them is there."""
    if not where:
        return 6.0, -5.0, "start"
    up, across = where.split()
    shift, anchor = {"left": (-8.0, "end"), "center": (0.0, "middle"), "right": (8.0, "start")}[
        across
    ]
    return shift, {"top": -8.0, "middle": 4.0, "bottom": 16.0}[up], anchor


def _mark(x: float, y: float, symbol: str, color: str, radius: float, edge: str | None) -> str:
    radius = min(radius, 6.0)
    if radius <= 0:
        return ""
    # Black with a white edge is the text's colour with an edge of the ground, on dark screens, too.
    color, edge = _BY_GROUND.get(color, color), _BY_GROUND.get(edge or color, edge or color)
    fill = "none" if "open" in symbol else color
    look = f'fill="{fill}" stroke="{edge}"'
    if symbol.startswith("line-ns"):
        look = f'fill="{edge}"'
        return f'<rect x="{x - 1.5:.1f}" y="{y - 8:.1f}" width="3" height="16" {look}/>'
    if symbol.startswith(("diamond", "square")):
        turn = f' transform="rotate(45 {x:.1f} {y:.1f})"' if symbol.startswith("diamond") else ""
        size = 1.6 * radius
        return (
            f'<rect x="{x - size / 2:.1f}" y="{y - size / 2:.1f}" width="{size:.1f}" '
            f'height="{size:.1f}" {look}{turn}/>'
        )
    if symbol.startswith("x"):
        r = radius
        return (
            f'<path d="M{x - r:.1f} {y - r:.1f}l{2 * r:.1f} {2 * r:.1f}m0 {-2 * r:.1f}'
            f'l{-2 * r:.1f} {2 * r:.1f}" {look} stroke-width="2"/>'
        )
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" {look}/>'


def _bars(trace: Any, x: Scale, y: Scale, spans: Sequence[Span]) -> list[str]:
    """Draw bars."""
    flat = trace.orientation == "h"
    places = list(trace.y if flat else trace.x)
    along, across = (x, y) if flat else (y, x)
    thick = 0.7 * _step(places, across)
    parts = []
    for i, (place, ends) in enumerate(zip(places, spans, strict=True)):
        low, high = sorted(map(along, ends))
        side = across(place) - thick / 2
        box = (low, side, high - low, thick) if flat else (side, low, thick, high - low)
        color = str(_nth(trace.marker.color, i) or "currentColor")
        parts.append(
            f'<rect x="{box[0]:.1f}" y="{box[1]:.1f}" width="{box[2]:.1f}" '
            f'height="{box[3]:.1f}" fill="{color}"/>'
        )
    return parts


def _step(places: Sequence[Any], across: Scale) -> float:
    at = sorted(across(place) for place in places)
    return min((b - a for a, b in pairwise(at) if b > a), default=20.0)


def _shapes(figure: Any, x: Scale, y: Scale, box: Box) -> list[str]:
    """Draw lines from side to side, upright lines and bands, behind the data."""
    left, right, top, bottom = box
    parts = []
    for shape in figure.layout.shapes:
        dash = ' stroke-dasharray="2 3"' if shape.line.dash == "dot" else ""
        if shape.xref == "paper" and shape.yref in (None, "y"):
            height = y(shape.y0)
            parts.append(_line(left, height, right, height, dash, shape.line.color))
        elif shape.yref == "y domain":
            low, high = sorted((x(shape.x0), x(shape.x1)))
            if low == high:
                # A rectangle without width is not drawn.
                parts.append(_line(low, top, low, bottom, dash, shape.line.color))
            else:
                parts.append(
                    f'<rect x="{low:.1f}" y="{top:.1f}" width="{high - low:.1f}" '
                    f'height="{bottom - top:.1f}" fill-opacity=".12"/>'
                )
    return parts


def _annotations(figure: Any, x: Scale, y: Scale, box: Box) -> list[str]:
    """Write the words beside and above the figure."""
    _, right, top, _ = box
    parts = []
    for each in figure.layout.annotations:
        if each.xref == "paper":
            parts.append(_words(right + 4, y(each.y) + 4, each.text))
        elif each.yref == "paper":
            # On a logarithmic axis, Plotly places words by the exponent.
            place = 10.0**each.x if figure.layout.xaxis.type == "log" else each.x
            anchor = {"left": "start", "right": "end"}.get(each.xanchor, "middle")
            parts.append(_words(x(place), top - 6, each.text, anchor))
    return parts


def _beside(figure: Any) -> float:
    """Return how wide the longest words to the right of a figure are."""
    texts = [each.text for each in figure.layout.annotations if each.xref == "paper"]
    return max(map(text_width, texts), default=0.0)


def _nth(values: Any, place: int) -> Any:
    """Return one of some values, or the value that holds for all."""
    return values if values is None or np.ndim(values) == 0 else values[place]


def _is_missing(value: Any) -> bool:
    return value is None or (not isinstance(value, str) and bool(np.isnan(value)))


def _line(
    x1: float, y1: float, x2: float, y2: float, more: str = "", color: str | None = None
) -> str:
    ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line {ends} stroke="{color or "currentColor"}" {more}/>'


def _words(x: float, y: float, said: str, anchor: str = "start", more: str = "") -> str:
    """Write words as Plotly gets them; what is coloured there, such as squares, stays so."""
    first, *colored = re.split(r"<span style='color:([^']+)'>(.*?)</span>", said)
    parts = [_text(first)]
    for color, inside, behind in zip(colored[::3], colored[1::3], colored[2::3], strict=True):
        parts.append(f'<tspan fill="{color}">{_text(inside)}</tspan>{_text(behind)}')
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{"".join(parts)}</text>'


def _text(said: str) -> str:
    # Spaces in a row would become one.
    shown = "".join(c for c in plain(said) if c.isprintable())
    # Spaces in a row would become one.
    return html.escape(shown.replace("   ", " \u2002"))
