"""The lines below a picture that say which cases its numbers were measured on, and others."""

import streamlit as st

from labelrank_core.data.held_out import HeldOutCases
from labelrank_core.data.splits import Split
from pages.ui.render import drawing, widgets

# Why one method has other numbers on other pages.
OTHER_NUMBERS = (
    "Each page measures on cases that the model has not seen, but on others: 'How good?' and "
    "'Confidence' on the test cases of one split, 'Best method' on folds of the training cases of "
    "that split, 'Sensitivity' and 'Experiments' on folds of all cases. So one method has slightly "
    "different numbers on them."
)


def measured_on(split: Split) -> str:
    """Return the sentence that names the test cases of a split, with the nouns of the data."""
    return drawing.with_nouns(HeldOutCases.of_split(split).sentence)


def render_other_cases(page: str, sentence: str) -> None:
    """Link to a page that measures on other cases, which the sentence names."""
    with st.container(key=f"other_cases_{page}"):
        widgets.render_link(page, drawing.with_nouns(sentence), ":material/arrow_forward:")
