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

_MOST_TICKS, _MOST_BARS = 15, 50
_WIDTHS = tuple(factor * 10**power for power in range(9) for factor in (1, 2, 5))


def mallows_fit(fit: MallowsFit) -> Look:
    """Draw how many rankings lie at each distance from the centre, and how many are expected.

    Of more distances than bars can be seen, so many together.
    """
    far = np.flatnonzero((fit.observed > 0) | (fit.expected >= 0.05))
    last = max(int(far[-1]), 1)
    width = next(width for width in _WIDTHS if last < width * _MOST_BARS)
    starts = np.arange(0, last + 1, width)
    middles = starts + (width - 1) / 2
    observed, expected = (
        np.add.reduceat(counts[: last + 1], starts) for counts in (fit.observed, fit.expected)
    )
    ranges = [str(start) if width == 1 else f"{start} to {start + width - 1}" for start in starts]
    bars = {
        "type": "bar",
        "x": middles,
        "y": observed,
        "marker": {"color": ACCENT},
        "customdata": ranges,
        "hovertemplate": "%{y} rankings reverse %{customdata} pairs<extra></extra>",
    }
    curve = {
        "x": middles,
        "y": expected,
        "mode": "lines+markers",
        "line": {"color": LINE, "dash": "dot", "width": 2},
        "marker": {"color": LINE, "size": 7},
        "cliponaxis": False,
        "hovertemplate": "%{y:.2f} expected<extra></extra>",
    }
    together = "" if width == 1 else f",<br>{width} numbers per bar"
    return figure(
        240,
        [bars, curve],
        x={
            "title": f"label pairs in reverse order of the centre{together}",
            "range": [middles[0] - 0.6 * width, middles[-1] + 0.6 * width],
            **NO_GRID,
            **({"dtick": 1} if last < _MOST_TICKS else {}),
        },
        y={"title": "rankings", "rangemode": "tozero"},
        title=explained({"■ rankings": ACCENT, "● expected by the model": LINE}),
        margin={**MARGIN, "t": 56},
    )
