"""Figures of what-if: a rank trajectory, the first label over two features. No Streamlit."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from labelrank_core.what_if import Feature, Sweep, TopMap, written
from pages.ui.charts import LINE, blank, dot, label_color
from pages.ui.text import plotly, shorten

_DRAWN_LABELS = 12
_NAME_LETTERS = 14


def drawn_labels(swept: Sweep) -> list[int]:
    """List the labels to draw: of many those that come nearest to the first place.

    Parameters
    ----------
    swept : Sweep
        The trajectories.

    Returns
    -------
    list of int
        In the order of their best positions.
    """
    best = np.min([piece.positions for piece in swept.pieces], axis=0)
    return [int(label) for label in np.argsort(best, kind="stable")[:_DRAWN_LABELS]]


def trajectory(swept: Sweep, label_names: Sequence[str]) -> go.Figure:
    """Draw every label's position while one feature moves through its range.

    Parameters
    ----------
    swept : Sweep
        The case with every value of the feature.
    label_names : sequence of str
        Names of the labels.

    Returns
    -------
    Figure
        A line a label, best position at the top; the case's own value as a dotted line.
    """
    labels = drawn_labels(swept)
    figure = blank(150 + 26 * len(labels))
    feature = swept.feature
    for label in labels:
        x: list[float | None] = []
        y: list[int] = []
        for place, piece in enumerate(swept.pieces):
            ends = (place - 0.35, place + 0.35) if feature.is_nominal else (piece.start, piece.end)
            x += [*ends, None]
            y += [int(piece.positions[label])] * 3
        color, name = label_color(label), plotly(shorten(label_names[label], _NAME_LETTERS))
        for width, joined in ((1, True), (6, False)):
            figure.add_trace(
                go.Scatter(
                    x=x,
                    y=y,
                    mode="lines",
                    connectgaps=joined,
                    line={"color": color, "width": width},
                    hovertemplate=f"{plotly(label_names[label])}: place %{{y}}<extra></extra>",
                    hoverinfo="skip" if joined else None,
                )
            )
        figure.add_annotation(
            x=1,
            xref="paper",
            xanchor="left",
            y=y[-1],
            text=f" {dot(label)} {name}",
            showarrow=False,
        )
    _zero_line(figure, swept)
    _mark_own(figure, swept)
    last = int(max(piece.positions[label] for piece in swept.pieces for label in labels))
    figure.update_yaxes(
        title="place",
        range=[last + 0.5, 0.5],
        tickvals=list(range(1, last + 1, max(1, last // 10))),
        fixedrange=True,
        zeroline=False,
    )
    widest = max(len(shorten(label_names[label], _NAME_LETTERS)) for label in labels)
    figure.update_layout(margin={"l": 8, "r": 40 + 7 * widest, "t": 36})
    return figure


def _zero_line(figure: go.Figure, swept: Sweep) -> None:
    """Draw between which places the zero line stands, where label sets are predicted."""
    if not swept.own.is_set:
        return
    feature = swept.feature
    x: list[float] = []
    y: list[float] = []
    for place, piece in enumerate(swept.pieces):
        x += (place - 0.5, place + 0.5) if feature.is_nominal else (piece.start, piece.end)
        y += [float(piece.prediction.sum()) + 0.5] * 2
    figure.add_trace(
        go.Scatter(
            x=x,
            y=y,
            mode="lines",
            line={"color": LINE, "width": 2, "dash": "dot"},
            hovertemplate="zero line<extra></extra>",
        )
    )


def _mark_own(figure: go.Figure, swept: Sweep) -> None:
    feature, own = swept.feature, swept.own.value
    name = plotly(shorten(feature.column.name, 40))
    if feature.is_nominal:
        categories = [plotly(shorten(word, 12)) for word in feature.column.categories]
        figure.update_xaxes(
            tickvals=list(range(len(categories))),
            ticktext=categories,
            range=[-0.5, len(categories) - 0.5],
        )
    figure.add_vline(x=own, line={"dash": "dot", "color": LINE, "width": 2})
    figure.add_annotation(
        x=own,
        y=1,
        yref="paper",
        yanchor="bottom",
        text=f"<b>this case: {plotly(shorten(written(feature, own), 14))}</b>",
        showarrow=False,
    )
    figure.update_xaxes(title=name, fixedrange=True, showgrid=False, zeroline=False)


def first_labels(shown: TopMap, label_names: Sequence[str]) -> go.Figure:
    """Draw which label comes first for every pair of values of two features.

    Parameters
    ----------
    shown : TopMap
        The labels.
    label_names : sequence of str
        Names of the labels.

    Returns
    -------
    Figure
        A map coloured by label, each named where most of it lies; the case as a ring.
    """
    labels = [int(label) for label in np.unique(shown.tops)]
    index = np.searchsorted(labels, shown.tops)
    n = len(labels)
    colors = [[edge / n, label_color(label)] for i, label in enumerate(labels)
              for edge in (i, i + 1)]  # fmt: skip
    names = np.array([plotly(name) for name in label_names], dtype=object)
    figure = blank(420)
    figure.add_trace(
        go.Heatmap(
            x=shown.x_values,
            y=shown.y_values,
            z=index,
            zmin=-0.5,
            zmax=n - 0.5,
            colorscale=colors,
            opacity=0.75,
            showscale=False,
            customdata=names[shown.tops],
            hovertemplate="%{customdata} first<extra></extra>",
        )
    )
    figure.add_trace(
        go.Scatter(
            x=[shown.own[0]],
            y=[shown.own[1]],
            mode="markers",
            marker={
                "size": 16,
                "color": "rgba(255,255,255,0.9)",
                "line": {"width": 4, "color": "#000000"},
            },
            hovertemplate="this case<extra></extra>",
            cliponaxis=False,
        )
    )
    for i, label in enumerate(labels):
        rows, columns = np.nonzero(index == i)
        # The cell of the label nearest to the middle of its cells holds the name.
        middle = np.argmin((rows - rows.mean()) ** 2 + (columns - columns.mean()) ** 2)
        figure.add_annotation(
            x=shown.x_values[columns[middle]],
            y=shown.y_values[rows[middle]],
            text=f"<b>{plotly(shorten(label_names[label], _NAME_LETTERS))}</b>",
            showarrow=False,
            font={"color": "#000000"},
            bgcolor="rgba(255,255,255,0.75)",
        )
    for update, feature in ((figure.update_xaxes, shown.across), (figure.update_yaxes, shown.up)):
        update(title=plotly(shorten(feature.column.name, 40)), fixedrange=True, **_ticks(feature))
    figure.update_layout(margin={"l": 8, "r": 12, "t": 12})
    return figure


def _ticks(feature: Feature) -> dict[str, object]:
    grid: dict[str, object] = {"showgrid": False, "zeroline": False}
    if not feature.is_nominal:
        return grid
    categories = [plotly(shorten(word, 12)) for word in feature.column.categories]
    return {**grid, "tickvals": list(range(len(categories))), "ticktext": categories}
