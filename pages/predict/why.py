"""Why a case is predicted as it is: the steps from the data to the prediction."""

import streamlit as st

from labelrank_core.explain.evidence import Confidence
from labelrank_core.explain.pictures import SHOWN, Wanted
from pages.ui import drawing, evidence
from pages.ui.models import Case
from pages.ui.view import View

# Of many labels, the later steps open on a click.
_OPEN = 3


def explain(asked: View, case: Case, before: Case, wanted: Wanted) -> None:
    """Draw the steps to the prediction, its confidence above; of new values what was before."""
    dataset = asked.dataset
    scene = evidence.Scene(dataset, case, "predict", row=asked.row, wanted=wanted)
    if asked.edits:
        drawing.heading("Before and after the change")
        columns = evidence.ladder_of(case.explanation, dataset, None, earlier=before.explanation)
        evidence.draw_ladder(columns, dataset, "predict-ladder")
    steps = [s for s in case.explanation.steps if not isinstance(s.evidence, Confidence)]
    # The style sheet sets these cards in columns of one height.
    with st.container(key="cards"):
        for place, step in enumerate(steps):
            if dataset.n_labels > SHOWN and place >= _OPEN:
                with st.expander(step.title), drawing.together():
                    drawing.say(step.text, dataset)
                    evidence.draw(step.evidence, scene)
                continue
            with drawing.card():
                evidence.draw_step(step, scene)
