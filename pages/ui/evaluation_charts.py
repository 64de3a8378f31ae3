"""Figures of how good and how sure a method is. No Streamlit here."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from labelrank_core.standing import Standing
from pages.ui.charts import ACCENT, LINE, blank


def confidence_curves(
    curve: pd.DataFrame, accuracy_title: str, threshold: float | None = None
) -> go.Figure:
    """Draw accuracy against confidence, the two curves of Fig. 2 of Brinker and Hüllermeier.

    Parameters
    ----------
    curve : DataFrame
        As `labelrank_core.confidence.accuracy_by_confidence` returns it.
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
        rows=2, cols=1, shared_xaxes=True, row_heights=[0.72, 0.28], vertical_spacing=0.06
    )
    x = curve["confidence"]
    sizes = 6 + 18 * np.sqrt(curve["n_cases"] / curve["n_cases"].max())
    figure.add_scatter(
        x=x,
        y=curve["accuracy_at"],
        name="(a) at this confidence",
        mode="markers",
        marker={"color": "#E69F00", "size": sizes, "opacity": 0.75},
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
        row=1,
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
        row=2,
        col=1,
    )
    if threshold is not None:
        figure.add_vline(x=threshold, line={"dash": "dot", "color": "#D55E00", "width": 2})
    figure.update_xaxes(fixedrange=True)
    figure.update_xaxes(title="confidence", row=2, col=1)
    figure.update_yaxes(fixedrange=True)
    figure.update_yaxes(title=f"mean {accuracy_title}", row=1, col=1)
    figure.update_yaxes(title="kept", tickformat=".0%", range=[0, 1.05], row=2, col=1)
    figure.update_layout(
        height=480,
        dragmode=False,
        hovermode="x unified",
        legend={"orientation": "h", "y": 1.12, "x": 0},
        margin={"l": 8, "r": 12, "t": 60, "b": 8},
    )
    return figure


def confidence_among(standing: Standing) -> go.Figure:
    """Draw the confidences of other cases, with one case's own marked.

    Parameters
    ----------
    standing : Standing
        The case among the others.

    Returns
    -------
    Figure
        A histogram; those at least as sure in blue.
    """
    values, own = standing.confidences, standing.confidence
    low, high = min(float(values.min()), own), max(float(values.max()), own)
    # An edge of the bars lies at the case's own confidence.
    width = (high - low) / 30 or 0.02
    n_below, n_above = int(np.ceil((own - low) / width)), int(np.ceil((high - own) / width)) + 1
    edges = own + width * np.arange(-n_below - 1, n_above + 1)
    counts, _ = np.histogram(values, edges)
    figure = blank(260)
    figure.add_trace(
        go.Bar(
            x=(edges[:-1] + edges[1:]) / 2,
            y=counts,
            width=width * 0.94,
            marker={
                "color": [ACCENT if edge >= own - width / 2 else "#999999" for edge in edges[:-1]],
                "line": {"width": 0},
            },
            hovertemplate="%{y} test cases<extra></extra>",
        )
    )
    figure.add_vline(x=own, line={"dash": "dot", "color": LINE, "width": 3})
    figure.add_annotation(
        x=own,
        y=1,
        yref="paper",
        yanchor="bottom",
        text=f"<b>this case: {own:.2f}</b>",
        showarrow=False,
    )
    figure.update_xaxes(title="confidence", fixedrange=True, zeroline=False)
    figure.update_yaxes(title="test cases", fixedrange=True)
    return figure
