"""Figures of a data set's profile, each with a layer to click at.

Plotly selects points, not cells of a heatmap or the space around a bar. So every figure ends in a
trace of invisible points, one per cell or bar from left to right and top to bottom; whatever is
clicked, the nearest point is chosen.
"""

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from labelrank_core.data.findings import count_of
from labelrank_core.data.profile import LabelSetProfile, RankingProfile
from labelrank_core.explain.render.markup.palette import ACCENT
from labelrank_core.rankings import FloatArray
from pages.ui.render.charts.base import (
    DIVERGING,
    LINE,
    MUTED,
    NO_GRID,
    NUMBERS_UP_TO,
    SEQUENTIAL,
    Look,
    picture,
)
from pages.ui.wording.text import plotly, shorten, shorten_all

MOST_SHOWN = 30
_MARKED = "#C11F5B"
_NAMES_UP_TO = 14
# Before words behind many numbers.
_NUMBERS_WITHOUT_NAME = 2
_NAME, _TEXT = 14, 50
_MOST_LINES = 3
_BAR = {"thickness": 8, "outlinewidth": 0, "xpad": 4}
_SHARES = {
    "colorscale": SEQUENTIAL,
    "zmin": 0,
    "zmax": 1,
    "colorbar": {**_BAR, "tickvals": [0, 0.5, 1], "tickformat": ".0%"},
}
_MAJORITIES = {**_SHARES, "colorscale": DIVERGING}
_CORRELATIONS = {
    "colorscale": DIVERGING,
    "zmin": -1,
    "zmax": 1,
    "colorbar": {**_BAR, "tickvals": [-1, 0, 1]},
}
# The nearest point is hovered and clicked, however far away it is.
_NEAREST = {"hovermode": "closest", "hoverdistance": -1}
_CYCLE = {"symbol": "diamond-open", "size": 8, "color": LINE, "line": {"width": 1.5}}


def position_matrix(
    profile: RankingProfile, labels: Sequence[int], columns: Sequence[str], marked: int | None
) -> go.Figure:
    """Draw the share of rows that put each label at each position, with its mean rank."""
    counts = position_table(profile, labels, columns)
    names = [profile.label_names[label] for label in labels]
    shares = counts / profile.n_rows
    hovers = [
        f"{plotly(name)} {_at(column)}: {count_of(count, 'row')} ({share:.1%})"
        for name, line, line_shares in zip(names, counts, shares, strict=True)
        for column, count, share in zip(columns, line, line_shares, strict=True)
    ]
    shorts = [plotly(short) for short in shorten_all(names, _NAME)]
    means = [profile.mean_ranks[label] for label in labels]
    rows = [f"{name}  <b>{mean:.2f}</b>" for name, mean in zip(shorts, means, strict=True)]
    return _grid(np.where(counts > 0, shares, np.nan), rows, columns, hovers, marked, _SHARES)


def position_table(
    profile: RankingProfile, labels: Sequence[int], columns: Sequence[str]
) -> NDArray[np.int64]:
    """Count rows by label and column: positions, then 'tied' and 'not ranked' where wanted."""
    extra_counts = {
        "tied": profile.tied_counts,
        "not ranked": profile.n_rows - profile.ranked_counts,
    }
    lines = [
        extra_counts[column]
        if column in extra_counts
        else profile.position_counts[:, int(column) - 1]
        for column in columns
    ]
    return np.column_stack(lines)[list(labels)]


def _at(column: str) -> str:
    return f"at position {column}" if column.isdigit() else column


def pair_matrix(profile: RankingProfile, labels: Sequence[int], marked: int | None) -> go.Figure:
    """Draw the share of rows with the row's label ahead of the column's, with cycles."""
    square = np.ix_(labels, labels)
    shares, counts = profile.pair_shares[square], profile.pair_counts[square]
    names = [plotly(profile.label_names[label]) for label in labels]
    hovers = [
        ""
        if first == second
        else f"{names[first]} before {names[second]}: {counts[first, second]} rows"
        + ("" if np.isnan(shares[first, second]) else f" ({shares[first, second]:.1%})")
        for first in range(len(labels))
        for second in range(len(labels))
    ]
    rows, columns = np.nonzero(profile.in_cycle[square])
    cycles = {
        "x": columns,
        "y": rows + (0.3 if len(labels) <= NUMBERS_UP_TO else 0),
        "mode": "markers",
        "marker": _CYCLE,
        "cliponaxis": False,
        "hoverinfo": "skip",
    }
    return _label_grid(
        profile, labels, shares, hovers, marked, _MAJORITIES, [cycles] if len(rows) else []
    )


