"""Probabilities of pairs: their reliability, as they are and recalibrated."""

from functools import partial
from math import isnan

import streamlit as st

from labelrank_core.data.splits import Split
from labelrank_core.evaluation import pair_probabilities
from labelrank_core.evaluation.pair_calibration import (
    PairCalibration,
    pair_calibration,
    reliability_with_chance,
)
from labelrank_core.evaluation.pair_probabilities import (
    AS_IT_IS,
    ISOTONIC,
    TEMPERATURE,
    PairProbabilities,
    Recalibration,
    fit_recalibration,
)
from labelrank_core.methods import Size
from pages.confidence.withheld_pairs import render_no_votes
from pages.ui import compute
from pages.ui.render import drawing, widgets
from pages.ui.render.charts.calibration import LEVEL
from pages.ui.render.charts.guarantees import is_beyond_chance, reliability
from pages.ui.render.measured import OTHER_NUMBERS, measured_on
from pages.ui.results import models
from pages.ui.view import View

_N_FOLDS = 5
KINDS = {"As they are": AS_IT_IS, "One temperature": TEMPERATURE, "Rising steps": ISOTONIC}


def render_reliability(view: View, split: Split) -> None:
    """Draw the reliability of pair probabilities, with their scores."""
    algorithm = view.choice.algorithm
    if not algorithm.votes:
        render_no_votes(algorithm, "Pairs have probabilities")
        return
    probabilities = _test_probabilities(view, split)
    if not len(probabilities.probability):
        st.info("No test case orders two labels, so there is nothing to compare with.")
        return
    headline_slot = st.container(key="headline")
    picture_slot = st.container(key="reliability_picture")
    correction_title = st.segmented_control(
        "Correct the probabilities",
        list(KINDS),
        default=next(iter(KINDS)),
        required=True,
        key="corrected",
        bind="query-params",
        help="Learned from training cases out of fold. Test cases have no part in it. One "
        "temperature makes all probabilities less or more sure. Rising steps are free to bend.",
    )
    kind = KINDS[correction_title]
    correction = _fit_correction(view, split, kind)
    corrected = probabilities.changed(correction)
    calibration = pair_calibration(corrected)
    with headline_slot:
        drawing.render_heading(verdict(calibration, is_corrected=kind != AS_IT_IS))
    tables = [("as they are", reliability_with_chance(probabilities))]
    if kind != AS_IT_IS:
        tables.append((correction_title.lower(), reliability_with_chance(corrected)))
    reliability_frame = tables[-1][1]
    with picture_slot:
        has_beyond = is_beyond_chance(reliability_frame).any()
        drawing.render_markdown(drawing.with_nouns(reading_guide(calibration, has_beyond)))
        drawing.render_chart(
            reliability(tables),
            key="reliability",
            alt="share of pairs that are right by their probability: "
            + "; ".join(
                f"{row.probability:.0%}: {row.right:.0%}" for row in reliability_frame.itertuples()
            ),
            table=reliability_frame,
            caption=measured_on(split),
            more=f"A larger mark stands for more pairs. {OTHER_NUMBERS}",
        )
    with widgets.expander("How is this computed?", "reliability_open") as is_drawn:
        if is_drawn:
            scores = _scores_text(probabilities, corrected, correction)
            support = algorithm.support or f"the share of the {algorithm.votes}"
            method_text = (
                f"{honest_text(calibration)} {scores} {_method_text(calibration, support)}"
            )
            drawing.render_markdown(drawing.with_nouns(method_text))
            widgets.render_csv_download(
                "Reliability (CSV)", reliability_frame, f"{view.dataset.name}-reliability.csv"
            )


def _method_text(calibration: PairCalibration, support: str) -> str:
    """Define the probabilities, their scores and the tests."""
    return (
        "A pair's probability is the support of the label that the method prefers: "
        f"{support}. Right: this label is "
        "really ahead. Brier score: the mean squared difference from what is true (0 is best, 0.25 "
        "is one half every time). Log loss: the mean negative logarithm of the probability of what "
        "is true (0 is best, 0.69 is one half every time); 0 and 1 are read as 0.001 and 0.999. "
        "Bars: as many cases of an honest method have all dots on their bars in 95% of draws. "
        "Pairs of one case depend on each other, so cases are compared. The mean has "
        f"p = {calibration.p:.3f}, Spiegelhalter's test of the Brier score (1986) "
        f"p = {calibration.brier_p:.3f}."
    )


