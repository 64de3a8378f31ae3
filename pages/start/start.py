"""The first page: one case, predicted and explained, and three ways on."""

import streamlit as st

from labelrank_core.evidence import Confidence, Neighbors
from pages.ui import compute, evidence, parts, state

dataset, row = state.dataset(), state.row()
case = compute.case(dataset, state.choice(), state.split(), row, {})
scene = evidence.Scene(dataset, case, "start")
explanation = case.explanation

st.title("Which label comes first, and why?", anchor=False)
evidence.say(explanation.summary, dataset)

prediction, reasons = st.columns(2, gap="large")
with prediction:
    st.subheader("The prediction", anchor=False)
    columns = evidence.ladder_of(explanation, dataset, row, earlier=None)
    evidence.draw_ladder(columns, dataset, "start-ladder")
    st.subheader("How sure?", anchor=False)
    evidence.draw(explanation.evidence(Confidence), scene)
with reasons:
    neighbors = explanation.evidence(Neighbors)
    st.subheader(f"The {len(neighbors.rows)} most similar cases", anchor=False)
    evidence.draw(neighbors, scene)

st.caption(
    "Move **Similar cases (k)** in the sidebar (» at the top left of a phone) and watch everything "
    "change."
)
play, own, measure = st.columns(3)
parts.way_on(play, "pages/predict/predict.py", "Look closer at a case", ":material/search:")
parts.way_on(own, "pages/data/data.py", "Bring your own data", ":material/folder_open:")
parts.way_on(measure, "pages/evaluate/evaluate.py", "See how good it is", ":material/straighten:")
