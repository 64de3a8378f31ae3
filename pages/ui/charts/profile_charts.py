"""Figures of a data set's profile, each with a layer to click at. No Streamlit here.

Plotly selects points, not cells of a heatmap or the space around a bar. So every figure ends in a
trace of invisible points, one a cell or bar from left to right and top to bottom; whatever is
clicked, the nearest point is chosen.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from labelrank_core.data.profile import LabelSetProfile, RankingProfile
from labelrank_core.rankings import FloatArray
from pages.ui.charts.figures import ACCENT, MUTED, blank
from pages.ui.text import plotly, shorten, shorten_all

MOST_SHOWN = 30
_SHARES = ((0.0, "#EDF4F9"), (1.0, "#4A9FD4"))
_DIVERGING = ((0.0, "#E8833A"), (0.5, "#F7F7F7"), (1.0, "#4A9FD4"))
_MARKED = "#D55E00"
_NUMBERS_UP_TO = 10
_NAMES_UP_TO = 14
_NAME, _TEXT = 14, 50


def positions(
    profile: RankingProfile, labels: Sequence[int], columns: Sequence[str], marked: int | None
) -> go.Figure:
    """Draw the share of rows that put each label at each position.

    Parameters
    ----------
    profile : RankingProfile
        The rankings.
    labels : sequence of int
        Labels from top to bottom.
    columns : sequence of str
        Positions, then 'tied' and 'not ranked' where wanted.
    marked : int or None
        The cell that is chosen.

    Returns
    -------
    Figure
        A heatmap; each label's mean rank stands behind its name.
    """
    counts = position_table(profile, labels, columns)
    names = [profile.label_names[label] for label in labels]
    shares = counts / profile.n_rows
    hovers = [
        f"{plotly(name)} {_at(column)}: {count} rows ({share:.1%})"
        for name, line, line_shares in zip(names, counts, shares, strict=True)
        for column, count, share in zip(columns, line, line_shares, strict=True)
    ]
    shorts = [plotly(short) for short in shorten_all(names, _NAME)]
    means = [profile.mean_ranks[label] for label in labels]
    rows = [f"{name}  <b>{mean:.2f}</b>" for name, mean in zip(shorts, means, strict=True)]
    figure = _grid(np.where(counts > 0, shares, np.nan), rows, columns, hovers, marked)
    figure.data[0].update(colorscale=_SHARES, zmin=0, zmax=1, colorbar_tickformat=".0%")
    return figure


def position_table(
    profile: RankingProfile, labels: Sequence[int], columns: Sequence[str]
) -> NDArray[np.int64]:
    """Count what `positions` draws.

    Parameters
    ----------
    profile : RankingProfile
        The rankings.
    labels : sequence of int
        Labels from top to bottom.
    columns : sequence of str
        Positions, then 'tied' and 'not ranked' where wanted.

    Returns
    -------
    ndarray of shape (len(labels), len(columns))
        Rows of the data.
    """
    whole = {
        "tied": profile.tied_counts,
        "not ranked": profile.n_rows - profile.ranked_counts,
    }
    lines = [
        whole[column] if column in whole else profile.position_counts[:, int(column) - 1]
        for column in columns
    ]
    return np.column_stack(lines)[list(labels)]


def _at(column: str) -> str:
    return f"at position {column}" if column.isdigit() else column


def preferences(profile: RankingProfile, labels: Sequence[int], marked: int | None) -> go.Figure:
    """Draw how often the label of the row is ahead of that of the column, with cycles.

    Parameters
    ----------
    profile : RankingProfile
        The rankings.
    labels : sequence of int
        Labels from top to bottom and from left to right.
    marked : int or None
        The cell that is chosen.

    Returns
    -------
    Figure
        A heatmap, blue above one half and orange below; a diamond marks a majority that is part
        of a cycle.
    """
    chosen = np.ix_(labels, labels)
    shares, counts = profile.pair_shares[chosen], profile.pair_counts[chosen]
    names = [plotly(profile.label_names[label]) for label in labels]
    hovers = [
        ""
        if first == second
        else f"{names[first]} before {names[second]}: {counts[first, second]} rows"
        + ("" if np.isnan(shares[first, second]) else f" ({shares[first, second]:.1%})")
        for first in range(len(labels))
        for second in range(len(labels))
    ]
    figure = _label_grid(shares, [profile.label_names[label] for label in labels], hovers, marked)
    figure.data[0].update(colorscale=_DIVERGING, zmin=0, zmax=1, colorbar_tickformat=".0%")
    rows, columns = np.nonzero(profile.in_cycle[chosen])
    if len(rows):
        cycles = go.Scatter(
            x=columns,
            y=rows + (0.3 if len(labels) <= _NUMBERS_UP_TO else 0),
            mode="markers",
            marker={
                "symbol": "diamond-open",
                "size": 8,
                "color": "#000000",
                "line": {"width": 1.5},
            },
            hoverinfo="skip",
        )
        figure.add_trace(cycles)
        figure.data = (figure.data[0], figure.data[2], figure.data[1])
    return figure


def together(
    profile: LabelSetProfile, labels: Sequence[int], marked: int | None, *, correlation: bool
) -> go.Figure:
    """Draw how often two labels occur together.

    Parameters
    ----------
    profile : LabelSetProfile
        The label sets.
    labels : sequence of int
        Labels from top to bottom and from left to right.
    marked : int or None
        The cell that is chosen.
    correlation : bool
        Whether to draw phi from -1 to 1; else the share of the rows with the label of the row
        that have the label of the column too.

    Returns
    -------
    Figure
        A heatmap.
    """
    chosen = np.ix_(labels, labels)
    counts, phi = profile.pair_counts[chosen], profile.correlation[chosen]
    own = profile.label_counts[list(labels)][:, None]
    shares = np.divide(counts, own, out=np.full(counts.shape, np.nan), where=own > 0)
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
    figure = _label_grid(values, [profile.label_names[label] for label in labels], hovers, marked)
    if correlation:
        figure.data[0].update(colorscale=_DIVERGING, zmin=-1, zmax=1)
        figure.data[0].colorbar.tickvals = [-1, 0, 1]
    else:
        figure.data[0].update(colorscale=_SHARES, zmin=0, zmax=1, colorbar_tickformat=".0%")
    return figure


def _label_grid(
    values: FloatArray, names: Sequence[str], hovers: Sequence[str], marked: int | None
) -> go.Figure:
    """Draw a square of labels against labels; many columns are called by their numbers."""
    shorts = [plotly(short) for short in shorten_all(names, _NAME)]
    rows = [f"{number}  {name}" for number, name in enumerate(shorts, 1)]
    few = len(names) <= _NAMES_UP_TO
    columns = shorts if few else [str(number) for number in range(1, len(names) + 1)]
    figure = _grid(values, rows, columns, hovers, marked)
    if few and len(names) > 2:
        # Upright, the last one is not cut off at the right.
        figure.update_xaxes(tickangle=-90)
        figure.update_layout(height=figure.layout.height + 60)
    return figure


def _grid(
    values: FloatArray,
    rows: Sequence[str],
    columns: Sequence[str],
    hovers: Sequence[str],
    marked: int | None,
) -> go.Figure:
    n_rows, n_columns = values.shape
    height = 34 if n_rows <= _NUMBERS_UP_TO else 24 if n_rows <= _NAMES_UP_TO else 19
    figure = blank(90 + height * n_rows)
    shown = max(n_rows, n_columns) <= _NUMBERS_UP_TO
    texts = [["" if np.isnan(value) else f"{value:.2f}" for value in line] for line in values]
    figure.add_trace(
        go.Heatmap(
            z=values,
            xgap=0 if n_columns > _NAMES_UP_TO else 2,
            ygap=0 if n_rows > _NAMES_UP_TO else 2,
            text=texts,
            texttemplate="%{text}" if shown else None,
            textfont={"color": "#000000"},
            hoverinfo="skip",
            showscale=not shown,
            colorbar={"thickness": 8, "outlinewidth": 0, "tickvals": [0, 0.5, 1], "xpad": 4},
        )
    )
    places = {"fixedrange": True, "showgrid": False, "zeroline": False}
    ticks = [place for place, name in enumerate(columns) if _is_tick(name, n_columns)]
    figure.update_xaxes(
        tickvals=ticks,
        ticktext=[columns[place] for place in ticks],
        tickangle=0 if columns[-1].isdigit() or n_columns <= _NAMES_UP_TO else -90,
        side="top",
        automargin=True,
        range=[-0.5, n_columns - 0.5],
        **places,
    )
    figure.update_yaxes(
        tickvals=list(range(n_rows)),
        ticktext=list(rows),
        ticksuffix="  ",
        automargin=True,
        range=[n_rows - 0.5, -0.5],
        tickfont={"size": 12 if height > 19 else 10},
        **places,
    )
    if marked is not None:
        y, x = divmod(marked, n_columns)
        _mark(figure, x - 0.5, x + 0.5, y - 0.5, y + 0.5)
    across, down = np.meshgrid(range(n_columns), range(n_rows))
    return _clickable(figure, across.ravel(), down.ravel(), hovers)


def _is_tick(name: str, n_columns: int) -> bool:
    """Tell whether a column is named: of many numbers the first and every fifth."""
    many = n_columns > _NAMES_UP_TO and name.isdigit()
    return not many or name == "1" or int(name) % 5 == 0


def bars(
    counts: NDArray[Any],
    whole: NDArray[Any],
    texts: Sequence[str],
    hovers: Sequence[str],
    marked: int | None,
    colors: Sequence[str] | None = None,
) -> go.Figure:
    """Draw counts of rows as bars, one below the other.

    Parameters
    ----------
    counts : ndarray of int
        Rows chosen.
    whole : ndarray of int
        Rows of the whole data, drawn pale behind those.
    texts : sequence of str
        What each bar is, written on it.
    hovers : sequence of str
        More about each; both as they are, not yet safe.
    marked : int or None
        The bar that is chosen.
    colors : sequence of str or None, default=None
        A colour for each bar; None: the same.

    Returns
    -------
    Figure
        The number of rows stands in front of each bar.
    """
    places, most = np.arange(len(counts)), max(1, int(whole.max(initial=0)))
    figure = blank(12 + 36 * len(counts), barmode="overlay")
    figure.update_layout(margin={"t": 4})
    for lengths, color in ((whole, MUTED), (counts, list(colors) if colors else ACCENT)):
        figure.add_trace(
            go.Bar(
                x=lengths,
                y=places + 0.3,
                width=0.22,
                orientation="h",
                marker={"color": color, "opacity": 1},
                hoverinfo="skip",
                unselected={"marker": {"opacity": 1}},
            )
        )
    figure.add_trace(
        go.Scatter(
            x=np.zeros(len(counts)),
            y=places - 0.08,
            mode="text",
            text=[plotly(shorten(text, _TEXT)) for text in texts],
            textposition="middle right",
            hoverinfo="skip",
            cliponaxis=False,
        )
    )
    figure.update_xaxes(range=[0, most * 1.02], visible=False, fixedrange=True)
    figure.update_yaxes(
        tickvals=places - 0.08,
        ticktext=[str(count) for count in counts],
        range=[len(counts) - 0.5, -0.5],
        ticksuffix=" ",
        automargin=True,
        fixedrange=True,
        showgrid=False,
        zeroline=False,
    )
    if marked is not None:
        _mark(figure, 0, most * 1.02, marked - 0.46, marked + 0.46)
    return _clickable(figure, np.full(len(counts), most / 2), places, [plotly(h) for h in hovers])


def histogram(
    edges: NDArray[np.float64],
    counts: NDArray[Any],
    whole: NDArray[Any],
    title: str,
    marked: int | None,
) -> go.Figure:
    """Draw how many rows lie in each interval of a feature.

    Parameters
    ----------
    edges : ndarray
        Ends of the intervals, one more than there are intervals.
    counts : ndarray of int
        Rows chosen.
    whole : ndarray of int
        Rows of the whole data, drawn pale behind those.
    title : str
        The feature.
    marked : int or None
        The interval that is chosen.

    Returns
    -------
    Figure
        Upright bars.
    """
    middles, widths, most = (edges[:-1] + edges[1:]) / 2, np.diff(edges), int(whole.max(initial=1))
    figure = blank(320, barmode="overlay", bargap=0.04)
    for heights, color in ((whole, MUTED), (counts, ACCENT)):
        figure.add_trace(
            go.Bar(
                x=middles,
                y=heights,
                width=widths * 0.94,
                marker={"color": color, "opacity": 1},
                hoverinfo="skip",
                unselected={"marker": {"opacity": 1}},
            )
        )
    figure.update_xaxes(title=plotly(shorten(title, 40)), fixedrange=True, showgrid=False)
    figure.update_yaxes(title="rows", range=[0, most * 1.04], fixedrange=True)
    if marked is not None:
        _mark(figure, edges[marked], edges[marked + 1], 0, most * 1.04)
    hovers = [
        f"{low:g} to below {high:g}: {count} rows"
        for low, high, count in zip(edges[:-1], edges[1:], counts, strict=True)
    ]
    return _clickable(figure, middles, np.full(len(counts), most / 2), hovers)


def _mark(figure: go.Figure, x0: float, x1: float, y0: float, y1: float) -> None:
    figure.add_shape(type="rect", x0=x0, x1=x1, y0=y0, y1=y1, line={"color": _MARKED, "width": 3})


def _clickable(figure: go.Figure, x: Any, y: Any, hovers: Sequence[str]) -> go.Figure:
    figure.add_trace(
        go.Scatter(
            x=x,
            y=y,
            mode="markers",
            marker={"opacity": 0, "size": 4},
            selected={"marker": {"opacity": 0}},
            unselected={"marker": {"opacity": 0}},
            customdata=list(hovers),
            hovertemplate="%{customdata}<extra></extra>",
        )
    )
    # However far from a point the pointer is, the nearest one is meant.
    figure.update_layout(hovermode="closest", hoverdistance=-1)
    return figure
