"""Figures of similar cases: labels against the zero line, what a count means."""

from collections.abc import Sequence

import numpy as np

from labelrank_core.explain.evidence import CountEvidence, GapDial
from labelrank_core.markup.figures import (
    LINE,
    MARGIN,
    MUTED,
    NO_GRID,
    Look,
    dot,
    explained,
    figure,
    said_above,
    upright,
)
from labelrank_core.markup.palette import label_color
from labelrank_core.markup.text import plotly, shorten

_MOST_TICKS = 12


def gap_dial(dial: GapDial, label_names: Sequence[str]) -> Look:
    """Draw every label against the zero line, for every number of virtual labels."""
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
            "hovertemplate": "zero line at p = %{x}: %{y:.3f}<extra></extra>",
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
    return figure(
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
            "title": "positions ahead of the zero line"
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
    """Draw the labels, thick where they cross the zero line; shares are level, drawn once each."""
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


def count_likelihoods(counts: CountEvidence, label: int, label_names: Sequence[str]) -> Look:
    """Draw how likely every count of neighbours is for cases with and without a label."""
    table = counts.by_count(label)
    x, own = table["neighbours with it"], int(counts.own[label])
    name = plotly(shorten(label_names[label]))
    band = {"type": "rect", "x0": own - 0.4, "x1": own + 0.4, "y0": 0, "y1": 1, "yref": "y domain"}
    looks = {
        "with": (label_color(label), "circle", "solid"),
        "without": (LINE, "x", "dot"),
    }
    traces = [
        {
            "x": x,
            "y": table[f"likelihood {side} it"],
            "name": f"{side} {name}",
            "mode": "lines+markers",
            "line": {"color": color, "width": 2.5, "dash": dash},
            "marker": {"color": color, "symbol": symbol, "size": np.where(table["own"], 13, 7)},
            "customdata": table[f"training cases {side} it"],
            "hovertemplate": "%{y:.3f} (%{customdata} training cases)",
        }
        for side, (color, symbol, dash) in looks.items()
    ]
    side = "left" if own < len(x) / 4 else "right" if own > len(x) * 3 / 4 else "center"
    return figure(
        340,
        traces,
        x={
            "title": f"neighbours with {name}, of {len(x) - 1}",
            "range": [-0.6, len(x) - 0.4],
            **NO_GRID,
            **({"dtick": 1} if len(x) <= _MOST_TICKS else {}),
        },
        y={"title": "likelihood", "rangemode": "tozero"},
        title=explained({"● cases with it": label_color(label), "× cases without it": LINE}),
        hovermode="x unified",
        margin={**MARGIN, "t": 64},
        shapes=[{**band, "fillcolor": MUTED, "line": {"width": 0}, "layer": "below"}],
        annotations=[said_above(own, f"<b>this case: {own}</b>", xanchor=side)],
    )
