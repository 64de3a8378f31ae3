"""The cards of the first page: prediction and verdict, neighbours, how sure, the case's values."""

import streamlit as st

from labelrank_core.explain.evidence import Confidence, Explanation
from pages.ui import markup
from pages.ui.evidence.beside import values_beside
from pages.ui.models import Case
from pages.ui.state import Query


def how_sure(explanation: Explanation) -> None:
    """Draw how strongly the neighbours or trees agree."""
    found = explanation.evidence(Confidence)
    if not found.defined:
        st.caption("Not defined with a single case: it always agrees with itself.")
        return
    st.html(markup.gauge(found.value, found.lowest))
    st.caption(found.meaning)


def cases(asked: Query, case: Case) -> None:
    """Draw the case's most predictive values above those of its neighbours."""
    beside = values_beside(asked, case)
    if beside is not None:
        st.html(beside)
