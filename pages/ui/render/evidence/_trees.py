"""Votes of trees: asks whether each, their consensus so far, or one tree."""

import streamlit as st

from labelrank_core.explain.evidence import TreeVotes
from labelrank_core.explain.render import leaf, tree_votes, way
from pages.ui.render import drawing
from pages.ui.render.evidence._scene import EvidenceScene, render_evidence

_EACH, _SO_FAR, _ONE = "Each tree", "Consensus so far", "One tree"


@render_evidence.register
def _render_tree_votes(evidence: TreeVotes, scene: EvidenceScene) -> None:
    n_trees = len(evidence.rankings)
    if n_trees == 1:
        _render_way(evidence, scene, 0)
        return
    view = _EACH
    if not scene.brief:
        drawing.before_a_widget()
        view = st.segmented_control(
            "Trees",
            [_EACH, _SO_FAR, _ONE],
            default=_EACH,
            required=True,
            key=f"{scene.key}-trees-view",
            label_visibility="collapsed",
        )
    if view == _ONE:
        tree = st.number_input("Tree", 1, n_trees, 1, key=f"{scene.key}-tree")
        _render_way(evidence, scene, tree - 1)
        return
    picture = tree_votes(evidence, scene.plain, "each" if view == _EACH else "running")
    drawing.render_picture(picture, key=scene.key)


def _render_way(evidence: TreeVotes, scene: EvidenceScene, tree: int) -> None:
    """Draw the questions that lead to a leaf, and the rankings there."""
    drawing.render_markup(way(evidence, scene.plain, tree))
    if not scene.brief:
        drawing.render_picture(leaf(evidence, scene.plain, tree), key=scene.key)
