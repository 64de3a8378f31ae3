"""The main parameter under the finger: the answer follows before anything is sent."""

from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from labelrank_core.explain.knob_states import KnobStates
from labelrank_core.rankings import strict_order
from pages.ui import drawing, live, models, session, toolbar
from pages.ui.choice_text import number_text
from pages.ui.view import View

_KEY = "knob"
_FLIPS_NAMED = 4

_HERE = Path(__file__).parent
_component = st.components.v2.component(
    "labelrank_knob",
    html='<div class="knob"></div>',
    css=live.style(_HERE / "knob.css", "slider"),
    js=live.script(_HERE / "knob.js", "dom", "slider", "preview"),
)


def render(view: View) -> None:
    """Draw the main parameter where all its values can be tried; the bar's gives way to it."""
    states = models.knob_states(view)
    if states is None:
        return
    algorithm = view.choice.algorithm

    def move() -> None:
        value = read_value(session.get(_KEY, {}).get("moved"), states)
        if value is not None:
            toolbar.set_values(algorithm, {states.name: value})
            session.ask_whole_run()

    drawing.without_main_knob()
    drawing.before_a_widget()
    _component(key=_KEY, data=component_data(view, states), on_moved_change=move)


def read_value(sent: Any, states: KnobStates) -> Any:
    """Return the value at the place that a browser sent; None where there is none."""
    is_place = isinstance(sent, int) and not isinstance(sent, bool) and sent >= 0
    return states.values[sent] if is_place and sent < len(states.values) else None


def component_data(view: View, states: KnobStates) -> dict[str, Any]:
    """Return what the component draws: the values, the ranking at each, where it changes."""
    knob = view.choice.algorithm.knobs[0]
    value = view.choice.values[knob.name]
    changes = np.flatnonzero(np.diff(states.state_of_value)) + 1
    return {
        "label": knob.label,
        "values": [v if isinstance(v, int) else number_text(v) for v in states.values],
        "index": states.values.index(value),
        "state_of_value": states.state_of_value.tolist(),
        "orders": [strict_order(positions) for positions in states.positions],
        "flips": changes.tolist(),
        "note": note(states),
    }


def note(states: KnobStates) -> str:
    """Say at which values the answer changes, and that only some were tried where that is so."""
    named = [v if isinstance(v, int) else number_text(v) for v in states.flips]
    tried = ""
    if len(states.values) < states.n_offered:
        tried = f" {len(states.values)} of {states.n_offered} values were tried."
    if not named:
        return f"The answer is the same at every value.{tried}"
    if len(named) > _FLIPS_NAMED:
        return f"The answer changes {len(named)} times, at the marks.{tried}"
    *most, last = map(str, named)
    listed = f"{', '.join(most)} and {last}" if most else last
    return f"The answer changes at {listed}.{tried}"
