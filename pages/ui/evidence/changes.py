"""Which small change of a single feature would change a prediction."""

import streamlit as st

from labelrank_core.explain.what_if import features_of, smallest_change
from labelrank_core.explain.what_if.changes import WhatChanges
from labelrank_core.explain.what_if.texts import smallest_change_text
from pages.ui import compute, drawing, models
from pages.ui.state import Query

_TRIED = 12
_WHAT = {"first": "puts another label first", "relevant": "changes the relevant labels"}


def what_would_change(asked: Query) -> None:
    """Say which small change of one predictive feature would change the prediction."""
    dataset = asked.dataset
    telling = features_of(dataset, compute.predictive_columns(dataset)[:_TRIED])
    tried = [each for each in telling if each.is_nominal or each.low < each.high]
    if not tried:
        st.caption("No feature has more than one value.")
        return
    swept = models.sweeps(asked, tried)
    most: WhatChanges = "relevant" if swept[0].own.is_set else "first"
    kinds: tuple[WhatChanges, ...] = (most, "order")
    for of in kinds:
        found = [(each, smallest_change(each, of=of)) for each in swept]
        changes = [(each, change) for each, change in found if change is not None]
        if changes:
            each, change = min(changes, key=lambda pair: pair[1].share)
            drawing.say(smallest_change_text(each, change, of=of), dataset)
            break
        if of == most:
            st.markdown(f"No predictive feature alone {_WHAT[of]}.")
    st.caption(f"The {len(tried)} most predictive features were tried, one at a time.")
