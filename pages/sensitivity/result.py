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
from pages.ui.wording import choice_text, text

_KEY = "sensitivity"
# A smaller difference is not seen in three decimals.
_SEEN = 0.0005


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
    """Draw what to do about the setting in use; below it, the means where no ring says them."""
    setting_in_use = figure.own(choice)
    if setting_in_use is None:
        _render_cost_of_deleting(sensitivity, measure, figure)
        return
    best = sensitivity.best(measure.key, current=setting_in_use)
    good = sensitivity.as_good(measure.key, current=setting_in_use)
    drawing.render_heading(_headline(sensitivity, figure, best, good, setting_in_use))
    if figure.kind == "map":
        setting = names.setting(figure, setting_in_use)
        drawing.render_markdown(
            drawing.with_nouns(
                f"The setting in use, {setting}, has a mean {measure.title} of "
                f"**{_with_spread(best.own_mean, best.own_sd)}**. "
                f"{verdict(sensitivity, figure, best, good, setting_in_use)}"
            )
        )


def render_button(
    sensitivity: Sensitivity, choice: ModelChoice, figure: Figure, measure: Measure
) -> None:
    """Draw the button that takes the best setting, where the one in use is clearly worse."""
    setting_in_use = figure.own(choice)
    if setting_in_use is None:
        return
    best = sensitivity.best(measure.key, current=setting_in_use)
    if setting_in_use in sensitivity.as_good(measure.key, current=setting_in_use):
        return
    st.button(
        drawing.with_nouns(f"Try {names.setting(figure, best.setting)}"),
        type="primary",
        icon=":material/arrow_forward:",
        on_click=toolbar.set_values,
        args=(choice.algorithm, dict(zip(figure.parameters, best.setting, strict=True))),
    )


def _headline(
    sensitivity: Sensitivity,
    figure: Figure,
    best: Best,
    good: Sequence[tuple[Any, ...]],
    setting_in_use: tuple[Any, ...],
) -> str:
    """Say whether to keep the setting in use."""
    is_one, n_settings = len(figure.parameters) == 1, len(sensitivity.settings)
    in_use = names.setting(figure, setting_in_use) if is_one else "the setting in use"
    if setting_in_use not in good:
        return f"Try {names.setting(figure, best.setting)}: it is better than {in_use}"
    if len(good) == 1:
        return f"Keep {in_use}: it is the best of {n_settings} settings"
    if len(good) == n_settings:
        return f"Keep {in_use}: all {n_settings} settings are as good"
    return f"Keep {in_use}: no other setting is clearly better"


def verdict(
    sensitivity: Sensitivity,
    figure: Figure,
    best: Best,
    good: Sequence[tuple[Any, ...]],
    setting_in_use: tuple[Any, ...],
) -> str:
    """Compare the setting in use with the best one, and name those that are as good as that."""
    at_best = names.setting(figure, best.setting)
    others = _good_settings(sensitivity, figure, good)
    if best.setting == setting_in_use:
        return f"That is the best value of all settings.{others}"
    gain = _with_spread(best.gain, best.gain_sd)
    sentence = f"That is {gain} worse than the best ({at_best})"
    if isnan(best.gain_sd):
        return f"{sentence} on this one split.{others}"
    compared = "more" if best.matters else "less"
    return f"{sentence}, {compared} than the folds differ.{others}"


def _good_settings(
    sensitivity: Sensitivity, figure: Figure, good: Sequence[tuple[Any, ...]]
) -> str:
    """Name the settings that are as good as the best one, in a sentence."""
    n_settings = len(sensitivity.settings)
    if len(good) in {1, n_settings}:
        return ""
    places = [sensitivity.settings.index(setting) for setting in good]
    is_range = len(figure.parameters) == 1 and places[-1] - places[0] == len(places) - 1
    if is_range and all(isinstance(setting[0], int | float) for setting in good):
        first, last = (names.setting(figure, setting) for setting in (good[0], good[-1]))
        return f" Every value tried from {first} to {last} is as good as the best."
    return f" {len(good)} of {n_settings} settings are as good as the best."


