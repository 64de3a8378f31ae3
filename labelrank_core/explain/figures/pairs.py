"""The figure of the contributions to a predicted preference."""

from collections.abc import Sequence

import pandas as pd

from labelrank_core.explain.markup.figures import LINE, MARGIN, ROWS, Look, figure
from labelrank_core.explain.markup.palette import ACCENT
from labelrank_core.explain.markup.text import JOINER, plotly, shorten_all, shorten_before_value

_AGAINST = "#C11F5B"
_FOR = ACCENT


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
    behind, ahead = map(plotly, shorten_all((second, first), 14))
    ends = f"← {behind} · {ahead} →"
    return figure(
        84 + 26 * len(rows),
        [bars],
        x={"title": ends, "zeroline": True, "zerolinecolor": LINE, "zerolinewidth": 1},
        y=ROWS,
        margin={**MARGIN, "t": 8},
        bargap=0.35,
    )
