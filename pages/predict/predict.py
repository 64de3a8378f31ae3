"""One case: its predicted ranking, why, and what if its features were others."""

import streamlit as st

from pages.predict import cases, what_if
from pages.ui import compute, evidence, parts, state

dataset, choice, split, row = state.dataset(), state.choice(), state.split(), state.row()

st.title("Predict & explain", anchor=False)
cases.choose(dataset, split, row)
edits = what_if.ask(dataset, row)
before = compute.case(dataset, choice, split, row, {})
case = compute.case(dataset, choice, split, row, edits) if edits else before
scene = evidence.Scene(dataset, case, "predict")

evidence.say(case.explanation.summary, dataset)
left, right = st.columns([2, 3], gap="large")
with left:
    st.subheader("The prediction", anchor=False)
    columns = evidence.ladder_of(
        case.explanation,
        dataset,
        None if edits else row,
        earlier=before.explanation if edits else None,
    )
    evidence.draw_ladder(columns, dataset, "predict-ladder")
for number, step in enumerate(case.explanation.steps):
    with right if number == 0 else left if number == 3 else st.container():
        st.subheader(step.title, anchor=False)
        evidence.say(step.text, dataset)
        evidence.draw(step.evidence, scene)
parts.python_lines(dataset, choice, row)
