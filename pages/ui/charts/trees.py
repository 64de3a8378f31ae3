"""The figure of what the questions of trees change."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from labelrank_core.rankings import FloatArray
from pages.ui.charts.base import DIVERGING, NUMBERS_UP_TO, numbered_columns, picture
from pages.ui.text import JOINER, plotly


def rank_parts(
    changes: FloatArray, row_names: Sequence[str], order: Sequence[int], label_names: Sequence[str]
) -> go.Figure:
    """Draw what the questions for each feature change in the ranks of the labels."""
    values = changes[:, list(order)]
    widest = float(np.abs(values).max()) if values.size else 0.0
    heatmap = {
        "type": "heatmap",
        "x": list(range(len(order))),
        "y": [f"{plotly(name)}{JOINER * place}" for place, name in enumerate(row_names)],
        "z": -values,
        "zmin": -(widest or 1.0),
        "zmax": widest or 1.0,
        "colorscale": DIVERGING,
        "xgap": 2,
        "ygap": 2,
        "showscale": False,
        "text": [[_signed(value) for value in row] for row in values],
        "texttemplate": "%{text}" if len(order) <= NUMBERS_UP_TO else None,
        "textfont": {"color": "#000000"},
        "hovertemplate": "%{y}: mean rank %{text}<extra></extra>",
    }
    return picture(
        96 + 30 * len(row_names),
        [heatmap],
        x=numbered_columns([label_names[label] for label in order]),
        y={"autorange": "reversed", "ticksuffix": "  ", "showgrid": False},
    )


def _signed(value: float) -> str:
    return f"{value:+.2f}" if abs(value) >= 0.005 else "0"
