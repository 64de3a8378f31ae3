"""The figure of the contributions to a predicted preference."""

from collections.abc import Sequence

import pandas as pd

from labelrank_core.explain.markup.figures import LINE, MARGIN, ROWS, Look, figure
from labelrank_core.explain.markup.palette import ACCENT
from labelrank_core.explain.markup.text import (
    JOINER,
    plotly,
    shorten,
    shorten_all,
    shorten_before_value,
    shorten_middle,
)

_AGAINST = "#C11F5B"
_FOR = ACCENT
_NAME_LETTERS = 12


def pair_contributions(
    table: pd.DataFrame, input_names: Sequence[str], first: str, second: str
) -> Look:
    """Draw what pulls the first label ahead (to the right) or behind (to the left)."""
    rows = [
        f"{plotly(shorten_before_value(name, 26))}{JOINER * place}"
        for place, name in enumerate(input_names)
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
    behind, ahead = map(plotly, _short_names(second, first))
    ends = f"← {behind} · {ahead} →"
    return figure(
        84 + 26 * len(rows),
        [bars],
        x={"title": ends, "zeroline": True, "zerolinecolor": LINE, "zerolinewidth": 1},
        y=ROWS,
        margin={**MARGIN, "t": 8},
        bargap=0.35,
    )


def _short_names(*names: str) -> Sequence[str]:
    """Cut two names at their ends, or in the middle where they would look the same."""
    for cut in (shorten, shorten_middle):
        short = [cut(name, _NAME_LETTERS) for name in names]
        if len(set(short)) == len(names):
            return short
    return shorten_all(names, _NAME_LETTERS)
