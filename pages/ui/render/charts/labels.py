"""Figures of the quality of predictions label by label."""

from math import ceil

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from labelrank_core.explain.render.markup.palette import ACCENT, label_color
from pages.ui.render.charts.base import LINE, MUTED, explained, numbered_rows, picture
from pages.ui.wording.text import plotly, shorten_all

_LETTERS = 16
# An axis of shares has at most so many steps of one of these.
_MOST_STEPS, _SHARE_STEPS = 3, (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
_MARKS = {
    "precision": ("precision", "#A9A9EE", "triangle-left", "◀"),
    "recall": ("recall", "#8A6D3B", "triangle-right", "▶"),
    "f1": ("F1", ACCENT, "circle", "●"),
    "auc": ("AUC", LINE, "diamond-open", "◇"),
}
_SHARE = "#BBBBBB"


def label_quality(table: pd.DataFrame) -> go.Figure:
    """Draw precision, recall, F1 and AUC of each label on a bar, the share of cases with it."""
    rows, names = list(range(len(table))), [plotly(name) for name in table["label"]]
    shares = {
        "type": "bar",
        "x": table["share"],
        "y": rows,
        "orientation": "h",
        "width": 0.8,
        "marker": {"color": MUTED, "line": {"width": 0}},
        "name": "cases that have it",
        "customdata": names,
        "hovertemplate": "%{customdata}: %{x:.0%} of the cases have it<extra></extra>",
    }
    marks = [
        {
            "x": table[column],
            "y": rows,
            "mode": "markers",
            "name": name,
            "marker": {"color": color, "symbol": symbol, "size": 11},
            "customdata": names,
            "hovertemplate": f"%{{customdata}}: {name} %{{x:.3f}}<extra></extra>",
            "cliponaxis": False,
        }
        for column, (name, color, symbol, _) in _MARKS.items()
        if column in table
    ]
    marks_explained = {
        f"{sign} {name}": color
        for column, (name, color, _, sign) in _MARKS.items()
        if column in table
    }
    return picture(
        90 + 26 * len(table),
        [shares, *marks],
        x={"range": [0, 1.02], "zeroline": False},
        y=numbered_rows(_short_names(table)),
        barmode="overlay",
        title=explained({"■ cases that have it": _SHARE, **marks_explained}),
        margin={"l": 8, "r": 12, "t": 56, "b": 8},
    )


def place_errors(table: pd.DataFrame) -> go.Figure:
    """Draw the mean position error of each label, and its frequency of coming first.

    The index of the table has the numbers of the labels, which give them their colours.
    """
    figure = make_subplots(
        rows=1,
        cols=2,
        shared_yaxes=True,
        horizontal_spacing=0.1,
        subplot_titles=[
            "positions off,<br>on average",
            "share of first places<br>◯ real • predicted",
        ],
    )
    rows, names = list(range(len(table))), [plotly(name) for name in table["label"]]
    colors = [label_color(int(label)) for label in table.index]
    figure.add_bar(
        x=table["mean_error"],
        y=rows,
        orientation="h",
        width=0.6,
        marker={"color": colors, "line": {"width": 0}},
        text=[f"{error:.2f}" for error in table["mean_error"]],
        textposition="outside",
        constraintext="none",
        cliponaxis=False,
        customdata=names,
        hovertemplate="%{customdata}: misses by %{x:.2f} positions on average<extra></extra>",
        row=1,
        col=1,
    )
    # The dot is seen within the ring and beside it, on a phone, too.
    for column, name, symbol, size in (
        ("first_share", "really", "circle-open", 15),
        ("predicted_first_share", "predicted", "circle", 7),
    ):
        figure.add_scatter(
            x=table[column],
            y=rows,
            mode="markers",
            name=name,
            marker={
                "color": colors,
                "symbol": symbol,
                "size": size,
                "line": {"width": 2 if symbol == "circle-open" else 0},
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
    # No label is first in more than all cases: the scale ends there.
    most_share = float(table[["first_share", "predicted_first_share"]].max(axis=None))
    end = min(1.0, 1.1 * most_share) or 1.0
    step = next((step for step in _SHARE_STEPS if end / step <= _MOST_STEPS), _SHARE_STEPS[-1])
    # The last step is drawn whole, with room for a mark at its end.
    end = 1.02 * step * ceil(round(end / step, 6))
    figure.update_xaxes(tickformat=".0%", range=[0, end], dtick=step, row=1, col=2)
    figure.update_yaxes(fixedrange=True, **numbered_rows(_short_names(table)))
    return figure


def _short_names(table: pd.DataFrame) -> list[str]:
    return [plotly(name) for name in shorten_all(list(table["label"]), _LETTERS)]
