"""The line beside a number that says which cases it was measured on."""

import streamlit as st

from labelrank_core.data.held_out import OTHER_NUMBERS, HeldOutCases
from pages.ui.render import drawing


def measured_on(cases: HeldOutCases, and_more: str = "") -> str:
    """Return the cases that a number was measured on, as a sentence in the data set's nouns."""
    return drawing.with_nouns(f"Measured on {cases.text}{and_more}.")


def render_measured_on(cases: HeldOutCases, and_more: str = "", *, key: str = "measured") -> None:
    """Draw the cases that the number above was measured on; the help says why others differ."""
    with st.container(key=f"{key}_on"):
        st.caption(
            f":material/straighten: {measured_on(cases, and_more)}",
            help=drawing.with_nouns(OTHER_NUMBERS),
        )
