"""Why a case is predicted as it is: the steps from the data to the prediction."""

import streamlit as st

from pages.ui import drawing, evidence
from pages.ui.models import Case
from pages.ui.state import Query


def explain(asked: Query, case: Case, before: Case) -> None:
    """Draw every step to the prediction; of changed values also what was before."""
    dataset = asked.dataset
    scene = evidence.Scene(dataset, case, "predict")
    if asked.edits:
        drawing.heading("Before and after the change")
        columns = evidence.ladder_of(case.explanation, dataset, None, earlier=before.explanation)
        evidence.draw_ladder(columns, dataset, "predict-ladder")
    steps = case.explanation.steps
    for place, own in zip(st.columns(2, gap="large"), (steps[::2], steps[1::2]), strict=True):
        with place:
            for step in own:
                evidence.draw_step(step, scene)
