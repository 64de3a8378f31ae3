"""The line beside a number that says which cases it was measured on."""

import streamlit as st

from labelrank_core.data.held_out import HeldOutCases
from pages.ui.render import drawing

# Why one method has other numbers on other pages.
OTHER_NUMBERS = (
    "Each page measures on cases that the model has not seen, but on others: 'How good?' and "
    "'Confidence' on the test cases of one split, 'Best method' on folds of the training cases of "
    "that split, 'Sensitivity' and 'Experiments' on folds of all cases. So one method has slightly "
    "different numbers on them."
)


def render_measured_on(cases: HeldOutCases) -> None:
    """Draw the cases that the numbers of a page were measured on; its help says why others differ.

    The sentence has the nouns of the data in use.
    """
    st.caption(
        f":material/straighten: {drawing.with_nouns(cases.sentence)}",
        help=drawing.with_nouns(OTHER_NUMBERS),
    )
