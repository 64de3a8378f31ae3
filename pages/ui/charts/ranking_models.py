"""Figures of statistical models of rankings: Plackett-Luce choices, Mallows distances."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from labelrank_core.explain.evidence import ChoiceChances, MallowsFit
from pages.ui.charts.base import (
    LINE,
    MARGIN,
    NO_GRID,
    NUMBERS_UP_TO,
    explained,
    numbered_columns,
    numbered_rows,
    picture,
)
from pages.ui.palette import ACCENT
from pages.ui.text import plotly, shorten

_LIGHT_TO_BLUE = ((0.0, "#F7F7F7"), (1.0, "#4A9FD4"))
_MOST_TICKS = 15


def choice_chances(evidence: ChoiceChances, label_names: Sequence[str]) -> go.Figure:
    """Draw each choice as a row: the probability of every label that is left."""
    chances, names = evidence.chances, [label_names[int(label)] for label in evidence.order]
    n_choices, n_labels = chances.shape
    texts = [["" if np.isnan(value) else f"{value:.0%}" for value in row] for row in chances]
    hovers = [
        [
            f"choice {choice + 1}: {plotly(name)} {text}"
            for name, text in zip(names, row, strict=True)
        ]
        for choice, row in enumerate(texts)
    ]
    heatmap = {
        "type": "heatmap",
        "x": list(range(n_labels)),
        "y": list(range(n_choices)),
        "z": chances,
        "zmin": 0,
        "zmax": 1,
        "colorscale": _LIGHT_TO_BLUE,
        "showscale": False,
        "xgap": 2,
        "ygap": 2,
        "text": texts,
        "texttemplate": "%{text}" if n_labels <= NUMBERS_UP_TO else None,
        "textfont": {"color": "#000000"},
        "customdata": hovers,
        "hovertemplate": "%{customdata}<extra></extra>",
        "hoverongaps": False,
    }
    rows = [f"{place + 1}  {plotly(shorten(name, 14))}" for place, name in enumerate(names[:-1])]
    return picture(
        96 + 32 * n_choices,
        [heatmap],
        x=numbered_columns(names, slanted_from=4),
        y={**numbered_rows(rows), **NO_GRID},
    )


def mallows_fit(fit: MallowsFit) -> go.Figure:
    """Draw how many rankings lie at each distance from the centre, and how many are expected."""
    far = np.flatnonzero((fit.observed > 0) | (fit.expected >= 0.05))
    last = max(int(far[-1]), 1)
    distances = np.arange(last + 1)
    bars = {
        "type": "bar",
        "x": distances,
        "y": fit.observed[: last + 1],
        "marker": {"color": ACCENT},
        "hovertemplate": "%{y} rankings reverse %{x} pairs<extra></extra>",
    }
    curve = {
        "x": distances,
        "y": fit.expected[: last + 1],
        "mode": "lines+markers",
        "line": {"color": LINE, "dash": "dot", "width": 2},
        "marker": {"color": LINE, "size": 7},
        "hovertemplate": "%{y:.2f} expected<extra></extra>",
    }
    return picture(
        240,
        [bars, curve],
        x={
            "title": "label pairs in reverse order of the centre",
            "range": [-0.6, last + 0.6],
            **NO_GRID,
            **({"dtick": 1} if last < _MOST_TICKS else {}),
        },
        y={"title": "rankings", "rangemode": "tozero"},
        title=explained({"■ rankings": ACCENT, "● expected by the model": LINE}),
        margin={**MARGIN, "t": 56},
    )
