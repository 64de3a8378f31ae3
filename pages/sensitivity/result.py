"""The result: a sentence, a picture, and a caption on reading it."""

from collections.abc import Sequence
from math import isnan
from typing import Any

import pandas as pd
import streamlit as st

from labelrank_core.data.splits import Fold
from labelrank_core.evaluation.sensitivity import Sensitivity
from labelrank_core.evaluation.sensitivity.figures import SHARE_DELETED, Figure
from labelrank_core.evaluation.sensitivity.result import Best
from labelrank_core.methods import ModelChoice
from labelrank_core.metrics import Measure
from pages.sensitivity import names, value_curve
from pages.ui import toolbar
from pages.ui.render import drawing
from pages.ui.render.charts.sensitivity import SettingAxis, heat_map, missing_curve
from pages.ui.wording import choice_text

_KEY = "sensitivity"


def need_values(sensitivity: Sensitivity, measure: Measure) -> None:
    """End the page with a sentence where no test case can be measured, as where all labels tie."""
    if not sensitivity.has_values(measure.key):
        st.info(
            f"{measure.title} cannot be measured on these data. It needs test cases that put one "
            "label ahead of another. Choose another measure or other data.",
            icon=":material/info:",
        )
        st.stop()


def render_headline(
    sensitivity: Sensitivity, choice: ModelChoice, figure: Figure, measure: Measure
) -> None:
    """Draw a sentence on the best setting and its advantage over the one in use."""
    setting_in_use = figure.own(choice)
    if setting_in_use is None:
        _render_cost_of_deleting(sensitivity, measure, figure)
        return
    best = sensitivity.best(measure.key, current=setting_in_use)
    st.header(_headline(sensitivity, figure, measure, setting_in_use), anchor=False)
    at_best, at_setting_in_use = (
        names.setting(figure, setting) for setting in (best.setting, setting_in_use)
    )
    has_ring = figure.kind != "map"
    if best.setting == setting_in_use:
        if has_ring:
            # The sentence that follows the ring says it.
            return
        st.markdown(
            f"Of {len(sensitivity.settings)} settings, the one in use ({at_setting_in_use}) has "
            f"the best {measure.title}: **{_with_spread(best.mean, best.sd)}**."
        )
        return
    if has_ring:
        st.markdown(_verdict(best))
    else:
        st.markdown(
            f"The best of {len(sensitivity.settings)} settings is **{at_best}**, with a "
            f"{measure.title} of **{_with_spread(best.mean, best.sd)}**. The setting in use "
            f"({at_setting_in_use}) has {_with_spread(best.own_mean, best.own_sd)}. "
            f"{_verdict(best)}"
        )
    values = dict(zip(figure.parameters, best.setting, strict=True))
    st.button(
        f"Use {at_best}",
        icon=":material/arrow_forward:",
        on_click=toolbar.set_values,
        args=(choice.algorithm, values),
    )


def _headline(
    sensitivity: Sensitivity, figure: Figure, measure: Measure, setting_in_use: tuple[Any, ...]
) -> str:
    """Say which settings are as good as the best one, and whether the one in use is."""
    good = sensitivity.as_good(measure.key, current=setting_in_use)
    n_settings = len(sensitivity.settings)
    is_in_use = setting_in_use in good
    if len(good) == 1:
        at_best = names.setting(figure, good[0])
        return f"{at_best} is the best of {n_settings} settings{', and in use' * is_in_use}"
    too = ", the one in use among them" if is_in_use else ", but not the one in use"
    if len(good) == n_settings:
        return f"All {n_settings} settings tried are as good as the best"
    places = [sensitivity.settings.index(setting) for setting in good]
    is_range = len(figure.parameters) == 1 and places[-1] - places[0] == len(places) - 1
    if is_range and all(isinstance(setting[0], int | float) for setting in good):
        first, last = (names.setting(figure, setting) for setting in (good[0], good[-1]))
        return f"Every value tried from {first} to {last} is as good as the best{too}"
    return f"{len(good)} of {n_settings} settings are as good as the best{too}"


def _verdict(best: Best) -> str:
    if isnan(best.gain_sd):
        return f"The setting in use is {best.gain:.3f} worse than the best on this one split."
    worse = f"{best.gain:.3f} ± {best.gain_sd:.3f} worse than the best"
    if best.matters:
        return f"Fold by fold, the setting in use is {worse}."
    return (
        f"Fold by fold, the setting in use is {worse}, less than the folds differ: it is as good."
    )


