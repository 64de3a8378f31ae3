"""What contributes to one of the predicted preferences: asks for the two labels."""

import streamlit as st

from labelrank_core.explain.evidence import PairParts
from labelrank_core.explain.pictures import pair_parts
from pages.ui import choices, drawing
from pages.ui.evidence._scene import Scene, draw


@draw.register
def _pair_parts(evidence: PairParts, scene: Scene) -> None:
    pair = None if scene.brief else _ask_pair(scene)
    drawing.shown(pair_parts(evidence, scene.plain, pair), key=scene.key)


def _ask_pair(scene: Scene) -> tuple[int, int]:
    """Ask which two labels to look at closer; the first two unless chosen."""
    names = scene.dataset.label_names
    drawing.before_a_widget()
    left, right = st.columns(2)
    keys = [f"{scene.key}-pair-{place}" for place in ("first", "second")]
    first = choices.choose(
        left.selectbox, "Label", scene.order, format_func=names.__getitem__, key=keys[0]
    )
    others = [label for label in scene.order if label != first]
    second = choices.choose(
        right.selectbox, "Against", others, format_func=names.__getitem__, key=keys[1]
    )
    return first, second
