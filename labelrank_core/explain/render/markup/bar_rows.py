"""Bars and marks in rows on one scale, for the parts of scores and contributions to them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from labelrank_core.data.schema import decimal_text
from labelrank_core.explain.render.markup.elements import Html, element, fragment
from labelrank_core.explain.render.markup.plot import Axis
from labelrank_core.explain.render.markup.text import percent

# Beside long names the scale is short: of longer numbers every second one has room.
_TICKS, _TICK_LETTERS = 3, 5


@dataclass(frozen=True)
class RowBar:
    """A bar of a row.

    Parameters
    ----------
    start, end : float
        Where it begins and where it ends.
    color : str
        Its colour.
    title : str
        What pointing at it says.
    """

    start: float
    end: float
    color: str
    title: str


@dataclass(frozen=True)
class RowMark:
    """A mark of a row.

    Parameters
    ----------
    value : float
        Where it stands.
    kind : {"diamond", "threshold", "vote"}
        How it looks.
    title : str
        What pointing at it says.
    """

    value: float
    kind: str
    title: str


@dataclass(frozen=True)
class BarRow:
    """One row.

    Parameters
    ----------
    name : str or Html
        Its name.
    number : str
        The number beside it.
    bars : sequence of RowBar
        Its bars.
    marks : sequence of RowMark
        Its marks, the last one on top.
    """

    name: str
    number: str
    bars: Sequence[RowBar] = ()
    marks: Sequence[RowMark] = ()


def stacked(parts: Sequence[tuple[str, float, str]]) -> list[RowBar]:
    """Put parts, each with its name, length and colour, on each other to both sides of 0."""
    ends = {True: 0.0, False: 0.0}
    bars = []
    for name, length, color in parts:
        start = ends[length >= 0]
        ends[length >= 0] += length
        bars.append(RowBar(start, start + length, color, f"{name} {length:+z.3f}"))
    return bars


def signed_number(value: float) -> str:
    """Write a contribution with its sign; small ones with two digits of their own.

    >>> signed_number(0.126), signed_number(-0.00012), signed_number(0.0)
    ('+0.13', '-0.00012', '0')
    """
    if abs(value) >= 0.005:
        return decimal_text(value, signed=True)
    return f"{value:+.2g}" if value else "0"


def bar_rows(
    rows: Sequence[BarRow],
    title: str,
    line: float = 0.0,
    ends: Sequence[float] = (),
    look: str = "",
) -> Html:
    """Draw rows below each other, with the line that they are read against, and their scale.

    The scale reaches over all bars, marks and `ends`.
    """
    values = [*(end for row in rows for bar in row.bars for end in (bar.start, bar.end)),
              *(mark.value for row in rows for mark in row.marks), *ends, line]  # fmt: skip
    axis = Axis.around(np.array(values, dtype=float), title, _TICKS)
    zero = element("i", class_="even", style=f"left:{percent(axis.at(line))}")
    is_wide = any(len(text) > _TICK_LETTERS for _, text in axis.ticks)
    ticks = (
        element("span", text, style=f"left:{percent(axis.at(value))}")
        for value, text in axis.ticks[:: 2 if is_wide else 1]
    )
    scale = element("li", element("span", ticks, class_="track"), class_="scale")
    items = [_row(row, axis, zero) for row in rows]
    bars = element("ol", items, scale, class_=f"lr-groups lr-bars {look}".rstrip())
    return fragment(bars, element("p", title, class_="lr-along"))


def _row(row: BarRow, axis: Axis, zero: Html) -> Html:
    bars = []
    for bar in row.bars:
        start, end = sorted((axis.at(bar.start), axis.at(bar.end)))
        style = f"left:{percent(start, 2)};width:{percent(end - start, 2)}"
        bars.append(element("b", title=bar.title, style=f"{style};background:{bar.color}"))
    marks = []
    for mark in row.marks:
        style = f"left:{percent(axis.at(mark.value))}"
        marks.append(element("i", class_=mark.kind, title=mark.title, style=style))
    return element(
        "li",
        element("span", row.name, class_="name"),
        element("b", row.number),
        element("span", bars, zero, marks, class_="track"),
    )


def color_key(entries: Sequence[tuple[str, str, str]]) -> Html:
    """Draw a key of symbols; an entry is the symbol, its colour ("": the text's) and the words."""
    text = (
        element("span", element("b", symbol, style=f"color:{color}" if color else ""), f" {text}")
        for symbol, color, text in entries
    )
    return element("div", text, class_="lr-key")
