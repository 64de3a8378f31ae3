"""What contributes to one of the predicted preferences: asks for the two labels."""

import streamlit as st

from labelrank_core.explain.evidence import PairParts
from labelrank_core.explain.pictures import pair_parts
from pages.ui import drawing, state
from pages.ui.evidence._scene import Scene, draw


@draw.register
def _pair_parts(evidence: PairParts, scene: Scene) -> None:
    pair = None if scene.brief else _ask_pair(scene)
    drawing.shown(pair_parts(evidence, scene.plain, pair), key=scene.key)


def _ask_pair(scene: Scene) -> tuple[int, int]:
    """Ask which two labels to look at closer; the first two unless chosen."""
    names, own = scene.dataset.label_names, scene.dataset.fingerprint[:8]
    drawing.before_a_widget()
    left, right = st.columns(2)
    keys = [f"{scene.key}-pair-{place}-{own}" for place in ("first", "second")]
    state.follow(keys[0], None, scene.order[0])
    first = left.selectbox(
        "Label", scene.order, format_func=lambda label: names[label], key=keys[0]
    )
    others = [label for label in scene.order if label != first]
    state.forget_if(keys[1], lambda value: value not in others)
    state.follow(keys[1], None, others[0])
    second = right.selectbox("Against", others, format_func=lambda label: names[label], key=keys[1])
    return first, second
