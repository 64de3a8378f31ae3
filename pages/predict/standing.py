"""The standing of a prediction among test cases: confidence, accuracy, similar cases."""

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
from pages.ui import compute
from pages.ui.render import drawing, tables
from pages.ui.render.charts.confidence import confidence_among
from pages.ui.results import evaluations, models
from pages.ui.results.models import Case
from pages.ui.view import View
from pages.ui.wording.subject import subject_of


def render_standing(view: View, case: Case, tests: Split) -> None:
    """Draw the accuracy of the test cases as sure as this one, and of less sure ones."""
    predictions, accuracy = _predictions_with_accuracy(view, tests)
    _render_confidence_among(view, case, tests.test, predictions.confidence, accuracy)


def render_similar(view: View, case: Case, tests: Split) -> None:
    """Tabulate the predictions of the most similar test cases."""
    predictions, accuracy = _predictions_with_accuracy(view, tests)
    _render_similar_table(view, case, tests.test, predictions, accuracy)


def _predictions_with_accuracy(view: View, tests: Split) -> tuple[Predictions, CaseAccuracy]:
    predictions = evaluations.predictions(view, tests)
    accuracy = case_accuracy(
        view.dataset, tests.test, positions=predictions.positions, relevance=predictions.relevance
    )
    return predictions, accuracy


def _render_confidence_among(
    view: View,
    case: Case,
    rows: IntArray,
    confidences: FloatArray | None,
    accuracy: CaseAccuracy,
) -> None:
    is_other = rows != view.row
    if confidences is None or not is_other.any():
        st.info(drawing.with_nouns("There are no other test cases to compare with."))
        return
    # The cases are those that the verdict on the confidence counts.
    compared = evaluations.quick_confidences(view)
    if compared is not None:
        is_other = np.isin(rows, compared.rows)
        confidences = confidences.copy()
        confidences[is_other] = compared.confidences
    confidence = case.explanation.evidence(Confidence)
    if not confidence.defined:
        st.info(
            drawing.with_nouns(
                "With a single similar case there is no agreement to measure, so no confidence."
            )
        )
        return
    standing = ConfidenceStanding(confidence.value, confidences[is_other])
    title = drawing.with_nouns(accuracy.title)
    accuracies = AccuracyByStanding(standing, accuracy.values[is_other], title)
    drawing.render_sentence(accuracies.text, view.dataset)
    drawing.render_markdown(
        drawing.with_nouns(
            "A bar counts the test cases of one confidence. Coloured: those less sure than this "
            "case."
        ),
        "Evaluate, Confidence shows what rejecting the others gains.",
    )
    drawing.render_chart(
        confidence_among(standing, drawing.with_nouns("test cases"), subject_of(view.dataset).row),
        key="among",
        alt=accuracies.text.plain(view.dataset.label_names, view.dataset.nouns),
        table=accuracies.frame(),
    )


def _render_similar_table(
    view: View, case: Case, tests: IntArray, predictions: Predictions, accuracy: CaseAccuracy
) -> None:
    dataset = view.dataset
    other_indices = np.flatnonzero(tests != view.row)
    if not len(other_indices):
        st.info(drawing.with_nouns("There are no other test cases."))
        return
    fitted = models.fitted(dataset, view.choice, view.split)
    rows = tests[other_indices]
    neighbors, distances = compute.once(
        compute.digest("similar tests", fitted.key, rows.tobytes(), case.x.tobytes()),
        "Looking for similar test cases",
        similar_cases,
        fitted.model,
        dataset.X[rows],
        case.x,
    )
    indices = other_indices[neighbors]
    accuracies = [float(value) for value in accuracy.values[indices] if not np.isnan(value)]
    if accuracies:
        drawing.render_sentence(neighbour_accuracy_text(accuracies), dataset)
    rows = tests[indices]
    st.dataframe(
        tables.around_features(
            tables.features(dataset, rows),
            {
                "row": rows + 1,
                "distance": distances,
                accuracy.title: accuracy.values[indices],
                "predicted": predictions.texts(dataset.label_names, indices),
                "truth": dataset.targets_in_words(rows),
            },
        ),
        hide_index=True,
    )
    st.caption(
        drawing.with_nouns(
            "The test cases most similar to this one in all features, nearest first; "
            f"{accuracy.title} is 1 if all is right."
        )
    )
