"""Realised shares of groups of cases as dots on bars of chance, the promised share as a line."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan

from labelrank_core.explain.render.markup.elements import Html, element, fragment
from labelrank_core.explain.render.markup.plot import Axis
from labelrank_core.explain.render.markup.text import percent, shorten

_LETTERS = 30
# Beside long names the scale is short.
_TICKS = 4
_MEANINGS = {
    "kept": "as promised",
    "less": "less, as can happen with so few",
    "beyond": "too little even for so few",
}
_CHANCE = "where a kept promise may lie with so few cases"


@dataclass(frozen=True)
class Group:
    """A group of cases.

    Parameters
    ----------
    name : str
        What its cases have in common.
    share : float
        What they realise, from 0 to 1.
    low : float
        The least share that chance explains; NaN where that is not known.
    count : str
        The number of cases, and of those that realise it where that is a number.
    look : {"kept", "less", "beyond"}
        Whether the share is as promised, less, or less than chance explains.
    tooltip : str
        What pointing at it says.
    """

    name: str
    share: float
    low: float
    count: str
    look: str
    tooltip: str


def group_rows(groups: Sequence[Group], promised: float, title: str, least: float) -> Html:
    """Draw shares of groups below each other; the scale begins at `least` or the smallest share.

    At least one group. Above them stands what their looks and bars mean, where they differ.
    """
    shares = [share for group in groups for share in (group.share, group.low) if not isnan(share)]
    scale = Axis.of_shares(min(least, *shares), 1.0, title, _TICKS)
    promise = scale.at(promised)
    line = element("i", style=f"left:{percent(promise)}")
    rows = [_row(group, scale, line) for group in groups]
    ticks = [_at(scale.at(value), text) for value, text in scale.ticks]
    head = _at(promise, f"promised: {promised:.0%}", -promise)
    dots = element("ol", _scale(head), rows, _scale(*ticks), class_="lr-groups counted")
    along = element("p", f"{title} →", class_="lr-along")
    looks = [look for look in _MEANINGS if any(group.look == look for group in groups)]
    meanings = {look: _MEANINGS[look] for look in looks}
    if not all(isnan(group.low) for group in groups):
        meanings["chance"] = _CHANCE
    if list(meanings) in ([], ["kept"]):
        return fragment(dots, along)
    keys = [element("span", element("i", class_=look), text) for look, text in meanings.items()]
    return fragment(element("p", keys, class_="lr-group-keys muted"), dots, along)


def _scale(*labels: Html) -> Html:
    return element("li", element("span", labels, class_="track"), class_="scale")


def _row(group: Group, scale: Axis, line: Html) -> Html:
    dot = element("b", style=f"left:{percent(scale.at(group.share))}", class_=group.look)
    parts = [line, dot]
    if not isnan(group.low):
        place = f"left:{percent(scale.at(group.low))}"
        parts.insert(0, element("span", style=place, class_="chance"))
    return element(
        "li",
        element("span", shorten(group.name, _LETTERS), class_="name"),
        element("b", f"{group.share:.0%}"),
        element("small", group.count),
        element("span", parts, class_="track"),
        data_key=group.name,
        title=group.tooltip,
    )


def _at(offset: float, text: str, shift: float = -50.0) -> Html:
    look = f"left:{percent(offset)};transform:translateX({percent(shift)})"
    return element("span", text, style=look)
