"""What groups of cases realise: dots on one scale of shares, and what is promised as a line."""

import html
from collections.abc import Sequence
from dataclasses import dataclass

from labelrank_core.explain.markup.plot import Axis
from labelrank_core.explain.markup.text import attribute, keyed, percent, shorten

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


def group_rows(groups: Sequence[Group], promised: float, title: str, least: float) -> str:
    """Draw shares of groups below each other; the scale begins at `least` or the smallest share.

    Larger dots: more cases. At least one group.
    """
    scale = Axis.of_shares(min(least, *(group.share for group in groups)), 1.0, title, _TICKS)
    promise = scale.at(promised)
    line = f'<i style="left:{percent(promise)}"></i>'
    most = max(group.n_cases for group in groups)
    rows = [_row(group, scale, line, (group.n_cases / most) ** 0.5) for group in groups]
    ticks = "".join(_at(scale.at(value), words) for value, words in scale.ticks)
    return (
        '<ol class="lr-groups"><li class="scale"><span class="track">'
        f"{_at(promise, f'promised: {promised:.0%}', -promise)}</span></li>{''.join(rows)}"
        f'<li class="scale"><span class="track">{ticks}</span></li></ol>'
        f'<p class="lr-along">{html.escape(title)} →</p>'
    )


def _row(group: Group, scale: Axis, line: str, size: float) -> str:
    wide = _SMALLEST + (_LARGEST - _SMALLEST) * size
    look = f"left:{percent(scale.at(group.share))};width:{wide:.0f}px;height:{wide:.0f}px"
    return (
        f'<li{keyed(group.name)} title="{attribute(group.said)}">'
        f'<span class="name">{html.escape(shorten(group.name, _LETTERS))}</span>'
        f'<b>{group.share:.1%}</b><span class="track">{line}<b style="{look}"></b></span></li>'
    )


def _at(place: float, words: str, shift: float = -50.0) -> str:
    look = f"left:{percent(place)};transform:translateX({percent(shift)})"
    return f'<span style="{look}">{html.escape(words)}</span>'
