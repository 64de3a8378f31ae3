"""How sure a prediction is among others, how right it is, how similar cases fared."""

import numpy as np
import streamlit as st

from labelrank_core.data.splits import Split
from labelrank_core.evaluation.evaluate import CaseAccuracy, case_accuracy
from labelrank_core.explain.evidence import Confidence
from labelrank_core.explain.predictions import Predictions
from labelrank_core.explain.standing import (
    AccuracyByStanding,
    ConfidenceStanding,
    neighbour_accuracy_text,
    similar_cases,
)
from labelrank_core.rankings import FloatArray, IntArray
from pages.ui import compute, drawing, evaluations, models, tables
from pages.ui.charts.confidence import confidence_among
from pages.ui.models import Case
from pages.ui.view import View


def render_standing(view: View, case: Case, tests: Split) -> None:
    """Draw how right test cases are that are as sure as this one, and less sure ones."""
    predicted, accuracy = _predictions_with_accuracy(view, tests)
    _among(view, case, tests.test, predicted.confidence, accuracy)


def render_similar(view: View, case: Case, tests: Split) -> None:
    """Tabulate the predictions of the most similar test cases."""
    predicted, accuracy = _predictions_with_accuracy(view, tests)
    _similar(view, case, tests.test, predicted, accuracy)


def _predictions_with_accuracy(view: View, tests: Split) -> tuple[Predictions, CaseAccuracy]:
    predicted = evaluations.predictions(view, tests)
    accuracy = case_accuracy(
        view.dataset, tests.test, positions=predicted.positions, relevance=predicted.relevance
    )
    return predicted, accuracy


def _among(
    view: View,
    case: Case,
    rows: IntArray,
    confidences: FloatArray | None,
    accuracy: CaseAccuracy,
) -> None:
    others = rows != view.row
    if confidences is None or not others.any():
        st.info("There are no other test cases to compare with.")
        return
    # The same cases as where the confidence is said to be high or low.
    compared = evaluations.quick_confidences(view)
    if compared is not None:
        others = np.isin(rows, compared.rows)
        confidences = confidences.copy()
        confidences[others] = compared.confidences
    own = case.explanation.evidence(Confidence)
    if not own.defined:
        st.info("With a single similar case there is no agreement to measure, so no confidence.")
        return
    standing = ConfidenceStanding(own.value, confidences[others])
    accuracies = AccuracyByStanding(standing, accuracy.values[others], accuracy.title)
    picture, words = st.columns([2, 1], gap="large", vertical_alignment="center")
    with words:
        drawing.render_sentence(accuracies.text, view.dataset)
        _of_this_case(view, case)
    with picture:
        drawing.chart(
            confidence_among(standing),
            key="among",
            alt=accuracies.text.plain(view.dataset.label_names),
            table=accuracies.frame(),
            caption="Blue: test cases predicted with at least this confidence. The page Confidence "
            "shows what rejecting the others gains.",
        )


def _of_this_case(view: View, case: Case) -> None:
    """Say the measure of this case where its truth is known."""
    dataset, row, explanation = view.dataset, view.row, case.explanation
    if view.edits:
        return
    relevance = explanation.relevance
    own = case_accuracy(
        dataset,
        [row],
        positions=explanation.positions[None],
        relevance=None if relevance is None else relevance[None],
    )
    if not np.isnan(own.values[0]):
        st.caption(f"{own.title} of this case: {own.values[0]:.2f}")


def _similar(
    view: View, case: Case, tests: IntArray, predicted: Predictions, accuracy: CaseAccuracy
) -> None:
    dataset = view.dataset
    others = np.flatnonzero(tests != view.row)
    if not len(others):
        st.info("There are no other test cases.")
        return
    fitted = models.fitted(dataset, view.choice, view.split)
    rows = tests[others]
    found, distances = compute.once(
        compute.digest("similar tests", fitted.key, rows.tobytes(), case.x.tobytes()),
        "Looking for similar test cases",
        similar_cases,
        fitted.model,
        dataset.X[rows],
        case.x,
    )
    places = others[found]
    known = [float(value) for value in accuracy.values[places] if not np.isnan(value)]
    if known:
        drawing.render_sentence(neighbour_accuracy_text(known), dataset)
    rows = tests[places]
    st.dataframe(
        tables.around_features(
            tables.features(dataset, rows),
            {
                "row": rows + 1,
                "distance": distances,
                accuracy.title: accuracy.values[places],
                "predicted": predicted.texts(dataset.label_names, places),
                "truth": dataset.targets_in_words(rows),
            },
        ),
        hide_index=True,
    )
    st.caption(
        "The test cases most similar to this one in all features, nearest first; "
        f"{accuracy.title} is 1 if all is right."
    )
