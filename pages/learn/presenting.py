"""The presenter's view: large type, one picture, everything else out of sight."""

import html
from pathlib import Path

import streamlit as st

from pages.ui.render import assistants

_PRESENT = "present"
_LOOK = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")


def is_on() -> bool:
    """Tell whether the page is in the presenter's view."""
    return st.query_params.get(_PRESENT) == "1"


def apply_style() -> None:
    """Make the page look as the presenter's view does, if it is on."""
    if is_on():
        st.html(f"<style>{_LOOK}</style>")


def render_position(position_text: str) -> None:
    """Draw the lesson and the step in the presenter's view, where nothing else names them."""
    if is_on():
        st.html(f'<p class="lesson-at">{html.escape(position_text)}</p>')


def render_toggle() -> None:
    """Draw the button to the presenter's view, or the way back from it."""
    is_presenting = is_on()
    if assistants.is_reading():
        return
    with st.container(key="lesson_present", width="content"):
        st.button(
            "Leave presenter view" if is_presenting else "Presenter view",
            icon=":material/close_fullscreen:" if is_presenting else ":material/present_to_all:",
            type="tertiary",
            key="present_button",
            on_click=turn,
            args=(not is_presenting,),
        )


def turn(on: bool) -> None:
    """Begin or leave the presenter's view; for callbacks."""
    if on:
        st.query_params[_PRESENT] = "1"
    else:
        st.query_params.pop(_PRESENT, None)
