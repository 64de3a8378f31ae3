"""Recomputed numbers beside printed ones: a panel per method, all on one scale."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from labelrank_core.explain.render.markup.elements import Html, element
from labelrank_core.explain.render.markup.text import percent
from labelrank_core.explain.render.markup.ticks import round_numbers

# Numbers that lie further apart than this factor stand on a logarithmic scale.
_MOST_FOLD = 50
_N_TICKS = 4
# Percent of the scale that stays free at its ends.
_MARGIN = 3.0
_MARKS = {
    "within": "ours holds",
    "above": "ours is better",
    "below": "ours is worse",
    "differs": "ours differs",
}
# In rem: of a letter of a name, and the widest column of names.
_LETTER, _WIDEST = 0.5, 9.0


@dataclass(frozen=True)
class PrintedNumber:
    """A printed number with the recomputed one.

    Parameters
    ----------
    name : str
        What it is a number of.
    printed, ours : float
        Both numbers.
    tolerance : float
        How far ours may lie from the print.
    verdict : {"within", "above", "below", "differs"}
        How ours compares.
    """

    name: str
    printed: float
    ours: float
    tolerance: float
    verdict: str


def print_panels(
    panels: Sequence[tuple[str, Sequence[PrintedNumber]]],
    measure: str,
    tolerance: str,
    value_range: tuple[float, float] = (-math.inf, math.inf),
) -> Html:
    """Draw printed numbers as strokes with their tolerances, and recomputed ones as marks.

    A panel has a heading, which may be empty, and its numbers. `measure` names the scale,
    `tolerance` the width of the bars, or says that there are none; these end where `value_range`
    does.
    """
    numbers = [number for _, panel_numbers in panels for number in panel_numbers]
    low, high = value_range
    ends = [max(number.printed - number.tolerance, low) for number in numbers]
    ends += [min(number.printed + number.tolerance, high) for number in numbers]
    ends += [number.ours for number in numbers]
    at, ticks = _scale(min(ends), max(ends))
    key = [element("b", measure), element("span", element("i", class_="print"), "printed")]
    band = element("i", class_="near") if any(number.tolerance for number in numbers) else ""
    key.append(element("span", band, tolerance))
    key += [
        element("span", element("i", class_=f"ours {verdict}"), words)
        for verdict, words in _MARKS.items()
        if any(number.verdict == verdict for number in numbers)
    ]
    letters = max(len(number.name) for number in numbers)
    sections = [
        element(
            "section",
            _heading(heading),
            element(
                "ol",
                _scale_row(ticks),
                [_row(number, at, ticks, value_range) for number in panel_numbers],
            ),
        )
        for heading, panel_numbers in panels
    ]
    sizes = f"--names:{min(_LETTER * letters + 0.5, _WIDEST):.1f}rem"
    return element(
        "div",
        element("p", key, class_="lr-print-key"),
        element("div", sections, class_="lr-print", style=sizes),
    )


def _heading(heading: str) -> Html:
    """Write the name of a panel, and its remark in brackets on a line below."""
    name, _, remark = heading.partition(" (")
    remark_html = element("span", remark.removesuffix(")"), class_="muted") if remark else ""
    return element("b", name, remark_html)


def _scale(low: float, high: float) -> tuple[Callable[[float], float], list[tuple[float, str]]]:
    """Return the place of a value in percent, and the places of round numbers with their texts."""
    is_wide = low > 0 and high > _MOST_FOLD * low
    start, end = (math.log10(low), math.log10(high)) if is_wide else (low, high)
    length = (end - start) or 1.0

    def at(value: float) -> float:
        position = math.log10(value) if is_wide else value
        return _MARGIN + (100 - 2 * _MARGIN) * (position - start) / length

    if is_wide:
        values = 10.0 ** np.arange(math.ceil(start), math.floor(end) + 1)
    else:
        values = round_numbers(start, start + length, _N_TICKS)
    return at, [(at(value), f"{value:,.12g}") for value in values.round(12).tolist()]


def _scale_row(ticks: Sequence[tuple[float, str]]) -> Html:
    texts = [element("small", text, style=f"left:{percent(place, 2)}") for place, text in ticks]
    return element(
        "li",
        element("span", class_="name"),
        element("span", texts, class_="track"),
        class_="scale",
        aria_hidden="true",
    )


def _row(
    number: PrintedNumber,
    at: Callable[[float], float],
    ticks: Sequence[tuple[float, str]],
    value_range: tuple[float, float],
) -> Html:
    low, high = value_range
    marks = [element("u", style=f"left:{percent(place, 2)}") for place, _ in ticks]
    if number.tolerance:
        start = at(max(number.printed - number.tolerance, low))
        end = at(min(number.printed + number.tolerance, high))
        style = f"left:{percent(start, 2)};width:{percent(end - start, 2)}"
        marks.append(element("i", class_="near", style=style))
    marks += [
        element("i", class_="print", style=f"left:{percent(at(number.printed), 2)}"),
        element("i", class_=f"ours {number.verdict}", style=f"left:{percent(at(number.ours), 2)}"),
    ]
    return element(
        "li",
        element("span", number.name, class_="name"),
        element("span", marks, class_="track"),
        title=f"{number.name}: {number.ours:.6g}, print {number.printed:.6g}",
    )
