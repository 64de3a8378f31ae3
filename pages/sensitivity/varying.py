"""What is varied, how it is judged, what came out."""

from collections.abc import Sequence
from math import isnan
from typing import Any

import pandas as pd
import streamlit as st

from labelrank_core import Dataset
from labelrank_core.data.splits import Fold, cross_validation, holdout_split
from labelrank_core.evaluation.sensitivity import Sensitivity
from labelrank_core.evaluation.sensitivity.figures import SHARE_DELETED, Figure, figures_for
from labelrank_core.evaluation.sensitivity.result import Best
from labelrank_core.evaluation.sensitivity.sweep import fitting_measures
from labelrank_core.methods import ModelChoice
from labelrank_core.metrics import Measure
from pages.ui import params, parts, state
from pages.ui.charts.sensitivity import Axis, heat_map, parameter_curve, parameter_lines

_PUBLISHED = "the published split"


def choose(choice: ModelChoice) -> Figure:
    """Ask what to vary."""
    offered = {_title(figure): figure for figure in figures_for(choice.algorithm)}
    key = f"vary_{choice.key}"
    state.forget_if(key, lambda value: value not in offered)
    title = st.segmented_control(
        "What to vary",
        list(offered),
        default=next(iter(offered)),
        required=True,
        key=key,
        bind="query-params",
    )
    return offered[title]


def _title(figure: Figure) -> str:
    if figure.kind == "missing":
        return "Labels deleted (p₀)"
    if len(figure.knobs) == 1:
        return figure.knobs[0].label
    return " × ".join(knob.symbol for knob in figure.knobs)


def choose_measure(dataset: Dataset, choice: ModelChoice) -> Measure:
    """Ask what to measure."""
    offered = {
        measure.title_with_arrow: measure for measure in fitting_measures(dataset.task, choice)
    }
    first = next(iter(offered))
    state.replace_if("judged_by", lambda value: value not in offered, first)
    title = st.selectbox(
        "Measure",
        list(offered),
        key="judged_by",
        bind="query-params",
        help="\n\n".join(f"**{m.title}.** {m.definition}" for m in offered.values()),
    )
    return offered[title]


def choose_folds(dataset: Dataset) -> list[Fold]:
    """Ask which rows train and which test."""
    offered: dict[str, int] = {
        f"{n} folds": n for n in (5, 10, 3, 2) if n <= dataset.n_samples or n == 2
    }
    titles = [*offered, *([] if dataset.split is None else [_PUBLISHED])]
    state.replace_if("tested_on", lambda value: value not in titles, titles[0])
    title = st.selectbox(
        "Tested on",
        titles,
        key="tested_on",
        bind="query-params",
        help="The rows are divided into folds of one size; each is predicted by a model that "
        "learned from the others. The test part of the sidebar plays no role here.",
    )
    if title == _PUBLISHED:
        return [Fold(0, 0, holdout_split(dataset, kind="published"))]
    return cross_validation(dataset, n_folds=offered[title])


def measured(folds: list[Fold], quick: list[Fold]) -> list[Fold]:
    """Let the user measure all rows where half a minute is not enough for them."""
    n_all, n_quick = (sum(len(fold.split.test) for fold in each) for each in (folds, quick))
    if n_all == n_quick:
        return folds
    return folds if parts.measures_all(n_all, n_quick) else quick


def headline(found: Sensitivity, choice: ModelChoice, figure: Figure, measure: Measure) -> None:
    """Say in one sentence what is best and how much that matters."""
    own = figure.own(choice)
    if own is None:
        _say_what_deleting_costs(found, measure)
        return
    best = found.best(measure.key, own=own)
    at_best, at_own = (_setting(figure, setting) for setting in (best.setting, own))
    if best.setting == own:
        st.markdown(
            f"Of {len(found.settings)} settings the one in use, {at_own}, has the best "
            f"{measure.title}: **{_with_spread(best.mean, best.sd)}**."
        )
        return
    st.markdown(
        f"Best of {len(found.settings)} settings: **{at_best}**, with a {measure.title} of "
        f"**{_with_spread(best.mean, best.sd)}**. The one in use, {at_own}, has "
        f"{_with_spread(best.own_mean, best.own_sd)}: {_verdict(best)}"
    )
    values = dict(zip(figure.parameters, best.setting, strict=True))
    st.button(
        f"Use {at_best}",
        icon=":material/check:",
        on_click=params.use,
        args=(choice.algorithm, values),
    )


def _verdict(best: Best) -> str:
    if isnan(best.gain_sd):
        return f"{best.gain:.3f} worse on this one split."
    spread = f"{best.gain:.3f} ± {best.gain_sd:.3f} worse, fold by fold"
    return f"{spread}." if best.matters else f"{spread}, which is no clear difference."


def _say_what_deleting_costs(found: Sensitivity, measure: Measure) -> None:
    bands = found.bands()
    first, last = bands.iloc[0], bands.iloc[-1]
    st.markdown(
        f"With complete rankings to learn from, {measure.title} is "
        f"**{_with_spread(first['mean'], first['sd'])}**; with {last[SHARE_DELETED]:.0%} of the "
        f"labels deleted it is **{_with_spread(last['mean'], last['sd'])}**."
    )


def _with_spread(mean: float, sd: float) -> str:
    return f"{mean:.3f}" if isnan(sd) else f"{mean:.3f} ± {sd:.3f}"


def _setting(figure: Figure, setting: Sequence[Any]) -> str:
    return ", ".join(
        f"{knob.symbol} = {params.value_in_words(knob, value)}"
        if knob.symbol != knob.label
        else f"{knob.label} {params.value_in_words(knob, value)}"
        for knob, value in zip(figure.knobs, setting, strict=True)
    )


def draw(found: Sensitivity, choice: ModelChoice, figure: Figure, measure: Measure) -> None:
    """Draw what was measured."""
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
    parts.chart(
        drawn,
        key="sensitivity",
        alt=f"{measure.title} at {len(found.settings)} settings of {_title(figure)}, from "
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
    words = [params.value_in_words(knob, value) for value in values]
    title = knob.symbol if len(figure.knobs) > 1 else knob.label
    return Axis(name, title, values, words, knob.scale, knob.ends)


def _table(bands: pd.DataFrame, figure: Figure) -> pd.DataFrame:
    named = bands.drop(columns="measure")
    for knob in figure.knobs:
        if knob.none or knob.choices:
            named[knob.name] = [params.value_in_words(knob, v) for v in named[knob.name]]
    return named.rename(columns={knob.name: knob.symbol for knob in figure.knobs})


def explain(figure: Figure, folds: Sequence[Fold]) -> None:
    """Say how to read the figure of some folds."""
    words = []
    if figure.kind != "missing":
        words.append("○ in use, ★ best.")
    if len(folds) > 1:
        band = "Band and ±" if figure.kind != "map" else "±"
        words.append(f"{band}: one standard deviation of the {len(folds)} folds.")
        if figure.kind != "missing":
            words.append(
                "The best is chosen on the folds that measure it, so on new cases it will be a "
                "little less good."
            )
    if figure.kind == "missing":
        words.append(
            "Fig. 2 of Zhou and Qiu 2018, on your data. Labels are deleted from the training "
            "rankings alone, each with the same probability; test rankings stay complete. "
            f"{figure.caption} The paper's own numbers with deleted labels come from a program "
            "whose trees were grown on the complete rankings, and are higher."
        )
    else:
        words.append(figure.caption)
    st.caption(" ".join(word for word in words if word))
