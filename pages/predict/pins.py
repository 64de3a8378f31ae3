"""Pinned predictions beside the one that is shown now."""

from typing import Any

import pandas as pd
import streamlit as st

from labelrank_core import Dataset
from labelrank_core.explain.what_if.texts import difference_text
from pages.predict import side_by_side
from pages.ui import session, toolbar
from pages.ui.render import drawing
from pages.ui.results import models
from pages.ui.results.models import Case
from pages.ui.view import MAX_PINS, View

_FEATURES_LISTED = 8


def render_button(view: View) -> None:
    """Draw the button that pins the prediction, to compare other cases and methods with it."""
    pins = session.pins(view.dataset)
    is_full = len(pins) >= MAX_PINS
    is_pinned = any(pin.is_same(view) for pin in pins)
    help_text = "Keep it, then choose another case, method or value to see both side by side."
    if is_full:
        help_text = f"No more than {MAX_PINS} predictions can be pinned. Unpin one first."
    st.button(
        "Pinned" if is_pinned else "Pin this prediction",
        on_click=lambda: session.set_pins(view.dataset, (*pins, view)),
        icon=":material/push_pin:",
        disabled=is_full or is_pinned,
        help=help_text,
        key="pin",
    )


def render_comparisons(view: View, case: Case) -> None:
    """Join every pinned prediction with the one shown now."""
    pinned_views = session.pins(view.dataset)
    if not pinned_views:
        return
    with st.grid(2, min_column_width=330, gap="small"):
        for i, pinned_view in enumerate(pinned_views):
            with st.container(border=True, height="stretch"):
                title = "Pinned" if len(pinned_views) == 1 else f"Pin {i + 1}"
                _render_comparison(title, pinned_view, view, case)
                st.button(
                    "Unpin",
                    on_click=_unpin,
                    args=(pinned_view,),
                    icon=":material/close:",
                    key=f"unpin-{i}",
                )


def _unpin(pinned_view: View) -> None:
    dataset = pinned_view.dataset
    remaining_pins = tuple(pin for pin in session.pins(dataset) if pin is not pinned_view)
    session.set_pins(dataset, remaining_pins)


def _render_comparison(title: str, pinned_view: View, view: View, case: Case) -> None:
    dataset, pinned_case = view.dataset, models.case(pinned_view)
    drawing.render_heading(f"{title} and now")
    edits_note = ", values changed by hand" if pinned_view.edits else ""
    st.caption(f"{title}: {toolbar.view_text(pinned_view)}{edits_note}")
    side_by_side.render_predictions(
        dataset, (title, pinned_case.explanation), ("Now", case.explanation)
    )
    old, new = pinned_case.explanation, case.explanation
    are_sets = old.relevance is not None and new.relevance is not None
    relevant = (old.prediction, new.prediction) if are_sets else None
    drawing.render_sentence(difference_text(old.positions, new.positions, relevant), dataset)
    _render_differing_features(dataset, pinned_case, case)


def _render_differing_features(dataset: Dataset, pinned_case: Case, case: Case) -> None:
    """List the features in which two cases differ."""
    frame = dataset.schema.frame([pinned_case.x, case.x])
    names = [name for name in frame.columns if frame[name].iloc[0] != frame[name].iloc[1]]
    if not names:
        st.caption("Both have the same feature values.")
        return
    table = pd.DataFrame(
        {
            "feature": names,
            "pinned": [_value_text(frame[name].iloc[0]) for name in names],
            "now": [_value_text(frame[name].iloc[1]) for name in names],
        }
    )
    n_shown = min(len(table), _FEATURES_LISTED)
    title = f"Where the cases differ: {len(names)} of {len(frame.columns)} features"
    with st.expander(title, type="compact"):
        st.dataframe(table, hide_index=True, height=38 + 35 * n_shown)


def _value_text(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:g}"