def together_matrix(
    profile: LabelSetProfile, labels: Sequence[int], marked: int | None, *, correlation: bool
) -> go.Figure:
    """Draw the shares of rows in which two labels occur together."""
    square = np.ix_(labels, labels)
    counts, phi = profile.pair_counts[square], profile.correlation[square]
    row_counts = profile.label_counts[list(labels)][:, None]
    shares = np.divide(counts, row_counts, out=np.full(counts.shape, np.nan), where=row_counts > 0)
    names = [plotly(profile.label_names[label]) for label in labels]
    hovers = [
        f"{counts[i, j]} rows have {names[i]}"
        if i == j
        else f"{counts[i, j]} rows have {names[i]} and {names[j]}: {shares[i, j]:.1%} of those "
        f"with {names[i]}; correlation {phi[i, j]:.2f}"
        for i in range(len(labels))
        for j in range(len(labels))
    ]
    values = phi if correlation else np.where(counts > 0, shares, np.nan)
    values = np.where(np.eye(len(labels), dtype=bool), np.nan, values)
    scale = _CORRELATIONS if correlation else _SHARES
    return _label_grid(profile, labels, values, hovers, marked, scale)


def _label_grid(
    profile: RankingProfile | LabelSetProfile,
    labels: Sequence[int],
    values: FloatArray,
    hovers: Sequence[str],
    marked: int | None,
    scale: Look,
    over: Sequence[Look] = (),
) -> go.Figure:
    """Draw a square of labels against labels; many columns are called by their numbers."""
    shorts = [
        plotly(short) for short in shorten_all([profile.label_names[j] for j in labels], _NAME)
    ]
    rows = [f"{number}  {name}" for number, name in enumerate(shorts, 1)]
    if len(shorts) > _NAMES_UP_TO:
        numbers = [str(number) for number in range(1, len(shorts) + 1)]
        return _grid(values, rows, numbers, hovers, marked, scale, over)
    # Upright, the last one is not cut off at the right.
    return _grid(values, rows, shorts, hovers, marked, scale, over, upright_names=len(shorts) > 2)


def _grid(
    values: FloatArray,
    rows: Sequence[str],
    columns: Sequence[str],
    hovers: Sequence[str],
    marked: int | None,
    scale: Look,
    over: Sequence[Look] = (),
    *,
    upright_names: bool = False,
) -> go.Figure:
    """Draw a matrix of values with a point to click at in every cell."""
    n_rows, n_columns = values.shape
    height = 34 if n_rows <= NUMBERS_UP_TO else 24 if n_rows <= _NAMES_UP_TO else 19
    has_numbers = max(n_rows, n_columns) <= NUMBERS_UP_TO
    heatmap = {
        "type": "heatmap",
        "z": values,
        "xgap": 0 if n_columns > _NAMES_UP_TO else 2,
        "ygap": 0 if n_rows > _NAMES_UP_TO else 2,
        "hoverinfo": "skip",
        "showscale": not has_numbers,
        **scale,
    }
    ticks, tick_texts = _column_ticks(columns)
    flat = not upright_names and (columns[-1].isdigit() or n_columns <= _NAMES_UP_TO)
    across, down = np.meshgrid(range(n_columns), range(n_rows))
    y, x = divmod(marked or 0, n_columns)
    return picture(
        90 + height * n_rows + 60 * upright_names,
        [heatmap, *over, _to_click(across.ravel(), down.ravel(), hovers)],
        x={
            "tickvals": ticks,
            "ticktext": tick_texts,
            "tickangle": 0 if flat else -90,
            "side": "top",
            "automargin": True,
            "range": [-0.5, n_columns - 0.5],
            **NO_GRID,
        },
        y={
            "tickvals": list(range(n_rows)),
            "ticktext": list(rows),
            "ticksuffix": "  ",
            "automargin": True,
            "range": [n_rows - 0.5, -0.5],
            **NO_GRID,
        },
        shapes=[] if marked is None else [_mark(x - 0.5, x + 0.5, y - 0.5, y + 0.5)],
        annotations=_numbers(values) if has_numbers else [],
        **_NEAREST,
    )


def _numbers(values: FloatArray) -> list[Look]:
    """Write a number in every cell, in the colour of the page's text, which a heatmap ignores."""
    return [
        {"x": x, "y": y, "text": f"{value:.2f}", "showarrow": False}
        for (y, x), value in np.ndenumerate(values)
        if not np.isnan(value)
    ]


def _column_ticks(columns: Sequence[str]) -> tuple[list[float], list[str]]:
    """Choose the columns to name and their texts: of many numbers the first and every fifth.

    Words behind many numbers stand together, as their columns are narrower than letters.
    """
    if len(columns) <= _NAMES_UP_TO:
        return list(range(len(columns))), list(columns)
    words = [name for name in columns if not name.isdigit()]
    n_numbers = len(columns) - len(words)
    last = n_numbers - _NUMBERS_WITHOUT_NAME if words else n_numbers
    ticks = [float(i) for i, name in enumerate(columns[:last]) if name == "1" or int(name) % 5 == 0]
    names = [columns[int(tick)] for tick in ticks]
    if words:
        ticks.append(n_numbers + (len(words) - 1) / 2)
        names.append(", ".join(words))
    return ticks, names


