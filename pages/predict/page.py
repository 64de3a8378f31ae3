"""One case: its predicted ranking, why, what if, how sure, and beside another one."""

import streamlit as st

from pages.predict import cases, pins, sweeps, take_along, trust, what_if, why
from pages.ui import compute, evidence, glossary, parts, state

WHY, WHAT_IF, HOW_SURE, COMPARE = "Why", "What if", "How sure", "Side by side"

dataset, choice, split, row = state.dataset(), state.choice(), state.split(), state.row()

st.title("Predict & explain", anchor=False)
parts.need_features(dataset)
cases.choose(dataset, split, row)
edits = what_if.ask(dataset, row)
before = compute.case(dataset, choice, split, row, {})
case = compute.case(dataset, choice, split, row, edits) if edits else before

drawn = parts.keep_what_is_drawn()
evidence.say(case.explanation.summary, dataset)
kept = pins.pinned(dataset)
offered = [WHY, WHAT_IF, HOW_SURE] + ([COMPARE] if kept else [])
state.forget_if("view", lambda value: value not in offered)
with st.container(horizontal=True, vertical_alignment="center"):
    view = st.segmented_control(
        "View",
        offered,
        default=WHY,
        required=True,
        key="view",
        bind="query-params",
        label_visibility="collapsed",
    )
    pins.offer(dataset, row, edits)
    glossary.offer()
if view == WHAT_IF:
    sweeps.draw(row, edits)
elif view == HOW_SURE:
    trust.draw(case, row, edits)
elif view == COMPARE and kept is not None:
    pins.draw(kept, dataset, case, row, edits)
else:
    why.draw(dataset, case, before, row, edits)
take_along.offer(dataset, choice, row, edits, case, drawn)
parts.python_lines(dataset, choice, row, edits)
