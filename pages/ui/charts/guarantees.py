"""Figures of guarantees: what is promised, what is realised and what is kept for it."""

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from labelrank_core.explain.markup.figures import LINE
from labelrank_core.explain.markup.groups import Group, group_rows
from labelrank_core.explain.markup.palette import ACCENT
from labelrank_core.explain.markup.plot import Axis, Plot
from pages.ui.charts.base import picture

# In pixels.
_HEIGHT, _KEY = 258, 22
_HALF_A_LEVEL = 0.005
# Ends of axes of shares.
_LEAST, _MOST = 0.45, 1.02
# Room for a mark at the end of an axis, beside whose numbers it stands, as a share of its length.
_BESIDE_A_MARK = 0.03
_SHARE = {"tickformat": ".0%", "zeroline": False}
_LEGEND = {"orientation": "h", "y": 1.02, "x": 0, "yanchor": "bottom"}
_SMALLEST, _LARGEST = 7, 15


def promised_against_realised(curve: pd.DataFrame, chosen: float, good: str) -> str:
    """Draw what is realised at each level promised, with the range to be expected."""
    known, banded = curve[curve["realised"].notna()], curve[curve["low"].notna()]
    low, high = float(curve["promised"].min()), float(curve["promised"].max())
    ends = [low, high]
    reached = [*ends, *known["realised"], *banded["low"], *banded["high"]]
    room = _BESIDE_A_MARK * (high - low)
    plot = Plot(Axis.of_shares(low - room, high + room, "promised"), _around(reached, good))
    if len(banded):
        below, above = banded["low"].tolist(), banded["high"].tolist()
        plot.band(banded["promised"].tolist(), below, above, ACCENT)
    plot.curve(ends, ends, LINE, 2, "2 3")
    plot.curve(known["promised"], known["realised"], ACCENT, 3)
    for level, share in zip(known["promised"], known["realised"], strict=True):
        said = f"promised {level:.0%}, realised {share:.1%}"
        plot.column(level - _HALF_A_LEVEL, level + _HALF_A_LEVEL, said)
    _choose(plot, known, "promised", chosen)
    return plot.drawn(_HEIGHT)


def kept_against_realised(
    curve: pd.DataFrame, other: pd.DataFrame | None, chosen: float, good: str
) -> str:
    """Draw what is right against the share of pairs decided; `other`: pairs withheld by votes."""
    tables = [curve] if other is None else [curve, other]
    x, y = (np.concatenate([each[name] for each in tables]) for name in ("kept", "realised"))
    plot = Plot(_around(x, "pairs decided"), _around(y, good))
    lines = [(curve, "promised", "realised", "point")]
    plot.curve(curve["kept"], curve["realised"], ACCENT, 3)
    key = '<span><i class="line"></i>with a guarantee</span>'
    if other is not None:
        plot.curve(other["kept"], other["realised"], LINE, 2, "9 6")
        lines.append((other, "threshold", "right", "point other"))
        key += '<span><i class="line other"></i>withheld by votes</span>'
    for table, by, named, look in lines:
        for (kept, share), levels in _by_place(table, by).items():
            at = " to ".join(dict.fromkeys([f"{min(levels):.0%}", f"{max(levels):.0%}"]))
            plot.spot(kept, share, look, f"{by} {at}: {kept:.0%} of the pairs, {named} {share:.1%}")
    _choose(plot, curve, "kept", chosen)
    return f'<div class="lr-key">{key}</div>{plot.drawn(_HEIGHT - _KEY)}'


def realised_by(table: pd.DataFrame, promised: float, good: str, kept: str) -> str:
    """Draw what is realised in each group of cases as a dot, the promise as a line.

    `kept` is the template of what pointing at a group says of the column of that name.
    """
    groups = [
        Group(row.group, row.realised, row.cases,
              f"{row.group}: {row.realised:.1%} of {row.cases} cases, {kept.format(row.kept)}")
        for row in table.itertuples()
    ]  # fmt: skip
    return group_rows(groups, promised, good, _LEAST)


def _by_place(table: pd.DataFrame, by: str) -> dict[tuple[float, float], list[float]]:
    """Collect levels that lie at one place, as those with the same threshold do."""
    found: dict[tuple[float, float], list[float]] = {}
    for kept, share, level in zip(table["kept"], table["realised"], table[by], strict=True):
        found.setdefault((kept, share), []).append(level)
    return found


def _around(shares: Iterable[float], title: str) -> Axis:
    """Return an axis with room for shares: hardly any of it below 0% or above 100%."""
    known = np.asarray([*shares], dtype=float)
    low, high = float(np.nanmin(known)), float(np.nanmax(known))
    room = 0.05 * (high - low) or 0.05
    high = min(high + room, _MOST)
    return Axis.of_shares(max(low - room, -_BESIDE_A_MARK * high), high, title)


def _choose(plot: Plot, curve: pd.DataFrame, across: str, chosen: float) -> None:
    """Mark the chosen level on a curve, if it can be promised."""
    at = curve[np.isclose(curve["promised"], chosen)]
    for x, y in zip(at[across], at["realised"], strict=True):
        plot.spot(x, y, "level", "")


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
