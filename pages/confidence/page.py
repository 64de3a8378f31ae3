"""How far a prediction can be trusted, and what to withhold when it cannot."""

import streamlit as st

from pages.confidence import abstaining, promising, rejecting, reliable
from pages.ui import evaluations, session, widgets

CASES, PAIRS, PROMISED = "Whole cases", "Pairs of labels", "With a guarantee"
PROBABILITIES = "Probabilities of pairs"

asked = session.view()

widgets.title("Confidence", "How sure is the method, and is it right when it is sure?")
widgets.need_features(asked.dataset)
split = evaluations.chosen_tests(asked.split)
view = st.segmented_control(
    "What to look at",
    [CASES, PAIRS, PROMISED, PROBABILITIES],
    default=CASES,
    required=True,
    key="held_back",
    bind="query-params",
)
if view == PAIRS:
    abstaining.withhold_pairs(asked, split)
elif view == PROMISED:
    promising.compare(asked, split)
elif view == PROBABILITIES:
    reliable.assess(asked, split)
else:
    rejecting.reject_cases(asked, split)
