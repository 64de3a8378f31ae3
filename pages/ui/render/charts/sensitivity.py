"""Figures of a measure over the settings of a method."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log2, log10
from textwrap import wrap
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from labelrank_core.explain.render.markup.palette import ACCENT
from pages.ui.render.charts.base import LINE, blank, explained

# Distinguishable in this order, with colour blindness, on light and dark backgrounds.
_RAMP = ("#C11F5B", "#8A6D3B", "#A8A21A", "#4D9221", "#0E8C9A", "#6FA8DC", "#8E7CC3", "#7B2D8E")
_BEST = "#C11F5B"
_BAND = "rgba(91, 91, 214, 0.16)"
_MOST_TICKS = 10
_TICK_LETTERS = 12
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_MARKS = {"in use": ("circle-open", ACCENT), "best": ("star", _BEST)}


@dataclass(frozen=True)
class SettingAxis:
    """One parameter along an axis: its column, all its values in order, None last, and texts."""

    name: str
    title: str
    values: Sequence[Any]
    texts: Sequence[str]
    scale: str = "linear"
    ends: tuple[str, str] = ("", "")

    def end(self, value: Any) -> str:
        """Return the name that the method has at a value, in bold."""
        at_zero, beyond = self.ends
        if value == 0 and at_zero:
            return f"<b>{at_zero}</b>"
        return f"<b>→ {beyond}</b>" if value == self.values[-1] and beyond else ""

    def coordinate(self, value: Any) -> float:
        """Return the coordinate of a value: 0 one power below the least, None beyond the rest."""
        numbers = [number for number in self.values if number is not None]
        if self.scale == "powers of 10":
            lowest_exponent = min(log10(number) for number in numbers if number > 0)
            spaced = {
                number: log10(number) if number > 0 else lowest_exponent - 1 for number in numbers
            }
        elif self.scale == "doubling":
            spaced = {number: log2(number) for number in numbers}
        else:
            spaced = {number: float(number) for number in numbers}
        if value is None:
            low, high = min(spaced.values()), max(spaced.values())
            return high + max(1.0, 0.12 * (high - low))
        return spaced[value]

    def short_texts(self) -> list[str]:
        """Return the text of each value, small powers of ten as such."""
        if self.scale != "powers of 10":
            return list(self.texts)
        return [
            f"10{str(round(log10(value))).translate(_RAISED)}" if 0 < (value or 0) < 0.01 else word
            for value, word in zip(self.values, self.texts, strict=True)
        ]

    def ticks(self) -> tuple[list[float], list[str]]:
        """Return the coordinates and texts of at most about ten ticks."""
        labelled = list(zip(self.values, self.short_texts(), strict=True))
        numbers = [pair for pair in labelled if pair[0] is not None]
        if len(numbers) > _MOST_TICKS and self.scale == "linear":
            step = next(s for s in (2, 5, 10, 20, 50) if len(numbers) / s <= _MOST_TICKS)
            # Beside 1, the first multiple has no room where it is as near as 2.
            numbers = [
                pair
                for pair in numbers
                if pair[0] == 1 or (pair[0] % step == 0 and pair[0] > 1 + step / 2)
            ]
        elif len(numbers) > _MOST_TICKS and self.scale == "powers of 10":
            numbers = [pair for pair in numbers if not pair[0] or round(log10(pair[0])) % 2 == 0]
        elif len(numbers) > _MOST_TICKS:
            numbers = [pair for pair in numbers if log2(pair[0]) % 1 == 0]
        without_number = [
            (None, "<br>".join(wrap(word, _TICK_LETTERS)))
            for value, word in labelled
            if value is None
        ]
        ticks = [*numbers, *without_number]
        return [self.coordinate(value) for value, _ in ticks], [word for _, word in ticks]


def missing_curve(
    bands: pd.DataFrame, axis: SettingAxis, measure: str, is_good: Sequence[bool]
) -> go.Figure:
    """Draw a measure over the share of labels missing with its band, hollow where clearly worse."""
    figure = _frame(axis, measure)
    coordinates = [axis.coordinate(value) for value in bands[axis.name]]
    bands = bands.assign(place=coordinates).sort_values("place")
    if bands["sd"].notna().all():
        figure.add_scatter(
            x=[*bands["place"], *bands["place"][::-1]],
            y=[*bands["high"], *bands["low"][::-1]],
            fill="toself",
            fillcolor=_BAND,
            line={"width": 0},
            mode="lines",
            hoverinfo="skip",
            showlegend=False,
        )
    complete = float(bands["mean"].iloc[0])
    figure.add_hline(
        complete,
        line={"color": LINE, "width": 1.5, "dash": "dash"},
        annotation={
            "text": f"none missing: {complete:.3f}",
            "xanchor": "right",
            "yanchor": "bottom",
        },
    )
    text_of_value = dict(zip(axis.values, axis.texts, strict=True))
    figure.add_scatter(
        x=bands["place"],
        y=bands["mean"],
        mode="lines+markers",
        line={"color": ACCENT, "width": 3},
        marker={
            "size": 9,
            "symbol": ["circle" if good else "circle-open" for good in is_good],
            "line": {"width": 2, "color": ACCENT},
        },
        showlegend=False,
        customdata=[
            f"{axis.title} {text_of_value[value]}{_spread(sd)}"
            for value, sd in zip(bands[axis.name], bands["sd"], strict=True)
        ],
        hovertemplate="%{y:.4f} at %{customdata}<extra></extra>",
    )
    return figure


def line_colors(n: int) -> list[str]:
    """Return colours for lines in the order of their values."""
    return [_RAMP[round(i * (len(_RAMP) - 1) / max(1, n - 1))] for i in range(n)]


def heat_map(
    bands: pd.DataFrame,
    across: SettingAxis,
    up: SettingAxis,
    measure: str,
    marks: dict[str, tuple[Any, Any]],
    *,
    greater_is_better: bool,
) -> go.Figure:
    """Draw a measure over two parameters, better lighter, edges that are other methods named."""
    means = bands.pivot(index=up.name, columns=across.name, values="mean")
    means = means.loc[list(up.values), list(across.values)]
    deviations = bands.pivot(index=up.name, columns=across.name, values="sd")
    deviations = deviations.loc[list(up.values), list(across.values)]
    # A few very bad settings would take up all colours.
    best, worst = (means.max().max(), means.stack().quantile(0.25))
    if not greater_is_better:
        best, worst = means.min().min(), means.stack().quantile(0.75)
    beyond = f"{worst:.3f} or worse"
    figure = blank(520)
    figure.add_heatmap(
        z=means.to_numpy(),
        x=list(range(len(across.values))),
        y=list(range(len(up.values))),
        colorscale="Cividis",
        reversescale=not greater_is_better,
        zmin=min(best, worst),
        zmax=max(best, worst),
        xgap=1,
        ygap=1,
        customdata=[
            [
                f"{up.title} {u}, {across.title} {a}{_spread(sd)}"
                for a, sd in zip(across.texts, row, strict=True)
            ]
            for u, row in zip(up.texts, deviations.to_numpy(), strict=True)
        ],
        hovertemplate="%{z:.4f} at %{customdata}<extra></extra>",
        colorbar={
            "orientation": "h",
            "y": 1.02,
            "yanchor": "bottom",
            "thickness": 12,
            "len": 0.7,
            "tickvals": [best, worst],
            "ticktext": [f"{best:.3f}", beyond],
            "tickangle": 0,
            "title": {"text": measure, "side": "top"},
        },
    )
    for mark, (a, u) in marks.items():
        figure.add_scatter(
            x=[list(across.values).index(a)],
            y=[list(up.values).index(u)],
            name=mark,
            mode="markers",
            marker={
                "symbol": _MARKS[mark][0].removesuffix("-open"),
                "size": 15 if mark == "in use" else 13,
                "color": "rgba(0, 0, 0, 0)" if mark == "in use" else _BEST,
                "line": {"color": "#ffffff" if mark == "best" else _BEST, "width": 2},
            },
            hoverinfo="skip",
        )
    _edges(figure, across, up)
    return figure


def _spread(sd: float) -> str:
    return "" if pd.isna(sd) else f", ± {sd:.4f}"


def _edges(figure: go.Figure, across: SettingAxis, up: SettingAxis) -> None:
    """Name the edges that are other methods."""
    common = {"showgrid": False, "zeroline": False, "ticks": ""}
    figure.update_xaxes(
        title=across.title,
        tickvals=list(range(len(across.values))),
        ticktext=[
            f"{word}<br>{across.end(value)}"
            for value, word in zip(across.values, across.short_texts(), strict=True)
        ],
        tickangle=0,
        **common,
    )
    figure.update_yaxes(
        title=up.title,
        tickvals=list(range(len(up.values))),
        ticktext=[
            f"{up.end(value).replace('–', '–<br>')} {word}".lstrip()
            for value, word in zip(up.values, up.short_texts(), strict=True)
        ],
        **common,
    )
    figure.update_layout(margin={"t": 80})


def _frame(axis: SettingAxis, measure: str) -> go.Figure:
    figure = blank(400)
    coordinates, texts = axis.ticks()
    figure.update_xaxes(title=axis.title, tickvals=coordinates, ticktext=texts, zeroline=False)
    figure.update_yaxes(zeroline=False)
    figure.update_layout(title=explained({measure: ""}))
    return figure
