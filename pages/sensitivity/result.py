"""The result: a sentence, a picture, and a caption on reading it."""

from collections.abc import Sequence
from math import isnan
from typing import Any

import pandas as pd
import streamlit as st

from labelrank_core.data.held_out import HeldOutCases
from labelrank_core.data.splits import Fold
from labelrank_core.evaluation.sensitivity import Sensitivity
from labelrank_core.evaluation.sensitivity.figures import SHARE_DELETED, Figure
from labelrank_core.methods import ModelChoice
from labelrank_core.metrics import Measure
from pages.sensitivity import names, value_curve
from pages.sensitivity.comparison import SettingComparison, with_spread
from pages.ui import toolbar
from pages.ui.render import drawing
from pages.ui.render.charts.sensitivity import SettingAxis, heat_map, missing_curve
from pages.ui.render.measured import OTHER_NUMBERS
from pages.ui.wording import choice_text
from pages.ui.wording.measure_text import Counted

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
    sensitivity: Sensitivity,
    figure: Figure,
    measure: Measure,
    comparison: SettingComparison | None,
) -> None:
    """Draw the heading with what to do, or with how many labels may be missing."""
    if comparison is None:
        drawing.render_heading(drawing.with_nouns(missing_headline(sensitivity, measure, figure)))
        return
    drawing.render_heading(comparison.headline)


def render_means(
    sensitivity: Sensitivity,
    figure: Figure,
    measure: Measure,
    comparison: SettingComparison | None,
    counted: Counted | None,
) -> None:
    """Draw the means where no ring says them, or what the parameter of the lines is."""
    if comparison is None:
        first, last = _complete_and_deleted(sensitivity)
        sentence = (
            f"{figure.deleted.capitalize()} are deleted at random from the training cases. With "
            f"none missing the mean {measure.title} is **{first['mean']:.3f}**, with "
            f"{_share_deleted(last, figure)} missing **{last['mean']:.3f}**."
        )
        loss = _loss(first, last, measure)
        if counted is not None and loss >= _SEEN:
            sentence += f" Of 100 {counted.unit}, **{counted.more(loss)}** more are wrong then."
    elif figure.kind == "map":
        best = comparison.best
        sentence = (
            f"The setting in use, {names.setting(figure, comparison.setting_in_use)}, has a mean "
            f"{measure.title} of **{with_spread(best.own_mean, best.own_sd)}**. "
            f"{comparison.verdict}"
        )
    elif figure.kind == "lines":
        values = comparison.setting_in_use[1], comparison.best.setting[1]
        sentence = f"A line for each value. {names.definition(figure, values)}"
    else:
        return
    drawing.render_markdown(drawing.with_nouns(sentence))


def render_button(choice: ModelChoice, comparison: SettingComparison | None) -> None:
    """Draw the button that takes the best setting, where the one in use is clearly worse."""
    if comparison is None or comparison.keeps_setting:
        return
    best_values = dict(zip(comparison.figure.parameters, comparison.best.setting, strict=True))
    st.button(
        drawing.with_nouns(f"Try {comparison.best_text}"),
        type="primary",
        icon=":material/arrow_forward:",
        on_click=toolbar.set_values,
        args=(choice.algorithm, best_values),
    )


def _complete_and_deleted(sensitivity: Sensitivity) -> tuple[pd.Series, pd.Series]:
    """Return the means with nothing deleted and with the most deleted."""
    bands = sensitivity.bands()
    return bands.iloc[0], bands.iloc[-1]


def _loss(first: pd.Series, last: pd.Series, measure: Measure) -> float:
    """Return how much worse the last mean is than the first."""
    return (first["mean"] - last["mean"]) * (1 if measure.greater_is_better else -1)


def _share_deleted(row: pd.Series, figure: Figure) -> str:
    return f"{row[SHARE_DELETED]:.0%} of the {figure.deleted}"


def missing_headline(sensitivity: Sensitivity, measure: Measure, figure: Figure) -> str:
    """Say how many labels may be missing without a clear loss, or what the most cost."""
    first, last = _complete_and_deleted(sensitivity)
    if isnan(first["sd"]):
        cost = _loss(first, last, measure)
        costs = f"cost {cost:.3f} of {measure.title}" if cost >= _SEEN else "cost nothing"
        return f"{_share_deleted(last, figure)} missing {costs}"
    are_good = _are_good(sensitivity, measure, None)
    worse = [i for i, is_good in enumerate(are_good) if not is_good]
    if not worse:
        return f"Even {_share_deleted(last, figure)} can be missing without a clear loss"
    if worse[0] == 1:
        share = sensitivity.settings[1][0]
        return f"It is clearly worse as soon as {share:.0%} of the {figure.deleted} are missing"
    share = sensitivity.settings[worse[0] - 1][0]
    return f"Up to {share:.0%} of the {figure.deleted} can be missing without a clear loss"


