"""The figure of the gap dial: labels against the bar. No Streamlit here."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from labelrank_core.explain.evidence import GapDial
from pages.ui.charts.figures import (
    LINE,
    NO_GRID,
    Look,
    dot,
    label_color,
    picture,
    said_above,
    upright,
)
from pages.ui.text import plotly, shorten


def gap_dial(dial: GapDial, label_names: Sequence[str]) -> go.Figure:
    """Draw every label against the bar it must clear, for every number of virtual labels.

    Parameters
    ----------
    dial : GapDial
        The labels and the bar.
    label_names : sequence of str
        Names of the labels.

    Returns
    -------
    Figure
        A line a label, thick where it crosses; the bar, or the zero line, in grey.
    """
    crossings = dial.crossings
    lines = _lines_of(dial, label_names)
    bar = np.zeros(len(dial.gaps)) if dial.bars is None else dial.bars
    traces = [
        *lines,
        {
            "x": dial.gaps,
            "y": bar,
            "mode": "lines",
            "line": {"color": LINE, "width": 6},
            "hovertemplate": "bar at p = %{x}: %{y:.3f}<extra></extra>",
        },
    ]
    if crossings:
        heights = (
            dial.leads if dial.shares is None else np.broadcast_to(dial.shares, dial.leads.shape)
        )
        traces.append(
            {
                "x": [each.gap for each in crossings],
                "y": [heights[each.gap - dial.gaps[0], each.label] for each in crossings],
                "mode": "markers",
                "marker": {
                    "size": 13,
                    "color": [label_color(each.label) for each in crossings],
                    "line": {"width": 2, "color": "#000000"},
                },
                "customdata": [
                    f"{plotly(label_names[each.label])} {'enters' if each.enters else 'leaves'}"
                    for each in crossings
                ],
                "hovertemplate": "p = %{x}: %{customdata}<extra></extra>",
            }
        )
    own = float(np.log10(dial.own))
    ticks = [2**power for power in range(8) if 2**power <= dial.gaps[-1]]
    return picture(
        420,
        traces,
        x={
            "type": "log",
            "title": "virtual labels p",
            "tickvals": ticks,
            "ticktext": list(map(str, ticks)),
            **NO_GRID,
        },
        y={
            "title": "places ahead of the line"
            if dial.bars is None
            else "share of the similar cases",
            "zeroline": False,
        },
        margin={"l": 8, "r": 130, "t": 36, "b": 8},
        annotations=[
            *_line_names(dial, label_names),
            said_above(
                own, f"<b>p = {dial.own}</b>", xanchor="left" if dial.own == 1 else "center"
            ),
        ],
        shapes=[upright(dial.own, 2)],
    )


def _lines_of(dial: GapDial, label_names: Sequence[str]) -> list[Look]:
    """Draw the labels, thick where they cross the bar; shares are level and drawn once each."""
    crossing = {each.label for each in dial.crossings}
    lines = []
    drawn: set[tuple[float, bool]] = set()
    for label in sorted(range(len(label_names)), key=lambda label: label not in crossing):
        thick = label in crossing
        if dial.shares is None:
            x, y = dial.gaps, dial.leads[:, label]
        else:
            height = float(dial.shares[label])
            if (height, thick) in drawn:
                continue
            drawn.add((height, thick))
            x, y = dial.gaps[[0, -1]], np.full(2, height)
        lines.append(
            {
                "x": x,
                "y": y,
                "mode": "lines",
                "line": {"color": label_color(label), "width": 4 if thick else 1.5},
                "hovertemplate": f"{plotly(label_names[label])}: %{{y:.2f}}<extra></extra>",
            }
        )
    return lines


def _line_names(dial: GapDial, label_names: Sequence[str]) -> list[Look]:
    """Name the lines at their right ends, those of one height together."""
    heights = dial.leads[-1] if dial.shares is None else dial.shares
    annotations: list[Look] = []
    for height in np.unique(heights):
        labels = [int(label) for label in np.flatnonzero(heights == height)]
        more = f" +{len(labels) - 1}" if len(labels) > 1 else ""
        name = plotly(shorten(label_names[labels[0]], 12))
        annotations.append(
            {
                "x": 1,
                "xref": "paper",
                "xanchor": "left",
                "y": float(height),
                "text": f" {dot(labels[0])} {name}{more}",
                "hovertext": ", ".join(plotly(label_names[label]) for label in labels),
                "showarrow": False,
            }
        )
    return annotations
