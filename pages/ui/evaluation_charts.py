"""Figures of how good and how sure a method is. No Streamlit here."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from pages.ui.charts import ACCENT, LINE


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
