"""Rankings drawn: side by side as a ladder, one below the other as strips; label sets."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from labelrank_core.rankings import FloatArray, IntArray
from pages.ui.charts.base import LINE, MARGIN, MUTED, NO_GRID, ROWS, Look, numbered_columns, picture
from pages.ui.palette import ink, label_color
from pages.ui.text import plotly, shorten, shorten_all

_EMPTY = "rgba(0, 0, 0, 0)"
_SEAM = "rgba(255, 255, 255, 0.6)"
_LADDER_LETTERS = 14
# Strips with more places are too narrow for names; colours and hovering tell.
_MOST_NAMED_PLACES = 12


@dataclass(frozen=True)
class LadderColumn:
    """One ranking of a ladder: its labels, best first, without those that are not ranked."""

    title: str
    order: Sequence[int]
    # How many labels are ahead of the zero line; None: there is no line.
    n_relevant: int | None = None


def ladder(columns: Sequence[LadderColumn], label_names: Sequence[str]) -> go.Figure:
    """Draw rankings side by side, best at the top, the same labels joined by lines."""
    places = [_places(column) for column in columns]
    deepest = max((y for place in places for y in place.values()), default=1)
    last = len(columns) - 1
    beside = 40 + 7 * min(_LADDER_LETTERS, max(len(name) for name in label_names))
    return picture(
        64 + 34 * (len(label_names) + 1),
        [
            _rung(label, name, at, columns)
            for label, name in enumerate(label_names)
            if (at := [(x, place[label]) for x, place in enumerate(places) if label in place])
        ],
        x={
            "range": [-0.1, max(last, 1) + 0.1],
            "tickvals": list(range(len(columns))),
            "ticktext": [f"<b>{column.title}</b>" for column in columns],
            "side": "top",
            **NO_GRID,
        },
        y={"range": [deepest + 0.6, 0.4], "visible": False},
        shapes=_zero_lines(columns),
        margin={**MARGIN, "l": 20 if last == 0 else beside, "r": beside},
    )


def _rung(
    label: int, name: str, at: list[tuple[int, float]], columns: Sequence[LadderColumn]
) -> Look:
    """Join the places of a label, named at its first one and at the right end of the ladder."""
    last = len(columns) - 1
    color = label_color(label)
    position = columns[at[0][0]].order.index(label) + 1
    short = plotly(shorten(name, _LADDER_LETTERS))
    texts = ["" for _ in at]
    texts[0] = f"{position}  {short}"
    sides = ["middle right" if last == 0 else "middle left"] * len(at)
    if last and at[-1][0] == last:
        texts[-1], sides[-1] = short, "middle right"
    return {
        "x": [x for x, _ in at],
        "y": [y for _, y in at],
        "mode": "lines+markers+text",
        "text": texts,
        "textposition": sides,
        "line": {"color": color, "width": 3},
        "marker": {"color": color, "size": 20, "symbol": "square"},
        "hovertemplate": "%{customdata}<extra></extra>",
        "customdata": [
            f"{plotly(name)}: place {columns[x].order.index(label) + 1} "
            f"({columns[x].title.lower()})"
            for x, _ in at
        ],
        "cliponaxis": False,
    }


def _places(column: LadderColumn) -> dict[int, float]:
    """Give every label its height; labels behind the zero line stand a little lower."""
    line = len(column.order) if column.n_relevant is None else column.n_relevant
    return {
        label: place + 1 + (0.7 if place >= line else 0) for place, label in enumerate(column.order)
    }


def _zero_lines(columns: Sequence[LadderColumn]) -> list[Look]:
    return [
        {
            "type": "line",
            "x0": x - 0.3,
            "x1": x + 0.3,
            "y0": column.n_relevant + 0.85,
            "y1": column.n_relevant + 0.85,
            "line": {"dash": "dot", "color": LINE},
        }
        for x, column in enumerate(columns)
        if column.n_relevant is not None
    ]


def ranking_strips(
    rankings: FloatArray | IntArray,
    row_names: Sequence[str],
    label_names: Sequence[str],
    *,
    has_zero_line: bool = False,
    n_places: int | None = None,
    row_height: int = 26,
) -> go.Figure:
    """Draw rankings as coloured strips, one below the other."""
    names = [*label_names, "the zero line"] if has_zero_line else list(label_names)
    orders = np.argsort(rankings, axis=1, kind="stable")
    ranked = ~np.isnan(np.take_along_axis(rankings, orders, axis=1))
    colors = [label_color(label) for label in range(len(label_names))] + [LINE]
    n_places = min(n_places or orders.shape[1], orders.shape[1])
    length = max(3, 40 // n_places)
    shorts = [*map(plotly, shorten_all(label_names, length)), "zero"]
    traces = []
    for place in range(n_places):
        labels = [
            int(label) if is_ranked else None
            for label, is_ranked in zip(orders[:, place], ranked[:, place], strict=True)
        ]
        traces.append(
            {
                "type": "bar",
                "y": list(row_names),
                "x": [1] * len(labels),
                "base": place,
                "orientation": "h",
                "marker": {
                    "color": [_EMPTY if label is None else colors[label] for label in labels],
                    "line": {
                        "width": 1,
                        "color": [MUTED if label is None else _SEAM for label in labels],
                    },
                },
                "text": ["" if label is None else shorts[label] for label in labels],
                "textposition": "inside" if n_places <= _MOST_NAMED_PLACES else "none",
                "insidetextanchor": "middle",
                "textangle": 0,
                "textfont": {
                    "color": [LINE if label is None else ink(colors[label]) for label in labels],
                    "size": min(11, row_height - 7),
                },
                "constraintext": "none",
                "customdata": [
                    "no further label is ranked" if label is None else plotly(names[label])
                    for label in labels
                ],
                "hovertemplate": "%{y}: %{customdata}<extra></extra>",
            }
        )
    return picture(
        56 + row_height * len(orders),
        traces,
        x={
            "range": [0, n_places],
            "tickvals": [place + 0.5 for place in range(n_places)],
            "ticktext": [str(place + 1) for place in range(n_places)],
            "side": "top",
            **NO_GRID,
        },
        y={**ROWS, "dtick": 1, "tickfont": {"size": min(12, row_height - 6)}},
        bargap=0.12,
        barmode="stack",
    )


def label_set_grid(
    relevant: NDArray[np.bool_],
    row_names: Sequence[str],
    label_names: Sequence[str],
    order: Sequence[int],
) -> go.Figure:
    """Draw which labels each of some cases has."""
    cells = [(x, y) for x in range(len(order)) for y in range(len(row_names))]
    has = [bool(relevant[y, order[x]]) for x, y in cells]
    # One trace for all cells: many traces take long to build.
    squares = {
        "x": [x for x, _ in cells],
        "y": [row_names[y] for _, y in cells],
        "mode": "markers",
        "marker": {
            "symbol": "square",
            "size": 18,
            "color": [
                label_color(order[x]) if own else _EMPTY
                for (x, _), own in zip(cells, has, strict=True)
            ],
            "line": {"width": 1, "color": MUTED},
        },
        "customdata": [
            f"{'has' if own else 'does not have'} {plotly(label_names[order[x]])}"
            for (x, _), own in zip(cells, has, strict=True)
        ],
        "hovertemplate": "%{y} %{customdata}<extra></extra>",
        "cliponaxis": False,
    }
    names = [label_names[label] for label in order]
    # Room for the last name, which leans to the right.
    right = 12 + (5 * min(12, len(names[-1])) if len(order) > 5 else 0)
    return picture(
        96 + 26 * len(relevant),
        [squares],
        x={
            **numbered_columns(names),
            "range": [-0.6, len(order) - 0.4],
            "ticklabeloverflow": "allow",
        },
        y=ROWS,
        margin={**MARGIN, "r": right},
    )
