"""Figures as SVG files, for papers: black on white, names escaped. No Streamlit here."""

from collections.abc import Sequence
from html import escape

import numpy as np

from labelrank_core.rankings import FloatArray
from pages.ui.text import shorten_middle

_WIDTH = 860
_SIDE = 265
_ROW = 24
_LETTERS = 30


def _drawing(width: float, height: float, parts: Sequence[str]) -> str:
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


def _line(x1: float, y1: float, x2: float, y2: float, width: float = 1, more: str = "") -> str:
    ends = f'x1="{x1:.2f}" y1="{y1:.2f}" x2="{x2:.2f}" y2="{y2:.2f}"'
    return f'<line {ends} stroke="black" stroke-width="{width:g}"{more}/>'


def _text(x: float, y: float, words: str, anchor: str = "middle") -> str:
    shown = escape("".join(c for c in words if c.isprintable()))
    return f'<text x="{x:.2f}" y="{y:.2f}" text-anchor="{anchor}">{shown}</text>'


def critical_differences(
    means: FloatArray,
    names: Sequence[str],
    groups: Sequence[Sequence[int]],
    difference: float,
    control: int | None,
) -> str:
    """Draw average ranks as in Fig. 1 of Demšar 2006.

    Parameters
    ----------
    means : ndarray of shape (n_methods,)
        Average ranks.
    names : sequence of str
        Names of the methods.
    groups : sequence of sequence of int
        Methods that cannot be told apart, joined by bars.
    difference : float
        The critical difference, drawn as a ruler above the axis.
    control : int or None
        The method around which what cannot be told apart from it is marked; None: none.

    Returns
    -------
    str
        An SVG file: the best rank at the left.
    """
    n = len(means)
    left, right, axis = _SIDE, _WIDTH - _SIDE, 62.0

    def at(rank: float) -> float:
        return left + (right - left) * (rank - 1) / (n - 1)

    parts = [_line(left, axis, right, axis, 1.5)]
    for rank in range(1, n + 1):
        parts += [_line(at(rank), axis - 6, at(rank), axis), _text(at(rank), axis - 10, f"{rank}")]
    ruler = [left, min(at(1 + difference), _WIDTH - 20)]
    parts += [_line(ruler[0], 22, ruler[1], 22, 1.5)]
    parts += [_line(x, 18, x, 26, 1.5) for x in ruler]
    parts.append(_text(ruler[0], 13, f"CD = {difference:.3f}", "start"))
    if control is not None:
        ends = [max(1, means[control] - difference), min(n, means[control] + difference)]
        parts.append(_line(at(ends[0]), axis, at(ends[1]), axis, 7, ' stroke-opacity="0.45"'))
    for place, group in enumerate(groups):
        y = axis + 10 + 7 * place
        low, high = min(means[list(group)]), max(means[list(group)])
        parts.append(_line(at(low) - 4, y, at(high) + 4, y, 4))
    first = axis + 22 + 7 * len(groups)
    order = np.argsort(means, kind="stable")
    half = (n + 1) // 2
    for place, method in enumerate(order):
        is_left = place < half
        y = first + _ROW * (place if is_left else n - 1 - place)
        x, side = at(means[method]), left - 8 if is_left else right + 8
        words = f"{shorten_middle(names[method], _LETTERS)}  {means[method]:.2f}"
        parts += [_line(x, axis, x, y), _line(x, y, side, y)]
        parts.append(_text(side + (-4 if is_left else 4), y + 4, words,
                           "end" if is_left else "start"))  # fmt: skip
    return _drawing(_WIDTH, first + _ROW * half, parts)


def intervals(
    names: Sequence[str],
    middles: Sequence[float],
    lows: Sequence[float],
    highs: Sequence[float],
    *,
    title: str,
    zero: bool = False,
) -> str:
    """Draw a dot with an interval for each name, from top to bottom.

    Parameters
    ----------
    names : sequence of str
        What the rows are.
    middles, lows, highs : sequence of float
        Dots and ends; NaN ends: no interval.
    title : str
        What the axis is.
    zero : bool, default=False
        Whether a line marks 0.

    Returns
    -------
    str
        An SVG file.
    """
    known = [v for v in (*middles, *lows, *highs, *([0.0] if zero else [])) if np.isfinite(v)]
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    reach = (high - low) or 1.0
    low, high = low - 0.04 * reach, high + 0.04 * reach
    left, right, bottom = _SIDE + 20, _WIDTH - 30, 20.0 + _ROW * len(names)

    def at(value: float) -> float:
        return left + (right - left) * (value - low) / (high - low)

    parts = [_line(left, bottom, right, bottom)]
    step = 10.0 ** np.floor(np.log10(reach / 2))
    step *= next(factor for factor in (1, 2, 5) if reach / (step * factor) <= 8)
    for tick in np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step:
        words = f"{tick:.10f}".rstrip("0").rstrip(".")
        parts += [_line(at(tick), bottom, at(tick), bottom + 5)]
        parts += [_text(at(tick), bottom + 19, "0" if words == "-0" else words)]
    if zero:
        parts.append(_line(at(0), 6, at(0), bottom, 1, ' stroke-dasharray="4 3"'))
    for place, name in enumerate(names):
        y = 20.0 + _ROW * place
        parts.append(_text(left - 12, y + 4, shorten_middle(name, _LETTERS), "end"))
        if np.isfinite(lows[place]) and np.isfinite(highs[place]):
            parts.append(_line(at(lows[place]), y, at(highs[place]), y, 2))
        parts.append(f'<circle cx="{at(middles[place]):.2f}" cy="{y:.2f}" r="4.5"/>')
    parts.append(_text((left + right) / 2, bottom + 40, title))
    return _drawing(_WIDTH, bottom + 50, parts)
