"""Figures of predicted preferences: all pairs of labels, and what carries one of them."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from labelrank_core.explain.evidence import PairMatrix, WinShares
from pages.ui.charts.base import LINE, MARGIN, ROWS, picture
from pages.ui.charts.scores import win_shares
from pages.ui.text import JOINER, plotly, shorten

_AGAINST = "#D55E00"
_FOR = "#0072B2"


def pair_matrix(matrix: PairMatrix, label_names: Sequence[str]) -> go.Figure:
    """Draw all pairs in the predicted order; those that contradict it are outlined."""
    figure = win_shares(WinShares(matrix.preferences, matrix.positions), label_names)
    place = {int(label): i for i, label in enumerate(np.argsort(matrix.positions))}
    cells = [(place[b], place[a]) for a, b in matrix.against]
    figure.update_layout(
        shapes=[
            {
                "type": "rect",
                "x0": x - 0.46,
                "x1": x + 0.46,
                "y0": y - 0.46,
                "y1": y + 0.46,
                "line": {"color": _AGAINST, "width": 3},
            }
            for column, row in cells
            for x, y in ((column, row), (row, column))
        ]
    )
    return figure


def pair_contributions(
    table: pd.DataFrame, carrier_names: Sequence[str], first: str, second: str
) -> go.Figure:
    """Draw what pulls the first label ahead (to the right) or behind (to the left)."""
    rows = [
        f"{plotly(shorten(name, 26))}{JOINER * place}" for place, name in enumerate(carrier_names)
    ]
    values = table["adds"].to_numpy()
    bars = {
        "type": "bar",
        "x": values,
        "y": rows,
        "orientation": "h",
        "marker": {"color": [_FOR if value > 0 else _AGAINST for value in values]},
        "hovertemplate": "%{x:+.3f}<extra></extra>",
    }
    ends = f"← {plotly(shorten(second, 14))} · {plotly(shorten(first, 14))} →"
    return picture(
        84 + 26 * len(rows),
        [bars],
        x={"title": ends, "zeroline": True, "zerolinecolor": LINE, "zerolinewidth": 1},
        y=ROWS,
        margin={**MARGIN, "t": 8},
        bargap=0.35,
    )
