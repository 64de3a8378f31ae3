"""The cards of the first page: prediction and verdict, neighbours, how sure, the case's values."""

import streamlit as st

from labelrank_core import Dataset
from labelrank_core.explain.evidence import Confidence, Explanation
from labelrank_core.explain.what_if import features_of, smallest_change
from labelrank_core.explain.what_if.changes import WhatChanges
from labelrank_core.explain.what_if.texts import smallest_change_text
from pages.ui import compute, drawing, markup, models
from pages.ui.evidence.beside import values_beside
from pages.ui.models import Case
from pages.ui.state import Query

_FEATURES_TRIED = 12


def how_sure(explanation: Explanation) -> None:
    """Draw how strongly the neighbours or trees agree."""
    found = explanation.evidence(Confidence)
    if not found.defined:
        st.caption("Not defined with a single case: it always agrees with itself.")
        return
    st.html(markup.gauge(found.value, found.lowest))
    st.caption(found.meaning)


def what_would_change(asked: Query) -> None:
    """Say which small change of one predictive feature would change the prediction."""
    dataset = asked.dataset
    features = features_of(dataset)
    chosen = [features[j] for j in _telling(dataset)[:_FEATURES_TRIED] if j < len(features)]
    swept = models.sweeps(asked, chosen)
    most: WhatChanges = "relevant" if swept[0].own.is_set else "first"
    kinds: tuple[WhatChanges, ...] = (most, "order")
    for of in kinds:
        found = [(each, smallest_change(each, of=of)) for each in swept]
        changes = [(each, change) for each, change in found if change is not None]
        if changes:
            each, change = min(changes, key=lambda pair: pair[1].share)
            drawing.say(smallest_change_text(each, change, of=of), dataset)
            return
        what = "changes the relevant labels" if of == "relevant" else "puts another label first"
        if of == most:
            st.markdown(f"None of the {len(chosen)} most predictive features alone {what}.")


def cases(asked: Query, case: Case) -> None:
    """Draw the case's most predictive values above those of its neighbours."""
    beside = values_beside(asked, case)
    if beside is not None:
        st.html(beside)


def _telling(dataset: Dataset) -> list[int]:
    return compute.predictive_columns(dataset)
