"""How sure a prediction is among others, what is wrong in it, how similar cases fared."""

import numpy as np
import streamlit as st

from labelrank_core import Dataset, Task
from labelrank_core.evaluation.evaluate import Evaluation, case_accuracy
from labelrank_core.explain.evidence import Confidence
from labelrank_core.explain.standing import Standing, fared, wrong_labels_text, wrong_pairs_text
from pages.ui import compute, evidence, measuring, parts, state
from pages.ui.charts.confidence import confidence_among
from pages.ui.compute import Case


def draw(case: Case, row: int, edits: dict[int, float]) -> None:
    """Draw how far the prediction of a case can be trusted."""
    dataset, choice = state.dataset(), state.choice()
    left, right = st.columns(2, gap="large")
    with right:
        parts.heading("Right or wrong?")
        _truth(case, dataset, row, edits)
    split = parts.test_part(state.split(), measuring.quick_split(state.split()))
    evaluation = measuring.evaluations(dataset, choice, split)[0]
    predicted = evaluation.predictions
    accuracy = case_accuracy(
        dataset, evaluation.rows, positions=predicted.positions, relevance=predicted.relevance
    )
    with left:
        parts.heading("This case among the others")
        _among(case, evaluation, row, accuracy.values, accuracy.title)
    parts.heading("Similar test cases, and how they fared")
    _similar(case, evaluation, row, accuracy.values, accuracy.title)


def _truth(case: Case, dataset: Dataset, row: int, edits: dict[int, float]) -> None:
    if edits:
        st.markdown("Feature values were changed by hand, so nobody knows the truth of this case.")
        return
    explanation = case.explanation
    if dataset.task is not Task.LABEL_RANKING and explanation.prediction is not (
        explanation.positions
    ):
        evidence.say(wrong_labels_text(explanation.prediction, dataset.relevance[row]), dataset)
    if dataset.task is not Task.MULTILABEL:
        evidence.say(wrong_pairs_text(explanation.positions, dataset.rankings[row]), dataset)
    sets = None if explanation.prediction is explanation.positions else explanation.prediction
    own = case_accuracy(
        dataset,
        [row],
        positions=explanation.positions[None],
        relevance=None if sets is None or not dataset.task.has_zero_line else sets[None],
    )
    if not np.isnan(own.values[0]):
        st.caption(f"{own.title} of this case: {own.values[0]:.2f}")
    columns = evidence.ladder_of(explanation, dataset, row, earlier=None)
    evidence.draw_ladder(columns, dataset, "truth-ladder")


def _among(
    case: Case, evaluation: Evaluation, row: int, accuracies: np.ndarray, title: str
) -> None:
    confidences = evaluation.predictions.confidence
    others = (evaluation.rows != row) & ~np.isnan(accuracies)
    if confidences is None or not others.any():
        st.info("There are no other test cases to compare with.")
        return
    own = case.explanation.evidence(Confidence)
    if not own.defined:
        st.info("With a single similar case there is nothing to agree with, and no confidence.")
        return
    standing = Standing(own.value, confidences[others], accuracies[others], title)
    evidence.say(standing.text, state.dataset())
    parts.chart(
        confidence_among(standing),
        key="among",
        alt=standing.text.plain(state.dataset().label_names),
        table=standing.frame(),
    )
    st.caption(
        "Test cases by confidence: blue those at least as sure as this one. The page Confidence "
        "shows what can be gained by rejecting the others"
    )


def _similar(
    case: Case, evaluation: Evaluation, row: int, accuracies: np.ndarray, title: str
) -> None:
    dataset = state.dataset()
    places, distances = compute.similar_tests(
        dataset, state.choice(), state.split(), row, case.x, evaluation.rows
    )
    if not len(places):
        st.info("There are no other test cases.")
        return
    known = [float(value) for value in accuracies[places] if not np.isnan(value)]
    if known:
        evidence.say(fared(known), dataset)
    rows = evaluation.rows[places]
    st.dataframe(
        parts.around_features(
            parts.feature_table(dataset, rows),
            {
                "row": rows + 1,
                "distance": distances,
                title: accuracies[places],
                "predicted": evaluation.predictions.in_words(dataset.label_names, places),
                "truth": dataset.targets_in_words(rows),
            },
        ),
        hide_index=True,
    )
    st.caption(
        "The test cases most like this one in all features, nearest first, whatever the method; "
        f"{title} is 1 where everything is right"
    )
