"""Figures of recomputed numbers beside the printed ones, and of their differences."""

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from labelrank_core.explain.render.markup.palette import ACCENT
from pages.ui.render.charts.base import (
    LINE,
    MARGIN,
    MUTED,
    Look,
    explained,
    explained_lines,
    lines_of,
    numbered_rows,
    picture,
    upright,
)
from pages.ui.wording.text import plotly, shorten_middle

# A shape and a colour each, so that neither alone must be seen.
_MARKS = {
    "within": ("circle", ACCENT),
    "above": ("triangle-up", "#15803D"),
    "below": ("triangle-down", "#C2570C"),
    "differs": ("diamond", "#64748B"),
}
_KEYS = {"within": "● holds", "above": "▲ better", "below": "▼ worse", "differs": "◆ differs"}
_LETTERS, _TITLE_LETTERS, _HEADING_LETTERS = 26, 28, 50
# Pixels of a letter of the names of rows, over which the headings reach.
_LETTER_WIDTH = 8
# Of rows whose names take one line, or two.
_ROW_HEIGHT, _HIGH_ROW = 26, 38
# Of the numbers along an axis with one line of its title, and of each further one.
_AXIS_HEIGHT, _TITLE_HEIGHT = 50, 18
# Numbers that lie further apart than this factor are drawn on a logarithmic axis.
_MOST_FOLD = 50


def print_and_ours(
    rows: pd.DataFrame,
    names: Sequence[str],
    measure: str,
    value_range: tuple[float, float] = (-math.inf, math.inf),
    groups: Sequence[str] = (),
) -> go.Figure:
    """Draw each printed number as a stroke and the recomputed one as a mark, a row per number.

    `rows` is a ledger, whose tolerances are lines behind the strokes, as far as the measure has
    values; `names` name its rows. With `groups`, the group of each row, a heading precedes those of
    a group.
    """
    low, high = value_range
    numbers = [*rows["printed"], *rows["ours"]]
    is_wide = min(numbers) > 0 and max(numbers) > _MOST_FOLD * min(numbers)
    indices = list(range(len(rows)))
    short = [_row_name(name) for name in names]
    heights, headings = _under_headings(groups or [""] * len(rows))
    longest = max(len(line) for name in short for line in name.split("<br>"))
    printed: Look = {
        "x": rows["printed"].tolist(),
        "y": heights,
        "mode": "markers",
        "marker": {"symbol": "line-ns", "size": 16, "line": {"width": 2, "color": LINE}},
        "error_x": {
            "symmetric": False,
            "array": np.minimum(rows["tolerance"], high - rows["printed"]).tolist(),
            "arrayminus": np.minimum(rows["tolerance"], rows["printed"] - low).tolist(),
            "color": MUTED,
            "thickness": 7,
            "width": 0,
        },
        "hoverinfo": "skip",
    }
    traces = [printed]
    keys = {"| printed": LINE}
    for verdict, (symbol, color) in _MARKS.items():
        chosen = [i for i in indices if rows["verdict"].iloc[i] == verdict]
        if not chosen:
            continue
        key = _KEYS[verdict]
        keys[f"{key[0]} recomputed: {key[2:]}" if len(keys) == 1 else key] = color
        traces.append(
            {
                "x": [rows["ours"].iloc[i] for i in chosen],
                "y": [heights[i] for i in chosen],
                "mode": "markers",
                "marker": {"symbol": symbol, "size": 9, "color": color},
                "customdata": [
                    [plotly(" · ".join([*groups[i : i + 1], names[i]])), rows["printed"].iloc[i]]
                    for i in chosen
                ],
                "hovertemplate": "%{customdata[0]}: %{x:.6~g}, print %{customdata[1]:.6~g}"
                "<extra></extra>",
            }
        )
    title = lines_of(measure, _TITLE_LETTERS)
    # The axis is read before the rows, which may be many.
    top = 12 + 22 * explained_lines(keys) + _AXIS_HEIGHT + _TITLE_HEIGHT * title.count("<br>")
    return picture(
        12 + top + _row_height(short) * (len(rows) + len(headings)),
        traces,
        x={
            "title": {"text": title, "standoff": 4},
            "side": "top",
            "gridcolor": MUTED,
            "showgrid": True,
            "zeroline": False,
            **({"type": "log", "dtick": 1} if is_wide else {}),
        },
        y={
            **numbered_rows([""] * (len(rows) + len(headings))),
            "tickvals": heights,
            "ticktext": short,
            "gridcolor": MUTED,
        },
        margin={**MARGIN, "t": top},
        title=explained(keys),
        annotations=[
            {
                "text": f"<b>{plotly(shorten_middle(heading, _HEADING_LETTERS))}</b>",
                "x": 0,
                "xref": "paper",
                "xanchor": "left",
                "xshift": -_LETTER_WIDTH * longest,
                "y": height,
                "showarrow": False,
            }
            for height, heading in headings.items()
        ],
    )


def _row_name(name: str) -> str:
    """Write the name of a row in two lines where one is too short."""
    return lines_of(shorten_middle(name, 2 * _LETTERS), _LETTERS)


def _row_height(names: Sequence[str]) -> int:
    return _HIGH_ROW if any("<br>" in name for name in names) else _ROW_HEIGHT


def _under_headings(groups: Sequence[str]) -> tuple[list[int], dict[int, str]]:
    """Return the height of each row, and the headings of groups by their heights."""
    heights: list[int] = []
    headings: dict[int, str] = {}
    for i, group in enumerate(groups):
        if group and (i == 0 or group != groups[i - 1]):
            headings[i + len(headings)] = group
        heights.append(i + len(headings))
    return heights, headings


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
