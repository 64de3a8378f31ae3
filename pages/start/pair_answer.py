"""The first page of data with pairs of labels: no ranking is known that a visitor could guess."""

import streamlit as st

from labelrank_core.explain.render import markup, predicted_ranking
from pages.ui.render import drawing
from pages.ui.results.models import Case
from pages.ui.view import View
from pages.ui.wording.subject import question_about_case, subject_of


def render(view: View, case: Case) -> None:
    """Draw the predicted ranking, and the pairs that are known of the case."""
    dataset = view.dataset
    subject = subject_of(dataset)
    st.title(question_about_case(dataset, view.row), anchor=False)
    st.markdown(
        f"Of each {subject.row} some pairs of {subject.labels} are known, not a whole ranking: so "
        "there is none to guess here. The method predicts one."
    )
    preferences = dataset.preferences[[view.row]]
    predicted = markup.strip(predicted_ranking(case.explanation), dataset.label_names)
    known = markup.known_pairs(preferences.chains(0), dataset.label_names)
    for title, strip in (("Predicted", predicted), ("Known pairs", known)):
        drawing.render_markup(f'<div class="lr"><p class="muted">{title}</p>{strip}</div>')
