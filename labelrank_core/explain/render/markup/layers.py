"""Shapes as images in HTML, which Streamlit's filter of markup leaves in, unlike bare SVG."""

from base64 import b64encode

from labelrank_core.explain.render.markup.elements import Html, element

_ROOT = '<svg xmlns="http://www.w3.org/2000/svg" width="100%" height="100%"'


def image_source(shapes: str, attributes: str = "") -> str:
    """Return SVG shapes as the address of an image that stretches with its place."""
    image = f"{_ROOT} {attributes}>{shapes}</svg>".encode()
    return f"data:image/svg+xml;base64,{b64encode(image).decode()}"


def layer(shapes: str, color: str, attributes: str = "") -> Html:
    """Return SVG shapes, of any colours, as an element in one colour of the style sheet.

    An image knows no custom properties, so the shapes are the mask of a coloured ground.
    """
    mask = f"url({image_source(shapes, attributes)}) 0 0 / 100% 100%"
    return element("span", class_="lr-layer", style=f"background:{color};mask:{mask}")
