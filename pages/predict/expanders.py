"""Expanders for parts of a chapter, which are drawn once they are open."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from pages.ui.render import drawing


@contextmanager
def expander_row(number: int) -> Iterator[None]:
    """Put the expanders of a chapter side by side; an open one takes the room below them."""
    drawing.before_a_widget()
    with st.container(horizontal=True, gap="small", key=f"expanders-{number}"):
        yield


@contextmanager
def compact_expander(title: str, key: str) -> Iterator[bool]:
    """Draw inside a compact expander; yield True where it is open."""
    drawing.before_a_widget()
    expander = st.expander(title, key=f"fold_{key}", on_change="rerun", type="compact")
    with expander, drawing.together():
        yield bool(expander.open)
