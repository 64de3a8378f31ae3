"""Probabilities of pairs: their reliability, as they are and recalibrated."""

from functools import partial

import streamlit as st

from labelrank_core.data.splits import Split
from labelrank_core.evaluation import pair_probabilities
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
from pages.ui.render.charts.guarantees import reliability
from pages.ui.results import models
from pages.ui.view import View

_N_FOLDS = 5
# Nobody would notice a smaller difference.
_CLOSE = 0.02
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
    with st.container(key="headline"):
        drawing.render_heading(verdict(probabilities))
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
    _render_scores(probabilities, corrected, correction)
    tables = [("as they are", probabilities.reliability())]
    if kind != AS_IT_IS:
        tables.append((correction_title.lower(), corrected.reliability()))
    reliability_frame = tables[-1][1]
    drawing.render_chart(
        reliability(tables),
        key="reliability",
        alt="share of pairs that are right by their probability: "
        + "; ".join(
            f"{row.probability:.0%}: {row.right:.0%}" for row in reliability_frame.itertuples()
        ),
        table=reliability_frame,
        caption="Below the dotted line the method is too sure. A larger dot stands for more pairs.",
        more="A pair's probability is the support of the label that the method prefers: "
        f"{algorithm.support or 'the share of the ' + algorithm.votes}. Right: this label is "
        "really ahead. Brier score: the mean squared difference from what is true (0 is best, 0.25 "
        "is one half every time). Log loss: the mean negative logarithm of the probability of what "
        "is true (0 is best, 0.69 is one half every time); 0 and 1 are read as 0.001 and 0.999.",
    )
    widgets.render_csv_download(
        "Reliability (CSV)", reliability_frame, f"{view.dataset.name}-reliability.csv"
    )


def verdict(probabilities: PairProbabilities) -> str:
    """Say whether the mean probability of pairs is above or below the share that is right."""
    mean, right = probabilities.probability.mean(), probabilities.outcome.mean()
    said = f"it says {mean:.0%} on average and is right in {right:.0%}"
    if abs(mean - right) < _CLOSE:
        return f"The method is as sure of a pair of labels as it should be: {said}"
    how = "too sure" if mean > right else "not sure enough"
    return f"The method is {how} of a pair of labels: {said}"


def _render_scores(
    probabilities: PairProbabilities, corrected: PairProbabilities, correction: Recalibration
) -> None:
    sentence = f"Measured on {len(probabilities.outcome):,} pairs of labels. "
    if correction.kind == AS_IT_IS:
        sentence += (
            f"Brier score **{probabilities.brier_score:.3f}**, log loss "
            f"**{probabilities.log_loss:.3f}**."
        )
    else:
        heat = (
            f" (temperature {correction.temperature:.2f})" if correction.kind == TEMPERATURE else ""
        )
        sentence += (
            f"Corrected{heat}: Brier score **{probabilities.brier_score:.3f}** → "
            f"**{corrected.brier_score:.3f}**, log loss **{probabilities.log_loss:.3f}** → "
            f"**{corrected.log_loss:.3f}**."
        )
    st.markdown(drawing.with_nouns(sentence))


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
