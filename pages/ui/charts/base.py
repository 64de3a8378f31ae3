"""Figures of pages: those of the package as Plotly shows them. No Streamlit."""

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

import plotly.graph_objects as go

from labelrank_core.explain.markup.figures import Look, figure
from pages.ui.text import plotly


def picture(
    height: int,
    traces: Sequence[Look],
    *,
    x: Look | None = None,
    y: Look | None = None,
    **more: Any,
) -> go.Figure:
    """Return a figure that neither drags nor zooms; traces without a type are scatters."""
    # Plotly checks it once, which takes a third of the time of a figure built step by step.
    return go.Figure(**figure(height, traces, x=x, y=y, **more))


def lines_of(title: str, letters: int) -> str:
    """Break a title into lines of at most so many letters; its words are safe afterwards."""
    return "<br>".join(plotly(line) for line in wrap(title, letters))


def blank(height: int, **layout: Any) -> go.Figure:
    """Return a figure that neither drags nor zooms, without traces."""
    return picture(height, (), **layout)
