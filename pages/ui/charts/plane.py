"""Where a case and its neighbours lie among all cases: on a map or in the plane of two features."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, radians

import numpy as np
import plotly.graph_objects as go

from labelrank_core.markup.palette import ACCENT, label_color
from labelrank_core.rankings import FloatArray, IntArray
from pages.ui.charts.base import LINE, MARGIN, NO_GRID, Look, picture
from pages.ui.text import plotly

_MOST_POINTS = 500


@dataclass(frozen=True, eq=False)
class Plane:
    """Two coordinates of every case.

    Parameters
    ----------
    places : ndarray of shape (n_cases, 2)
        Across and up.
    titles : tuple of (str, str)
        What they are.
    is_map : bool
        Whether they are longitude and latitude in degrees.
    """

    places: FloatArray
    titles: tuple[str, str]
    is_map: bool = False


def neighborhood(
    plane: Plane,
    own: tuple[float, float],
    neighbors: IntArray,
    labels: IntArray,
    said: Sequence[str],
    *,
    reach: FloatArray | None = None,
    height: int = 380,
) -> go.Figure:
    """Draw all cases in the colour of a label, the neighbours numbered and joined to the case.

    `labels` is the label of each case, -1 for none, `said` what hovering says, `reach` the half
    axes of a circle around the case.
    """
    rest = np.setdiff1d(np.arange(len(plane.places)), neighbors)
    if len(rest) > _MOST_POINTS:
        rest = np.random.default_rng(0).choice(rest, _MOST_POINTS, replace=False)
    x, y = plane.places.T
    lines_x = np.column_stack([x[neighbors], np.full((len(neighbors), 2), [own[0], np.nan])])
    lines_y = np.column_stack([y[neighbors], np.full((len(neighbors), 2), [own[1], np.nan])])
    traces: list[Look] = [
        _points(x[rest], y[rest], labels[rest], said, rest, {"size": 6, "opacity": 0.7}),
        {
            "x": lines_x.ravel(),
            "y": lines_y.ravel(),
            "mode": "lines",
            "line": {"color": LINE, "width": 1, "dash": "dot"},
            "hoverinfo": "skip",
        },
        {
            **_points(x[neighbors], y[neighbors], labels[neighbors], said, neighbors, {"size": 12}),
            "mode": "markers+text",
            "text": [str(i + 1) for i in range(len(neighbors))],
            "textposition": "middle right",
        },
        {
            "x": [own[0]],
            "y": [own[1]],
            "mode": "markers",
            "marker": {
                "size": 17,
                "symbol": "circle-open",
                "line": {"width": 4},
                "color": ACCENT,
            },
            "hovertext": ["this case"],
            "hoverinfo": "text",
        },
    ]
    if reach is not None:
        turn = np.linspace(0, 2 * np.pi, 73)
        traces.append(
            {
                "x": own[0] + reach[0] * np.cos(turn),
                "y": own[1] + reach[1] * np.sin(turn),
                "mode": "lines",
                "line": {"color": ACCENT, "width": 1.5},
                "hoverinfo": "skip",
            }
        )
    axes = [{"title": {"text": plotly(title)}, **NO_GRID} for title in plane.titles]
    if plane.is_map:
        hidden = {"showticklabels": False, "title": None}
        stretch = 1 / cos(radians(float(np.median(y))))
        axes = [axes[0] | hidden, axes[1] | hidden | {"scaleanchor": "x", "scaleratio": stretch}]
    return picture(height, traces, x=axes[0], y=axes[1], margin=MARGIN | {"t": 8})


def _points(
    x: FloatArray,
    y: FloatArray,
    labels: IntArray,
    said: Sequence[str],
    cases: IntArray,
    marker: Look,
) -> Look:
    colors = [label_color(int(label)) if label >= 0 else LINE for label in labels]
    return {
        "x": x,
        "y": y,
        "mode": "markers",
        "marker": {**marker, "color": colors},
        "hovertext": [plotly(said[case]) for case in cases],
        "hoverinfo": "text",
    }
