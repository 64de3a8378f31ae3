"""Confidence: accuracy against confidence, withheld pairs, guarantees and probabilities."""

import streamlit as st

from labelrank_core import Task
from pages.confidence import levels, promised_pairs, rejection, reliability, withheld_pairs
from pages.ui import session, toolbar
from pages.ui.choose.choices import choose
from pages.ui.render import widgets
from pages.ui.results import evaluations

CASES, PAIRS, PROMISED = "Cases", "Pairs", "Guarantee"
PROBABILITIES, LEVELS = "Probabilities", "Rankings"

view = session.view()

widgets.render_title("Confidence", "Is the method right when it is sure?")
widgets.need_features(view.dataset)
split = evaluations.choose_tests(view.split)
toolbar.render_few_tests(view.dataset, len(split.test))
section = choose(
    st.segmented_control,
    "What to look at",
    [CASES, PAIRS, PROMISED, PROBABILITIES, LEVELS],
    required=True,
    key="held_back",
    bind="query-params",
    format_func=view.dataset.nouns.insert,
    label_visibility="collapsed",
)
if section == PAIRS:
    withheld_pairs.render_withheld_pairs(view, split)
elif section == PROMISED:
    promised_pairs.render_promised_pairs(view, split)
elif section == PROBABILITIES:
    reliability.render_reliability(view, split)
elif section == LEVELS and view.dataset.task is Task.PAIR_PREFERENCES:
    st.info(
        "This takes real rankings; these data have pairs of labels. Whether their probabilities "
        f"can be trusted stands under {PROBABILITIES}."
    )
elif section == LEVELS:
    levels.render_levels(view, split)
else:
    rejection.render_rejection(view, split)
