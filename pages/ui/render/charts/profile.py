"""Figures of a data set's profile, each with a layer to click at.

Plotly selects points, not cells of a heatmap or the space around a bar. So every figure ends in a
trace of invisible points, one per cell or bar from left to right and top to bottom; whatever is
clicked, the nearest point is chosen.
"""

from collections.abc import Sequence
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
_NAME = 14
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
    return _grid(shares, rows, columns, hovers, marked, _SHARES)


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


def pair_matrix(
    profile: RankingProfile,
    labels: Sequence[int],
    marked: int | None,
    outlined: tuple[int, int] | None = None,
) -> go.Figure:
    """Draw the share of rows with the row's label ahead of the column's, with cycles.

    `outlined`: a pair of labels whose cell has a frame.
    """
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
    figure = _label_grid(
        profile, labels, shares, hovers, marked, _MAJORITIES, [cycles] if len(rows) else []
    )
    if outlined is not None and set(outlined) <= set(labels):
        y, x = (labels.index(label) for label in outlined)
        figure.add_shape(_mark(x - 0.47, x + 0.47, y - 0.46, y + 0.46, LINE, 2))
    return figure


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
    values = phi if correlation else shares
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
    if len(shorts) > _NAMES_UP_TO:
        rows = [f"{number}  {name}" for number, name in enumerate(shorts, 1)]
        numbers = [str(number) for number in range(1, len(shorts) + 1)]
        return _grid(values, rows, numbers, hovers, marked, scale, over)
    return _grid(values, shorts, shorts, hovers, marked, scale, over, may_turn=len(shorts) > 2)


def _grid(
    values: FloatArray,
    rows: Sequence[str],
    columns: Sequence[str],
    hovers: Sequence[str],
    marked: int | None,
    scale: Look,
    over: Sequence[Look] = (),
    *,
    may_turn: bool = False,
) -> go.Figure:
    """Draw a matrix of values with a point to click at in every cell.

    `may_turn`: names of columns stand upright where they would overlap.
    """
    n_rows, n_columns = values.shape
    height = 34 if n_rows <= NUMBERS_UP_TO else 24 if n_rows <= _NAMES_UP_TO else 19
    has_numbers = max(n_rows, n_columns) <= NUMBERS_UP_TO
    heatmap = {
        "type": "heatmap",
        # What nobody does has no colour.
        "z": np.where(values == 0, np.nan, values) if scale is _SHARES else values,
        "xgap": 0 if n_columns > _NAMES_UP_TO else 2,
        "ygap": 0 if n_rows > _NAMES_UP_TO else 2,
        "hoverinfo": "skip",
        "showscale": not has_numbers,
        **scale,
    }
    ticks, tick_texts = _column_ticks(columns)
    is_flat = columns[-1].isdigit() or n_columns <= _NAMES_UP_TO
    angle: Look = {"autotickangles": [0, -90]} if may_turn else {"tickangle": 0 if is_flat else -90}
    across, down = np.meshgrid(range(n_columns), range(n_rows))
    y, x = divmod(marked or 0, n_columns)
    return picture(
        90 + height * n_rows + 60 * may_turn,
        [heatmap, *over, _to_click(across.ravel(), down.ravel(), hovers)],
        x={
            "tickvals": ticks,
            "ticktext": tick_texts,
            **angle,
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
        annotations=_numbers(values, is_share=scale is not _CORRELATIONS) if has_numbers else [],
        **_NEAREST,
    )


def _numbers(values: FloatArray, *, is_share: bool) -> list[Look]:
    """Write a number in every cell, in the colour of the page's text, which a heatmap ignores."""
    return [
        {
            "x": x,
            "y": y,
            "text": plotly(percent(value)) if is_share else f"{value:.2f}",
            "showarrow": False,
        }
        for (y, x), value in np.ndenumerate(values)
        if not np.isnan(value)
    ]


def percent(share: float) -> str:
    """Write a share in whole percent; what is rounded is neither 0% nor 100%."""
    if 0 < share < 0.005:
        return "<1%"
    return ">99%" if 0.995 <= share < 1 else f"{share:.0%}"


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


def feature_histogram(
    edges: NDArray[np.float64],
    counts: NDArray[Any],
    full_counts: NDArray[Any],
    title: str,
    marked: int | None,
    rows_noun: str,
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
        y={"title": plotly(shorten(rows_noun, 20)), "range": [0, highest * 1.04]},
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


def _mark(x0: float, x1: float, y0: float, y1: float, color: str = _MARKED, width: int = 3) -> Look:
    line = {"color": color, "width": width}
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
