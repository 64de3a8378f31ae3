"""Figures of what any method gives: a score for each label, pairs, a confidence."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from labelrank_core.explain.evidence import Confidence, LabelScores, WinShares
from pages.ui.charts.base import (
    DIVERGING,
    LINE,
    MARGIN,
    MUTED,
    NO_GRID,
    NUMBERS_UP_TO,
    ROWS,
    Look,
    numbered_columns,
    numbered_rows,
    picture,
    said_above,
    upright,
)
from pages.ui.palette import ACCENT, label_color
from pages.ui.text import plotly, shorten

_SHORT_TITLE = 14
_NEAR_THE_EDGE = 0.25


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
        annotations=[
            said_above(bar, f"{bar_name} {bar:.2f}", font={"color": LINE}) for bar in bars
        ],
    )


def confidence_bar(confidence: Confidence) -> go.Figure:
    """Draw a confidence on the scale from 0 to 1 with the range it can have."""
    mark = {
        "x": [confidence.value],
        "y": [0],
        "mode": "markers+text",
        "marker": {"symbol": "line-ns", "size": 34, "line": {"width": 5, "color": ACCENT}},
        "text": [f"<b>{confidence.value:.2f}</b>"],
        "textposition": "top center",
        "hovertemplate": "%{x:.3f}<extra></extra>",
        "cliponaxis": False,
    }
    words = {confidence.lowest: f"lowest possible {confidence.lowest:.2f}", 1.0: "1"}
    return picture(
        110,
        [mark] if confidence.defined else [],
        x={"range": [-0.02, 1.03], "tickvals": list(words), "showticklabels": False, **NO_GRID},
        y={"range": [-1, 1.1], "visible": False},
        margin={**MARGIN, "t": 8, "b": 28},
        shapes=[_band(0, MUTED), _band(confidence.lowest, "rgba(0, 114, 178, 0.35)")],
        annotations=[
            {
                "x": x,
                "y": -0.3,
                "yanchor": "top",
                "xanchor": "left" if x < _NEAR_THE_EDGE else "center",
                "text": said,
                "showarrow": False,
                "font": {"color": LINE},
            }
            for x, said in words.items()
        ],
    )


def _band(start: float, color: str) -> Look:
    """Fill the scale of confidence from a value to 1."""
    box = {"type": "rect", "x0": start, "x1": 1, "y0": -0.25, "y1": 0.25}
    return {**box, "line": {"width": 0}, "fillcolor": color}


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
