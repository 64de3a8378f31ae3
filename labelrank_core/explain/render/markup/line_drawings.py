"""Line drawings of a physical size, on a page: lines as an image, texts in the page's font."""

from collections.abc import Sequence

from labelrank_core.explain.render.markup.elements import Html, element, fragment
from labelrank_core.explain.render.markup.layers import layer
from labelrank_core.explain.render.markup.tables import scrollable
from labelrank_core.explain.render.markup.text import percent

# Pixels of a point, which make the 8 points of a text 14 pixels.
_SCALE = 1.75


def line_drawing(
    width: float,
    height: float,
    lines: Sequence[tuple[float, float, float, float, float]],
    texts: Sequence[tuple[float, float, str, str]],
) -> Html:
    """Draw lines and texts on a ground of `width` times `height` points, to be scrolled sideways.

    A line is ``(x1, y1, x2, y2, width)``, a text ``(x, y, text, anchor)``: y is its baseline, and
    anchor says which part of it is at x, "start", "middle" or "end".
    """
    shapes = fragment(
        element(
            "line",
            x1=f"{x1:.2f}",
            y1=f"{y1:.2f}",
            x2=f"{x2:.2f}",
            y2=f"{y2:.2f}",
            stroke="black",
            stroke_width=f"{thickness:g}",
        )
        for x1, y1, x2, y2, thickness in lines
    )
    line_layer = layer(shapes, "currentColor", f'viewBox="0 0 {width:.2f} {height:.2f}"')
    labels = []
    for x, y, text, anchor in texts:
        position = f"left:{percent(100 * x / width, 2)};top:{percent(100 * y / height, 2)}"
        labels.append(element("span", text, class_=anchor, style=position))
    size = f"width:{width * _SCALE:.0f}px;height:{height * _SCALE:.0f}px"
    return scrollable("Drawing", element("div", line_layer, labels, class_="lr-lines", style=size))
