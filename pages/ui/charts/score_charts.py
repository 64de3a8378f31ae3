"""Figures of the numbers that any method gives: a score a label, a confidence. No Streamlit."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from labelrank_core.explain.evidence import Confidence, LabelScores
from pages.ui.charts.figures import (
    ACCENT,
    LINE,
    MARGIN,
    MUTED,
    NO_GRID,
    ROWS,
    Look,
    label_color,
    picture,
    said_above,
    upright,
)
from pages.ui.text import plotly, shorten

_SHORT_TITLE = 14
_NEAR_THE_EDGE = 0.25


def label_scores(scores: LabelScores, label_names: Sequence[str]) -> go.Figure:
    """Draw the number that orders the labels, best at the top, with the bar where there is one.

    Parameters
    ----------
    scores : LabelScores
        The numbers.
    label_names : sequence of str
        Names of the labels.

    Returns
    -------
    Figure
        A dot a label.
    """
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
    """Draw a confidence on the scale from 0 to 1 with the range it can have.

    Parameters
    ----------
    confidence : Confidence
        The value and its range.

    Returns
    -------
    Figure
        A bar.
    """
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
