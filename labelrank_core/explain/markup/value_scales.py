"""A case and its neighbours on the scale of each feature, among all cases of the data."""

import html
from collections.abc import Sequence
from dataclasses import dataclass

from labelrank_core.explain.markup.text import attribute, keyed, percent


@dataclass(frozen=True)
class ValueScale:
    """One feature, with places on a scale from 0 for its lowest to 1 for its highest value.

    Parameters
    ----------
    name : str
        The feature.
    text : str
        The value of the case in words.
    place : float
        Where the case is.
    neighbors : sequence of (float, str)
        Where each neighbour is, and what pointing at it says.
    """

    name: str
    text: str
    place: float
    neighbors: Sequence[tuple[float, str]]


def value_scales(scales: Sequence[ValueScale]) -> str:
    """Draw the features below each other: a ring for the case, a dot for each neighbour."""
    return f'<div class="lr"><ol class="lr-scales">{"".join(map(_row, scales))}</ol></div>'


def _row(scale: ValueScale) -> str:
    dots = "".join(
        f'<i style="left:{percent(100 * place)}" title="{attribute(title)}"></i>'
        for place, title in scale.neighbors
    )
    return (
        f'<li{keyed(scale.name)}><span class="name">{html.escape(scale.name)}</span>'
        f'<span class="track">{dots}<b style="left:{percent(100 * scale.place)}"></b></span>'
        f'<span class="said">{html.escape(scale.text)}</span></li>'
    )
