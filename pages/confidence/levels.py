"""Calibration of rankings on four levels: stated probabilities beside the shares that are right."""

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from labelrank_core.data.splits import Split
from labelrank_core.evaluation.ranking_calibration import (
    PAIR,
    SUB_RANKING,
    TOP,
    WHOLE,
    LevelCalibration,
    RankingForecasts,
    calibration_levels,
    fit_temperatures,
    forecasts_of_model,
    unseen_forecasts,
)
from labelrank_core.methods import Size
from pages.confidence.withheld_pairs import render_no_votes
from pages.ui import compute
from pages.ui.choose import choices
from pages.ui.render import drawing, widgets
from pages.ui.render.charts.calibration import LEVEL, said_and_right
from pages.ui.render.measured import OTHER_NUMBERS, measured_on
from pages.ui.results import models
from pages.ui.view import View

_N_FOLDS = 5
_N_DRAWS = 499
_MOST_TOP = 5
# Of drawing one event of a simulated model.
_EVENT_SECONDS = 1.5e-7
_AS_THEY_ARE, _CORRECTED = "As they are", "Corrected"
_SOURCE = (
    "The probability of a ranking follows from those of its pairs, read as strengths of the labels "
    "(Plackett–Luce), so a pair's probability differs from that under 'Probabilities'."
)


def render_levels(view: View, split: Split) -> None:
    """Draw the calibration of pairs, sub-rankings, the top and whole rankings."""
    algorithm = view.choice.algorithm
    if not algorithm.votes:
        render_no_votes(algorithm, "Rankings have probabilities")
        return
    headline_slot = st.container(key="headline")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = st.segmented_control(
            "Correct the probabilities",
            [_AS_THEY_ARE, _CORRECTED],
            default=_AS_THEY_ARE,
            required=True,
            key="levels_corrected",
            bind="query-params",
            help="The correction is learned from training cases out of fold. Test cases have no "
            "part in it. It makes all probabilities of a level more or less sure.",
        )
        k = _choose_top(view)
    picture_slot = st.container(key="levels_picture")
    forecasts = _test_forecasts(view, split)
    temperatures = _fit_temperatures(view, split, k) if kind == _CORRECTED else {}
    rows = compute.once(
        compute.digest("levels", forecasts.utilities.tobytes(), k, tuple(temperatures.items())),
        "Simulating honest methods",
        partial(calibration_levels, k=k, temperatures=temperatures, n_draws=_N_DRAWS),
        forecasts,
        seconds=_EVENT_SECONDS * _N_DRAWS * len(split.test) * view.dataset.n_labels**2,
    )
    if not rows:
        st.info("No test case orders two labels, so there is nothing to compare with.")
        return
    with headline_slot:
        drawing.render_heading(heading(rows, k))
    with picture_slot:
        # Two views name a pair's probability, and they differ.
        drawing.render_markdown(drawing.with_nouns(reading_guide(rows)), _SOURCE)
        _render_picture(rows, k, split)
    with widgets.expander("How is this computed?", "levels_open") as is_drawn:
        if is_drawn:
            for row in rows:
                chance = _chance_text(row, temperatures.get(row.level))
                drawing.render_markdown(drawing.with_nouns(f"{sentence(row, k)} {chance}"))
            support = algorithm.support or f"the share of the {algorithm.votes}"
            drawing.render_markdown(drawing.with_nouns(_method_text(support)))


def _choose_top(view: View) -> int:
    most = min(_MOST_TOP, view.dataset.n_labels - 1)
    if most < 2:
        return 1
    return choices.choose(
        st.segmented_control,
        "Top of the ranking",
        list(range(1, most + 1)),
        required=True,
        key="levels_top",
        format_func=lambda k: "first" if k == 1 else f"first {k}",
        help=drawing.with_nouns(
            "One row of the picture asks whether so many labels stand first, in the predicted "
            "order."
        ),
    )


def reading_guide(rows: Sequence[LevelCalibration]) -> str:
    """Define the two shares of a row, and the grey bars."""
    n_cases = max(row.n_cases for row in rows)
    diamond_note = " :orange[◆] lies outside." if any(row.p <= LEVEL for row in rows) else ""
    return (
        "○ is the mean probability that the method gives, :primary[●] how often it is right. Grey "
        f"bar: what chance allows with {n_cases:,} test cases.{diamond_note}"
    )


