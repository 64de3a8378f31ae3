"""The line beside a number that says which cases it was measured on."""

import streamlit as st

from labelrank_core.data.held_out import OTHER_NUMBERS, HeldOutCases
from pages.ui.render import drawing


def render_measured_on(cases: HeldOutCases) -> None:
    """Draw the cases that the numbers of a page were measured on; its help says why others differ.

    The sentence has the nouns of the data in use.
    """
    sentences = drawing.with_nouns(f"{cases.sentence} Other pages use other cases.")
    st.caption(
        f":material/straighten: {sentences}",
        help=drawing.with_nouns(OTHER_NUMBERS),
    )
