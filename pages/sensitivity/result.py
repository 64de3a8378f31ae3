"""The result: a sentence, a picture, and how to read it."""

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
from pages.sensitivity import names
from pages.ui import choice_text, drawing, toolbar
from pages.ui.charts.sensitivity import Axis, heat_map, parameter_curve, parameter_lines


def need_values(found: Sensitivity, measure: Measure) -> None:
    """End the page with a sentence where no test case can be measured, as where all labels tie."""
    if not found.has_values(measure.key):
        st.info(
            f"{measure.title} cannot be measured on these data. It needs test cases that put one "
            "label ahead of another. Choose another measure or other data.",
            icon=":material/info:",
        )
        st.stop()


def headline(found: Sensitivity, choice: ModelChoice, figure: Figure, measure: Measure) -> None:
    """Say in one sentence what is best and how much that matters."""
    own = figure.own(choice)
    if own is None:
        _say_what_deleting_costs(found, measure)
        return
    best = found.best(measure.key, own=own)
    at_best, at_own = (names.setting(figure, setting) for setting in (best.setting, own))
    if best.setting == own:
        st.markdown(
            f"Of {len(found.settings)} settings, the one in use ({at_own}) has the best "
            f"{measure.title}: **{_with_spread(best.mean, best.sd)}**."
        )
        return
    st.markdown(
        f"Best of {len(found.settings)} settings: **{at_best}**, with a {measure.title} of "
        f"**{_with_spread(best.mean, best.sd)}**. The one in use ({at_own}) has "
        f"{_with_spread(best.own_mean, best.own_sd)}: {_verdict(best)}"
    )
    values = dict(zip(figure.parameters, best.setting, strict=True))
    st.button(
        f"Use {at_best}",
        icon=":material/check:",
        on_click=toolbar.set_values,
        args=(choice.algorithm, values),
    )


def _verdict(best: Best) -> str:
    if isnan(best.gain_sd):
        return f"{best.gain:.3f} worse on this one split."
    spread = f"{best.gain:.3f} ± {best.gain_sd:.3f} worse, fold by fold"
    return f"{spread}." if best.matters else f"{spread}: not a clear difference."


def _say_what_deleting_costs(found: Sensitivity, measure: Measure) -> None:
    bands = found.bands()
    first, last = bands.iloc[0], bands.iloc[-1]
    st.markdown(
        f"With complete training rankings {measure.title} is "
        f"**{_with_spread(first['mean'], first['sd'])}**; with {last[SHARE_DELETED]:.0%} of the "
        f"labels deleted it is **{_with_spread(last['mean'], last['sd'])}**."
    )


def _with_spread(mean: float, sd: float) -> str:
    return f"{mean:.3f}" if isnan(sd) else f"{mean:.3f} ± {sd:.3f}"


def picture(found: Sensitivity, choice: ModelChoice, figure: Figure, measure: Measure) -> None:
    """Draw the measured values."""
    bands, own = found.bands(), figure.own(choice)
    title = f"{measure.title} ({measure.better} is better)"
    axes = [_axis(figure, bands, i) for i in range(len(figure.parameters))]
    settings = {}
    if own is not None:
        settings = {"best": found.best(measure.key, own=own).setting, "in use": own}
    if figure.kind == "map":
        across, up = axes
        drawn = heat_map(
            bands,
            across,
            up,
            measure.title,
            settings,
            greater_is_better=measure.greater_is_better,
        )
    elif figure.kind == "lines" and own is not None:
        across, each = axes
        drawn = parameter_lines(bands, across, each, title, own[1], settings)
    else:
        marks = {what: setting[0] for what, setting in settings.items()}
        drawn = parameter_curve(bands, axes[0], title, marks)
    drawing.chart(
        drawn,
        key="sensitivity",
        alt=f"{measure.title} at {len(found.settings)} settings of {names.title(figure)}, from "
        f"{bands['mean'].min():.3f} to {bands['mean'].max():.3f}",
        table=_table(bands, figure),
    )


def _axis(figure: Figure, bands: pd.DataFrame, i: int) -> Axis:
    name = figure.parameters[i]
    seen = bands[name].unique()
    values: list[Any]
    if figure.kind == "missing":
        return Axis(
            name, "labels deleted in training", list(seen), [f"{share:.0%}" for share in seen]
        )
    knob = figure.knobs[i]
    if knob.choices:
        values = [value for value, _ in knob.choices]
    else:
        numbers = sorted(each for each in seen if each is not None)
        values = [*numbers, *(each for each in seen if each is None)]
    words = [choice_text.value_text(knob, value) for value in values]
    title = knob.symbol if len(figure.knobs) > 1 else knob.label
    return Axis(name, title, values, words, knob.scale, knob.ends)


def _table(bands: pd.DataFrame, figure: Figure) -> pd.DataFrame:
    named = bands.drop(columns="measure")
    for knob in figure.knobs:
        if knob.none or knob.choices:
            named[knob.name] = [choice_text.value_text(knob, v) for v in named[knob.name]]
    return named.rename(columns={knob.name: knob.symbol for knob in figure.knobs})


def explain(figure: Figure, folds: Sequence[Fold]) -> None:
    """Say how to read the figure of some folds."""
    missing, several = figure.kind == "missing", len(folds) > 1
    words = [] if missing else ["○ in use, ★ best."]
    if several:
        band = "±" if figure.kind == "map" else "Band and ±"
        words.append(f"{band}: one standard deviation over the {len(folds)} folds.")
    about = [figure.caption]
    if missing:
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
    st.caption(" ".join(words), help=" ".join(filter(None, about)) or None)
