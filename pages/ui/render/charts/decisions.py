"""Figures of decision rules: their thresholds and trade-offs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from labelrank_core.explain.render import Picture, markup
from labelrank_core.explain.render.markup.grids import Tinted
from labelrank_core.explain.render.markup.palette import ACCENT, label_color
from labelrank_core.methods.params import Knob
from labelrank_core.metrics import Measure
from pages.ui.render.charts.base import LINE, NO_GRID, Look, numbered_rows, picture
from pages.ui.wording.text import plotly, shorten_all

TUNED = "#C11F5B"
_THRESHOLDS = (
    (
        "own_threshold",
        "own threshold",
        {"color": LINE, "symbol": "diamond-open", "size": 12, "line": {"width": 2}},
    ),
    (
        "threshold",
        "tuned threshold",
        {"color": TUNED, "symbol": "line-ns-open", "size": 14, "line": {"width": 4}},
    ),
)
_MOST_LABELS = 30
_LETTERS = 16
# Two columns whatever the width.
_LEGEND = {"orientation": "h", "entrywidth": 0.48, "entrywidthmode": "fraction", "x": 0}
# Where both measures are better, by whether higher values of them are.
_ARROWS = {(True, True): "↗", (True, False): "↘", (False, True): "↖", (False, False): "↙"}


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
    "macro_f1": _Mark("#8A6D3B", "diamond"),
    "micro_f1": _Mark("#0E8C9A", "square"),
    "subset": _Mark("#7B2D8E", "triangle-up", 15),
    "ranking": _Mark("#A9A9EE", "x-thin", 11),
    "sets_hamming": _Mark(ACCENT, "circle-open"),
    "sets_f1": _Mark("#8A6D3B", "diamond-open"),
    "sets_subset": _Mark("#7B2D8E", "triangle-up-open", 15),
}


def threshold_spans(table: pd.DataFrame) -> go.Figure:
    """Draw each label's threshold, tuned and the method's own, among the scores they divide."""
    # A method that decides on sets as a whole has no thresholds of its own.
    moved = (table["threshold"] - table["own_threshold"].fillna(0.0)).abs()
    most_moved = table.loc[moved.nlargest(_MOST_LABELS).index].sort_index()
    most_moved = most_moved.sort_values("frequency", ascending=False, kind="stable")
    rows, names = np.arange(len(most_moved)), [plotly(name) for name in most_moved["label"]]
    colors = [label_color(int(label)) for label in most_moved.index]
    marks = [
        {
            "x": most_moved[column],
            "y": rows,
            "name": name,
            "mode": "markers",
            "marker": mark,
            "customdata": names,
            "hovertemplate": f"%{{customdata}}: {name} %{{x:.3f}}<extra></extra>",
            "cliponaxis": False,
        }
        for column, name, mark in _THRESHOLDS
        if most_moved[column].notna().any()
    ]
    short = [plotly(name) for name in shorten_all(list(most_moved["label"]), _LETTERS)]
    return picture(
        110 + 26 * len(most_moved),
        [
            _spans(most_moved, rows + 0.17, "without"),
            _spans(most_moved, rows - 0.17, "with", colors),
            *marks,
        ],
        x={"title": "score of the label", "zeroline": False},
        y={**numbered_rows(short), **NO_GRID},
        showlegend=True,
        legend={**_LEGEND, "y": 1, "yanchor": "bottom"},
        margin={"l": 8, "r": 12, "t": 56, "b": 8},
    )


def _spans(
    table: pd.DataFrame, rows: NDArray[Any], name: str, colors: list[str] | None = None
) -> Look:
    """Draw where the middle 80 % of the scores lie of the cases with, or without, each label."""
    low, high = table[f"{name}_low"], table[f"{name}_high"]
    return {
        "type": "bar",
        "x": high - low,
        "base": low,
        "y": rows,
        "width": 0.3,
        "orientation": "h",
        "name": f"{name} the label",
        "marker": {
            "color": colors or LINE,
            "opacity": 0.9 if colors else 0.35,
            "line": {"width": 0},
        },
        "customdata": [
            [plotly(label), *ends] for label, *ends in zip(table["label"], low, high, strict=True)
        ],
        "hovertemplate": (
            f"%{{customdata[0]}}: the middle 80 % of the cases {name} it score "
            "%{customdata[1]:.3f} to %{customdata[2]:.3f}<extra></extra>"
        ),
    }


def trade_off(
    rules: pd.DataFrame,
    across: Measure,
    up: Measure,
    selected_rule: str,
    path: tuple[Knob, pd.DataFrame] | None = None,
) -> go.Figure:
    """Draw rules by two measures, the chosen one larger; values of a knob are joined by a line."""
    points = rules if path is None else pd.concat([rules, path[1]])
    right, top = across.greater_is_better, up.greater_is_better
    better = {
        "x": int(right),
        "y": int(top),
        "xref": "paper",
        "yref": "paper",
        "xanchor": "right" if right else "left",
        "yanchor": "bottom",
        "text": f"better {_ARROWS[right, top]}",
        "showarrow": False,
    }
    x, y = (
        {
            "title": f"{axis.title} ({axis.better} is better)",
            "range": _room(points[axis.key]),
            "zeroline": False,
        }
        for axis in (across, up)
    )
    return picture(
        480,
        [
            *([] if path is None else [_path(*path, across, up)]),
            *(
                _rule(row, across, up, is_selected=row["rule"] == selected_rule)
                for _, row in rules.iterrows()
            ),
        ],
        x=x,
        y=y,
        annotations=[*([] if path is None else _names_of_ends(*path, across, up)), better],
        showlegend=True,
        legend={**_LEGEND, "y": 0, "yanchor": "bottom", "yref": "container"},
        margin={"l": 8, "r": 16, "t": 30, "b": 8},
    )


def _rule(row: pd.Series, across: Measure, up: Measure, *, is_selected: bool) -> Look:
    mark = _MARKS[row["rule"]]
    thin = mark.symbol.endswith(("-open", "-thin"))
    return {
        "x": [row[across.key]],
        "y": [row[up.key]],
        # On a phone a long name has no room in one line of the legend.
        "name": row["title"].replace(", ", ",<br>"),
        "mode": "markers",
        "marker": {
            "color": mark.color,
            "symbol": mark.symbol,
            "size": mark.size + (6 if is_selected and not thin else 0),
            "line": {
                "width": 3 if thin else 2 if is_selected else 0,
                "color": mark.color if thin else LINE,
            },
        },
        "hovertemplate": (
            f"<b>{row['title']}</b><br>{across.title} %{{x:.3f}}<br>{up.title} %{{y:.3f}}"
            f"<br>{row['labels_per_case']:.1f} labels per case<extra></extra>"
        ),
        "cliponaxis": False,
    }


def rule_matrix(rules: pd.DataFrame, measures: Sequence[Measure]) -> Picture:
    """Draw the measure that a rule optimises against the measures of its results, best darkest."""
    values = rules[[measure.key for measure in measures]].to_numpy(dtype=np.float64)
    gains = values * [1 if measure.greater_is_better else -1 for measure in measures]
    best, worst = gains.max(axis=0), gains.min(axis=0)
    span = np.where(best > worst, best - worst, 1.0)
    firsts = [
        f"{measure.title} {values[row, column]:.3f} by {rules['title'].iloc[row]}"
        for column, (measure, row) in enumerate(zip(measures, gains.argmax(axis=0), strict=True))
    ]
    return Picture(
        "rule-matrix",
        f"best of each measure: {'; '.join(firsts)}",
        rules,
        "A row is what a rule is optimised for, a column what it is measured by; the darker, the "
        "better in its column.",
        markup.matrix(
            Tinted(
                (gains - worst) / span,
                [[f"{value:.3f}" for value in row] for row in values],
                list(rules["title"]),
                [measure.title for measure in measures],
            )
        ),
    )


def _path(knob: Knob, path: pd.DataFrame, across: Measure, up: Measure) -> Look:
    return {
        "x": path[across.key],
        "y": path[up.key],
        "name": knob.label,
        "mode": "lines+markers",
        "line": {"color": LINE, "width": 1.5, "dash": "dot"},
        "marker": {"color": LINE, "size": 6},
        "customdata": path[knob.name],
        "hovertemplate": (
            f"<b>{knob.symbol} = %{{customdata}}</b>"
            f"<br>{across.title} %{{x:.3f}}<br>{up.title} %{{y:.3f}}<extra></extra>"
        ),
        "cliponaxis": False,
    }


def _names_of_ends(knob: Knob, path: pd.DataFrame, across: Measure, up: Measure) -> list[Look]:
    """Write the first and the last value to the right of the path, where they do not meet."""
    first, last = path.iloc[0], path.iloc[-1]
    rises = first[up.key] <= last[up.key]
    return [
        {
            "x": row[across.key],
            "y": row[up.key],
            "text": f"{knob.symbol} = {row[knob.name]:g}",
            "showarrow": False,
            "xanchor": "left",
            "xshift": 8,
            "yshift": 14 * side,
        }
        for row, side in ((first, -1 if rises else 1), (last, 1 if rises else -1))
    ]


def _room(values: pd.Series) -> list[float]:
    """Return the ends of an axis that leaves some room around values."""
    low, high = float(values.min()), float(values.max())
    room = 0.12 * (high - low) or 0.01
    return [low - room, high + room]
