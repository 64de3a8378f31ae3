"""Figures of guarantees: promised and realised levels, and the pairs decided for them."""

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from labelrank_core.evaluation.guarantees.realised import less_than_promised
from labelrank_core.explain.render.markup.groups import Group, group_rows
from labelrank_core.explain.render.markup.palette import ACCENT
from labelrank_core.explain.render.markup.plot import Axis, Plot
from labelrank_core.explain.render.markup.ticks import round_numbers
from pages.ui.render.charts.base import LINE, explained, picture
from pages.ui.render.charts.calibration import BEYOND, CHANCE

# In pixels.
_HEIGHT = 258
_HALF_A_LEVEL = 0.005
# Where the line of promises has its name, as a share of its length.
_NAMED_AT = 0.15
# A mark further left, as a share of the line, would lie on the name.
_FREE = 0.45
# A mark further right has its number on its left.
_LAST = 0.85
# Ends of axes of shares.
_LEAST, _MOST = 0.45, 1.02
# Ends of axes from zero, for a most of 1: a mark and its number have room.
_PRICE_ENDS = (-0.05, 1.12)
# Room for a mark at the end of an axis, beside whose numbers it stands, as a share of its length.
_BESIDE_A_MARK = 0.03
_SHARE = {"tickformat": ".0%", "zeroline": False}
_SMALLEST, _LARGEST = 7, 15
# Defines `promised_against_realised`.
PROMISE_GUIDE = "On or above the dotted line, a promise is kept."


def decided_against_promised(curve: pd.DataFrame, selected_level: float) -> str:
    """Draw the share of pairs decided at each promised level, with the chosen one."""
    axis = Axis.of_shares(*_PRICE_ENDS, "pairs decided", 5)
    tooltip = "promised {level:.0%}, {value:.0%} of the pairs decided"
    return _price(curve, "kept", selected_level, axis, "{:.0%}", tooltip)


def set_size_against_promised(curve: pd.DataFrame, selected_level: float, title: str) -> str:
    """Draw the mean number of labels in a set at each promised level, with the chosen one."""
    most = float(curve["size"].max())
    ticks = [(value, f"{value:g}") for value in round_numbers(0.0, most, 5).tolist()]
    low, high = (end * (most or 1.0) for end in _PRICE_ENDS)
    axis = Axis(low, high, ticks, title)
    tooltip = "promised {level:.0%}, {value:.1f} labels in a set"
    return _price(curve, "size", selected_level, axis, "{:.1f}", tooltip)


def _price(
    curve: pd.DataFrame, column: str, selected_level: float, axis: Axis, number: str, tooltip: str
) -> str:
    """Draw what each promised level leaves of an answer, above zero, with the chosen level.

    `number` formats the value of the chosen level, `tooltip` the level and the value of each.
    """
    known = curve[curve[column].notna()]
    low, high = float(curve["promised"].min()), float(curve["promised"].max())
    room = _BESIDE_A_MARK * (high - low)
    plot = Plot(Axis.of_shares(low - room, high + room, "promised"), axis)
    levels, values = known["promised"].tolist(), known[column].tolist()
    if levels:
        plot.curve(levels, values, ACCENT, 3)
    for level, value in zip(levels, values, strict=True):
        text = tooltip.format(level=level, value=value)
        plot.column(level - _HALF_A_LEVEL, level + _HALF_A_LEVEL, text)
        if np.isclose(level, selected_level):
            # Above a line there is room on the side to which it falls.
            is_rising = values[-1] > values[0]
            is_last = level > low + _LAST * (high - low)
            is_first = level <= low + _NAMED_AT * (high - low)
            is_left = (is_rising and not is_first) or is_last
            where = "top left boxed" if is_left else "top right boxed"
            plot.spot(level, value, "level", "")
            plot.name(level, value, number.format(value), where)
    return plot.drawn(_HEIGHT)


