"""Figures of a measure over the settings of a method."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log2, log10
from textwrap import wrap
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from labelrank_core.explain.markup.figures import LINE
from labelrank_core.explain.markup.palette import ACCENT
from pages.ui.charts.base import blank

# Distinguishable in this order, with colour blindness, on light and dark backgrounds.
_RAMP = ("#C11F5B", "#8A6D3B", "#A8A21A", "#4D9221", "#0E8C9A", "#6FA8DC", "#8E7CC3", "#7B2D8E")
_BEST = "#C11F5B"
_BAND = "rgba(0, 114, 178, 0.22)"
_MOST_TICKS = 10
_TICK_LETTERS = 12
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_MARKS = {"in use": ("circle-open", ACCENT), "best": ("star", _BEST)}


@dataclass(frozen=True)
class Axis:
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


def parameter_curve(
    bands: pd.DataFrame, axis: Axis, measure: str, marks: dict[str, Any]
) -> go.Figure:
    """Draw a measure over one parameter with its band."""
    figure = _frame(axis, measure)
    _line(figure, bands, axis, measure, banded=True)
    _mark(figure, bands, axis, marks)
    return figure


def parameter_lines(
    bands: pd.DataFrame,
    axis: Axis,
    line_axis: Axis,
    measure: str,
    line_in_use: Any,
    marks: dict[str, tuple[Any, Any]],
) -> go.Figure:
    """Draw a measure over one parameter, a line for every value of another."""
    figure = _frame(axis, measure)
    other_values = [value for value in line_axis.values if value != line_in_use]
    texts = dict(zip(line_axis.values, line_axis.texts, strict=True))
    for i, value in enumerate(other_values):
        color = _RAMP[round(i * (len(_RAMP) - 1) / max(1, len(other_values) - 1))]
        part = bands[bands[line_axis.name] == value]
        _line(figure, part, axis, texts[value], color=color)
    own_part = bands[bands[line_axis.name] == line_in_use]
    _line(figure, own_part, axis, f"{texts[line_in_use]} (in use)", banded=True)
    for mark, (across, value) in marks.items():
        _mark(figure, bands[bands[line_axis.name] == value], axis, {mark: across})
    figure.update_layout(
        showlegend=True,
        height=460,
        legend={
            "orientation": "h",
            "y": -0.2,
            "yanchor": "top",
            "x": 0,
            "title": {"text": f"{line_axis.title}: ", "side": "left"},
        },
    )
    return figure


def heat_map(
    bands: pd.DataFrame,
    across: Axis,
    up: Axis,
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


def _edges(figure: go.Figure, across: Axis, up: Axis) -> None:
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


def _frame(axis: Axis, measure: str) -> go.Figure:
    figure = blank(400)
    coordinates, texts = axis.ticks()
    figure.update_xaxes(title=axis.title, tickvals=coordinates, ticktext=texts, zeroline=False)
    figure.update_yaxes(title=measure, zeroline=False)
    return figure


def _line(
    figure: go.Figure,
    bands: pd.DataFrame,
    axis: Axis,
    name: str,
    *,
    color: str = ACCENT,
    banded: bool = False,
) -> None:
    coordinates = pd.Series(
        [axis.coordinate(value) for value in bands[axis.name]], index=bands.index
    )
    bands = bands.assign(place=coordinates).sort_values("place")
    if banded and bands["sd"].notna().all():
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
    text_of_value = dict(zip(axis.values, axis.texts, strict=True))
    texts = [text_of_value.get(value, str(value)) for value in bands[axis.name]]
    figure.add_scatter(
        x=bands["place"],
        y=bands["mean"],
        name=name,
        mode="lines+markers" if len(bands) <= 25 and banded else "lines",
        line={"color": color, "width": 3 if banded else 1.5},
        customdata=[
            f"{axis.title} {word}{_spread(sd)}" for word, sd in zip(texts, bands["sd"], strict=True)
        ],
        hovertemplate=f"{name}: %{{y:.4f}} at %{{customdata}}<extra></extra>",
    )


def _mark(figure: go.Figure, bands: pd.DataFrame, axis: Axis, marks: dict[str, Any]) -> None:
    for mark, value in marks.items():
        row = bands[[axis_value == value for axis_value in bands[axis.name]]].iloc[0]
        symbol, color = _MARKS[mark]
        x = axis.coordinate(value)
        if mark == "in use":
            figure.add_vline(x=x, line={"dash": "dot", "color": LINE, "width": 1.5})
        figure.add_scatter(
            x=[x],
            y=[row["mean"]],
            name=mark,
            mode="markers",
            marker={
                "symbol": symbol,
                "size": 15,
                "color": color,
                "line": {"width": 3 if mark == "in use" else 0},
            },
            hoverinfo="skip",
            showlegend=False,
            cliponaxis=False,
        )
