"""Content for teachers alone: those who came by their own link."""

import streamlit as st

from pages.ui import toolbar


def is_teacher() -> bool:
    """Tell whether the page was opened by the teacher's link."""
    return st.query_params.get(toolbar.TEACHER) == "1"
