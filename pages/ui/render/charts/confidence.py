"""Figures of confidence and of withheld predictions."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from labelrank_core.explain.render.markup.palette import ACCENT, label_color
from labelrank_core.explain.standing import ConfidenceStanding
from labelrank_core.rankings import FloatArray, IntArray
from pages.ui.render.charts.base import (
    LINE,
    MARGIN,
    explained,
    lines_of,
    numbered_rows,
    picture,
    text_above,
    upright,
)
from pages.ui.wording.text import plotly, shorten_all

_ORANGE = "#8A6D3B"
_BAND = "rgba(0, 114, 178, 0.18)"
_TITLE_LETTERS = 20
_UP_TO_ONE = {"clipmax": 1.02}
_SHARES = {"clipmin": -0.02, **_UP_TO_ONE}


def confidence_curves(curve: pd.DataFrame, accuracy_title: str) -> go.Figure:
    """Draw accuracy against confidence, the two curves of Fig. 2 of Brinker and Hüllermeier."""
    figure = make_subplots(
        rows=3, cols=1, shared_xaxes=True, row_heights=[0.38, 0.38, 0.24], vertical_spacing=0.07
    )
    x = curve["confidence"]
    sizes = 6 + 18 * np.sqrt(curve["n_cases"] / curve["n_cases"].max())
    figure.add_scatter(
        x=x,
        y=curve["accuracy_at"],
        name="(a) at this confidence",
        mode="markers",
        marker={"color": _ORANGE, "size": sizes, "opacity": 0.75},
        cliponaxis=False,
        customdata=curve["n_cases"],
        hovertemplate="%{y:.3f} (%{customdata} cases)",
        row=1,
        col=1,
    )
    figure.add_scatter(
        x=x,
        y=curve["accuracy_at_least"],
        name="(b) at least this confidence",
        mode="lines+markers",
        line={"color": ACCENT, "width": 3},
        hovertemplate="%{y:.3f}",
        row=2,
        col=1,
    )
    figure.add_scatter(
        x=x,
        y=curve["share_kept"],
        name="share of cases kept",
        mode="lines",
        line={"shape": "vh", "color": LINE},
        fill="tozeroy",
        hovertemplate="%{y:.0%}",
        row=3,
        col=1,
    )
    names = ["(a) at this confidence", "(b) at least this confidence", "cases kept"]
    if "low" in curve:
        _add_band(figure, curve)
        names[1] += ", with 95% band"
    for row, name in enumerate(names, start=1):
        _, top = figure.layout["yaxis" + str(row) * (row > 1)].domain
        figure.add_annotation(
            text=name, x=0, y=top, xref="paper", yref="paper", xanchor="left", yanchor="bottom",
            showarrow=False,
        )  # fmt: skip
    figure.update_xaxes(fixedrange=True)
    figure.update_xaxes(title="confidence", row=3, col=1)
    figure.update_yaxes(fixedrange=True)
    for row, part in ((1, "a"), (2, "b")):
        figure.update_yaxes(
            title=lines_of(f"({part}) {accuracy_title}", _TITLE_LETTERS),
            autorangeoptions=_UP_TO_ONE,
            row=row,
            col=1,
        )
    figure.update_yaxes(title="kept", tickformat=".0%", range=[0, 1.05], row=3, col=1)
    figure.update_layout(
        height=600,
        dragmode=False,
        hovermode="x unified",
        showlegend=False,
        margin={"l": 8, "r": 12, "t": 30, "b": 8},
    )
    return figure


def _add_band(figure: go.Figure, curve: pd.DataFrame) -> None:
    with_band = curve[curve["low"].notna()]
    for column, fill in (("low", None), ("high", "tonexty")):
        figure.add_scatter(
            x=with_band["confidence"],
            y=with_band[column],
            name="95% band of (b)",
            mode="lines",
            line={"width": 0, "color": ACCENT},
            fill=fill,
            fillcolor=_BAND,
            hoverinfo="skip",
            row=2,
            col=1,
        )


def abstention_curve(curve: pd.DataFrame, selected: pd.Series) -> go.Figure:
    """Draw the share of predicted pairs that are right against the share that is predicted."""
    shares = curve["share_predicted"]
    is_right = 2 * selected["share_predicted"] >= shares.min() + shares.max()
    return picture(
        320,
        [
            {
                "x": curve["share_predicted"],
                "y": curve["share_right"],
                "mode": "lines+markers",
                "line": {"color": ACCENT, "width": 3},
                "customdata": curve["threshold"],
                "hovertemplate": "threshold %{customdata:.0%}: %{x:.1%} of the pairs predicted, "
                "%{y:.1%} of them right<extra></extra>",
            },
            {
                "x": [selected["share_predicted"]],
                "y": [selected["share_right"]],
                "mode": "markers+text",
                # On the left there is room only below the right half of the falling line.
                "text": [f"clear above {selected['threshold']:.0%}" if is_right else ""],
                "textposition": "bottom left",
                "marker": {
                    "color": ACCENT,
                    "size": 17,
                    "symbol": "circle-open",
                    "line": {"width": 4},
                },
                "hoverinfo": "skip",
                "cliponaxis": False,
            },
        ],
        title=explained({"share of the clear pairs that are right": ""}),
        margin={**MARGIN, "t": 34},
        x={
            "title": "share of the pairs that are clear",
            "tickformat": ".0%",
            "autorangeoptions": _SHARES,
        },
        y={
            "tickformat": ".0%",
            "autorangeoptions": _UP_TO_ONE,
        },
    )


def possible_positions(
    positions: tuple[IntArray, IntArray], truth: FloatArray, label_names: Sequence[str]
) -> go.Figure:
    """Draw the best and the worst position of each label in a partial order, and the true ones.

    `truth`: the first and the last true position of each label, as `true_positions` returns them.
    """
    first, last = positions
    order = np.lexsort((first, first + last))
    short = shorten_all(label_names, 16)
    rows = np.arange(len(order))
    true_first, true_last = truth[order].T
    untied_rows = rows[true_first == true_last]
    ranges = rows[true_first < true_last]
    between = np.full(len(ranges), np.nan)
    bars = {
        "type": "bar",
        "base": first[order] - 0.35,
        "x": (last - first)[order] + 0.7,
        "y": rows,
        "orientation": "h",
        "width": 0.62,
        "marker": {"color": [label_color(int(label)) for label in order], "line": {"width": 0}},
        "customdata": [
            f"{plotly(label_names[label])}: position {_span(first[label], last[label])}"
            for label in order
        ],
        "hovertemplate": "%{customdata}<extra></extra>",
    }
    marks = {
        "x": true_first[untied_rows],
        "y": untied_rows,
        "mode": "markers",
        "marker": {
            "symbol": "diamond",
            "size": 13,
            "color": "#ffffff",
            "line": {"color": "#000000", "width": 2},
        },
        "hovertemplate": "real position %{x}<extra></extra>",
    }
    # A white line with black edges, as the diamonds have.
    lines = [
        {
            "x": np.column_stack([true_first[ranges], true_last[ranges], between]).ravel(),
            "y": np.repeat(ranges, 3),
            "mode": "lines",
            "line": {"color": color, "width": width},
            "hovertemplate": "real position %{x}<extra></extra>",
        }
        for color, width in (("#000000", 6), ("#ffffff", 2))
    ]
    return picture(
        70 + 34 * len(order),
        [bars, *(lines if len(ranges) else []), marks],
        x={
            "title": "position (1 = best)",
            "dtick": 1 if len(order) <= 20 else None,
            "range": [0.4, len(order) + 0.6],
            "zeroline": False,
        },
        y=numbered_rows([plotly(short[label]) for label in order]),
    )


def _span(low: int, high: int) -> str:
    return f"{low}" if low == high else f"{low} to {high}"


def confidence_among(standing: ConfidenceStanding, cases: str, row: str) -> go.Figure:
    """Draw the confidences of other `cases`, with that of one `row` marked."""
    confidence = standing.confidence
    # What differs by rounding only belongs to the bar of the case, not to the one below.
    values = np.where(standing.is_equal, confidence, standing.confidences)
    low, high = min(float(values.min()), confidence), max(float(values.max()), confidence)
    # An edge of the bars lies at the case's own confidence.
    width = (high - low) / 30 or 0.02
    n_below, n_above = (
        int(np.ceil((confidence - low) / width)),
        int(np.ceil((high - confidence) / width)) + 1,
    )
    edges = confidence + width * np.arange(-n_below - 1, n_above + 1)
    counts, _ = np.histogram(values, edges)
    bars = {
        "type": "bar",
        "x": (edges[:-1] + edges[1:]) / 2,
        "y": counts,
        "width": width * 0.94,
        "marker": {
            "color": [
                ACCENT if edge < confidence - width / 2 else "#8A93A3" for edge in edges[:-1]
            ],
            "line": {"width": 0},
        },
        "hovertemplate": f"%{{y}} {cases}<extra></extra>",
    }
    return picture(
        230,
        [bars],
        x={"title": "confidence", "zeroline": False},
        y={"title": cases},
        shapes=[upright(confidence, 3)],
        annotations=[text_above(confidence, f"<b>this {row}: {confidence:.2f}</b>")],
    )
