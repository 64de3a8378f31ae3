"""The first page: one case, predicted and explained, and four ways on."""

import streamlit as st

from labelrank_core.explain.evidence import Confidence, Neighbors
from pages.ui import compute, evidence, parts, state

dataset, row = state.dataset(), state.row()

st.title("Which label comes first, and why?", anchor=False)
parts.need_features(dataset)
case = compute.case(dataset, state.choice(), state.split(), row, {})
scene = evidence.Scene(dataset, case, "start", brief=True)
explanation = case.explanation
evidence.say(explanation.summary, dataset)

prediction, reasons = st.columns(2, gap="large")
with prediction:
    st.subheader("The prediction", anchor=False)
    columns = evidence.ladder_of(explanation, dataset, row, earlier=None)
    evidence.draw_ladder(columns, dataset, "start-ladder")
    st.subheader("How sure?", anchor=False)
    evidence.draw(explanation.evidence(Confidence), scene)
with reasons:
    reason = explanation.steps[0]
    if isinstance(reason.evidence, Neighbors):
        st.subheader(f"The {len(reason.evidence.rows)} most similar cases", anchor=False)
        evidence.draw(reason.evidence, scene)
    else:
        evidence.draw_step(reason, scene)

knob = state.choice().algorithm.knobs[0]
st.caption(
    f"Move **{knob.label}** in the sidebar (» at the top left of a phone) and watch everything "
    "change."
)
play, own, measure, learn = st.columns(4)
parts.way_on(play, "pages/predict/page.py", "Look closer at a case", ":material/search:")
parts.way_on(own, "pages/data/page.py", "Bring your own data", ":material/folder_open:")
parts.way_on(measure, "pages/evaluate/page.py", "See how good it is", ":material/straighten:")
parts.way_on(learn, "pages/learn/page.py", "Learn a method", ":material/school:")
