"""Figures of leaderboards: differences with intervals, values over levels."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from labelrank_core.explain.render.markup.palette import ACCENT, palette_color
from pages.ui.render.charts.base import (
    LINE,
    MARGIN,
    Look,
    lines_of,
    numbered_rows,
    picture,
    upright,
)
from pages.ui.wording.text import plotly, shorten_middle

_COLORS = {"better": ACCENT, "worse": "#C11F5B", "unclear": LINE}
_LETTERS, _TITLE_LETTERS = 26, 28
_ROW_HEIGHT = 30
N_COLORED = 4
_END_LETTERS = 20
# Ranks that have a number each.
_FEW_RANKS = 8
# Of the width of what is drawn, beside it.
_ROOM = 0.04


def difference_intervals(table: pd.DataFrame, title: str) -> go.Figure:
    """Draw the differences from one of the methods, with intervals where they are known."""
    names = [plotly(shorten_middle(name, _LETTERS)) for name in table["method"]]
    dots = [_COLORS[verdict] for verdict in table["verdict"]]
    ends = table[["low", "high"]].to_numpy(dtype=float)
    intervals: list[Look] = [
        {
            "x": ends[i].tolist(),
            "y": [i, i],
            "mode": "lines",
            "line": {"width": 4, "color": dots[i]},
            "hoverinfo": "skip",
        }
        for i in np.flatnonzero(np.isfinite(ends).all(axis=1))
    ]
    means = {
        "x": table["mean"].astype(float).tolist(),
        "y": list(range(len(table))),
        "mode": "markers",
        "marker": {"size": 13, "color": dots},
        "customdata": names,
        "hovertemplate": "%{customdata}: %{x:.4f}<extra></extra>",
    }
    return picture(
        96 + 34 * len(table),
        [*intervals, means],
        x={"title": lines_of(title, _TITLE_LETTERS), "zeroline": False},
        y=numbered_rows(names),
        margin={**MARGIN, "t": 12},
        shapes=[upright(0, 2)],
    )


def leaderboard_whiskers(bands: pd.DataFrame, title: str) -> go.Figure:
    """Draw the mean of each method with its deviation over folds, the mean written beside it.

    `bands` is one data set of a leaderboard, the best method first: ``method, mean, low, high``.
    """
    names = [plotly(shorten_middle(name, _LETTERS)) for name in bands["method"]]
    colors = [ACCENT, *[LINE] * (len(bands) - 1)]
    rows = list(range(len(bands)))
    spans: list[Look] = [
        {
            "x": [low, high],
            "y": [i, i],
            "mode": "lines",
            "line": {"width": 4, "color": colors[i]},
            "opacity": 0.5,
            "hoverinfo": "skip",
        }
        for i, (low, high) in enumerate(zip(bands["low"], bands["high"], strict=True))
        if np.isfinite(low)
    ]
    means: Look = {
        "x": bands["mean"].astype(float).tolist(),
        "y": rows,
        "mode": "markers",
        "marker": {"size": 13, "color": colors},
        "customdata": names,
        "hovertemplate": "%{customdata}: %{x:.4f}<extra></extra>",
    }
    values = [
        {
            "x": 1,
            "xref": "paper",
            "xanchor": "left",
            "xshift": 8,
            "y": i,
            "text": f"<b>{mean:.3f}</b>" if i == 0 else f"{mean:.3f}",
            "showarrow": False,
        }
        for i, mean in enumerate(bands["mean"])
    ]
    # On a phone the name of a data set would be cut.
    broken_title = lines_of(title, _TITLE_LETTERS)
    return picture(
        80 + 18 * broken_title.count("<br>") + _ROW_HEIGHT * len(bands),
        [*spans, means],
        x={"title": broken_title, "zeroline": False, "range": _range(bands)},
        y=numbered_rows(names),
        margin={**MARGIN, "t": 8, "r": 58},
        annotations=values,
    )


def _range(bands: pd.DataFrame) -> list[float]:
    """Return the ends of an axis on which no whisker and no mean reaches the edge."""
    numbers = bands[["low", "mean", "high"]].to_numpy(dtype=float)
    low, high = float(np.nanmin(numbers)), float(np.nanmax(numbers))
    room = _ROOM * (high - low) or 0.1
    return [low - room, high + room]


def rank_bumps(ranks: pd.DataFrame) -> go.Figure:
    """Draw the rank of each method (index) on each data set (columns), named at the right end.

    The methods are in the order of their average ranks; the first few have colours of their own.
    """
    n_methods, n_data_sets = ranks.shape
    last = ranks.iloc[:, -1].to_numpy(dtype=float)
    slots = np.empty(n_methods)
    # Names of methods that tie at the end stand below each other.
    slots[np.argsort(last, kind="stable")] = np.arange(1, n_methods + 1)
    traces: list[Look] = []
    names: list[Look] = []
    for i, (method, of_method) in enumerate(ranks.iterrows()):
        is_colored = i < N_COLORED
        color = palette_color(i) if is_colored else LINE
        name = lines_of(shorten_middle(str(method), 2 * _END_LETTERS), _END_LETTERS)
        traces.append(
            {
                "x": [*range(n_data_sets), n_data_sets - 0.8],
                "y": [*of_method.tolist(), slots[i]],
                "mode": "lines+markers",
                "line": {"width": 3 if is_colored else 1.5, "color": color},
                "marker": {"size": [*[9] * n_data_sets, 0], "color": color},
                "text": [f"rank {rank:g}" for rank in of_method] + [""],
                "hovertemplate": f"{name}: %{{text}}<extra></extra>",
            }
        )
        names.append(
            {
                "x": n_data_sets - 0.8,
                "y": slots[i],
                "xanchor": "left",
                "xshift": 4,
                "text": name,
                "showarrow": False,
                "align": "left",
            }
        )
    row_height = 38 if any("<br>" in name["text"] for name in names) else 24
    titles = [plotly(shorten_middle(str(name), _TITLE_LETTERS)) for name in ranks.columns]
    return picture(
        90 + row_height * n_methods,
        traces[::-1],
        x={
            "tickvals": list(range(n_data_sets)),
            "ticktext": titles,
            "side": "top",
            "range": [-0.15, n_data_sets - 0.79],
            "showgrid": False,
            "zeroline": False,
        },
        y={
            "range": [n_methods + 0.6, 0.4],
            "tickvals": [*range(1, n_methods + 1)] if n_methods <= _FEW_RANKS else [1, n_methods],
            "title": "rank",
            "showgrid": False,
            "zeroline": False,
        },
        margin={**MARGIN, "r": 150},
        annotations=names,
    )


def level_curves(table: pd.DataFrame, title: str, level_title: str) -> go.Figure:
    """Draw each method's mean over levels, with bands of one standard deviation."""
    traces: list[Look] = []
    # In this order a method has the same colour in every figure.
    for i, method in enumerate(sorted(set(table["method"]))):
        method_rows = table[table["method"] == method].sort_values("level")
        color, x = palette_color(i), method_rows["level"].tolist()
        band = {
            "x": [*x, *x[::-1]],
            "y": method_rows["high"].tolist() + method_rows["low"].tolist()[::-1],
            "mode": "lines",
            "line": {"width": 0},
            "fill": "toself",
            "fillcolor": color,
            "opacity": 0.2,
            "hoverinfo": "skip",
            "showlegend": False,
        }
        line = {
            "x": x,
            "y": method_rows["mean"].tolist(),
            "mode": "lines+markers",
            "line": {"width": 3, "color": color},
            "name": plotly(shorten_middle(method, 40)),
            "hovertemplate": "%{y:.3f}",
        }
        traces += [band, line]
    return picture(
        340 + 11 * len(traces),
        traces,
        x={"title": level_title, "tickformat": ".0%"},
        y={"title": plotly(title)},
        margin={**MARGIN, "t": 12},
        hovermode="x unified",
        showlegend=True,
        legend={"orientation": "h", "y": -0.25, "x": 0, "yanchor": "top"},
    )
