"""Pinned predictions beside the one that is shown now."""

from typing import Any

import pandas as pd
import streamlit as st

from labelrank_core import Dataset
from labelrank_core.explain.what_if.texts import difference_text
from pages.predict import joined
from pages.ui import drawing, models, session, toolbar
from pages.ui.models import Case
from pages.ui.view import MAX_PINS, View

_FEATURES_LISTED = 8


def offer(view: View) -> None:
    """Offer to keep what is shown, to compare other cases and methods with it."""
    pins = session.pins(view.dataset)
    is_full = len(pins) >= MAX_PINS
    is_pinned = any(pin.is_same(view) for pin in pins)
    why = "Keep it, then choose another case, method or value to see both side by side."
    if is_full:
        why = f"No more than {MAX_PINS} predictions can be pinned. Unpin one first."
    st.button(
        "Pinned" if is_pinned else "Pin this prediction",
        on_click=lambda: session.set_pins(view.dataset, (*pins, view)),
        icon=":material/push_pin:",
        disabled=is_full or is_pinned,
        help=why,
        key="pin",
    )


def compare(view: View, case: Case) -> None:
    """Join every pinned prediction with the one shown now."""
    pinned_views = session.pins(view.dataset)
    if not pinned_views:
        return
    with st.grid(2, min_column_width=330, gap="small"):
        for place, pinned in enumerate(pinned_views):
            with st.container(border=True, height="stretch"):
                _one("Pinned" if len(pinned_views) == 1 else f"Pin {place + 1}", pinned, view, case)
                st.button(
                    "Unpin",
                    on_click=_unpin,
                    args=(pinned,),
                    icon=":material/close:",
                    key=f"unpin-{place}",
                )


def _unpin(pinned: View) -> None:
    dataset = pinned.dataset
    others = tuple(pin for pin in session.pins(dataset) if pin is not pinned)
    session.set_pins(dataset, others)


def _one(title: str, pinned: View, view: View, case: Case) -> None:
    dataset, before = view.dataset, models.case(pinned)
    drawing.heading(f"{title} and now")
    changed = ", values changed by hand" if pinned.edits else ""
    st.caption(f"{title}: {toolbar.view_text(pinned)}{changed}")
    joined.draw(dataset, (title, before.explanation), ("Now", case.explanation))
    old, new = before.explanation, case.explanation
    both = old.relevance is not None and new.relevance is not None
    relevant = (old.prediction, new.prediction) if both else None
    drawing.render_sentence(difference_text(old.positions, new.positions, relevant), dataset)
    _features(dataset, before, case)


def _features(dataset: Dataset, before: Case, case: Case) -> None:
    """List the features in which two cases differ."""
    frame = dataset.schema.frame([before.x, case.x])
    differ = [name for name in frame.columns if frame[name].iloc[0] != frame[name].iloc[1]]
    if not differ:
        st.caption("Both have the same feature values.")
        return
    table = pd.DataFrame(
        {
            "feature": differ,
            "pinned": [_shown(frame[name].iloc[0]) for name in differ],
            "now": [_shown(frame[name].iloc[1]) for name in differ],
        }
    )
    n_shown = min(len(table), _FEATURES_LISTED)
    with st.expander(f"Where the cases differ: {len(differ)} of {len(frame.columns)} features"):
        st.dataframe(table, hide_index=True, height=38 + 35 * n_shown)


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:g}"