def count_bars(
    counts: NDArray[Any],
    full_counts: NDArray[Any],
    texts: Sequence[str],
    hovers: Sequence[str],
    marked: int | None,
    colors: Sequence[str] | None = None,
) -> go.Figure:
    """Draw counts of rows as bars, one below the other, those of all rows pale behind them."""
    bar_positions, longest = np.arange(len(counts)), max(1, int(full_counts.max(initial=0)))
    # Long texts take several lines, which fit a phone; the bar stands below them.
    lines = [wrap(shorten(text, _TEXT * _MOST_LINES), _TEXT) or [""] for text in texts]
    n_lines = max(map(len, lines), default=1)
    row_height = 20 + 16 * n_lines
    text_shift = 0.5 - (13.2 + 8 * n_lines) / row_height
    tick_shift = 0.5 - (13.2 + 16 * n_lines - 8) / row_height
    text_trace = {
        "x": np.zeros(len(counts)),
        "y": bar_positions + text_shift,
        "mode": "text",
        "text": ["<br>".join(map(plotly, text_lines)) for text_lines in lines],
        "textposition": "middle right",
        "hoverinfo": "skip",
        "cliponaxis": False,
    }
    lengths = (full_counts, MUTED), (counts, list(colors) if colors else ACCENT)
    return picture(
        12 + row_height * len(counts),
        [
            *(
                {
                    **_bar(color),
                    "x": x,
                    "y": bar_positions + 0.5 - 7.2 / row_height,
                    "width": 7.9 / row_height,
                    "orientation": "h",
                }
                for x, color in lengths
            ),
            text_trace,
            _to_click(
                np.full(len(counts), longest / 2), bar_positions, [plotly(h) for h in hovers]
            ),
        ],
        x={"range": [0, longest * 1.02], "visible": False},
        y={
            "tickvals": bar_positions + tick_shift,
            "ticktext": [str(count) for count in counts],
            "range": [len(counts) - 0.5, -0.5],
            "ticksuffix": " ",
            "automargin": True,
            **NO_GRID,
        },
        shapes=[] if marked is None else [_mark(0, longest * 1.02, marked - 0.46, marked + 0.46)],
        margin={"l": 8, "r": 12, "t": 4, "b": 8},
        barmode="overlay",
        **_NEAREST,
    )


def feature_histogram(
    edges: NDArray[np.float64],
    counts: NDArray[Any],
    full_counts: NDArray[Any],
    title: str,
    marked: int | None,
) -> go.Figure:
    """Draw the counts of rows by interval of a feature, all rows pale behind those selected."""
    middles, widths, highest = (
        (edges[:-1] + edges[1:]) / 2,
        np.diff(edges),
        int(full_counts.max(initial=1)),
    )
    hovers = [
        f"{low:g} to below {high:g}: {count_of(count, 'row')}"
        for low, high, count in zip(edges[:-1], edges[1:], counts, strict=True)
    ]
    return picture(
        320,
        [
            *(
                {**_bar(color), "x": middles, "y": heights, "width": widths * 0.94}
                for heights, color in ((full_counts, MUTED), (counts, ACCENT))
            ),
            _to_click(middles, np.full(len(counts), highest / 2), hovers),
        ],
        x={"title": plotly(shorten(title, 40)), "showgrid": False},
        y={"title": "rows", "range": [0, highest * 1.04]},
        shapes=[]
        if marked is None
        else [_mark(edges[marked], edges[marked + 1], 0, highest * 1.04)],
        barmode="overlay",
        bargap=0.04,
        **_NEAREST,
    )


def _bar(color: str | list[str]) -> Look:
    """Return bars that stay as they are when something is selected."""
    return {
        "type": "bar",
        "marker": {"color": color, "opacity": 1},
        "hoverinfo": "skip",
        "unselected": {"marker": {"opacity": 1}},
    }


def _mark(x0: float, x1: float, y0: float, y1: float) -> Look:
    line = {"color": _MARKED, "width": 3}
    return {"type": "rect", "x0": x0, "x1": x1, "y0": y0, "y1": y1, "line": line}


def _to_click(x: Any, y: Any, hovers: Sequence[str]) -> Look:
    return {
        "x": x,
        "y": y,
        "mode": "markers",
        "marker": {"opacity": 0, "size": 4},
        "selected": {"marker": {"opacity": 0}},
        "unselected": {"marker": {"opacity": 0}},
        "customdata": list(hovers),
        "hovertemplate": "%{customdata}<extra></extra>",
    }
