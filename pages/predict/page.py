"""One case: its predicted ranking, why, what if, how sure, and beside another one."""

from dataclasses import replace

import streamlit as st

from pages.predict import (
    all_methods,
    cases,
    edits,
    guarantee,
    headline,
    new_cases,
    other_values,
    pins,
    report,
    trust,
    why,
)
from pages.ui import glossary, models, session, snippets, toolbar, widgets

WHY, METHODS, WHAT_IF, HOW_SURE = "Why", "All methods", "What if", guarantee.VIEW
COMPARE = "Side by side"

widgets.title("Predict", "Which order of the labels is predicted for this case, and why?")
widgets.need_features(session.dataset())
choosing, changing = st.columns(2)
with choosing:
    cases.table(session.view())
with changing:
    changed = edits.ask(session.view())


def draw() -> None:
    """Draw what follows the main parameter: the answer, its reasons and what else is asked."""
    unchanged = session.view()
    asked = replace(unchanged, edits=changed)
    before = models.case(unchanged)
    case = models.case(asked) if asked.edits else before
    fitted = models.fitted(asked.dataset, asked.choice, asked.split, asked.row)
    models.render_messages(fitted, asked.choice)
    if not case.explanation.prediction.any():
        models.render_few_labels(fitted, asked.choice)

    wanted = headline.labels_wanted(asked)
    changes_card = headline.answer(asked, case, wanted)
    with st.container(horizontal=True, vertical_alignment="center"):
        view = st.segmented_control(
            "View",
            [WHY, METHODS, WHAT_IF, HOW_SURE, COMPARE],
            default=WHY,
            required=True,
            key="view",
            bind="query-params",
            label_visibility="collapsed",
        )
        pins.offer(asked)
        glossary.offer()
    guarantee.level().is_open = view == HOW_SURE
    sweeps = other_values.sweeps(asked) if view == WHAT_IF else None
    headline.render_changes(changes_card, asked, case, sweeps)
    if sweeps is not None:
        other_values.explore(asked, sweeps)
    elif view == METHODS:
        all_methods.side_by_side(asked, case)
    elif view == HOW_SURE:
        guarantee.assess(asked, case, wanted)
        trust.assess(asked, case)
    elif view == COMPARE:
        pins.compare(asked, case)
    else:
        why.explain(asked, case, before, wanted)
    code = snippets.prediction(asked)
    # In the whole width: what it opens is a table.
    new_cases.offer(asked)
    widgets.python_code(code)
    report.offer(asked, case, code)


toolbar.follow(draw)
