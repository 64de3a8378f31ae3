"""Plotly's figures in the manner of the pages: their shared layout. No Streamlit."""

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

import plotly.graph_objects as go

from labelrank_core.explain.render.markup.palette import LINE, label_color
from pages.ui.wording.text import plotly

MUTED = "rgba(136, 136, 136, 0.25)"
MARGIN = {"l": 8, "r": 12, "t": 30, "b": 8}
NO_GRID = {"showgrid": False, "zeroline": False}
# Little lets the page through: pale on white, dark on black, and the page's own text stays legible.
SEQUENTIAL = ((0.0, "rgba(74, 159, 212, 0.06)"), (1.0, "rgba(74, 159, 212, 0.65)"))
# Orange to blue: distinguishable with colour blindness.
DIVERGING = (
    (0.0, "rgba(232, 131, 58, 0.65)"),
    (0.5, "rgba(153, 145, 135, 0.06)"),
    (1.0, "rgba(74, 159, 212, 0.65)"),
)
# Matrices with more columns have no room for their numbers.
NUMBERS_UP_TO = 10
Look = dict[str, Any]
# Pixels: the marks of a legend, larger than its words.
_MARK_LETTERS = 18


def picture(
    height: int,
    traces: Sequence[Look],
    *,
    x: Look | None = None,
    y: Look | None = None,
    **more: Any,
) -> go.Figure:
    """Return a figure that neither drags nor zooms; traces without a type are scatters."""
    fixed = {"fixedrange": True}
    layout = {
        "height": height,
        "margin": MARGIN,
        "showlegend": False,
        "dragmode": False,
        "xaxis": fixed | (x or {}),
        "yaxis": fixed | (y or {}),
        **more,
    }
    # Plotly checks it once, which takes a third of the time of a figure built step by step.
    return go.Figure(data=list(traces), layout=layout)


def blank(height: int, **layout: Any) -> go.Figure:
    """Return a figure that neither drags nor zooms, without traces."""
    return picture(height, (), **layout)


def lines_of(title: str, letters: int) -> str:
    """Break a title into lines of at most so many letters; its words are safe afterwards."""
    return "<br>".join(plotly(line) for line in wrap(title, letters))


def dot(label: int) -> str:
    """Return a small square in a label's colour, for the texts of figures."""
    return f"<span style='color:{label_color(label)}'>■</span>"


def upright(x: float, width: int) -> Look:
    """Return a dotted line from the bottom to the top, for the shapes of a figure."""
    return {
        "type": "line",
        "x0": x,
        "x1": x,
        "y0": 0,
        "y1": 1,
        "yref": "y domain",
        "line": {"dash": "dot", "color": LINE, "width": width},
    }


def text_above(x: float, text: str, **more: Any) -> Look:
    """Return a text above a point, for the annotations of a figure."""
    where = {"x": x, "y": 1, "yref": "paper", "yanchor": "bottom"}
    return {**where, "text": text, "showarrow": False, **more}


def numbered_rows(names: Sequence[str]) -> Look:
    """Return the axis of rows 0, 1, … from top to bottom, whose names are safe already."""
    return {
        "tickvals": list(range(len(names))),
        "ticktext": list(names),
        "range": [len(names) - 0.4, -0.6],
        "ticksuffix": "  ",
        "zeroline": False,
    }


def explained_lines(entries: dict[str, str]) -> int:
    """Count the lines of `explained`: more than four entries do not fit one of a phone."""
    return 1 if len(entries) <= 4 else 2


def explained(entries: dict[str, str]) -> Look:
    """Return the meaning of symbols and colours as a title: a legend would break the lines."""
    mark = "<span style='color:{color};font-size:{size}px'>{mark}</span> {words}"
    texts = [
        mark.format(color=color, size=_MARK_LETTERS, mark=entry[0], words=entry[1:].strip())
        if color
        else entry
        for entry, color in entries.items()
    ]
    lines = [texts] if explained_lines(entries) == 1 else [texts[:3], texts[3:]]
    return {
        "text": "<br>".join("   ".join(line) for line in lines),
        "font": {"size": 13, "weight": 400},
        "x": 0,
        "xref": "container",
        "y": 1,
        "yref": "container",
        "yanchor": "top",
        "pad": {"t": _MARK_LETTERS * len(lines) - 8},
    }
