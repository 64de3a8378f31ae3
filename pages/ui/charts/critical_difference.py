"""Average ranks with the critical difference: on the page, and as an SVG file for papers."""

from collections.abc import Sequence

import plotly.graph_objects as go

from labelrank_core.comparison.significance import CriticalDifferences
from labelrank_core.explain.markup.figures import LINE, MUTED, Look, numbered_rows
from labelrank_core.explain.markup.palette import ACCENT
from pages.ui.charts import svg
from pages.ui.charts.base import picture
from pages.ui.text import plotly, shorten_middle

_CONTROL = "#C11F5B"
_LETTERS, _SVG_LETTERS = 22, 30


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


def critical_difference_svg(found: CriticalDifferences) -> str:
    """Draw them as Fig. 1 of Demšar 2006 does, the best rank at the left."""
    n = len(found.means)
    left, right, axis = svg.SIDE, svg.WIDTH - svg.SIDE, 62.0

    def at(rank: float) -> float:
        return left + (right - left) * (rank - 1) / (n - 1)

    parts = [svg.line(left, axis, right, axis, 1.5)]
    for rank in range(1, n + 1):
        parts.append(svg.line(at(rank), axis - 6, at(rank), axis))
        parts.append(svg.words(at(rank), axis - 10, f"{rank}"))
    ruler = [left, min(at(1 + found.difference), svg.WIDTH - 20)]
    parts += [svg.line(ruler[0], 22, ruler[1], 22, 1.5)]
    parts += [svg.line(x, 18, x, 26, 1.5) for x in ruler]
    parts.append(svg.words(ruler[0], 13, f"CD = {found.difference:.3f}", "start"))
    if found.control is not None:
        ends = [at(min(max(rank, 1), n)) for rank in found.around_control]
        parts.append(svg.line(ends[0], axis, ends[1], axis, 7, ' stroke-opacity="0.45"'))
    for place, group in enumerate(found.groups):
        y = axis + 10 + 7 * place
        low, high = min(found.means[list(group)]), max(found.means[list(group)])
        parts.append(svg.line(at(low) - 4, y, at(high) + 4, y, 4))
    first, half = axis + 22 + 7 * len(found.groups), (n + 1) // 2
    for place, method in enumerate(found.order):
        is_left = place < half
        y = first + svg.ROW * (place if is_left else n - 1 - place)
        x, side = at(found.means[method]), left - 8 if is_left else right + 8
        parts += [svg.line(x, axis, x, y), svg.line(x, y, side, y)]
        name = f"{shorten_middle(found.names[method], _SVG_LETTERS)}  {found.means[method]:.2f}"
        edge, anchor = (side - 4, "end") if is_left else (side + 4, "start")
        parts.append(svg.words(edge, y + 4, name, anchor))
    return svg.drawing(svg.WIDTH, first + svg.ROW * half, parts)
