"""What groups of cases realise: dots on one scale of shares, and what is promised as a line."""

from collections.abc import Sequence
from dataclasses import dataclass

from labelrank_core.explain.markup.elements import Html, element, fragment
from labelrank_core.explain.markup.plot import Axis
from labelrank_core.explain.markup.text import percent, shorten

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
    said : str
        What pointing at it says.
    """

    name: str
    share: float
    n_cases: int
    said: str


def group_rows(groups: Sequence[Group], promised: float, title: str, least: float) -> Html:
    """Draw shares of groups below each other; the scale begins at `least` or the smallest share.

    Larger dots: more cases. At least one group.
    """
    scale = Axis.of_shares(min(least, *(group.share for group in groups)), 1.0, title, _TICKS)
    promise = scale.at(promised)
    line = element("i", style=f"left:{percent(promise)}")
    most = max(group.n_cases for group in groups)
    rows = [_row(group, scale, line, (group.n_cases / most) ** 0.5) for group in groups]
    ticks = [_at(scale.at(value), words) for value, words in scale.ticks]
    head = _at(promise, f"promised: {promised:.0%}", -promise)
    drawn = element("ol", _scale(head), rows, _scale(*ticks), class_="lr-groups")
    return fragment(drawn, element("p", f"{title} →", class_="lr-along"))


def _scale(*words: Html) -> Html:
    return element("li", element("span", words, class_="track"), class_="scale")


def _row(group: Group, scale: Axis, line: Html, size: float) -> Html:
    wide = _SMALLEST + (_LARGEST - _SMALLEST) * size
    look = f"left:{percent(scale.at(group.share))};width:{wide:.0f}px;height:{wide:.0f}px"
    return element(
        "li",
        element("span", shorten(group.name, _LETTERS), class_="name"),
        element("b", f"{group.share:.1%}"),
        element("span", line, element("b", style=look), class_="track"),
        data_key=group.name,
        title=group.said,
    )


def _at(place: float, words: str, shift: float = -50.0) -> Html:
    look = f"left:{percent(place)};transform:translateX({percent(shift)})"
    return element("span", words, style=look)