def promised_against_realised(curve: pd.DataFrame, selected_level: float, good: str) -> str:
    """Draw the realised level at each promised one, with its expected range."""
    realised_levels, banded = curve[curve["realised"].notna()], curve[curve["low"].notna()]
    low, high = float(curve["promised"].min()), float(curve["promised"].max())
    ends = [low, high]
    room = _BESIDE_A_MARK * (high - low)
    plot = Plot(Axis.of_shares(low - room, high + room, "promised"), _realised_axis(curve, good))
    if len(banded):
        range_low, range_high = banded["low"].tolist(), banded["high"].tolist()
        plot.band(banded["promised"].tolist(), range_low, range_high, ACCENT)
    plot.curve(ends, ends, LINE, 2, "2 3")
    named = low + _NAMED_AT * (high - low)
    if selected_level > low + _FREE * (high - low):
        plot.name(named, named, "as promised", "bottom right boxed")
    plot.curve(realised_levels["promised"], realised_levels["realised"], ACCENT, 3)
    for level, share in zip(realised_levels["promised"], realised_levels["realised"], strict=True):
        hover = f"promised {level:.0%}, realised {share:.1%}"
        plot.column(level - _HALF_A_LEVEL, level + _HALF_A_LEVEL, hover)
    _choose(plot, realised_levels, "promised", selected_level)
    # The line rises: above it on its left there is room, but not at the start of the axis.
    is_at_start = selected_level <= low + _NAMED_AT * (high - low)
    where = "bottom right boxed" if is_at_start else "top left boxed"
    chosen = realised_levels[np.isclose(realised_levels["promised"], selected_level)]
    for level, share in zip(chosen["promised"], chosen["realised"], strict=True):
        plot.name(level, share, f"{share:.1%}", where)
    return plot.drawn(_HEIGHT)


def kept_against_realised(
    curve: pd.DataFrame, by_votes: pd.DataFrame | None, selected_level: float, good: str
) -> str:
    """Draw right against decided pairs, in shares; `by_votes`: pairs withheld by votes."""
    tables = [curve] if by_votes is None else [curve, by_votes]
    kept = np.concatenate([table["kept"] for table in tables])
    plot = Plot(_around(kept, "pairs decided"), _realised_axis(curve, good, by_votes))
    lines = [(curve, "promised", "realised", "point")]
    plot.curve(curve["kept"], curve["realised"], ACCENT, 3)
    if by_votes is not None:
        plot.curve(by_votes["kept"], by_votes["realised"], LINE, 2, "9 6")
        lines.append((by_votes, "threshold", "right", "point other"))
    for table, by, share_name, look in lines:
        for (decided, share), levels in _by_place(table, by).items():
            at = " to ".join(dict.fromkeys([f"{min(levels):.0%}", f"{max(levels):.0%}"]))
            plot.spot(
                decided,
                share,
                look,
                f"{by} {at}: {decided:.0%} of the pairs, {share_name} {share:.1%}",
            )
    _choose(plot, curve, "kept", selected_level)
    return plot.drawn(_HEIGHT)


def realised_by(table: pd.DataFrame, promised: float, good: str, size_template: str) -> str:
    """Draw the realised level in each group of cases as a dot on the bar of chance.

    `size_template` formats the column "kept" for the text at the pointer.
    """
    groups = []
    for row, is_less, is_beyond in zip(
        table.itertuples(), *less_than_promised(table, promised), strict=True
    ):
        # A case realises a share of it, or all or nothing.
        n_right = "" if np.isnan(row.low) else f"{round(row.realised * row.cases)} of "
        groups.append(
            Group(
                row.group,
                row.realised,
                row.low,
                f"{n_right}{row.cases}",
                "beyond" if is_beyond else "less" if is_less else "kept",
                f"{row.group}: {row.realised:.1%} of {row.cases} cases, "
                f"{size_template.format(row.kept)}",
            )
        )
    return group_rows(groups, promised, good, _LEAST)


def _by_place(table: pd.DataFrame, by: str) -> dict[tuple[float, float], list[float]]:
    """Collect levels that lie at one place, as those with the same threshold do."""
    levels_by_point: dict[tuple[float, float], list[float]] = {}
    for decided, share, level in zip(table["kept"], table["realised"], table[by], strict=True):
        levels_by_point.setdefault((decided, share), []).append(level)
    return levels_by_point


