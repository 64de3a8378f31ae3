"""One case: its predicted ranking in view all the time, and five questions about it."""

from dataclasses import replace

import streamlit as st

from pages.predict import (
    agreement,
    answer,
    chapters,
    difference,
    edits,
    explanation_steps,
    new_cases,
    reliability,
    report,
    what_if,
)
from pages.ui import session, toolbar
from pages.ui.render import widgets
from pages.ui.results import models
from pages.ui.view import View
from pages.ui.wording import snippets

widgets.need_features(session.dataset())
chapters.begin()


def render_page() -> None:
    """Draw the page below the main parameter: the answer beside the chapters about it."""
    original_view = session.view()
    view = replace(original_view, edits=edits.encoded(original_view))
    strip_slot = st.container(key="ranking_strip")
    with st.container(key="prediction"):
        answer_column, chapters_column = st.columns([5, 12], gap="medium")
    answer_slot = answer_column.container(key="answer")
    with answer_slot:
        answer.render_title(view)
    with chapters_column:
        # Slow computations show their progress here, with Cancel.
        original_case = models.case(original_view)
        case = models.case(view) if view.edits else original_case
    with strip_slot:
        answer.render_strip(view, case)
    with answer_slot:
        label_selection = answer.choose_labels(view)
        answer.render(view, case, label_selection)
        chapters.render_jumps(
            explanation_steps.title_of(explanation_steps.steps_of(case)[0]),
            without=() if difference.has_pairs(view, case) else (2,),
        )
    with chapters_column:
        render_warnings(view, case)
        explanation_steps.render(view, case, label_selection)
        difference.render(view, case)
        what_if.render(view, case, original_case)
        reliability.render(view, case, label_selection)
        agreement.render(view, case)
    code = snippets.prediction(view)
    new_cases.render(view)
    widgets.render_python_code(code, look="compact")
    report.render_downloads(view, case, code)
    chapters.render_watch()


def render_warnings(view: View, case: models.Case) -> None:
    """Warn where the method has not converged, or predicts next to no labels."""
    fitted = models.fitted(view.dataset, view.choice, view.split, view.row)
    models.render_messages(fitted, view.choice)
    if not case.explanation.prediction.any():
        models.render_few_labels(fitted, view.choice)


toolbar.render_in_fragment(render_page)
