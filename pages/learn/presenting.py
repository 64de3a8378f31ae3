"""The presenter's view: large type, one picture, everything else out of sight."""

from pathlib import Path

import streamlit as st

_PRESENT = "present"
_LOOK = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")


def offer() -> None:
    """Offer the presenter's view, or the way back from it."""
    is_on = st.query_params.get(_PRESENT) == "1"
    if is_on:
        st.html(f"<style>{_LOOK}</style>")
    with st.container(key="lesson_present"):
        st.button(
            "Leave presenter view" if is_on else "Presenter view",
            icon=":material/close_fullscreen:" if is_on else ":material/present_to_all:",
            type="tertiary",
            key="present_button",
            on_click=_turn,
            args=(not is_on,),
        )


def _turn(on: bool) -> None:
    if on:
        st.query_params[_PRESENT] = "1"
    else:
        st.query_params.pop(_PRESENT, None)
