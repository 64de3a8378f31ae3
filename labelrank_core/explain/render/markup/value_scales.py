"""A case and its neighbours on the scale of each feature, among all cases of the data."""

from collections.abc import Sequence
from dataclasses import dataclass

from labelrank_core.explain.render.markup.elements import Html, element
from labelrank_core.explain.render.markup.text import percent


@dataclass(frozen=True)
class ValueScale:
    """One feature, with places on a scale from 0 for its lowest to 1 for its highest value.

    Parameters
    ----------
    name : str
        The feature.
    text : str
        The value of the case in words.
    position : float
        Where the case is.
    neighbors : sequence of (float, str)
        Where each neighbour is, and what pointing at it says.
    """

    name: str
    text: str
    position: float
    neighbors: Sequence[tuple[float, str]]


def value_scales(scales: Sequence[ValueScale]) -> Html:
    """Draw the features below each other: a ring for the case, a dot for each neighbour."""
    return element("div", element("ol", map(_row, scales), class_="lr-scales"), class_="lr")


def _row(scale: ValueScale) -> Html:
    dots = [
        element("i", style=f"left:{percent(100 * position)}", title=title)
        for position, title in scale.neighbors
    ]
    case_ring = element("b", style=f"left:{percent(100 * scale.position)}")
    return element(
        "li",
        element("span", scale.name, class_="name"),
        element("span", dots, case_ring, class_="track"),
        element("span", scale.text, class_="said"),
        data_key=scale.name,
    )
