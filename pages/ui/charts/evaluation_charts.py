"""Figures of how good and how sure a method is. No Streamlit here."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from labelrank_core.explain.standing import Standing
from labelrank_core.rankings import FloatArray
from pages.ui.charts.figures import ACCENT, LINE, MUTED, blank
from pages.ui.text import plotly, shorten_middle


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


def critical_differences(
    means: FloatArray,
    names: Sequence[str],
    groups: Sequence[Sequence[int]],
    difference: float,
    control: int | None,
) -> go.Figure:
    """Draw average ranks, and which of them cannot be told apart.

    Parameters
    ----------
    means : ndarray of shape (n_methods,)
        Average ranks.
    names : sequence of str
        Names of the methods.
    groups : sequence of sequence of int
        Methods that cannot be told apart, joined by bars.
    difference : float
        The critical difference.
    control : int or None
        The method around which a band of that width is drawn; None: none.

    Returns
    -------
    Figure
        One row a method, the best at the top; bars beside them for the groups.
    """
    order = np.argsort(means, kind="stable")
    rows = {int(method): row for row, method in enumerate(order)}
    figure = blank(110 + 30 * len(order))
    if control is not None:
        figure.add_vrect(
            x0=means[control] - difference,
            x1=means[control] + difference,
            fillcolor=MUTED,
            line_width=0,
            layer="below",
        )
    figure.add_trace(
        go.Scatter(
            x=means[order],
            y=list(range(len(order))),
            mode="markers+text",
            text=[f"<b>{mean:.2f}</b>" for mean in means[order]],
            textposition="top center",
            marker={
                "size": 14,
                "color": ["#D55E00" if method == control else ACCENT for method in order],
            },
            customdata=[plotly(names[method]) for method in order],
            hovertemplate="%{customdata}: %{x:.3f}<extra></extra>",
            cliponaxis=False,
        )
    )
    low, high = float(means.min()), float(means.max())
    # Bars stand to the right of all ranks, one beside the other.
    step = 0.04 * (high - low or 1.0)
    for place, group in enumerate(groups):
        x = high + (3 + 1.5 * place) * step
        rows_of = [min(rows[method] for method in group), max(rows[method] for method in group)]
        figure.add_trace(
            go.Scatter(
                x=[x, x],
                y=[rows_of[0] - 0.2, rows_of[1] + 0.2],
                mode="lines",
                line={"width": 6, "color": LINE},
                hovertemplate=", ".join(plotly(names[method]) for method in group)
                + "<extra></extra>",
            )
        )
    figure.update_yaxes(
        tickvals=list(range(len(order))),
        ticktext=[plotly(shorten_middle(names[method], 22)) for method in order],
        range=[len(order) - 0.5, -0.7],
        fixedrange=True,
        zeroline=False,
        ticksuffix="  ",
    )
    ends = [low - 2 * step, high + (2 + 1.5 * (len(groups) + 1)) * step]
    if control is not None:
        ends = [
            min(ends[0], means[control] - difference),
            max(ends[1], means[control] + difference),
        ]
    figure.update_xaxes(
        title="average rank (lower is better)", range=ends, fixedrange=True, zeroline=False
    )
    return figure
