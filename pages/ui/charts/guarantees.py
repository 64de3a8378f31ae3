"""Figures of guarantees: what is promised, what is realised and what is kept for it."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from labelrank_core.explain.markup.figures import LINE, numbered_rows, upright
from labelrank_core.explain.markup.palette import ACCENT
from pages.ui.charts.base import picture
from pages.ui.text import plotly, shorten

_CHOSEN = "#C11F5B"
_BAND = "rgba(91, 91, 214, 0.16)"
_SHARE = {"tickformat": ".0%", "zeroline": False}
_LEGEND = {"orientation": "h", "y": 1.02, "x": 0, "yanchor": "bottom"}
_SMALLEST, _LARGEST = 7, 15


def promised_against_realised(curve: pd.DataFrame, chosen: float, good: str) -> go.Figure:
    """Draw what is realised at each level promised, with the range to be expected."""
    at = curve[np.isclose(curve["promised"], chosen)]
    known = curve[curve["low"].notna()]
    flat = {"mode": "lines", "line": {"width": 0, "color": ACCENT}, "hoverinfo": "skip"}
    ends = [curve["promised"].min(), curve["promised"].max()]
    return picture(
        320,
        [
            {**flat, "x": known["promised"], "y": known["low"]},
            {
                **flat,
                "x": known["promised"],
                "y": known["high"],
                "fill": "tonexty",
                "fillcolor": _BAND,
            },
            {
                "x": ends,
                "y": ends,
                "mode": "lines",
                "line": {"color": LINE, "dash": "dot", "width": 2},
                "hoverinfo": "skip",
            },
            {
                "x": curve["promised"],
                "y": curve["realised"],
                "mode": "lines",
                "line": {"color": ACCENT, "width": 3},
                "hovertemplate": "promised %{x:.0%}, realised %{y:.1%}<extra></extra>",
            },
            _mark(at["promised"], at["realised"]),
        ],
        x={"title": "promised", **_SHARE},
        y={"title": good, **_SHARE, "autorangeoptions": {"clipmax": 1.02}},
    )


def kept_against_realised(
    curve: pd.DataFrame, other: pd.DataFrame | None, chosen: float, good: str
) -> go.Figure:
    """Draw what is right against the share of pairs decided; `other`: pairs withheld by votes."""
    at = curve[np.isclose(curve["promised"], chosen)]
    traces = [
        {
            "x": curve["kept"],
            "y": curve["realised"],
            "name": "with a guarantee",
            "mode": "lines+markers",
            "line": {"color": ACCENT, "width": 3},
            "customdata": curve["promised"],
            "hovertemplate": "promised %{customdata:.0%}: %{x:.0%} of the pairs, realised %{y:.1%}"
            "<extra></extra>",
        }
    ]
    if other is not None:
        traces.append(
            {
                "x": other["kept"],
                "y": other["realised"],
                "name": "withheld by votes",
                "mode": "lines+markers",
                "line": {"color": LINE, "dash": "dash", "width": 2},
                "customdata": other["threshold"],
                "hovertemplate": "threshold %{customdata:.0%}: %{x:.0%} of the pairs, right "
                "%{y:.1%}<extra></extra>",
            }
        )
    return picture(
        320,
        [*traces, {**_mark(at["kept"], at["realised"]), "showlegend": False}],
        x={"title": "pairs decided", **_SHARE},
        y={"title": good, **_SHARE, "autorangeoptions": {"clipmax": 1.02}},
        legend=_LEGEND,
        showlegend=True,
        margin={"l": 8, "r": 12, "t": 40, "b": 8},
    )


def realised_by(table: pd.DataFrame, promised: float, good: str, kept: str) -> go.Figure:
    """Draw what is realised in each group of cases as a dot, the promise as a line.

    `kept` is the template of what a hover says of the column of that name.
    """
    sizes = _SMALLEST + (_LARGEST - _SMALLEST) * np.sqrt(table["cases"] / table["cases"].max())
    return picture(
        70 + 26 * len(table),
        [
            {
                "x": table["realised"],
                "y": list(range(len(table))),
                "mode": "markers",
                "marker": {"color": ACCENT, "size": sizes, "opacity": 1},
                "cliponaxis": False,
                "customdata": table[["cases", "kept"]].to_numpy(),
                "hovertemplate": f"%{{x:.1%}} of %{{customdata[0]}} cases, {kept}<extra></extra>",
            }
        ],
        x={"title": good, **_SHARE, "range": [min(0.45, float(table["realised"].min())), 1.02]},
        y=numbered_rows([plotly(shorten(name, 24)) for name in table["group"]]),
        shapes=[upright(promised, 2)],
    )


def _mark(x: pd.Series, y: pd.Series) -> dict[str, object]:
    return {
        "x": x,
        "y": y,
        "mode": "markers",
        "marker": {"color": _CHOSEN, "size": 14, "symbol": "diamond"},
        "hoverinfo": "skip",
    }


def reliability(tables: Sequence[tuple[str, pd.DataFrame]]) -> go.Figure:
    """Draw the share of pairs that are right by their probability; the last table is corrected."""
    diagonal = {
        "x": [0.5, 1],
        "y": [0.5, 1],
        "mode": "lines",
        "line": {"color": LINE, "dash": "dot", "width": 2},
        "hoverinfo": "skip",
        "showlegend": False,
    }
    looks = [(ACCENT, "solid")] if len(tables) == 1 else [("#8A93A3", "dash"), (ACCENT, "solid")]
    most = max(float(table["pairs"].max()) for _, table in tables)
    traces = [
        {
            "x": table["probability"],
            "y": table["right"],
            "name": name,
            "mode": "lines+markers",
            "line": {"color": color, "dash": dash, "width": 2},
            "marker": {
                "color": color,
                "size": _SMALLEST + (_LARGEST - _SMALLEST) * np.sqrt(table["pairs"] / most),
            },
            "cliponaxis": False,
            "customdata": table["pairs"],
            "hovertemplate": "probability %{x:.0%}: %{y:.1%} of %{customdata} pairs right"
            "<extra></extra>",
        }
        for (name, table), (color, dash) in zip(tables, looks, strict=True)
    ]
    return picture(
        340,
        [diagonal, *traces],
        x={"title": "probability of the preferred label", **_SHARE},
        y={"title": "right", **_SHARE},
        legend=_LEGEND,
        showlegend=len(tables) > 1,
        margin={"l": 8, "r": 12, "t": 40, "b": 8},
    )
