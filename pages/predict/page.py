"""One case: its predicted ranking in view all the time, and five questions about it."""

from dataclasses import replace

import streamlit as st

from pages.predict import (
    answer,
    asked,
    chapters,
    difference,
    edits,
    new_cases,
    other_values,
    others,
    reliability,
    report,
)
from pages.ui import models, session, snippets, toolbar, widgets
from pages.ui.view import View

widgets.need_features(session.dataset())
chapters.begin()


def render_page() -> None:
    """Draw what follows the main parameter: the answer beside the chapters about it."""
    unchanged = session.view()
    view = replace(unchanged, edits=edits.encoded(unchanged))
    strip_slot = st.container(key="ranking_strip")
    left, right = st.columns([5, 12], gap="medium")
    with left, st.container(key="answer"):
        answer.render_title(view)
        answer_slot = st.container()
    with right:
        # What takes long is shown here, with Cancel.
        before = models.case(unchanged)
        case = models.case(view) if view.edits else before
    with strip_slot:
        answer.render_strip(view, case)
    with answer_slot:
        wanted = answer.render(view, case)
    with right:
        render_warnings(view, case)
        asked.render(view, case, wanted)
        difference.render(view, case)
        other_values.render(view, case, before)
        reliability.render(view, case, wanted)
        others.render(view, case)
    code = snippets.prediction(view)
    new_cases.offer(view)
    widgets.python_code(code)
    report.offer(view, case, code)
    chapters.watch()


def render_warnings(view: View, case: models.Case) -> None:
    """Warn where the method has not converged, or predicts next to no labels."""
    fitted = models.fitted(view.dataset, view.choice, view.split, view.row)
    models.render_messages(fitted, view.choice)
    if not case.explanation.prediction.any():
        models.render_few_labels(fitted, view.choice)


toolbar.render_in_fragment(render_page)
