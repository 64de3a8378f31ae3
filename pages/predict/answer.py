"""The answer, in view all the time: the predicted ranking, the real one, and the confidence."""

import numpy as np
import streamlit as st

from labelrank_core import Task
from labelrank_core.explain.evidence import Confidence
from labelrank_core.explain.render import (
    SHOWN,
    LabelSelection,
    markup,
    predicted_ranking,
    with_scores,
)
from labelrank_core.explain.render.markup.rankings import tied_cell
from pages.predict import edits, pins, side_by_side
from pages.ui.render import drawing
from pages.ui.render.evidence import verdict
from pages.ui.results.models import Case
from pages.ui.view import View
from pages.ui.wording import labels
from pages.ui.wording.subject import question_about_case


def render_strip(view: View, case: Case) -> None:
    """Draw the ranking as one line, which the style sheet keeps in sight on a phone."""
    explanation, names = case.explanation, view.dataset.label_names
    buckets = explanation.buckets[:SHOWN]
    if explanation.relevance is not None:
        buckets = [[label] for label in explanation.order if explanation.relevance[label]]
    # A handle that is dragged moves the labels here, too.
    cells = "".join(
        f'<span data-labels="{" ".join(map(str, bucket))}">'
        f"{tied_cell([markup.chip(label, names, 'small') for label in bucket])}</span>"
        for bucket in buckets
    )
    drawing.render_markup(
        f'<div class="lr" aria-hidden="true"><div class="lr-strip">{cells}</div></div>'
    )


def render_title(view: View) -> None:
    """Draw the question that the page answers; a name that only one case has stands in it."""
    st.title(question_about_case(view.dataset, view.row), anchor=False)


def render(view: View, case: Case, label_selection: LabelSelection) -> None:
    """Draw the answer: its ranking, verdict and confidence, and the values changed by hand."""
    dataset = view.dataset
    with drawing.together():
        render_ranking(view, case, label_selection)
        render_known_pairs(view, case)
        verdict.render_verdict(dataset, case.explanation, None if view.edits else view.row)
        verdict.render_change(view, case.explanation)
    edits.render_changed(view)
    pins.render_button(view)
    with drawing.together():
        _render_confidence(view, case)


def render_ranking(view: View, case: Case, label_selection: LabelSelection | None = None) -> None:
    """Draw the predicted ranking beside the real one."""
    dataset, truth = view.dataset, None if view.edits else view.row
    predicted = predicted_ranking(case.explanation, "Predicted")
    row = None if dataset.task is Task.PAIR_PREFERENCES else truth
    if case.explanation.has_ties and row is None:
        drawing.render_markup(markup.strip(predicted, dataset.label_names))
    elif row is None or predicted.n_relevant is not None:
        verdict.render_ladder(dataset, case.explanation, truth, label_selection)
    else:
        predicted = with_scores(predicted, case.explanation)
        side_by_side.render_truth(dataset, row, predicted, label_selection or LabelSelection())


def render_known_pairs(view: View, case: Case) -> None:
    """Draw the pairs of labels that are known of the case, where these are its truth."""
    dataset = view.dataset
    if view.edits or dataset.task is not Task.PAIR_PREFERENCES:
        return
    drawn = verdict.known_pairs_markup(dataset, case.explanation, view.row)
    drawing.render_markup(f'<div class="lr"><p class="muted">Known pairs</p>{drawn}</div>')


def choose_labels(view: View) -> LabelSelection:
    """Choose the labels to draw besides the first ones, where there are many."""
    dataset = view.dataset
    is_known = not view.edits and dataset.task.has_zero_line
    relevant = np.flatnonzero(dataset.relevance[view.row]).tolist() if is_known else []
    return labels.choose_labels(dataset, "predict", "the first 15 and all relevant ones", relevant)


def _render_confidence(view: View, case: Case) -> None:
    for step in case.explanation.steps:
        if isinstance(step.evidence, Confidence):
            drawing.render_heading(step.title)
            # The drawing has the numbers.
            if not step.evidence.defined or set(step.text.values) > {"value", "lowest"}:
                drawing.render_sentence(step.text, view.dataset)
            verdict.render_confidence(view, step.evidence)
