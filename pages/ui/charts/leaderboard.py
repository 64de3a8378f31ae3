"""Figures of leaderboards: differences with intervals, values over levels."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from labelrank_core.explain.markup.figures import LINE, MARGIN, Look, numbered_rows, upright
from labelrank_core.explain.markup.palette import ACCENT, palette_color
from pages.ui.charts.base import lines_of, picture
from pages.ui.text import plotly, shorten_middle

_COLORS = {"better": ACCENT, "worse": "#C11F5B", "unclear": LINE}
_LETTERS, _TITLE_LETTERS = 26, 28


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