def _realised_axis(curve: pd.DataFrame, good: str, by_votes: pd.DataFrame | None = None) -> Axis:
    """Return the axis of realised shares, with room for those by votes."""
    shares = [curve[name] for name in ("promised", "realised", "low", "high") if name in curve]
    if by_votes is not None:
        shares.append(by_votes["realised"])
    return _around(np.concatenate(shares), good)


def _around(shares: Iterable[float], title: str) -> Axis:
    """Return an axis with room for shares: hardly any of it below 0% or above 100%."""
    values = np.asarray([*shares], dtype=float)
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    room = 0.05 * (high - low) or 0.05
    high = min(high + room, _MOST)
    return Axis.of_shares(max(low - room, -_BESIDE_A_MARK * high), high, title)


def _choose(plot: Plot, curve: pd.DataFrame, across: str, selected_level: float) -> None:
    """Mark the chosen level on a curve, if it can be promised."""
    at = curve[np.isclose(curve["promised"], selected_level)]
    for x, y in zip(at[across], at["realised"], strict=True):
        plot.spot(x, y, "level", "")


def is_beyond_chance(table: pd.DataFrame) -> "pd.Series[bool]":
    """Tell for each probability whether the share that is right lies off its bar of chance."""
    return (table["right"] < table["chance_low"]) | (table["right"] > table["chance_high"])


def reliability(tables: Sequence[tuple[str, pd.DataFrame]]) -> go.Figure:
    """Draw the share of pairs that are right by their probability; the last table is corrected.

    Grey bars are where chance puts the shares of the last table, diamonds lie beyond them.
    """
    last = tables[-1][1]
    is_beyond = is_beyond_chance(last)
    diagonal = {
        "x": [0.5, 1],
        "y": [0.5, 1],
        "mode": "lines",
        "line": {"color": LINE, "dash": "dot", "width": 2},
        "hoverinfo": "skip",
        "showlegend": False,
    }
    chances = [
        {
            "x": [row.probability] * 2,
            "y": [row.chance_low, row.chance_high],
            "mode": "lines",
            "line": {"color": CHANCE, "width": 26},
            "hoverinfo": "skip",
            "showlegend": False,
        }
        for row in last.itertuples()
    ]
    looks = [(ACCENT, "solid")] if len(tables) == 1 else [("#8A93A3", "dash"), (ACCENT, "solid")]
    most_pairs = max(float(table["pairs"].max()) for _, table in tables)
    traces = [
        {
            "x": table["probability"],
            "y": table["right"],
            "name": name,
            "mode": "lines+markers",
            "line": {"color": color, "dash": dash, "width": 2},
            "marker": {
                "color": np.where(is_beyond, BEYOND, color) if table is last else color,
                "symbol": np.where(is_beyond, "diamond", "circle") if table is last else "circle",
                "opacity": 1,
                "size": _SMALLEST + (_LARGEST - _SMALLEST) * np.sqrt(table["pairs"] / most_pairs),
            },
            "cliponaxis": False,
            "customdata": table["pairs"],
            "hovertemplate": "probability %{x:.0%}: %{y:.1%} of %{customdata} pairs right"
            "<extra></extra>",
        }
        for (name, table), (color, dash) in zip(tables, looks, strict=True)
    ]
    keys = {"share that is right": ""}
    if len(tables) > 1:
        keys |= {f"● {name}": color for (name, _), (color, _) in zip(tables, looks, strict=True)}
    return picture(
        340,
        [*chances, diagonal, *traces],
        x={"title": "how sure the method says it is", **_SHARE},
        y=_SHARE,
        showlegend=False,
        title=explained(keys),
        annotations=[
            _corner("too sure", "right", "bottom"),
            _corner("not sure enough", "left", "top"),
        ],
        margin={"l": 8, "r": 16, "t": 36, "b": 8},
    )


def _corner(text: str, side: str, end: str) -> dict[str, object]:
    """Return words in a corner of a figure, which name the area beside a diagonal."""
    return {
        "text": text,
        "x": 0.97 if side == "right" else 0.03,
        "y": 0.06 if end == "bottom" else 0.94,
        "xref": "paper",
        "yref": "paper",
        "xanchor": side,
        "yanchor": end,
        "showarrow": False,
    }
