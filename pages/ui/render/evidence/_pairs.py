"""Contributions to one of the predicted preferences, with the choice of the two labels."""

import streamlit as st

from labelrank_core.explain.evidence import PairParts
from labelrank_core.explain.render import pair_parts
from pages.ui.choose import choices
from pages.ui.render import drawing
from pages.ui.render.evidence._scene import EvidenceScene, render_evidence


@render_evidence.register
def _render_pair_parts(evidence: PairParts, scene: EvidenceScene) -> None:
    pair = None if scene.brief else _choose_pair(scene)
    drawing.render_picture(pair_parts(evidence, scene.plain, pair), key=scene.key)


def _choose_pair(scene: EvidenceScene) -> tuple[int, int]:
    """Draw the choice of two labels to look at closer; at first the first two."""
    names = scene.dataset.label_names
    drawing.before_a_widget()
    first_column, second_column = st.columns(2)
    keys = [f"{scene.key}-pair-{ordinal}" for ordinal in ("first", "second")]
    first = choices.choose(
        first_column.selectbox, "Label", scene.order, format_func=names.__getitem__, key=keys[0]
    )
    other_labels = [label for label in scene.order if label != first]
    second = choices.choose(
        second_column.selectbox, "Against", other_labels, format_func=names.__getitem__, key=keys[1]
    )
    return first, second
