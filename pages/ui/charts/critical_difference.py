"""Average ranks with the critical difference."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from labelrank_core.comparison.significance import CriticalDifferences
from labelrank_core.explain.markup.figures import LINE, MUTED, Look, numbered_rows
from labelrank_core.explain.markup.palette import ACCENT
from labelrank_core.explain.markup.ticks import round_numbers
from pages.ui.charts.base import picture
from pages.ui.text import plotly, shorten_middle

_CONTROL = "#C11F5B"
_LETTERS = 22
_MOST_TICKS = 6


def critical_difference_figure(differences: CriticalDifferences) -> go.Figure:
    """Draw one row for each method, the best at the top, and bars beside the groups."""
    low, high = float(differences.means.min()), float(differences.means.max())
    # Bars stand to the right of all ranks, one beside the other.
    step = 0.04 * (high - low or 1.0)
    bars = [high + (3 + 1.5 * bar_index) * step for bar_index in range(len(differences.groups) + 1)]
    ends = [low - 2 * step, bars[-1] + 0.5 * step]
    band: list[Look] = []
    if differences.control is not None:
        # There are no ranks below 1 or above the number of methods.
        low_end, high_end = np.clip(differences.around_control, 1, len(differences.names)).tolist()
        low, high = min(low, low_end), max(high, high_end)
        ends = [low - 2 * step, high + 2 * step]
        box = {"type": "rect", "x0": low_end, "x1": high_end, "y0": 0, "y1": 1, "yref": "paper"}
        band = [{**box, "fillcolor": MUTED, "line": {"width": 0}, "layer": "below"}]
    names = [
        plotly(shorten_middle(differences.names[method], _LETTERS)) for method in differences.order
    ]
    return picture(
        110 + 30 * len(names),
        [
            _dots(differences),
            *(
                _bar(differences, group, x)
                for group, x in zip(differences.groups, bars, strict=False)
            ),
        ],
        x={
            "title": "average rank (lower is better)",
            "range": ends,
            **_rank_ticks(low, high),
            "zeroline": False,
        },
        y={**numbered_rows(names), "range": [len(names) - 0.5, -0.7]},
        shapes=band,
    )


def _rank_ticks(low: float, high: float) -> Look:
    """Name round ranks between two ends; what stands beyond them has no rank."""
    ranks = round_numbers(low, high, _MOST_TICKS).tolist() or [low]
    return {"tickvals": ranks, "ticktext": [f"{rank:.4g}" for rank in ranks]}


def _dots(differences: CriticalDifferences) -> Look:
    order = differences.order
    means = differences.means[order]
    return {
        "x": means,
        "y": list(range(len(means))),
        "mode": "markers+text",
        "text": [f"<b>{mean:.2f}</b>" for mean in means],
        "textposition": "top center",
        "marker": {
            "size": 14,
            "color": [_CONTROL if method == differences.control else ACCENT for method in order],
        },
        "customdata": [plotly(differences.names[method]) for method in order],
        "hovertemplate": "%{customdata}: %{x:.3f}<extra></extra>",
        "cliponaxis": False,
    }


def _bar(differences: CriticalDifferences, group: Sequence[int], x: float) -> Look:
    """Join the rows of methods that do not differ significantly."""
    rows = [differences.order.index(method) for method in group]
    names = ", ".join(plotly(differences.names[method]) for method in group)
    return {
        "x": [x, x],
        "y": [min(rows) - 0.2, max(rows) + 0.2],
        "mode": "lines",
        "line": {"width": 6, "color": LINE},
        "hovertemplate": f"{names}<extra></extra>",
    }
