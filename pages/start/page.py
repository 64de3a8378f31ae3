"""The first page: guess the ranking of a case, then ask the cases most like it."""

import streamlit as st

from labelrank_core import Task
from pages.start import case_text, doors, look_alikes, pair_answer
from pages.ui import session, toolbar
from pages.ui.render import assistants, drawing, evidence, widgets
from pages.ui.results import models

KEY = "look_alikes"

view = session.view()
widgets.need_features(view.dataset)
case = models.case(view)
states = models.knob_states(view)


def set_knob() -> None:
    """Give the main parameter the value that was chosen in the component."""
    index = session.get_state(KEY, {}).get("index")
    if states is not None and isinstance(index, int) and 0 <= index < len(states.values):
        toolbar.set_values(view.choice.algorithm, {states.name: states.values[index]})


def set_row() -> None:
    """Make the case that was clicked the case in use."""
    row = session.get_state(KEY, {}).get("row")
    if isinstance(row, int) and 0 <= row < view.dataset.n_samples:
        session.set_row(row)


has_truth = view.dataset.task is not Task.PAIR_PREFERENCES
data = look_alikes.component_data(view, case, states) if has_truth else {"knob": None}
if assistants.is_reading() and has_truth:
    drawing.render_markup(case_text.case_markup(data, view.dataset))
elif has_truth:
    with st.container(key="first_page"):
        look_alikes.render(KEY, data, on_index_change=set_knob, on_row_change=set_row)
    if states is not None:
        drawing.without_main_knob()
else:
    pair_answer.render(view, case)
if not data["knob"] or not data["knob"]["asksNeighbors"]:
    with st.container(border=True):
        scene = evidence.EvidenceScene(view.dataset, case, "start", brief=True)
        evidence.render_step(case.explanation.steps[0], scene)
doors.render(view.dataset)
