"""Two cases, or two methods on one case, side by side."""

from typing import Any

import pandas as pd
import streamlit as st

from labelrank_core import Dataset
from labelrank_core.explain.what_if.texts import difference_text
from pages.ui import drawing, evidence, models, params, state
from pages.ui.models import Case
from pages.ui.state import Query


def offer(asked: Query) -> None:
    """Offer to keep what is shown, to compare other cases and methods with it."""
    st.button(
        "Pin this prediction",
        on_click=lambda: state.pin(asked),
        icon=":material/push_pin:",
        help="Keep it, then choose another case, method or value to see both side by side.",
    )


def compare(pinned: Query, asked: Query, case: Case) -> None:
    """Draw two predictions side by side, and name the differences."""
    dataset, before = asked.dataset, models.case(pinned)
    old, new = before.explanation, case.explanation
    both = old.relevance is not None and new.relevance is not None
    relevant = (old.prediction, new.prediction) if both else None
    drawing.say(difference_text(old.positions, new.positions, relevant), dataset)
    left, right = st.columns(2, gap="large")
    for place, title, query, shown in (
        (left, "Pinned", pinned, before),
        (right, "Now", asked, case),
    ):
        with place:
            drawing.heading(title)
            st.caption(params.facts_line(query))
            drawing.say(shown.explanation.summary, dataset)
            truth = None if query.edits else query.row
            columns = evidence.ladder_of(shown.explanation, dataset, truth, earlier=None)
            evidence.draw_ladder(columns, dataset, f"compare-{title}")
    _features(dataset, before, case)
    st.button("Unpin", on_click=lambda: state.pin(None), icon=":material/close:")


def _features(dataset: Dataset, before: Case, case: Case) -> None:
    """List the features in which two cases differ."""
    frame = dataset.schema.frame([before.x, case.x])
    differ = [name for name in frame.columns if frame[name].iloc[0] != frame[name].iloc[1]]
    if not differ:
        st.caption("Both have the same feature values.")
        return
    drawing.heading("Where the cases differ")
    table = pd.DataFrame(
        {
            "feature": differ,
            "pinned": [_shown(frame[name].iloc[0]) for name in differ],
            "now": [_shown(frame[name].iloc[1]) for name in differ],
        }
    )
    st.dataframe(table, hide_index=True, height=min(300, 38 + 35 * len(table)))


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:g}"
