"""One case: its predicted ranking, why, and what if its features were others."""

import streamlit as st

from pages.predict import cases, sweeps, what_if
from pages.ui import compute, evidence, parts, state

WHY, WHAT_IF = "Why", "What if"

dataset, choice, split, row = state.dataset(), state.choice(), state.split(), state.row()

st.title("Predict & explain", anchor=False)
parts.need_features(dataset)
cases.choose(dataset, split, row)
edits = what_if.ask(dataset, row)
before = compute.case(dataset, choice, split, row, {})
case = compute.case(dataset, choice, split, row, edits) if edits else before
scene = evidence.Scene(dataset, case, "predict")

evidence.say(case.explanation.summary, dataset)
view = st.segmented_control(
    "View",
    [WHY, WHAT_IF],
    default=WHY,
    required=True,
    key="view",
    bind="query-params",
    label_visibility="collapsed",
)
if view == WHAT_IF:
    sweeps.draw(row, edits)
else:
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader("The prediction", anchor=False)
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
parts.python_lines(dataset, choice, row, edits)
