"""Parts of a chapter behind a click, which are drawn once they are open."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from pages.ui import drawing


@contextmanager
def fold(title: str, key: str) -> Iterator[bool]:
    """Draw inside a compact expander; yield whether it is open."""
    drawing.before_a_widget()
    place = st.expander(title, key=f"fold_{key}", on_change="rerun", type="compact")
    with place, drawing.together():
        yield bool(place.open)
