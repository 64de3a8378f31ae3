"""Figures of what any method gives: a score for each label, pairs."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from labelrank_core.explain.evidence import LabelScores, WinShares
from pages.ui.charts.base import (
    DIVERGING,
    NO_GRID,
    NUMBERS_UP_TO,
    ROWS,
    numbered_columns,
    numbered_rows,
    picture,
    said_above,
    upright,
)
from pages.ui.palette import label_color
from pages.ui.text import plotly, shorten

_SHORT_TITLE = 14


def label_scores(scores: LabelScores, label_names: Sequence[str]) -> go.Figure:
    """Draw the number that orders the labels, best at the top, with the bar where there is one."""
    order = np.argsort(scores.positions)
    values = scores.values[order]
    dots = {
        "x": values,
        "y": [
            f"{place + 1}  {plotly(shorten(label_names[label]))}  <b>{values[place]:.2f}</b>"
            for place, label in enumerate(order)
        ],
        "mode": "markers",
        "marker": {"size": 14, "color": [label_color(label) for label in order]},
        "customdata": [plotly(label_names[label]) for label in order],
        "hovertemplate": "%{customdata}: %{x:.3f}<extra></extra>",
        "cliponaxis": False,
    }
    bars = [] if scores.bar is None else [scores.bar]
    low, high = min([*values, *bars]), max([*values, *bars])
    pad = 0.18 * (high - low or 1)
    bar_name, better = ("bar", "more") if scores.greater_is_better else ("zero line", "lower")
    gap = "<br>" if len(scores.title) > _SHORT_TITLE else " "
    return picture(
        84 + 28 * len(order),
        [dots],
        x={
            "range": [low - pad, high + pad],
            "title": f"{scores.title}{gap}({better} is better)",
            "zeroline": False,
        },
        y=ROWS,
        shapes=[upright(bar, 2) for bar in bars],
        annotations=[said_above(bar, f"{bar_name} {bar:.2f}") for bar in bars],
    )


def win_shares(shares: WinShares, label_names: Sequence[str]) -> go.Figure:
    """Draw how often the label of a row is preferred to that of a column."""
    table = shares.frame(label_names)
    values = table.iloc[:, 1:].to_numpy(dtype=np.float64)
    n_labels = len(values)
    names = list(table["preferred"])
    texts = [["" if np.isnan(value) else f"{value:.2f}" for value in row] for row in values]
    hovers = [
        [
            f"{plotly(row)} before {plotly(column)}: {text}" if text else ""
            for column, text in zip(names, line, strict=True)
        ]
        for row, line in zip(names, texts, strict=True)
    ]
    places = list(range(n_labels))
    heatmap = {
        "type": "heatmap",
        "x": places,
        "y": places,
        "z": values,
        "zmin": 0,
        "zmax": 1,
        "colorscale": DIVERGING,
        "xgap": 2,
        "ygap": 2,
        "text": texts,
        "texttemplate": "%{text}" if n_labels <= NUMBERS_UP_TO else None,
        "textfont": {"color": "#000000"},
        "customdata": hovers,
        "hovertemplate": "%{customdata}<extra></extra>",
        "hoverongaps": False,
        "colorbar": {"thickness": 10, "tickvals": [0, 0.5, 1], "outlinewidth": 0},
    }
    rows = [f"{place + 1}  {plotly(shorten(name, 14))}" for place, name in enumerate(names)]
    return picture(
        110 + max(180, 34 * n_labels),
        [heatmap],
        x=numbered_columns(names, slanted_from=4),
        y={**numbered_rows(rows), **NO_GRID},
    )
