"""Figures of confidence and of withheld predictions. No Streamlit here."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from labelrank_core.rankings import FloatArray, IntArray
from pages.ui.charts.figures import ACCENT, LINE, blank, label_color
from pages.ui.text import plotly, shorten

_ORANGE, _RED, _GREEN = "#E69F00", "#D55E00", "#009E73"
_BAND = "rgba(0, 114, 178, 0.18)"
_UP_TO_ONE = {"clipmax": 1.02}
_LEGEND = {"orientation": "h", "y": 1.02, "x": 0, "yanchor": "bottom"}


def confidence_curves(
    curve: pd.DataFrame, accuracy_title: str, threshold: float | None = None
) -> go.Figure:
    """Draw accuracy against confidence, the two curves of Fig. 2 of Brinker and Hüllermeier.

    Parameters
    ----------
    curve : DataFrame
        As `accuracy_by_confidence` returns it; with columns ``low`` and ``high`` of
        `accuracy_band`, a band is drawn around (b).
    accuracy_title : str
        What the accuracy is.
    threshold : float or None
        A confidence to mark.

    Returns
    -------
    Figure
        (a) the mean of the cases at each confidence, (b) of all with at least that confidence,
        and the share of cases kept.
    """
    figure = make_subplots(
        rows=3, cols=1, shared_xaxes=True, row_heights=[0.38, 0.38, 0.24], vertical_spacing=0.05
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
    if "low" in curve:
        _add_band(figure, curve)
    if threshold is not None:
        figure.add_vline(x=threshold, line={"dash": "dot", "color": _RED, "width": 2})
    figure.update_xaxes(fixedrange=True)
    figure.update_xaxes(title="confidence", row=3, col=1)
    figure.update_yaxes(fixedrange=True)
    for row, part in ((1, "a"), (2, "b")):
        figure.update_yaxes(
            title=f"({part}) {accuracy_title}", autorangeoptions=_UP_TO_ONE, row=row, col=1
        )
    figure.update_yaxes(title="kept", tickformat=".0%", range=[0, 1.05], row=3, col=1)
    figure.update_layout(
        height=600,
        dragmode=False,
        hovermode="x unified",
        legend=_LEGEND,
        margin={"l": 8, "r": 12, "t": 60, "b": 8},
    )
    return figure


def _add_band(figure: go.Figure, curve: pd.DataFrame) -> None:
    told = curve[curve["low"].notna()]
    for column, fill in (("low", None), ("high", "tonexty")):
        figure.add_scatter(
            x=told["confidence"],
            y=told[column],
            name="95% band of (b)",
            mode="lines",
            line={"width": 0, "color": ACCENT},
            fill=fill,
            fillcolor=_BAND,
            showlegend=fill is not None,
            hoverinfo="skip",
            row=2,
            col=1,
        )


def risk_coverage(curve: pd.DataFrame, risk_title: str) -> go.Figure:
    """Draw the mean loss of the surest cases against their share, beside two other orders.

    Parameters
    ----------
    curve : DataFrame
        As `labelrank_core.evaluation.confidence.RiskCoverage.frame` returns it.
    risk_title : str
        What the loss is.

    Returns
    -------
    Figure
        Lower is better; between the ideal order and a random one.
    """
    figure = blank(300, legend=_LEGEND, showlegend=True, hovermode="x unified")
    figure.update_layout(margin_t=50)
    lines = (
        ("random", "random order", LINE, "dash"),
        ("risk", "surest first", ACCENT, "solid"),
        ("ideal", "ideal order", _GREEN, "dot"),
    )
    for column, name, color, dash in lines:
        figure.add_scatter(
            x=curve["share_kept"],
            y=curve[column],
            name=name,
            mode="lines",
            line={"color": color, "dash": dash, "width": 3},
            hovertemplate="%{y:.3f}",
        )
    figure.update_xaxes(title="share of cases kept", tickformat=".0%", fixedrange=True)
    figure.update_yaxes(title=f"mean {risk_title}", rangemode="tozero", fixedrange=True)
    return figure


def abstention_curve(curve: pd.DataFrame, chosen: int) -> go.Figure:
    """Draw how right the predicted label pairs are against how many are predicted.

    Parameters
    ----------
    curve : DataFrame
        As `labelrank_core.evaluation.abstention.AbstentionCurve.frame` returns it.
    chosen : int
        The row to mark.

    Returns
    -------
    Figure
        One point a threshold; thresholds that predict no pair have none.
    """
    figure = blank(320)
    figure.add_scatter(
        x=curve["completeness"],
        y=curve["correctness"],
        mode="lines+markers",
        line={"color": ACCENT, "width": 3},
        customdata=curve["threshold"],
        hovertemplate="threshold %{customdata:.0%}: completeness %{x:.2f}, correctness %{y:.2f}"
        "<extra></extra>",
    )
    mark = curve.iloc[chosen]
    figure.add_scatter(
        x=[mark["completeness"]],
        y=[mark["correctness"]],
        mode="markers",
        marker={"color": _RED, "size": 15, "symbol": "diamond"},
        hoverinfo="skip",
    )
    figure.update_xaxes(title="completeness (share of pairs predicted)", fixedrange=True)
    figure.update_yaxes(title="correctness", autorangeoptions=_UP_TO_ONE, fixedrange=True)
    return figure


def possible_positions(
    positions: tuple[IntArray, IntArray], truth: FloatArray, label_names: Sequence[str]
) -> go.Figure:
    """Draw where each label can stand in a ranking that keeps to a partial order.

    Parameters
    ----------
    positions : tuple of ndarray of int, shape (n_labels,)
        The best and the worst position of each label.
    truth : ndarray of shape (n_labels,)
        True positions, marked where known; NaN = not ranked.
    label_names : sequence of str
        Names of the labels.

    Returns
    -------
    Figure
        One bar a label, the best at the top.
    """
    first, last = positions
    order = np.lexsort((first, first + last))
    rows = list(range(len(order)))
    figure = blank(70 + 34 * len(order))
    figure.add_bar(
        base=first[order] - 0.35,
        x=(last - first)[order] + 0.7,
        y=rows,
        orientation="h",
        width=0.62,
        marker={"color": [label_color(int(label)) for label in order], "line": {"width": 0}},
        customdata=[
            f"{plotly(label_names[label])}: position {span}"
            for label, span in zip(order, _spans(first[order], last[order]), strict=True)
        ],
        hovertemplate="%{customdata}<extra></extra>",
    )
    known = [row for row in rows if not np.isnan(truth[order[row]])]
    figure.add_scatter(
        x=truth[order[known]],
        y=known,
        mode="markers",
        marker={
            "symbol": "diamond",
            "size": 13,
            "color": "#ffffff",
            "line": {"color": "#000000", "width": 2},
        },
        hovertemplate="true position %{x}<extra></extra>",
    )
    figure.update_xaxes(
        title="position (1 = best)",
        dtick=1 if len(order) <= 20 else None,
        range=[0.4, len(order) + 0.6],
        fixedrange=True,
        zeroline=False,
    )
    figure.update_yaxes(
        tickvals=rows,
        ticktext=[plotly(shorten(label_names[label], 16)) for label in order],
        range=[len(order) - 0.5, -0.5],
        fixedrange=True,
        ticksuffix="  ",
    )
    return figure


def _spans(first: IntArray, last: IntArray) -> list[str]:
    pairs = zip(first.tolist(), last.tolist(), strict=True)
    return [str(low) if low == high else f"{low} to {high}" for low, high in pairs]
