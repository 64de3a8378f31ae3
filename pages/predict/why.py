"""Why a case is predicted as it is: the steps from the data to the prediction."""

import streamlit as st

from pages.ui import drawing, evidence
from pages.ui.models import Case
from pages.ui.state import Query


def explain(asked: Query, case: Case, before: Case) -> None:
    """Draw the prediction, that before values were changed, and every step that leads to it."""
    dataset = asked.dataset
    scene = evidence.Scene(dataset, case, "predict")
    left, right = st.columns(2, gap="large")
    with left:
        drawing.heading("The prediction")
        columns = evidence.ladder_of(
            case.explanation,
            dataset,
            None if asked.edits else asked.row,
            earlier=before.explanation if asked.edits else None,
        )
        evidence.draw_ladder(columns, dataset, "predict-ladder")
    first, *others = case.explanation.steps
    with right:
        evidence.draw_step(first, scene)
    for place, steps in zip(st.columns(2, gap="large"), (others[::2], others[1::2]), strict=True):
        with place:
            for step in steps:
                evidence.draw_step(step, scene)
