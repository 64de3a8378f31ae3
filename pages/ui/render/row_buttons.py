"""Buttons that are part of a drawing: a click calls back with the number that the button has."""

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from pages.ui import session

_component = st.components.v2.component(
    "labelrank_row_buttons",
    html="<span></span>",
    js=Path(__file__).with_name("row_buttons.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def listen(key: str, container_key: str, on_click: Callable[[int], None]) -> None:
    """Listen to the buttons with `data-row` in the container; to be called within it."""
    # A component sends for the fragment in which it was drawn first, even where it is drawn in
    # none by now and that fragment is gone: in a fragment it is another component.
    if session.is_in_fragment():
        key = f"{key}_in_fragment"

    def on_row_change() -> None:
        row = session.get_state(key, {}).get("row")
        if isinstance(row, int) and row >= 0:
            on_click(row)

    _component(key=key, data={"picture": container_key}, on_row_change=on_row_change, height=1)