def reading_guide(calibration: PairCalibration, has_beyond: bool) -> str:
    """Define the dotted line and the grey bars; `has_beyond`: whether a mark lies off its bar."""
    guide = (
        "On the dotted line a method is right as often as it says. With only "
        f"{calibration.n_cases:,} test cases, chance alone can move its marks along the grey bars."
    )
    return f"{guide} An orange diamond lies off them." if has_beyond else guide


def verdict(calibration: PairCalibration, *, is_corrected: bool = False) -> str:
    """Say whether pairs are right as often as the method says, as far as chance allows to tell."""
    method = "The corrected method" if is_corrected else "The method"
    shares = (
        f"it says {calibration.probability:.0%} on average and is right in {calibration.right:.0%}"
    )
    if calibration.p <= LEVEL:
        is_too_sure = calibration.probability > calibration.right
        judgement = "too sure" if is_too_sure else "not sure enough"
        return f"{method} is {judgement} of a pair of labels: {shares}"
    if calibration.brier_p <= LEVEL:
        return f"{method} is right as often as it says on average, but not at every probability"
    return f"{method} is as sure of a pair of labels as it should be: {shares}"


def honest_text(calibration: PairCalibration) -> str:
    """Return what an honest method would show with as few cases, in a sentence."""
    if isnan(calibration.p):
        return "A single case cannot show whether the method is honest."
    return (
        "A perfectly honest method is right as often as it says. Among only "
        f"{calibration.n_cases:,} test cases, it would be right in **{calibration.low:.0%} to "
        f"{calibration.high:.0%}**."
    )


def _scores_text(
    probabilities: PairProbabilities, corrected: PairProbabilities, correction: Recalibration
) -> str:
    if correction.kind == AS_IT_IS:
        return (
            f"{len(probabilities.outcome):,} pairs of labels: Brier score "
            f"{probabilities.brier_score:.3f}, log loss {probabilities.log_loss:.3f}."
        )
    heat = f" (temperature {correction.temperature:.2f})" if correction.kind == TEMPERATURE else ""
    return (
        f"Corrected{heat}: Brier score {probabilities.brier_score:.3f} → "
        f"{corrected.brier_score:.3f}, log loss {probabilities.log_loss:.3f} → "
        f"{corrected.log_loss:.3f}."
    )


def _test_probabilities(view: View, split: Split) -> PairProbabilities:
    dataset, choice = view.dataset, view.choice
    fitted = models.fitted(dataset, choice, split)
    return compute.once(
        compute.digest("pairs", fitted.key, choice.path_params, split.test.tobytes()),
        "Comparing label pairs",
        partial(pair_probabilities.of_model, **choice.path_params),
        fitted.model,
        dataset.X[split.test],
        dataset.orders[split.test],
        seconds=choice.seconds(Size.of(dataset, len(split.train), len(split.test))),
    )


def _fit_correction(view: View, split: Split, kind: str) -> Recalibration:
    """Fit a correction to training cases, each predicted by a model that has not seen it."""
    if kind == AS_IT_IS:
        return Recalibration(AS_IT_IS)
    dataset, choice = view.dataset, view.choice
    rows = split.train
    key = compute.digest("unseen pairs", dataset.fingerprint, choice, rows.tobytes())
    unseen = compute.once(
        key,
        f"Training on {_N_FOLDS} folds",
        partial(pair_probabilities.unseen_pairs, n_folds=_N_FOLDS),
        choice,
        dataset,
        rows,
        seconds=_N_FOLDS * choice.seconds(Size.of(dataset, len(rows), len(rows) // _N_FOLDS)),
        algorithm=choice.algorithm,
    )
    return compute.once(
        compute.digest("correction", key, kind),
        "Fitting the correction",
        fit_recalibration,
        unseen,
        kind,
    )
