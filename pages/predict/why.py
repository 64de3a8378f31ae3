"""Why a case is predicted as it is: the steps from the data to the prediction."""

import streamlit as st

from labelrank_core import Dataset
from pages.ui import evidence, parts
from pages.ui.compute import Case


def draw(dataset: Dataset, case: Case, before: Case, row: int, edits: dict[int, float]) -> None:
    """Draw the prediction and every step that leads to it."""
    scene = evidence.Scene(dataset, case, "predict")
    left, right = st.columns(2, gap="large")
    with left:
        parts.heading("The prediction")
        columns = evidence.ladder_of(
            case.explanation,
            dataset,
            None if edits else row,
            earlier=before.explanation if edits else None,
        )
        evidence.draw_ladder(columns, dataset, "predict-ladder")
    first, *others = case.explanation.steps
    with right:
        evidence.draw_step(first, scene)
    for place, steps in zip(st.columns(2, gap="large"), (others[::2], others[1::2]), strict=True):
        with place:
            for step in steps:
                evidence.draw_step(step, scene)
