"""Figures as SVG files, for papers: black on white, names escaped."""

from collections.abc import Sequence
from html import escape

import numpy as np
import pandas as pd

from labelrank_core.explain.render.markup.ticks import round_numbers
from pages.ui.wording.text import shorten_middle

WIDTH = 860
SIDE = 265
ROW = 24
_LETTERS = 30


def drawing(width: float, height: float, parts: Sequence[str]) -> str:
    """Put parts into one file on white ground."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
            f'viewBox="0 0 {width:g} {height:g}" font-family="Helvetica, Arial, sans-serif" '
            'font-size="13">',
            f'<rect width="{width:g}" height="{height:g}" fill="white"/>',
            *parts,
            "</svg>",
            "",
        ]
    )


def line(x1: float, y1: float, x2: float, y2: float, width: float = 1, more: str = "") -> str:
    """Draw a black line; `more` are attributes."""
    ends = f'x1="{x1:.2f}" y1="{y1:.2f}" x2="{x2:.2f}" y2="{y2:.2f}"'
    return f'<line {ends} stroke="black" stroke-width="{width:g}"{more}/>'


def text_element(x: float, y: float, content: str, anchor: str = "middle") -> str:
    """Return an SVG text, made safe, at a position."""
    escaped = escape("".join(c for c in content if c.isprintable()))
    return f'<text x="{x:.2f}" y="{y:.2f}" text-anchor="{anchor}">{escaped}</text>'


def intervals(table: pd.DataFrame, *, title: str, zero: bool = False) -> str:
    """Draw the means of a table from top to bottom, with their intervals where these are known."""
    ends = table[["low", "high"]].to_numpy(dtype=float)
    limits = np.append(table[["mean", "low", "high"]].to_numpy(dtype=float), [0.0] if zero else [])
    low, high = np.nanmin(limits), np.nanmax(limits)
    reach = (high - low) or 1.0
    low, high = low - 0.04 * reach, high + 0.04 * reach
    axis_start, axis_end, bottom = SIDE + 20, WIDTH - 30, 20.0 + ROW * len(table)

    def at(value: float) -> float:
        return axis_start + (axis_end - axis_start) * (value - low) / (high - low)

    parts = [line(axis_start, bottom, axis_end, bottom)]
    for tick in round_numbers(low, high, 8):
        parts.append(line(at(tick), bottom, at(tick), bottom + 5))
        parts.append(text_element(at(tick), bottom + 19, f"{tick:.10f}".rstrip("0").rstrip(".")))
    if zero:
        parts.append(line(at(0), 6, at(0), bottom, 1, ' stroke-dasharray="4 3"'))
    for row, (name, mean) in enumerate(zip(table["method"], table["mean"], strict=True)):
        y = 20.0 + ROW * row
        parts.append(text_element(axis_start - 12, y + 4, shorten_middle(name, _LETTERS), "end"))
        if np.isfinite(ends[row]).all():
            parts.append(line(at(ends[row, 0]), y, at(ends[row, 1]), y, 2))
        parts.append(f'<circle cx="{at(mean):.2f}" cy="{y:.2f}" r="4.5"/>')
    parts.append(text_element((axis_start + axis_end) / 2, bottom + 40, title))
    return drawing(WIDTH, bottom + 50, parts)