def render_picture(
    sensitivity: Sensitivity,
    choice: ModelChoice,
    figure: Figure,
    measure: Measure,
    comparison: SettingComparison | None,
    cases: HeldOutCases,
) -> None:
    """Draw the measured values, those of one parameter with a ring to drag to the value in use."""
    measured = drawing.with_nouns(cases.sentence)
    bands = _bands(sensitivity, figure, measure, comparison)
    axes = [_axis(figure, bands, i) for i in range(len(figure.parameters))]
    if comparison is None:
        are_good = _are_good(sensitivity, measure, comparison)
        chart = missing_curve(bands, axes[0], names.measure_title(measure), are_good)
    elif figure.kind != "map":
        value_curve.render(bands, axes, choice.algorithm, measure, comparison)
        table = _table(bands, figure)
        drawing.render_caption_and_table(_KEY, table, measured, OTHER_NUMBERS)
        return
    else:
        across, up = axes
        chart = heat_map(
            bands,
            across,
            up,
            measure.title,
            {"best": comparison.best.setting, "in use": comparison.setting_in_use},
            greater_is_better=measure.greater_is_better,
        )
    drawing.render_chart(
        chart,
        key=_KEY,
        alt=f"{measure.title} at {len(sensitivity.settings)} settings of {names.title(figure)}, "
        f"from {bands['mean'].min():.3f} to {bands['mean'].max():.3f}",
        table=_table(bands, figure),
        caption=measured,
        more=OTHER_NUMBERS,
    )


def _are_good(
    sensitivity: Sensitivity, measure: Measure, comparison: SettingComparison | None
) -> list[bool]:
    """Tell for each setting whether it is not clearly worse than the one compared with."""
    if comparison is None:
        good = sensitivity.as_good(measure.key, than=sensitivity.settings[0])
    else:
        good = list(comparison.good_settings)
    return [setting in good for setting in sensitivity.settings]


def _bands(
    sensitivity: Sensitivity,
    figure: Figure,
    measure: Measure,
    comparison: SettingComparison | None,
) -> pd.DataFrame:
    """Tabulate the means with the bands that are drawn, if any."""
    if figure.kind == "map":
        return sensitivity.bands()
    reference = sensitivity.settings[0] if comparison is None else comparison.best.setting
    return sensitivity.bands_of_difference(measure.key, than=reference)


def _axis(figure: Figure, bands: pd.DataFrame, i: int) -> SettingAxis:
    name = figure.parameters[i]
    levels = bands[name].unique()
    values: list[Any]
    if figure.kind == "missing":
        return SettingAxis(
            name,
            drawing.with_nouns(f"{figure.deleted} missing in training"),
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
    sensitivity: Sensitivity,
    figure: Figure,
    folds: Sequence[Fold],
    measure: Measure,
    comparison: SettingComparison | None,
) -> None:
    """Draw how to read the picture, with the measure, the folds and the band in a help."""
    missing, several = figure.kind == "missing", len(folds) > 1
    sentences = []
    if figure.kind == "map":
        sentences = ["○ marks the setting in use, ★ the best one."]
    elif comparison is not None:
        sentences = ["Drag the ring to use another value."]
        if figure.kind == "lines":
            sentences.append("Other lines are grey.")
    about = []
    if several and figure.kind == "map":
        sentences.append(f"±: standard deviation over the {len(folds)} folds.")
    elif several:
        reference = "complete rankings" if comparison is None else "the best"
        if figure.of_pairs:
            reference = "all known pairs"
        interval = "band" if comparison is None else "bar"
        about.append(f"{interval.capitalize()}: 95% interval of the difference from {reference}.")
        if not all(_are_good(sensitivity, measure, comparison)):
            sentences.append(
                f"Hollow dots are clearly worse: their {interval} misses the dashed line."
            )
    about.append(f"{measure.title}: {measure.definition}")
    if several:
        about.append(
            f"All cases are divided into {len(folds)} folds, and each fold is predicted by a model "
            "that learned from the others. A difference is clear where its 95% interval leaves out "
            "0: the t interval of the folds' differences, corrected for training cases that folds "
            "share (Nadeau and Bengio 2003)."
        )
    if figure.of_pairs:
        about.append(
            "Known pairs are deleted from the training cases only, each with the same probability; "
            "those of the test cases stay."
        )
    elif missing:
        about.append(
            "Fig. 2 of Zhou and Qiu 2018, on your data; the share deleted is their p₀. Labels are "
            "deleted from the training rankings only, each with the same probability; test "
            "rankings stay complete. The paper's own numbers with deleted labels are higher: its "
            "program grew the trees on the complete rankings."
        )
    elif several:
        about.append(
            "The best setting is chosen on the folds that measure it, so it will do slightly worse "
            "on new cases."
        )
    about.append(figure.caption)
    drawing.render_markdown(
        drawing.with_nouns(" ".join(sentences) or "What is measured?"),
        " ".join(filter(None, about)),
    )
