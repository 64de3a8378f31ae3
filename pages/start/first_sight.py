"""The cards of the first page: prediction and verdict, neighbours, how sure, the case's values."""

import numpy as np
import streamlit as st

from labelrank_core import Dataset, Task
from labelrank_core.explain.evidence import Confidence, Explanation
from labelrank_core.explain.pictures import Wanted
from pages.ui.evidence import verdict
from pages.ui.evidence.neighbor_values import values_beside
from pages.ui.models import Case
from pages.ui.view import View

_FIRST = 8


def few_labels(dataset: Dataset, row: int) -> Wanted:
    """Choose the labels to draw: the first ones, and those that are truly relevant."""
    is_set = dataset.task is not Task.LABEL_RANKING
    relevant = np.flatnonzero(dataset.relevance[row]).tolist() if is_set else []
    return Wanted(frozenset(relevant), first=_FIRST)


def how_sure(asked: View, explanation: Explanation) -> None:
    """Draw how strongly the neighbours or trees agree, and whether that is much on these data."""
    verdict.render_confidence(asked, explanation.evidence(Confidence))


def cases(asked: View, case: Case) -> None:
    """Draw the case's most predictive values above those of its neighbours."""
    beside = values_beside(asked, case)
    if beside is not None:
        st.html(beside)
