"""Figures of calibration: stated probabilities beside the shares that are right."""

from collections.abc import Sequence
from math import ceil, floor

import plotly.graph_objects as go

from labelrank_core.evaluation.ranking_calibration import LevelCalibration
from labelrank_core.explain.render.markup.palette import ACCENT
from pages.ui.render.charts.base import (
    LINE,
    MARGIN,
    Look,
    numbered_rows,
    picture,
)
from pages.ui.wording.text import plotly, shorten_middle

# From this p on chance explains the difference.
LEVEL = 0.05
BEYOND = "#C2570C"
# Of the bars on which chance puts an honest method.
CHANCE = "rgba(136, 136, 136, 0.35)"
_LETTERS = 28
_ROW_HEIGHT = 66


def said_and_right(rows: Sequence[LevelCalibration], names: Sequence[str]) -> go.Figure:
    """Draw the mean probability of each level as a ring and the share that is right as a mark.

    A wide grey line is where the mark lies for 95% of perfectly calibrated methods; a diamond lies
    beside it.
    """
    chances: list[Look] = [
        {
            "x": [row.low, row.high],
            "y": [i, i],
            "mode": "lines",
            "line": {"color": CHANCE, "width": 20},
            "hoverinfo": "skip",
        }
        for i, row in enumerate(rows)
    ]
    said: Look = {
        "x": [row.probability for row in rows],
        "y": list(range(len(rows))),
        "mode": "markers+text",
        "text": [f"says {row.probability:.0%}" for row in rows],
        "textposition": "top center",
        "marker": {"symbol": "circle-open", "size": 17, "color": LINE, "line": {"width": 2}},
        "cliponaxis": False,
        "hovertemplate": "says %{x:.1%}<extra></extra>",
    }
    marks: list[Look] = [
        {
            "x": [row.right for row in chosen],
            "y": [rows.index(row) for row in chosen],
            "mode": "markers",
            "marker": {"symbol": symbol, "size": 11, "color": color},
            "cliponaxis": False,
            "hovertemplate": "right in %{x:.1%}<extra></extra>",
        }
        for chosen, symbol, color in (
            ([row for row in rows if row.p > LEVEL], "circle", ACCENT),
            ([row for row in rows if row.p <= LEVEL], "diamond", BEYOND),
        )
        if chosen
    ]
    # As far from the line as the text of the ring: a small mark would have its text on the ring.
    right_texts: Look = {
        "x": [row.right for row in rows],
        "y": list(range(len(rows))),
        "mode": "markers+text",
        "text": [f"<b>right {row.right:.0%}</b>" for row in rows],
        "textposition": "bottom center",
        "marker": {"size": 19, "opacity": 0},
        "cliponaxis": False,
        "hoverinfo": "skip",
    }
    titles = [f"<b>{plotly(shorten_middle(name, _LETTERS))}</b>" for name in names]
    return picture(
        64 + _ROW_HEIGHT * len(rows),
        [*chances, said, *marks, right_texts],
        x={"tickformat": ".0%", "zeroline": False, "range": _whole_tenths(rows)},
        y={**numbered_rows(titles), "gridcolor": CHANCE},
        margin={**MARGIN, "t": 8, "r": 34},
    )


def _whole_tenths(rows: Sequence[LevelCalibration]) -> list[float]:
    """Return the tenths between which all marks lie; a mark at the upper one has the margin."""
    shares = [share for row in rows for share in (row.low, row.high, row.probability, row.right)]
    return [max(0.0, floor(10 * min(shares) - 0.1) / 10), ceil(10 * max(shares)) / 10]
