"""A figure of the differences of recomputed numbers from printed ones."""

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from labelrank_core.explain.render.markup.palette import ACCENT
from pages.ui.render.charts.base import (
    LINE,
    MARGIN,
    MUTED,
    Look,
    lines_of,
    numbered_rows,
    picture,
    upright,
)
from pages.ui.wording.text import plotly, shorten_middle

# A shape and a colour each, so that neither alone must be seen.
_MARKS = {
    "within": ("circle", ACCENT),
    "above": ("triangle-up", "#0369A1"),
    "below": ("triangle-down", "#C2570C"),
    "differs": ("diamond", "#64748B"),
}
_LETTERS = 26
# Of rows whose names take one line, or two.
_ROW_HEIGHT, _HIGH_ROW = 26, 38


def _row_name(name: str) -> str:
    """Write the name of a row in two lines where one is too short."""
    return lines_of(shorten_middle(name, 2 * _LETTERS), _LETTERS)


def _row_height(names: Sequence[str]) -> int:
    return _HIGH_ROW if any("<br>" in name for name in names) else _ROW_HEIGHT


def differences(rows: pd.DataFrame, gains: Sequence[float], titles: Sequence[str]) -> go.Figure:
    """Draw the gain of each number over print, a row per method, a dot per data set.

    `rows` is a ledger of one measure with one tolerance, `gains` are larger than 0 where the
    recomputed number is better, `titles` name the methods.
    """
    names = list(dict.fromkeys(titles))
    row_of_title = {name: i for i, name in enumerate(names)}
    tolerance = float(rows["tolerance"].max())
    traces: list[Look] = []
    for verdict, (symbol, color) in list(_MARKS.items())[:3]:
        indices = [i for i, row_verdict in enumerate(rows["verdict"]) if row_verdict == verdict]
        traces.append(
            {
                "x": [gains[i] for i in indices],
                "y": [row_of_title[titles[i]] for i in indices],
                "mode": "markers",
                "marker": {"symbol": symbol, "size": 10, "color": color, "opacity": 0.8},
                "customdata": [
                    [
                        plotly(str(rows["data"].iloc[i])),
                        rows["printed"].iloc[i],
                        rows["ours"].iloc[i],
                    ]
                    for i in indices
                ],
                "hovertemplate": "%{customdata[0]}: %{customdata[2]:.3f}, "
                "print %{customdata[1]:.3f}<extra></extra>",
            }
        )
    band = {
        "type": "rect",
        "x0": -tolerance,
        "x1": tolerance,
        "y0": 0,
        "y1": 1,
        "yref": "y domain",
        "fillcolor": MUTED,
        "line": {"width": 0},
        "layer": "below",
    }
    short = [_row_name(name) for name in names]
    return picture(
        90 + max(30, _row_height(short)) * len(names),
        traces,
        x={"title": "worse ← difference → better", "zeroline": False},
        y={**numbered_rows(short), "gridcolor": MUTED},
        margin={**MARGIN, "t": 8},
        shapes=[band, upright(0, 1) | {"line": {"color": LINE, "width": 1}}],
    )
