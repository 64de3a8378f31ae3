"""Figures of single methods: counts of ML-kNN, pairs, parts of a linear score. No Streamlit."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from labelrank_core.explain.evidence import CountEvidence, ScoreParts, SubspaceView, WinShares
from labelrank_core.rankings import FloatArray
from pages.ui.charts.figures import (
    ACCENT,
    LINE,
    MARGIN,
    MUTED,
    NO_GRID,
    ROWS,
    Look,
    dot,
    label_color,
    picture,
    said_above,
)
from pages.ui.text import JOINER, plotly, shorten

# Orange against blue with a light middle: told apart by colour-blind people, and all light enough
# for black numbers.
_DIVERGING = ((0.0, "#E8833A"), (0.5, "#F7F7F7"), (1.0, "#4A9FD4"))
_PART_COLORS = {"baseline": "#999999", "own part": "#E69F00", "shared part": ACCENT}
_SQUARES = {f"■ {name}": color for name, color in _PART_COLORS.items()}
_THRESHOLD = "#D55E00"
_NUMBERS_UP_TO = 10
_MAX_TICKS = 12
# Shorter directions lie on each other; hovering and the table name them.
_NAMED_LENGTH = 0.3


def count_likelihoods(counts: CountEvidence, label: int, label_names: Sequence[str]) -> go.Figure:
    """Draw how likely every count of neighbours is for cases with and without a label.

    Parameters
    ----------
    counts : CountEvidence
        Counts and likelihoods.
    label : int
        Which label.
    label_names : sequence of str
        Names of the labels.

    Returns
    -------
    Figure
        Two lines, the case's own count marked, the training cases behind each point on hovering.
    """
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
    return picture(
        340,
        traces,
        x={
            "title": f"neighbours with {name}, of {len(x) - 1}",
            "range": [-0.6, len(x) - 0.4],
            **NO_GRID,
            **({"dtick": 1} if len(x) <= _MAX_TICKS else {}),
        },
        y={"title": "likelihood", "rangemode": "tozero"},
        title=_explained({"● cases with it": label_color(label), "× cases without it": LINE}),
        hovermode="x unified",
        margin={**MARGIN, "t": 64},
        shapes=[{**band, "fillcolor": MUTED, "line": {"width": 0}, "layer": "below"}],
        annotations=[said_above(own, f"<b>this case: {own}</b>", xanchor=side)],
    )


def win_shares(shares: WinShares, label_names: Sequence[str]) -> go.Figure:
    """Draw how often the label of a row is preferred to that of a column.

    Parameters
    ----------
    shares : WinShares
        The shares.
    label_names : sequence of str
        Names of the labels.

    Returns
    -------
    Figure
        A heatmap in the predicted order: blue above one half, orange below.
    """
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
        "colorscale": _DIVERGING,
        "xgap": 2,
        "ygap": 2,
        "text": texts,
        "texttemplate": "%{text}" if n_labels <= _NUMBERS_UP_TO else None,
        "textfont": {"color": "#000000"},
        "customdata": hovers,
        "hovertemplate": "%{customdata}<extra></extra>",
        "hoverongaps": False,
        "colorbar": {"thickness": 10, "tickvals": [0, 0.5, 1], "outlinewidth": 0},
    }
    return picture(
        110 + max(180, 34 * n_labels),
        [heatmap],
        x={
            "tickvals": places,
            "ticktext": [plotly(shorten(name, 12)) for name in names],
            "side": "top",
            "tickangle": -45 if n_labels > 3 else 0,
            "automargin": True,
            **NO_GRID,
        },
        y={
            "tickvals": places,
            "ticktext": [
                f"{place + 1}  {plotly(shorten(name, 14))}" for place, name in enumerate(names)
            ],
            "autorange": "reversed",
            "ticksuffix": "  ",
            **NO_GRID,
        },
    )


def score_parts(parts: ScoreParts, order: Sequence[int], label_names: Sequence[str]) -> go.Figure:
    """Draw what every label's score is made of, with its threshold.

    Parameters
    ----------
    parts : ScoreParts
        The parts.
    order : sequence of int
        Labels from top to bottom.
    label_names : sequence of str
        Names of the labels.

    Returns
    -------
    Figure
        Bars to the right add to a score, bars to the left take away.
    """
    order = list(order)
    rows = [
        f"{place + 1}  {plotly(shorten(label_names[label], 14))} {dot(label)}"
        for place, label in enumerate(order)
    ]
    bars = _stacked(
        rows,
        {
            "baseline": parts.baseline[order],
            "own part": parts.own[order],
            "shared part": parts.shared[order],
        },
    )
    looks = {
        "threshold": (parts.thresholds[order], "line-ns", 20, (3, _THRESHOLD)),
        "score": (parts.scores[order], "diamond", 11, (1.5, "#ffffff")),
    }
    marks = [
        {
            "x": values,
            "y": rows,
            "name": name,
            "mode": "markers",
            "marker": {
                "symbol": symbol,
                "size": size,
                "color": "#000000",
                "line": {"width": width, "color": edge},
            },
            "hovertemplate": f"{name} %{{x:.3f}}<extra></extra>",
        }
        for name, (values, symbol, size, (width, edge)) in looks.items()
    ]
    words = {**_SQUARES, "◆ score": "", "▎threshold": _THRESHOLD}
    return _across(96 + 28 * len(order), [*bars, *marks], words, "score")


def contributions(table: pd.DataFrame, carrier_names: Sequence[str]) -> go.Figure:
    """Draw what carries the score of one label.

    Parameters
    ----------
    table : DataFrame
        As `ScoreParts.contributions` returns it.
    carrier_names : sequence of str
        What to call the carrier of each row.

    Returns
    -------
    Figure
        A bar a carrier, its own and its shared part stacked.
    """
    rows = [
        f"{plotly(shorten(name, 26))}{JOINER * place}" for place, name in enumerate(carrier_names)
    ]
    values = {name: table[name].to_numpy() for name in ("own part", "shared part")}
    words = dict(list(_SQUARES.items())[1:])
    return _across(96 + 26 * len(rows), _stacked(rows, values), words, "adds to the score")


def _across(height: int, traces: Sequence[Look], words: dict[str, str], title: str) -> go.Figure:
    """Draw bars that go to both sides of 0."""
    return picture(
        height,
        traces,
        x={"title": title, "zeroline": True, "zerolinecolor": LINE, "zerolinewidth": 1},
        y=ROWS,
        title=_explained(words),
        margin={**MARGIN, "t": 36},
        barmode="relative",
        bargap=0.35,
    )


def _stacked(rows: Sequence[str], parts: dict[str, np.ndarray]) -> list[Look]:
    return [
        {
            "type": "bar",
            "x": values,
            "y": list(rows),
            "orientation": "h",
            "name": name,
            "marker": {"color": _PART_COLORS[name], "line": {"width": 0}},
            "hovertemplate": f"{name} %{{x:+.3f}}<extra></extra>",
        }
        for name, values in parts.items()
    ]


def _explained(entries: dict[str, str]) -> Look:
    """Return what symbols and colours mean, as a title: a legend would break the lines."""
    words = [
        f"<span style='color:{color}'>{entry[0]}</span> {entry[1:].strip()}" if color else entry
        for entry, color in entries.items()
    ]
    return {
        "text": "   ".join(words),
        "font": {"size": 12, "weight": 400},
        "x": 0,
        "xref": "container",
        "y": 1,
        "yref": "container",
        "yanchor": "top",
        "pad": {"t": 8},
    }


def rank_parts(
    changes: FloatArray, row_names: Sequence[str], order: Sequence[int], label_names: Sequence[str]
) -> go.Figure:
    """Draw what the questions for each feature change in the ranks of the labels.

    Parameters
    ----------
    changes : ndarray of shape (n_rows, n_labels)
        The changes; below 0 = the label moves up.
    row_names : sequence of str
        The features.
    order : sequence of int
        Labels from left to right.
    label_names : sequence of str
        Names of the labels.

    Returns
    -------
    Figure
        A heatmap: blue moves a label up, orange down.
    """
    values = changes[:, list(order)]
    widest = float(np.abs(values).max()) if values.size else 0.0
    heatmap = {
        "type": "heatmap",
        "x": list(range(len(order))),
        "y": [f"{plotly(name)}{JOINER * place}" for place, name in enumerate(row_names)],
        "z": -values,
        "zmin": -(widest or 1.0),
        "zmax": widest or 1.0,
        "colorscale": _DIVERGING,
        "xgap": 2,
        "ygap": 2,
        "showscale": False,
        "text": [[_signed(value) for value in row] for row in values],
        "texttemplate": "%{text}" if len(order) <= _NUMBERS_UP_TO else None,
        "textfont": {"color": "#000000"},
        "hovertemplate": "%{y}: mean rank %{text}<extra></extra>",
    }
    return picture(
        96 + 30 * len(row_names),
        [heatmap],
        x={
            "tickvals": list(range(len(order))),
            "ticktext": [plotly(shorten(label_names[label], 12)) for label in order],
            "side": "top",
            "showgrid": False,
            "automargin": True,
        },
        y={"autorange": "reversed", "ticksuffix": "  ", "showgrid": False},
    )


def _outwards(x: float, y: float) -> str:
    """Return where a name stands beside the end of a line from the origin."""
    if abs(x) > abs(y):
        return "middle right" if x > 0 else "middle left"
    return "top center" if y >= 0 else "bottom center"


def _signed(value: float) -> str:
    return f"{value:+.2f}" if abs(value) >= 0.005 else "0"


def subspace_view(view: SubspaceView, label_names: Sequence[str]) -> go.Figure:
    """Draw a case and the labels' directions in the main plane of the shared subspace.

    Parameters
    ----------
    view : SubspaceView
        Their coordinates.
    label_names : sequence of str
        Names of the labels.

    Returns
    -------
    Figure
        Lines from the origin for the labels, on a scale of their own; the case as a diamond.
    """
    lengths = np.linalg.norm(view.directions, axis=1)
    longest = float(lengths.max())
    named = lengths >= _NAMED_LENGTH * longest
    reach = float(np.linalg.norm(view.case)) or 1.0
    ends = view.directions * (reach / longest if longest > 0 else 1.0)
    lines = [
        {
            "x": [0, x],
            "y": [0, y],
            "mode": "lines+markers+text",
            "text": ["", plotly(shorten(label_names[label], 14)) if named[label] else ""],
            "textposition": _outwards(x, y),
            "line": {"color": label_color(label), "width": 3},
            "marker": {"color": label_color(label), "size": [0, 9]},
            "hovertemplate": f"{plotly(label_names[label])}: shared part "
            f"{view.shared[label]:+.3f}<extra></extra>",
            "cliponaxis": False,
        }
        for label, (x, y) in enumerate(ends)
    ]
    case = {
        "x": [view.case[0]],
        "y": [view.case[1]],
        "mode": "markers",
        "marker": {
            "symbol": "diamond",
            "size": 16,
            "color": "#000000",
            "line": {"width": 2, "color": "#ffffff"},
        },
        "hovertemplate": "this case<extra></extra>",
        "cliponaxis": False,
    }
    both = {"range": [-1.2 * reach, 1.2 * reach], "zerolinecolor": MUTED, "showgrid": False}
    return picture(
        420,
        [*lines, case],
        x={"title": "dimension 1", **both},
        y={"title": "dimension 2", **both},
    )
