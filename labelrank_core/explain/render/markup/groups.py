"""Realised shares of groups of cases as dots on one scale, and the promised share as a line."""

from collections.abc import Sequence
from dataclasses import dataclass

from labelrank_core.explain.render.markup.elements import Html, element, fragment
from labelrank_core.explain.render.markup.plot import Axis
from labelrank_core.explain.render.markup.text import percent, shorten

_LETTERS = 30
# Diameters of dots in pixels.
_SMALLEST, _LARGEST = 7, 15
# Beside long names the scale is short.
_TICKS = 4


@dataclass(frozen=True)
class Group:
    """A group of cases.

    Parameters
    ----------
    name : str
        What its cases have in common.
    share : float
        What they realise, from 0 to 1.
    n_cases : int
        How many there are.
    tooltip : str
        What pointing at it says.
    """

    name: str
    share: float
    n_cases: int
    tooltip: str


def group_rows(groups: Sequence[Group], promised: float, title: str, least: float) -> Html:
    """Draw shares of groups below each other; the scale begins at `least` or the smallest share.

    Larger dots: more cases. At least one group.
    """
    scale = Axis.of_shares(min(least, *(group.share for group in groups)), 1.0, title, _TICKS)
    promise = scale.at(promised)
    line = element("i", style=f"left:{percent(promise)}")
    largest = max(group.n_cases for group in groups)
    rows = [_row(group, scale, line, (group.n_cases / largest) ** 0.5) for group in groups]
    ticks = [_at(scale.at(value), text) for value, text in scale.ticks]
    head = _at(promise, f"promised: {promised:.0%}", -promise)
    dots = element("ol", _scale(head), rows, _scale(*ticks), class_="lr-groups")
    return fragment(dots, element("p", f"{title} →", class_="lr-along"))


def _scale(*labels: Html) -> Html:
    return element("li", element("span", labels, class_="track"), class_="scale")


def _row(group: Group, scale: Axis, line: Html, size: float) -> Html:
    wide = _SMALLEST + (_LARGEST - _SMALLEST) * size
    look = f"left:{percent(scale.at(group.share))};width:{wide:.0f}px;height:{wide:.0f}px"
    return element(
        "li",
        element("span", shorten(group.name, _LETTERS), class_="name"),
        element("b", f"{group.share:.1%}"),
        element("span", line, element("b", style=look), class_="track"),
        data_key=group.name,
        title=group.tooltip,
    )


def _at(offset: float, text: str, shift: float = -50.0) -> Html:
    look = f"left:{percent(offset)};transform:translateX({percent(shift)})"
    return element("span", text, style=look)
