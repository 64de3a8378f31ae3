"""The main parameter under the finger: while its slider moves, the answer follows.

The slider is the one of the bar, so its value is in the address; only the browser's part is here.
"""

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from labelrank_core import Task
from labelrank_core.explain.knob_states import KnobStates
from labelrank_core.rankings import label_buckets
from pages.predict import agreement
from pages.ui import live
from pages.ui.render import assistants, drawing
from pages.ui.results import models
from pages.ui.view import View
from pages.ui.wording import text
from pages.ui.wording.choice_text import value_text

# More stretches of values with the answer in use are not listed.
_MOST_STRETCHES = 3

_component = st.components.v2.component(
    "labelrank_knob_preview",
    html='<span class="preview"></span>',
    js=live.script(Path(__file__).with_name("knob_preview.js"), "preview"),
)


def render_sentence(view: View) -> None:
    """Write where the answer changes as the main parameter is moved."""
    states = models.knob_states(view)
    if states is not None:
        drawing.render_markdown(drawing.with_nouns(flips_sentence(view, states)))


def render(view: View) -> None:
    """Let the answer follow the slider, and mark on it where the answer changes."""
    states = models.knob_states(view)
    if states is not None and not assistants.is_reading():
        _component(key="knob_preview", data=component_data(view, states), height=1)


def component_data(view: View, states: KnobStates) -> dict[str, Any]:
    """Return the values tried as the slider's input holds them, and the ranking at each."""
    knob = view.choice.algorithm.knobs[0]
    inputs: tuple[Any, ...] = states.values
    if knob.scale != "linear":
        # The input of a slider over a list holds the index of a value.
        offered = knob.offered()
        inputs = tuple(map(offered.index, states.values))
    value = view.choice.values[knob.name]
    return {
        "inputs": inputs,
        "index": states.values.index(value),
        "state_of_value": states.state_of_value.tolist(),
        "rankings": [label_buckets(positions) for positions in states.positions],
        "flips": flip_indices(view, states),
    }


def flip_indices(view: View, states: KnobStates) -> list[int]:
    """Return where the answer changes: of label sets the labels, else also their order."""
    is_set = view.dataset.task is Task.MULTILABEL
    return states.set_flip_indices if is_set else states.flip_indices


def flips_sentence(view: View, states: KnobStates) -> str:
    """Name the values with the answer in use and its changes next to them.

    Counts the values tried where not all were.
    """
    knob = view.choice.algorithm.knobs[0]
    tried_note = ""
    if len(states.values) < states.n_offered:
        tried_note = f" {len(states.values)} of {states.n_offered} values were tried."
    flips = flip_indices(view, states)
    if not flips:
        return f"{knob.label}: every value gives this answer.{tried_note}"
    values = [value_text(knob, value) for value in states.values]
    index = states.values.index(view.choice.values[knob.name])
    starts = [0, *flips, len(values)]
    stretches = [range(*ends) for ends in pairwise(starts)]
    here = next(stretch for stretch in stretches if index in stretch)
    same = [stretch for stretch in stretches if _is_same_answer(view, states, stretch[0], index)]
    if len(same) > _MOST_STRETCHES:
        same = [here]
    are_same = [any(i in stretch for stretch in same) for i in range(len(values))]
    give = "gives" if sum(are_same) == 1 else "give"
    sentence = f"{knob.label}: {text.listed_runs(values, are_same)} {give} this answer."
    beside = [i for i in (here[0] - 1, here[-1] + 1) if 0 <= i < len(values)]
    changes: dict[str, list[str]] = {}
    for i in beside:
        changes.setdefault(_change_text(view, states, i, index), []).append(values[i])
    sentence += "".join(f" With {' or '.join(at)}: {change}." for change, at in changes.items())
    if len(stretches) > len(same) + len(beside):
        sentence += f" It changes at {len(flips)} values."
    sentence += " Marked above."
    return f"{sentence}{tried_note}"


def _is_same_answer(view: View, states: KnobStates, index: int, reference: int) -> bool:
    """Tell whether two of the values give the same labels or, without label sets, ranking."""
    first, second = states.state_of_value[[index, reference]]
    if view.dataset.task is Task.MULTILABEL and states.relevance is not None:
        return bool(np.array_equal(states.relevance[first], states.relevance[second]))
    return bool(first == second)


def _change_text(view: View, states: KnobStates, index: int, reference: int) -> str:
    """Describe the difference between the answers at two of the values."""
    pair = states.state_of_value[[index, reference]]
    relevance = None if states.relevance is None else states.relevance[pair]
    return agreement.difference_text(view.dataset.label_names, states.positions[pair], relevance)
