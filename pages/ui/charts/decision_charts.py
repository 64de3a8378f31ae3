"""Figures of decision rules: their thresholds, and what they trade for what. No Streamlit here."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from labelrank_core.metrics import Measure
from pages.ui.charts.figures import ACCENT, LINE, blank, label_color
from pages.ui.text import plotly, shorten_all

TUNED = "#D55E00"
_MOST_LABELS = 30
_LETTERS = 16
# Two columns whatever the width.
_LEGEND = {"orientation": "h", "entrywidth": 0.48, "entrywidthmode": "fraction", "x": 0}


@dataclass(frozen=True)
class _Mark:
    color: str
    symbol: str
    size: int = 13


# The own rule is a ring, so that a rule that comes to the same is seen inside it.
_MARKS = {
    "own": _Mark(LINE, "circle-open", 24),
    "plain": _Mark(LINE, "diamond-open", 17),
    "hamming": _Mark(ACCENT, "circle"),
    "macro_f1": _Mark("#E69F00", "diamond"),
    "micro_f1": _Mark("#009E73", "square"),
    "subset": _Mark("#CC79A7", "triangle-up", 15),
    "ranking": _Mark("#56B4E9", "x-thin", 11),
}


def thresholds(table: pd.DataFrame) -> go.Figure:
    """Draw each label's threshold, tuned and the method's own, among the scores they divide.

    Parameters
    ----------
    table : DataFrame
        As `labelrank_core.evaluation.decisions.Decisions.label_frame` returns it.

    Returns
    -------
    Figure
        One row a label, most frequent at the top; of many labels those whose threshold moves most.
    """
    moved = (table["threshold"] - table["own_threshold"]).abs()
    kept = table.loc[moved.nlargest(_MOST_LABELS).index].sort_index()
    kept = kept.sort_values("frequency", ascending=False, kind="stable")
    rows = np.arange(len(kept))
    figure = blank(
        110 + 26 * len(kept),
        showlegend=True,
        legend={**_LEGEND, "y": 1, "yanchor": "bottom"},
        margin={"l": 8, "r": 12, "t": 56, "b": 8},
    )
    colors = [label_color(int(label)) for label in kept.index]
    for name, shift in (("without", 0.17), ("with", -0.17)):
        figure.add_trace(_spans(kept, rows + shift, name, colors if name == "with" else None))
    hovered = [plotly(name) for name in kept["label"]]
    for name, column, mark in (
        ("own threshold", "own_threshold", {"color": LINE, "symbol": "diamond-open", "size": 12}),
        ("tuned threshold", "threshold", {"color": TUNED, "symbol": "line-ns-open", "size": 14}),
    ):
        figure.add_trace(
            go.Scatter(
                x=kept[column],
                y=rows,
                name=name,
                mode="markers",
                marker={**mark, "line": {"width": 4 if column == "threshold" else 2}},
                customdata=hovered,
                hovertemplate=f"%{{customdata}}: {name} %{{x:.3f}}<extra></extra>",
                cliponaxis=False,
            )
        )
    figure.update_yaxes(
        tickvals=rows,
        ticktext=[plotly(name) for name in shorten_all(list(kept["label"]), _LETTERS)],
        range=[len(kept) - 0.4, -0.6],
        fixedrange=True,
        zeroline=False,
        showgrid=False,
        ticksuffix="  ",
    )
    figure.update_xaxes(title="score of the label", fixedrange=True, zeroline=False)
    return figure


def _spans(table: pd.DataFrame, rows: np.ndarray, name: str, colors: list[str] | None) -> go.Bar:
    low, high = table[f"{name}_low"], table[f"{name}_high"]
    return go.Bar(
        x=high - low,
        base=low,
        y=rows,
        width=0.3,
        orientation="h",
        name=f"{name} the label",
        marker={"color": colors or LINE, "opacity": 0.9 if colors else 0.35, "line": {"width": 0}},
        customdata=[
            [plotly(row.label), *ends]
            for row, *ends in zip(table.itertuples(), low, high, strict=True)
        ],
        hovertemplate=(
            f"%{{customdata[0]}}: the middle 80 % of the cases {name} it score "
            "%{customdata[1]:.3f} to %{customdata[2]:.3f}<extra></extra>"
        ),
    )


def trade_off(
    rules: pd.DataFrame, across: Measure, up: Measure, chosen: str, path: pd.DataFrame | None = None
) -> go.Figure:
    """Draw rules by two measures.

    Parameters
    ----------
    rules : DataFrame
        As `labelrank_core.evaluation.decisions.trade_off` returns it.
    across, up : Measure
        The measures.
    chosen : str
        Key of the rule to draw larger.
    path : DataFrame or None
        As `virtual_label_rules` returns it: points joined by a line.

    Returns
    -------
    Figure
        One mark a rule.
    """
    figure = blank(
        480,
        showlegend=True,
        legend={**_LEGEND, "y": 0, "yanchor": "bottom", "yref": "container"},
        margin={"l": 8, "r": 16, "t": 30, "b": 8},
    )
    points = rules
    if path is not None:
        figure.add_trace(_path(path, across, up))
        _name_ends(figure, path, across, up)
        points = pd.concat([rules, path])
    for row in rules.to_dict("records"):
        mark = _MARKS[row["rule"]]
        thin = mark.symbol.endswith(("-open", "-thin"))
        figure.add_trace(
            go.Scatter(
                x=[row[across.key]],
                y=[row[up.key]],
                name=row["title"],
                mode="markers",
                marker={
                    "color": mark.color,
                    "symbol": mark.symbol,
                    "size": mark.size + (6 if row["rule"] == chosen and not thin else 0),
                    "line": {
                        "width": 3 if thin else 2 if row["rule"] == chosen else 0,
                        "color": mark.color if thin else LINE,
                    },
                },
                hovertemplate=(
                    f"<b>{row['title']}</b><br>{across.title} %{{x:.3f}}<br>{up.title} %{{y:.3f}}"
                    f"<br>{row['labels_per_case']:.1f} labels a case<extra></extra>"
                ),
                cliponaxis=False,
            )
        )
    for update, axis in ((figure.update_xaxes, across), (figure.update_yaxes, up)):
        update(
            title=f"{axis.title} ({axis.better} is better)",
            range=_room(points[axis.key]),
            fixedrange=True,
            zeroline=False,
        )
    right, top = across.greater_is_better, up.greater_is_better
    arrow = {(1, 1): "↗", (1, 0): "↘", (0, 1): "↖", (0, 0): "↙"}[int(right), int(top)]
    figure.add_annotation(
        x=int(right),
        y=int(top),
        xref="paper",
        yref="paper",
        xanchor="right" if right else "left",
        yanchor="bottom",
        text=f"better {arrow}",
        showarrow=False,
        font={"color": LINE},
    )
    return figure


def _path(path: pd.DataFrame, across: Measure, up: Measure) -> go.Scatter:
    return go.Scatter(
        x=path[across.key],
        y=path[up.key],
        name="virtual labels p",
        mode="lines+markers",
        line={"color": LINE, "width": 1.5, "dash": "dot"},
        marker={"color": LINE, "size": 6},
        customdata=path["n_virtual_labels"],
        hovertemplate=(
            f"<b>p = %{{customdata}}</b><br>{across.title} %{{x:.3f}}<br>{up.title} %{{y:.3f}}"
            "<extra></extra>"
        ),
        cliponaxis=False,
    )


def _name_ends(figure: go.Figure, path: pd.DataFrame, across: Measure, up: Measure) -> None:
    """Write the first and the last p to the right of the path, where they do not meet."""
    first, last = path.iloc[0], path.iloc[-1]
    below = first[up.key] <= last[up.key]
    for row, side in ((first, -1 if below else 1), (last, 1 if below else -1)):
        figure.add_annotation(
            x=row[across.key],
            y=row[up.key],
            text=f"p = {row['n_virtual_labels']:.0f}",
            showarrow=False,
            xanchor="left",
            xshift=8,
            yshift=14 * side,
            font={"color": LINE, "size": 11},
        )


def _room(values: pd.Series) -> list[float]:
    low, high = float(values.min()), float(values.max())
    room = 0.12 * (high - low) or 0.01
    return [low - room, high + room]
