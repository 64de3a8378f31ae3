"""The message of a page that ends with an error nobody has foreseen."""

from logging import getLogger
from secrets import token_hex

import streamlit as st

from pages.ui.render import drawing

_LOGGER = getLogger(__name__)


def render_error(error: Exception) -> bool:
    """Draw the ways to go on, with a number by which the log names the error; return True."""
    number = token_hex(4)
    _LOGGER.error("Error %s: the %s above ended a page.", number, type(error).__name__)
    drawing.before_a_widget()
    st.error(
        "This part of the page could not be shown. The fault is the program's, not yours. Your "
        "data are still here. Try again, or start afresh with the first sample and the first "
        f"method. If it happens again, tell who runs this server the number {number}.",
        icon=":material/error:",
    )
    st.button("Try again", key=f"_try_{number}", icon=":material/refresh:")
    # The page is loaded anew, and with it the session: nothing that led here stays.
    st.html('<a href="./" target="_self">Start afresh</a>')
    return True
