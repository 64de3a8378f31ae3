"""The axes of figures as static SVG: what lies on them, and how wide their words are."""

import html
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from labelrank_core.explain.markup.text import JOINER
from labelrank_core.explain.markup.ticks import round_numbers

FONT = 11
# Widths of letters as shares of their size, and of all others.
_LETTERS = {
    **dict.fromkeys("fijlrtI.,:;|!'()[] ", 0.38),
    **dict.fromkeys("mwMWOQGDCHNU<>=+−≤…→←@%—", 0.9),
    **dict.fromkeys("ABEFKLPRSTVXYZ", 0.7),
}
_LETTER = 0.62
Scale = Callable[[Any], float]
# Where a bar begins and where it ends.
Span = tuple[float, float]


class Axis:
    """One axis: its kind, its ticks with names, and how values lie on it."""

    def __init__(self, figure: Any, name: str, spans: Sequence[Sequence[Span]]) -> None:
        own = figure.layout[f"{name}axis"]
        self.title = own.title.text or ""
        self.is_log = own.type == "log"
        values = [
            value
            for trace, ends in zip(figure.data, spans, strict=True)
            for value in _values(trace, name, ends)
        ]
        self.names = _distinct(values) if any(isinstance(value, str) for value in values) else []
        self.low, self.high = self._ends(own, values)
        if own.autorange == "reversed":
            self.low, self.high = self.high, self.low
        self.ticks = self._ticks(own)
        self.widest = max((text_width(words) for _, words in self.ticks), default=0.0)

    def number(self, value: Any) -> float:
        """Return where a value lies before it is scaled."""
        if isinstance(value, str):
            return float(self.names.index(value))
        return float(np.log10(value)) if self.is_log else float(value)

    def onto(self, start: float, end: float) -> Scale:
        """Return how values lie between two places of the drawing."""
        reach = self.high - self.low or 1.0
        return lambda value: start + (end - start) * (self.number(value) - self.low) / reach

    def _ends(self, own: Any, values: Sequence[Any]) -> tuple[float, float]:
        if own.range:
            return float(own.range[0]), float(own.range[1])
        if self.names:
            return -0.6, len(self.names) - 0.4
        numbers = [self.number(value) for value in values if value is not None]
        known = [number for number in numbers if np.isfinite(number)] or [0.0]
        low, high = min(known), max(known)
        if own.rangemode != "tozero":
            room = 0.05 * (high - low) or 0.5
            return low - room, high + room
        low, high = min(low, 0.0), max(high, 0.0)
        room = 0.05 * (high - low) or 0.5
        return (low - room if low < 0 else 0.0), (0.0 if low < 0 == high else high + room)

    def _ticks(self, own: Any) -> list[tuple[Any, str]]:
        if own.visible is False or own.showticklabels is False:
            return []
        if own.ticktext is not None and len(own.ticktext):
            return [
                (value, str(words)) for value, words in zip(own.tickvals, own.ticktext, strict=True)
            ]
        if self.names:
            return [(name, name) for name in self.names]
        low, high = sorted((self.low, self.high))
        places = round_numbers(low, high, 6)
        values = 10.0**places if self.is_log else places
        return [(float(value), f"{value:.6g}") for value in values]


def _distinct(values: Sequence[Any]) -> list[str]:
    return list(dict.fromkeys(str(value) for value in values))


def _values(trace: Any, axis: str, spans: Sequence[Span]) -> list[Any]:
    """Return where the parts of a trace lie on an axis, both ends of bars included."""
    if trace.type == "bar" and axis == ("x" if trace.orientation == "h" else "y"):
        return [end for span in spans for end in span]
    return [] if trace[axis] is None else list(trace[axis])


def bar_spans(traces: Sequence[Any]) -> list[list[Span]]:
    """Return where the bars of each trace begin and end; without bases they follow each other."""
    reached: dict[tuple[Any, bool], float] = {}
    spans: list[list[Span]] = []
    for trace in traces:
        spans.append([])
        if trace.type != "bar":
            continue
        places, lengths = (trace.y, trace.x) if trace.orientation == "h" else (trace.x, trace.y)
        bases = None if trace.base is None else np.broadcast_to(trace.base, len(lengths)).tolist()
        for i, (place, length) in enumerate(zip(places, lengths, strict=True)):
            side = (place, bool(length >= 0))
            start = reached.get(side, 0.0) if bases is None else float(bases[i])
            reached[side] = start + float(length)
            spans[-1].append((start, reached[side]))
    return spans


def text_width(words: str) -> float:
    """Estimate how wide words for Plotly are drawn."""
    return FONT * sum(_LETTERS.get(letter, _LETTER) for letter in plain(words))


def plain(words: str) -> str:
    """Turn words for Plotly into text: its few tags dropped, names as they were."""
    without = re.sub(r"</?(?:b|br|span)(?: style='[^']*')?>", " ", words)
    return html.unescape(without).replace(JOINER, "")
