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
_MEANINGS = {
    "kept": "as promised",
    "less": "less, as chance allows",
    "beyond": "less than chance explains",
}


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
    count : str
        The number of cases, and of those that realise it where that is a number.
    look : {"kept", "less", "beyond"}
        Whether the share is as promised, less, or less than chance explains.
    tooltip : str
        What pointing at it says.
    """

    name: str
    share: float
    n_cases: int
    count: str
    look: str
    tooltip: str


def group_rows(groups: Sequence[Group], promised: float, title: str, least: float) -> Html:
    """Draw shares of groups below each other; the scale begins at `least` or the smallest share.

    Larger dots: more cases. At least one group. Above them stands what their looks mean, where some
    have less than is promised.
    """
    scale = Axis.of_shares(min(least, *(group.share for group in groups)), 1.0, title, _TICKS)
    promise = scale.at(promised)
    line = element("i", style=f"left:{percent(promise)}")
    largest = max(group.n_cases for group in groups)
    rows = [_row(group, scale, line, (group.n_cases / largest) ** 0.5) for group in groups]
    ticks = [_at(scale.at(value), text) for value, text in scale.ticks]
    head = _at(promise, f"promised: {promised:.0%}", -promise)
    dots = element("ol", _scale(head), rows, _scale(*ticks), class_="lr-groups counted")
    along = element("p", f"{title} →", class_="lr-along")
    looks = [look for look in _MEANINGS if any(group.look == look for group in groups)]
    if looks in ([], ["kept"]):
        return fragment(dots, along)
    keys = [element("span", element("i", class_=look), _MEANINGS[look]) for look in looks]
    return fragment(element("p", keys, class_="lr-group-keys muted"), dots, along)


def _scale(*labels: Html) -> Html:
    return element("li", element("span", labels, class_="track"), class_="scale")


def _row(group: Group, scale: Axis, line: Html, size: float) -> Html:
    wide = _SMALLEST + (_LARGEST - _SMALLEST) * size
    place = f"left:{percent(scale.at(group.share))};width:{wide:.0f}px;height:{wide:.0f}px"
    return element(
        "li",
        element("span", shorten(group.name, _LETTERS), class_="name"),
        element("b", f"{group.share:.0%}"),
        element("small", group.count),
        element("span", line, element("b", style=place, class_=group.look), class_="track"),
        data_key=group.name,
        title=group.tooltip,
    )


def _at(offset: float, text: str, shift: float = -50.0) -> Html:
    look = f"left:{percent(offset)};transform:translateX({percent(shift)})"
    return element("span", text, style=look)