def _render_cost_of_deleting(sensitivity: Sensitivity, measure: Measure, figure: Figure) -> None:
    bands = sensitivity.bands()
    first, last = bands.iloc[0], bands.iloc[-1]
    complete = "all known pairs" if figure.of_pairs else "complete training rankings"
    st.markdown(
        f"With {complete} {measure.title} is "
        f"**{_with_spread(first['mean'], first['sd'])}**; with {last[SHARE_DELETED]:.0%} of the "
        f"{figure.deleted} deleted it is "
        f"**{_with_spread(last['mean'], last['sd'])}**."
    )


def _with_spread(mean: float, sd: float) -> str:
    return f"{mean:.3f}" if isnan(sd) else f"{mean:.3f} ± {sd:.3f}"


def render_picture(
    sensitivity: Sensitivity, choice: ModelChoice, figure: Figure, measure: Measure
) -> None:
    """Draw the measured values, those of one parameter with a ring to drag to the value in use."""
    bands, setting_in_use = sensitivity.bands(), figure.own(choice)
    axes = [_axis(figure, bands, i) for i in range(len(figure.parameters))]
    title = f"{measure.title} ({measure.better} is better)"
    if setting_in_use is None:
        chart = missing_curve(bands, axes[0], title)
    else:
        best = sensitivity.best(measure.key, current=setting_in_use)
        if figure.kind != "map":
            value_curve.render(bands, axes, figure, choice.algorithm, best, setting_in_use, measure)
            drawing.render_table_popover(_KEY, _table(bands, figure))
            return
        across, up = axes
        chart = heat_map(
            bands,
            across,
            up,
            measure.title,
            {"best": best.setting, "in use": setting_in_use},
            greater_is_better=measure.greater_is_better,
        )
    drawing.render_chart(
        chart,
        key=_KEY,
        alt=f"{measure.title} at {len(sensitivity.settings)} settings of {names.title(figure)}, "
        f"from {bands['mean'].min():.3f} to {bands['mean'].max():.3f}",
        table=_table(bands, figure),
    )


def _axis(figure: Figure, bands: pd.DataFrame, i: int) -> SettingAxis:
    name = figure.parameters[i]
    levels = bands[name].unique()
    values: list[Any]
    if figure.kind == "missing":
        return SettingAxis(
            name,
            f"{figure.deleted} deleted in training",
            list(levels),
            [f"{share:.0%}" for share in levels],
        )
    knob = figure.knobs[i]
    if knob.choices:
        values = [value for value, _ in knob.choices]
    else:
        numbers = sorted(level for level in levels if level is not None)
        values = [*numbers, *(level for level in levels if level is None)]
    texts = [choice_text.value_text(knob, value) for value in values]
    title = knob.symbol if len(figure.knobs) > 1 else knob.label
    return SettingAxis(name, title, values, texts, knob.scale, knob.ends)


def _table(bands: pd.DataFrame, figure: Figure) -> pd.DataFrame:
    table = bands.drop(columns="measure")
    for knob in figure.knobs:
        if knob.none or knob.choices:
            table[knob.name] = [choice_text.value_text(knob, v) for v in table[knob.name]]
    return table.rename(columns={knob.name: knob.symbol for knob in figure.knobs})


def render_reading_guide(figure: Figure, folds: Sequence[Fold]) -> None:
    """Draw a caption on reading the figure of these folds."""
    missing, several = figure.kind == "missing", len(folds) > 1
    sentences = []
    if figure.kind == "map":
        sentences = ["○ marks the setting in use, ★ the best one."]
    elif not missing:
        sentences = ["Drag the ring: the method then has that value. ★ marks the best one."]
    if several:
        band = "A number after ± is" if figure.kind == "map" else "The band and ± are"
        sentences.append(
            f"{band} one standard deviation over the {len(folds)} folds of all cases. "
            "How good? measures on its test cases alone, so its numbers differ."
        )
    about = [figure.caption]
    if figure.of_pairs:
        about = [
            "Known pairs are deleted from the training cases only, each with the same probability; "
            "those of the test cases stay.",
            figure.caption,
        ]
    elif missing:
        about = [
            "Fig. 2 of Zhou and Qiu 2018, on your data. Labels are deleted from the training "
            "rankings only, each with the same probability; test rankings stay complete.",
            figure.caption,
            "The paper's own numbers with deleted labels are higher: its program grew the trees on "
            "the complete rankings.",
        ]
    elif several:
        about.append(
            "The best setting is chosen on the folds that measure it, so it will do slightly worse "
            "on new cases."
        )
    st.caption(drawing.with_nouns(" ".join(sentences)), help=" ".join(filter(None, about)) or None)
