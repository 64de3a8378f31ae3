"""How far a prediction can be trusted, and what to withhold when it cannot."""

import streamlit as st

from pages.confidence import abstaining, rejecting
from pages.ui import measuring, parts, state

CASES, PAIRS = "Whole cases", "Pairs of labels"

dataset, choice = state.dataset(), state.choice()

st.title("How sure is it, and how right?", anchor=False)
parts.need_features(dataset)
split = parts.test_part(state.split(), measuring.quick_split(state.split()))
view = st.segmented_control(
    "What to withhold when confidence is low",
    [CASES, PAIRS],
    default=CASES,
    required=True,
    key="held_back",
    bind="query-params",
)
if view == PAIRS:
    abstaining.draw(dataset, choice, split, state.row())
else:
    rejecting.draw(dataset, choice, split)
