"""Confidence: accuracy against confidence, withheld pairs, guarantees and probabilities."""

import streamlit as st

from pages.confidence import abstaining, promising, rejecting, reliable
from pages.ui import evaluations, session, widgets

CASES, PAIRS, PROMISED = "Whole cases", "Pairs of labels", "With a guarantee"
PROBABILITIES = "Probabilities of pairs"

view = session.view()

widgets.title("Confidence", "How sure is the method, and is it right when it is sure?")
widgets.need_features(view.dataset)
split = evaluations.choose_tests(view.split)
section = st.segmented_control(
    "What to look at",
    [CASES, PAIRS, PROMISED, PROBABILITIES],
    default=CASES,
    required=True,
    key="held_back",
    bind="query-params",
)
if section == PAIRS:
    abstaining.render_withheld_pairs(view, split)
elif section == PROMISED:
    promising.render_promised_pairs(view, split)
elif section == PROBABILITIES:
    reliable.render_reliability(view, split)
else:
    rejecting.render_rejection(view, split)