def _render_picture(rows: Sequence[LevelCalibration], k: int, split: Split) -> None:
    names = [drawing.with_nouns(_level_text(row.level, k)) for row in rows]
    # As the choice above calls it.
    short_names = [
        f"{'top: ' if row.level == TOP else ''}{name.removeprefix('a ').removeprefix('the ')}"
        for row, name in zip(rows, names, strict=True)
    ]
    drawing.render_chart(
        said_and_right(rows, short_names),
        key="levels",
        alt="mean probability and share right: "
        + "; ".join(
            f"{name}: says {row.probability:.0%}, right {row.right:.0%}"
            for name, row in zip(names, rows, strict=True)
        ),
        table=pd.DataFrame([vars(row) for row in rows]),
        caption=measured_on(split),
        more=OTHER_NUMBERS,
    )


def _method_text(support: str) -> str:
    """Return the sources of the probabilities, the error and p."""
    return (
        "Calibration at four levels of Thies, Bengs, Kaufmann, Vollmer and Hüllermeier 2026. "
        f"{_SOURCE} There it is {support}. "
        "The confidence under 'Cases' is agreement. Sub-rankings have three labels. Grey bar: the "
        f"shares right of {1 - LEVEL:.0%} of simulated honest methods. Error: the expected "
        "calibration error over ten bins of equal width. p: how often one of "
        f"{_N_DRAWS} simulated honest methods has an error at least as large."
    )


def heading(rows: Sequence[LevelCalibration], k: int) -> str:
    """Judge whole rankings where they are not honest, else the level that is furthest from it."""
    beyond = {row.level: row for row in rows if row.p <= LEVEL}
    if not beyond:
        n_cases = max(row.n_cases for row in rows)
        return (
            f"The method is as sure as it should be on every level, as far as {n_cases:,} cases "
            "can show"
        )
    furthest = max(beyond.values(), key=lambda row: abs(row.right - row.probability))
    judged = beyond.get(WHOLE, furthest)
    sureness = "not sure enough" if judged.right > judged.probability else "too sure"
    judgement = f"{sureness} of {_level_text(judged.level, k)}"
    return (
        f"The method is {judgement}: it says {judged.probability:.0%} and is right in "
        f"{judged.right:.0%}"
    )


def sentence(row: LevelCalibration, k: int) -> str:
    """Write the stated probability of a level, the share that is right, and a judgement."""
    return (
        f"When it says **{row.probability:.0%}** for {_level_text(row.level, k)}, it is right in "
        f"**{row.right:.0%}**: {_judgement(row)}."
    )


def _chance_text(row: LevelCalibration, temperature: float | None) -> str:
    text = (
        f"With {row.n_cases:,} cases an honest method would be right in {row.low:.0%} to "
        f"{row.high:.0%} and have an error of up to {row.chance_error:.3f}. The error here is "
        f"{row.error:.3f} (p = {row.p:.3f})."
    )
    return text if temperature is None else f"{text} Log odds were divided by {temperature:.2f}."


def _judgement(row: LevelCalibration) -> str:
    if row.p > LEVEL:
        return "an honest method could show that too"
    if row.low <= row.right <= row.high:
        return "right on average, but not at every probability"
    return "not sure enough" if row.right > row.probability else "too sure"


def _level_text(level: str, k: int) -> str:
    return {
        PAIR: "a pair of labels",
        SUB_RANKING: "the order of three labels",
        TOP: "the first label" if k == 1 else f"the first {k} labels",
        WHOLE: "the whole ranking",
    }[level]


def _test_forecasts(view: View, split: Split) -> RankingForecasts:
    dataset, choice = view.dataset, view.choice
    fitted = models.fitted(dataset, choice, split)
    return compute.once(
        compute.digest("forecasts", fitted.key, choice.path_params, split.test.tobytes()),
        "Predicting rankings",
        partial(forecasts_of_model, **choice.path_params),
        fitted.model,
        dataset.X[split.test],
        dataset.rankings[split.test],
        seconds=choice.seconds(Size.of(dataset, len(split.train), len(split.test))),
    )


def _fit_temperatures(view: View, split: Split, k: int) -> dict[str, float]:
    """Fit the corrections to training cases, each predicted by a model that has not seen it."""
    dataset, choice, rows = view.dataset, view.choice, split.train
    key = compute.digest("unseen rankings", dataset.fingerprint, choice, rows.tobytes())
    unseen = compute.once(
        key,
        f"Training on {_N_FOLDS} folds",
        partial(unseen_forecasts, n_folds=_N_FOLDS),
        choice,
        dataset,
        rows,
        seconds=_N_FOLDS * choice.seconds(Size.of(dataset, len(rows), len(rows) // _N_FOLDS)),
        algorithm=choice.algorithm,
    )
    return compute.once(
        compute.digest("temperatures", key, k),
        "Fitting the correction",
        partial(fit_temperatures, k=k),
        unseen,
    )
