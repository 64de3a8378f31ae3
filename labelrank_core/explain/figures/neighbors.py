"""Figures of similar cases: labels against the zero line, what a count means."""

from collections.abc import Sequence

import numpy as np

from labelrank_core.explain.evidence import CountEvidence
from labelrank_core.explain.markup.figures import (
    MARGIN,
    MUTED,
    NO_GRID,
    Look,
    explained,
    figure,
    said_above,
)
from labelrank_core.explain.markup.palette import ACCENT, label_color
from labelrank_core.explain.markup.text import plotly, shorten_all

_MOST_TICKS = 12
# No label has this colour; some are grey.
_WITHOUT = ACCENT


def count_likelihoods(counts: CountEvidence, label: int, label_names: Sequence[str]) -> Look:
    """Draw how likely every count of neighbours is for cases with and without a label."""
    table = counts.by_count(label)
    x, own = table["neighbours with it"], int(counts.own[label])
    name = plotly(shorten_all(label_names, 18)[label])
    band = {"type": "rect", "x0": own - 0.4, "x1": own + 0.4, "y0": 0, "y1": 1, "yref": "y domain"}
    looks = {
        "with": (label_color(label), "circle", "solid"),
        "without": (_WITHOUT, "x", "dot"),
    }
    traces = [
        {
            "x": x,
            "y": table[f"likelihood {side} it"],
            "name": f"{side} {name}",
            "mode": "lines+markers",
            "line": {"color": color, "width": 2.5, "dash": dash},
            "marker": {"color": color, "symbol": symbol, "size": np.where(table["own"], 13, 7)},
            "customdata": table[f"training cases {side} it"],
            "hovertemplate": "%{y:.3f} (%{customdata} training cases)",
        }
        for side, (color, symbol, dash) in looks.items()
    ]
    side = "left" if own < len(x) / 4 else "right" if own > len(x) * 3 / 4 else "center"
    return figure(
        340,
        traces,
        x={
            "title": f"neighbours with {name}, of {len(x) - 1}",
            "range": [-0.6, len(x) - 0.4],
            **NO_GRID,
            **({"dtick": 1} if len(x) <= _MOST_TICKS else {}),
        },
        y={"title": "likelihood", "rangemode": "tozero"},
        title=explained({"● cases with it": label_color(label), "× cases without it": _WITHOUT}),
        hovermode="x unified",
        margin={**MARGIN, "t": 64},
        shapes=[{**band, "fillcolor": MUTED, "line": {"width": 0}, "layer": "below"}],
        annotations=[said_above(own, f"<b>this case: {own}</b>", xanchor=side)],
    )
