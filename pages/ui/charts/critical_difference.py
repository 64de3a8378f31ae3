"""Average ranks with the critical difference."""

from collections.abc import Sequence

import plotly.graph_objects as go

from labelrank_core.comparison.significance import CriticalDifferences
from labelrank_core.explain.markup.figures import LINE, MUTED, Look, numbered_rows
from labelrank_core.explain.markup.palette import ACCENT
from pages.ui.charts.base import picture
from pages.ui.text import plotly, shorten_middle

_CONTROL = "#C11F5B"
_LETTERS = 22


def critical_difference_figure(found: CriticalDifferences) -> go.Figure:
    """Draw one row for each method, the best at the top, and bars beside the groups."""
    low, high = float(found.means.min()), float(found.means.max())
    # Bars stand to the right of all ranks, one beside the other.
    step = 0.04 * (high - low or 1.0)
    bars = [high + (3 + 1.5 * place) * step for place in range(len(found.groups) + 1)]
    ends = [low - 2 * step, bars[-1] + 0.5 * step]
    band: list[Look] = []
    if found.control is not None:
        left, right = found.around_control
        ends = [min(ends[0], left), max(ends[1], right)]
        box = {"type": "rect", "x0": left, "x1": right, "y0": 0, "y1": 1, "yref": "paper"}
        band = [{**box, "fillcolor": MUTED, "line": {"width": 0}, "layer": "below"}]
    names = [plotly(shorten_middle(found.names[method], _LETTERS)) for method in found.order]
    return picture(
        110 + 30 * len(names),
        [
            _dots(found),
            *(_bar(found, group, x) for group, x in zip(found.groups, bars, strict=False)),
        ],
        x={"title": "average rank (lower is better)", "range": ends, "zeroline": False},
        y={**numbered_rows(names), "range": [len(names) - 0.5, -0.7]},
        shapes=band,
    )


def _dots(found: CriticalDifferences) -> Look:
    order = found.order
    means = found.means[order]
    return {
        "x": means,
        "y": list(range(len(means))),
        "mode": "markers+text",
        "text": [f"<b>{mean:.2f}</b>" for mean in means],
        "textposition": "top center",
        "marker": {
            "size": 14,
            "color": [_CONTROL if method == found.control else ACCENT for method in order],
        },
        "customdata": [plotly(found.names[method]) for method in order],
        "hovertemplate": "%{customdata}: %{x:.3f}<extra></extra>",
        "cliponaxis": False,
    }


def _bar(found: CriticalDifferences, group: Sequence[int], x: float) -> Look:
    """Join the rows of methods that do not differ significantly."""
    rows = [found.order.index(method) for method in group]
    names = ", ".join(plotly(found.names[method]) for method in group)
    return {
        "x": [x, x],
        "y": [min(rows) - 0.2, max(rows) + 0.2],
        "mode": "lines",
        "line": {"width": 6, "color": LINE},
        "hovertemplate": f"{names}<extra></extra>",
    }
