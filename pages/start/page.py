"""The first page: one case, predicted and explained, and four ways on."""

import streamlit as st

from labelrank_core.explain.evidence import Confidence, Neighbors
from pages.ui import drawing, evidence, models, state, widgets

asked = state.query()

widgets.facts_in_use()
widgets.title(
    "LabelRank Lab",
    "Label ranking predicts an order of all labels for a case, not only the best one.",
)
widgets.need_features(asked.dataset)
case = models.case(asked)
scene = evidence.Scene(asked.dataset, case, "start", brief=True)
explanation = case.explanation
drawing.say(explanation.summary, asked.dataset)

prediction, reasons = st.columns(2, gap="large")
with prediction:
    drawing.heading("The prediction")
    columns = evidence.ladder_of(explanation, asked.dataset, asked.row, earlier=None)
    evidence.draw_ladder(columns, asked.dataset, "start-ladder")
    drawing.heading("How sure?")
    evidence.draw(explanation.evidence(Confidence), scene)
with reasons:
    reason = explanation.steps[0]
    if isinstance(reason.evidence, Neighbors):
        drawing.heading(f"The {len(reason.evidence.rows)} most similar cases")
        evidence.draw(reason.evidence, scene)
    else:
        evidence.draw_step(reason, scene)

knob = asked.choice.algorithm.knobs[0]
st.caption(
    f"Move **{knob.label}** in the sidebar (» at the top left of a phone) and watch everything "
    "change."
)
play, own, measure, learn = st.columns(4)
widgets.way_on(play, "predict", "Look closer at a case", ":material/search:")
widgets.way_on(own, "data", "Bring your own data", ":material/folder_open:")
widgets.way_on(measure, "evaluate", "See how good it is", ":material/straighten:")
widgets.way_on(learn, "learn", "Learn a method", ":material/school:")
