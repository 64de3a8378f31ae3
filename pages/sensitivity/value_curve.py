"""A measure at every value of a parameter, with a ring to drag to the value in use."""

from collections.abc import Mapping, Sequence
from math import isnan
from numbers import Real
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from labelrank_core.methods import Algorithm
from labelrank_core.metrics import Measure
from pages.sensitivity import names
from pages.sensitivity.comparison import SettingComparison
from pages.ui import live, session, toolbar
from pages.ui.render import assistants, drawing
from pages.ui.render.charts.sensitivity import SettingAxis
from pages.ui.wording.measure_text import Counted

_KEY = "value_curve"
_HERE = Path(__file__).parent
_component = st.components.v2.component(
    "labelrank_value_curve",
    html='<div class="curve value-curve"></div>',
    css=live.style(_HERE / "value_curve.css", "curve"),
    js=live.script(_HERE / "value_curve.js", "dom", "curve"),
)


def render(
    bands: pd.DataFrame,
    axes: Sequence[SettingAxis],
    algorithm: Algorithm,
    measure: Measure,
    comparison: SettingComparison,
) -> None:
    """Draw the picture; where the ring is let go is the value in the toolbar."""
    axis = axes[0]
    values = dict(zip(axis.texts, axis.values, strict=True))
    data = component_data(bands, axes, measure, comparison)
    if assistants.is_reading():
        st.text(data_text(data))
        return
    with st.container(key="value_curve_frame"):
        _component(
            key=_KEY,
            data=data,
            on_value_change=lambda: use_value(algorithm, axis.name, values),
        )


def data_text(data: Mapping[str, Any]) -> str:
    """Write the line in use as text: its mean at each value of the parameter."""
    texts, levels = data["texts"], data["levels"]
    means = "; ".join(f"{level['text']}: {level['values']['mean']}" for level in levels)
    return f"{texts['alt']}.\n{texts['parameter']}: {means}"


def use_value(algorithm: Algorithm, parameter: str, values: Mapping[str, Any]) -> None:
    """Set the parameter in the toolbar to the value at which the ring was let go; for callbacks."""
    text = session.get_state(_KEY, {}).get("value")
    if text in values:
        toolbar.set_values(algorithm, {parameter: values[text]})


def component_data(
    bands: pd.DataFrame,
    axes: Sequence[SettingAxis],
    measure: Measure,
    comparison: SettingComparison,
) -> dict[str, Any]:
    """Return the data of the component: the lines, and a sentence for each value of the ring.

    A second axis has a line for each of its values. The ring moves on the line in use.
    """
    axis, *line_axes = axes
    figure, best = comparison.figure, comparison.best
    setting_in_use = comparison.setting_in_use
    by_setting = {
        tuple(setting): row
        for setting, row in zip(
            bands[list(figure.parameters)].itertuples(index=False),
            bands[["mean", "low", "high"]].itertuples(index=False),
            strict=True,
        )
    }
    line_in_use = setting_in_use[1:]
    levels = [
        _level(
            by_setting[value, *line_in_use],
            axis.coordinate(value),
            text,
            names.setting(figure, (value, *line_in_use)),
            drawing.with_nouns(comparison.verdict)
            if value == setting_in_use[0]
            else _comparison(
                comparison, (value, *line_in_use), by_setting[value, *line_in_use].mean, measure
            ),
            is_good=(value, *line_in_use) in comparison.good_settings,
            counted=comparison.counted,
        )
        for value, text in zip(axis.values, axis.texts, strict=True)
    ]
    coordinates, texts = axis.ticks()
    title = drawing.with_nouns(axis.title)
    parameter = drawing.with_nouns(figure.knobs[0].label)
    means = [row.mean for row in by_setting.values()]
    return {
        "levels": levels,
        "index": list(axis.values).index(setting_in_use[0]),
        "best": {"x": axis.coordinate(best.setting[0]), "mean": best.mean},
        "others": [
            line
            for line_axis in line_axes
            for line in _other_lines(by_setting, axis, line_axis, line_in_use[0], best.setting[1])
        ],
        "ticks": [{"x": x, "text": text} for x, text in zip(coordinates, texts, strict=True)],
        "texts": {
            "sentence": _sentence(measure, comparison.counted),
            "measure": names.measure_title(measure),
            "parameter": parameter,
            "handle": f"{parameter}, in use",
            "best": f"best {best.mean:.3f}"
            + (f", {_line_name(line_axes[0], best.setting[1])}" if line_axes else ""),
            "own": _line_name(line_axes[0], line_in_use[0]) if line_axes else "",
            "alt": f"{measure.title} at {len(by_setting)} settings of {title}, from "
            f"{min(means):.3f} to {max(means):.3f}",
        },
    }


def _sentence(measure: Measure, counted: Counted | None) -> str:
    """Return the sentence on a value, in pairs or labels where the measure counts these."""
    if counted is None:
        return f"With {{setting}} the mean {measure.title} is {{mean}}. "
    unit = drawing.with_nouns(counted.unit)
    return f"With {{setting}}, {{right}} of 100 {unit} are right ({measure.title} {{mean}}). "


def _comparison(
    comparison: SettingComparison, setting: tuple[Any, ...], mean: float, measure: Measure
) -> str:
    best, counted = comparison.best, comparison.counted
    if setting == best.setting:
        return "That is the best of all settings."
    if counted is None:
        return f"The best is {best.mean:.3f}, with {comparison.best_text}."
    loss = (best.mean - mean) * (1 if measure.greater_is_better else -1)
    return f"{counted.more(loss)} more of 100 are wrong than with {comparison.best_text}, the best."


def _level(
    row: Any,
    x: float,
    text: str,
    setting: str,
    comparison: str,
    *,
    is_good: bool,
    counted: Counted | None,
) -> dict[str, Any]:
    is_single = isnan(row.low)
    values = {"setting": setting, "mean": f"{row.mean:.3f}"}
    if counted is not None:
        values["right"] = counted.right(row.mean)
    return {
        "x": float(x),
        "text": text,
        "mean": float(row.mean),
        "low": None if is_single else float(row.low),
        "high": None if is_single else float(row.high),
        "values": values,
        "comparison": comparison,
        "isGood": is_good,
    }


def _other_lines(
    by_setting: Mapping[tuple[Any, ...], Any],
    axis: SettingAxis,
    line_axis: SettingAxis,
    line_in_use: Any,
    best_line: Any,
) -> list[dict[str, Any]]:
    return [
        {
            "name": _line_name(line_axis, line),
            "isBest": bool(line == best_line),
            "points": [
                [float(axis.coordinate(value)), float(by_setting[value, line].mean)]
                for value in axis.values
                if (value, line) in by_setting
            ],
        }
        for line in line_axis.values
        if line != line_in_use
    ]


def _line_name(line_axis: SettingAxis, value: Any) -> str:
    """Return the name of a line: a number needs the symbol of its parameter, other texts do not."""
    text = line_axis.texts[list(line_axis.values).index(value)]
    return f"{line_axis.title} = {text}" if isinstance(value, Real) else text
