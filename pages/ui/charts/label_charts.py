"""Figures of how well each label is predicted. No Streamlit here."""

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from pages.ui.charts.figures import ACCENT, LINE, MUTED, blank
from pages.ui.text import plotly, shorten_all

_LETTERS = 16
_MARKS = {
    "precision": ("precision", "#56B4E9", "triangle-left"),
    "recall": ("recall", "#E69F00", "triangle-right"),
    "f1": ("F1", ACCENT, "circle"),
    "auc": ("AUC", LINE, "diamond-open"),
}
_TRUE, _PREDICTED = "#E69F00", ACCENT


def label_quality(table: pd.DataFrame) -> go.Figure:
    """Draw how well each label of a label set is found.

    Parameters
    ----------
    table : DataFrame
        Rows of `error_analysis.label_frame` with ``f1``, the first at the top.

    Returns
    -------
    Figure
        A row a label: precision, recall, F1 and AUC as marks on a bar, the share of cases that
        have the label.
    """
    figure = blank(90 + 26 * len(table), legend={"orientation": "h", "y": 1, "yanchor": "bottom"})
    figure.update_layout(showlegend=True, barmode="overlay", margin_t=56)
    rows, names = list(range(len(table))), [plotly(name) for name in table["label"]]
    figure.add_bar(
        x=table["share"],
        y=rows,
        orientation="h",
        width=0.8,
        marker={"color": MUTED, "line": {"width": 0}},
        name="cases that have it",
        customdata=names,
        hovertemplate="%{customdata}: %{x:.0%} of the cases have it<extra></extra>",
    )
    for column, (name, color, symbol) in _MARKS.items():
        if column not in table:
            continue
        figure.add_scatter(
            x=table[column],
            y=rows,
            mode="markers",
            name=name,
            marker={"color": color, "symbol": symbol, "size": 11},
            customdata=names,
            hovertemplate=f"%{{customdata}}: {name} %{{x:.3f}}<extra></extra>",
            cliponaxis=False,
        )
    figure.update_xaxes(range=[0, 1.02], fixedrange=True, zeroline=False)
    return _named_rows(figure, table)


def place_errors(table: pd.DataFrame) -> go.Figure:
    """Draw how far off each label of a ranking is, and how often it comes first.

    Parameters
    ----------
    table : DataFrame
        Rows of `error_analysis.label_frame` with ``mean_error``, the first at the top.

    Returns
    -------
    Figure
        Left, the mean distance between predicted and true place; right, the shares of cases in
        which the label truly comes first, and in which it is predicted to.
    """
    figure = make_subplots(
        rows=1,
        cols=2,
        shared_yaxes=True,
        horizontal_spacing=0.06,
        subplot_titles=[
            "places off",
            f"how often first<br><span style='color:{_TRUE}'>○</span> true "
            f"<span style='color:{_PREDICTED}'>●</span> predicted",
        ],
    )
    rows, names = list(range(len(table))), [plotly(name) for name in table["label"]]
    figure.add_bar(
        x=table["mean_error"],
        y=rows,
        orientation="h",
        width=0.6,
        marker={"color": "#999999", "line": {"width": 0}},
        customdata=names,
        hovertemplate="%{customdata}: %{x:.2f} places off<extra></extra>",
        row=1,
        col=1,
    )
    for column, name, color, symbol in (
        ("first_share", "true", _TRUE, "circle-open"),
        ("predicted_first_share", "predicted", _PREDICTED, "circle"),
    ):
        figure.add_scatter(
            x=table[column],
            y=rows,
            mode="markers",
            name=name,
            marker={
                "color": color,
                "symbol": symbol,
                "size": 14 if "open" in symbol else 8,
                "line": {"width": 3 if "open" in symbol else 0},
            },
            customdata=names,
            hovertemplate=f"%{{customdata}}: {name} first in %{{x:.0%}}<extra></extra>",
            cliponaxis=False,
            row=1,
            col=2,
        )
    figure.update_layout(
        height=84 + 28 * len(table),
        dragmode=False,
        showlegend=False,
        margin={"l": 8, "r": 16, "t": 46, "b": 8},
    )
    figure.update_annotations(font_size=13)
    figure.update_xaxes(fixedrange=True, zeroline=False, rangemode="tozero", nticks=4)
    figure.update_xaxes(tickformat=".0%", row=1, col=2)
    return _named_rows(figure, table)


def _named_rows(figure: go.Figure, table: pd.DataFrame) -> go.Figure:
    short = shorten_all(list(table["label"]), _LETTERS)
    figure.update_yaxes(
        tickvals=list(range(len(table))),
        ticktext=[plotly(name) for name in short],
        range=[len(table) - 0.4, -0.6],
        fixedrange=True,
        zeroline=False,
        ticksuffix="  ",
    )
    return figure
