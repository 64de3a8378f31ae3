"""The figure of a Mallows model: how far rankings are from their centre."""

import numpy as np

from labelrank_core.explain.evidence import MallowsFit
from labelrank_core.explain.markup.figures import (
    LINE,
    MARGIN,
    NO_GRID,
    Look,
    explained,
    figure,
)
from labelrank_core.explain.markup.palette import ACCENT

_MOST_TICKS = 15


def mallows_fit(fit: MallowsFit) -> Look:
    """Draw how many rankings lie at each distance from the centre, and how many are expected."""
    far = np.flatnonzero((fit.observed > 0) | (fit.expected >= 0.05))
    last = max(int(far[-1]), 1)
    distances = np.arange(last + 1)
    bars = {
        "type": "bar",
        "x": distances,
        "y": fit.observed[: last + 1],
        "marker": {"color": ACCENT},
        "hovertemplate": "%{y} rankings reverse %{x} pairs<extra></extra>",
    }
    curve = {
        "x": distances,
        "y": fit.expected[: last + 1],
        "mode": "lines+markers",
        "line": {"color": LINE, "dash": "dot", "width": 2},
        "marker": {"color": LINE, "size": 7},
        "hovertemplate": "%{y:.2f} expected<extra></extra>",
    }
    return figure(
        240,
        [bars, curve],
        x={
            "title": "label pairs in reverse order of the centre",
            "range": [-0.6, last + 0.6],
            **NO_GRID,
            **({"dtick": 1} if last < _MOST_TICKS else {}),
        },
        y={"title": "rankings", "rangemode": "tozero"},
        title=explained({"■ rankings": ACCENT, "● expected by the model": LINE}),
        margin={**MARGIN, "t": 56},
    )
