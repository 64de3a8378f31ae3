"""Figures of leaderboards: differences with intervals, values over levels. No Streamlit here."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from pages.ui.charts.figures import ACCENT, LINE, label_color
from pages.ui.text import plotly, shorten_middle

_BETTER, _WORSE = ACCENT, "#D55E00"
_LETTERS = 26


def differences(table: pd.DataFrame, title: str) -> go.Figure:
    """Draw how far methods differ from one of them, with intervals.

    Parameters
    ----------
    table : DataFrame
        As `labelrank_core.comparison.leaderboard.Leaderboard.against` returns it.
    title : str
        What the axis is.

    Returns
    -------
    Figure
        One row a method, a line at 0; blue: better, orange: worse, grey: not told apart.
    """
    names = [plotly(shorten_middle(name, _LETTERS)) for name in table["method"]]
    colors = {"better": _BETTER, "worse": _WORSE, "unclear": LINE}
    dots = [colors[verdict] for verdict in table["verdict"]]
    rows = list(range(len(table)))
    known = [i for i in rows if np.isfinite(table["low"].iloc[i])]
    traces = [
        {
            "type": "scatter",
            "x": [float(table["low"].iloc[i]), float(table["high"].iloc[i])],
            "y": [i, i],
            "mode": "lines",
            "line": {"width": 4, "color": dots[i]},
            "hoverinfo": "skip",
        }
        for i in known
    ]
    traces.append(
        {
            "type": "scatter",
            "x": [float(value) for value in table["mean"]],
            "y": rows,
            "mode": "markers",
            "marker": {"size": 13, "color": dots},
            "customdata": names,
            "hovertemplate": "%{customdata}: %{x:.4f}<extra></extra>",
        }
    )
    return go.Figure(
        data=traces,
        layout={
            "height": 80 + 34 * len(rows),
            "margin": {"l": 8, "r": 12, "t": 12, "b": 8},
            "showlegend": False,
            "dragmode": False,
            "shapes": [
                {"type": "line", "x0": 0, "x1": 0, "y0": 0, "y1": 1, "yref": "paper",
                 "line": {"color": LINE, "dash": "dot", "width": 2}}
            ],
            "xaxis": {"title": {"text": plotly(title)}, "fixedrange": True, "zeroline": False},
            "yaxis": {"tickvals": rows, "ticktext": names, "fixedrange": True, "zeroline": False,
                      "range": [len(rows) - 0.5, -0.5], "ticksuffix": "  "},
        },
    )  # fmt: skip


def over_levels(table: pd.DataFrame, title: str, level_title: str) -> go.Figure:
    """Draw each method's mean over levels, with bands of one standard deviation.

    Parameters
    ----------
    table : DataFrame
        As `labelrank_core.comparison.leaderboard.curve` returns it, of one data set.
    title : str
        What is measured.
    level_title : str
        What changes.

    Returns
    -------
    Figure
        One line a method.
    """
    traces = []
    # In this order a method has the same colour in every figure.
    for i, method in enumerate(sorted(set(table["method"]))):
        own = table[table["method"] == method].sort_values("level")
        color, x = label_color(i), own["level"].tolist()
        band = own["high"].tolist() + own["low"].tolist()[::-1]
        traces += [
            {"type": "scatter", "x": [*x, *x[::-1]], "y": band, "fill": "toself", "opacity": 0.2,
             "line": {"width": 0}, "fillcolor": color, "hoverinfo": "skip", "showlegend": False,
             "mode": "lines"},
            {"type": "scatter", "x": x, "y": own["mean"].tolist(), "mode": "lines+markers",
             "line": {"width": 3, "color": color}, "name": plotly(shorten_middle(method, 40)),
             "hovertemplate": "%{y:.3f}"},
        ]  # fmt: skip
    return go.Figure(
        data=traces,
        layout={
            "height": 340 + 11 * len(traces),
            "margin": {"l": 8, "r": 12, "t": 12, "b": 8},
            "dragmode": False,
            "hovermode": "x unified",
            "legend": {"orientation": "h", "y": -0.25, "x": 0, "yanchor": "top"},
            "xaxis": {"title": {"text": level_title}, "tickformat": ".0%", "fixedrange": True},
            "yaxis": {"title": {"text": plotly(title)}, "fixedrange": True},
        },
    )