def _render_cost_of_deleting(sensitivity: Sensitivity, measure: Measure, figure: Figure) -> None:
    bands = sensitivity.bands()
    first, last = bands.iloc[0], bands.iloc[-1]
    cost = (first["mean"] - last["mean"]) * (1 if measure.greater_is_better else -1)
    share = f"{last[SHARE_DELETED]:.0%} of the {figure.deleted}"
    costs = f"costs {cost:.3f} of {measure.title}" if cost >= _SEEN else "costs nothing"
    drawing.render_heading(f"Deleting {share} {costs}")
    complete = "all known pairs" if figure.of_pairs else "complete training rankings"
    drawing.render_markdown(
        drawing.with_nouns(
            f"With {complete} the mean {measure.title} is "
            f"**{_with_spread(first['mean'], first['sd'])}**. With {share} deleted it is "
            f"**{_with_spread(last['mean'], last['sd'])}**."
        )
    )


def _with_spread(mean: float, sd: float) -> str:
    return f"{mean:.3f}" if isnan(sd) else f"{mean:.3f} ± {sd:.3f}"


def render_picture(
    sensitivity: Sensitivity, choice: ModelChoice, figure: Figure, measure: Measure
) -> None:
    """Draw the measured values, those of one parameter with a ring to drag to the value in use."""
    bands, setting_in_use = sensitivity.bands(), figure.own(choice)
    axes = [_axis(figure, bands, i) for i in range(len(figure.parameters))]
    title = names.measure_title(measure)
    if setting_in_use is None:
        chart = missing_curve(bands, axes[0], title)
    else:
        best = sensitivity.best(measure.key, current=setting_in_use)
        if figure.kind != "map":
            good = sensitivity.as_good(measure.key, current=setting_in_use)
            value_curve.render(
                bands,
                axes,
                figure,
                choice.algorithm,
                best,
                setting_in_use,
                measure,
                verdict(sensitivity, figure, best, good, setting_in_use),
            )
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


def render_reading_guide(
    sensitivity: Sensitivity, figure: Figure, folds: Sequence[Fold], measure: Measure
) -> None:
    """Draw a caption on reading the figure of these folds, and what is measured, in its help."""
    missing, several = figure.kind == "missing", len(folds) > 1
    sentences = []
    if figure.kind == "map":
        sentences = ["○ marks the setting in use, ★ the best one."]
    elif not missing:
        sentences = ["Drag the ring to use another value. ★ is the best."]
        if figure.kind == "lines":
            of = text.lowered(figure.knobs[1].label)
            sentences.append(f"Grey: other values of {of}, named when pointed at.")
    if several:
        band = "The number after ± is" if figure.kind == "map" else "The band and ± are"
        sentences.append(f"{band} one standard deviation over {len(folds)} folds.")
    about = [f"{measure.title}: {measure.definition}"]
    if several:
        about.append(
            f"All cases are divided into {len(folds)} folds, and each fold is predicted by a model "
            "that learned from the others. The page 'How good?' measures on its test cases alone, "
            "so its numbers differ."
        )
    if figure.of_pairs:
        about.append(
            "Known pairs are deleted from the training cases only, each with the same probability; "
            "those of the test cases stay."
        )
    elif missing:
        about.append(
            "Fig. 2 of Zhou and Qiu 2018, on your data. Labels are deleted from the training "
            "rankings only, each with the same probability; test rankings stay complete. The "
            "paper's own numbers with deleted labels are higher: its program grew the trees on the "
            "complete rankings."
        )
    elif several:
        about.append(
            "The best setting is chosen on the folds that measure it, so it will do slightly worse "
            "on new cases."
        )
    about.append(figure.caption)
    caption, more = (
        drawing.with_nouns(" ".join(filter(None, parts))) for parts in (sentences, about)
    )
    has_ring = figure.kind in {"curve", "lines"}
    with st.container(horizontal=True, gap="small", key="below-sensitivity-guide"):
        st.caption(caption or "What is measured?", width="stretch", help=more)
        if has_ring:
            drawing.render_table_popover(_KEY, _table(sensitivity.bands(), figure))
