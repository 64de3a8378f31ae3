"""Votes of boosted rules: asks whether each, their sums so far, or their sums by feature."""

import streamlit as st

from labelrank_core.explain.evidence import RuleVotes
from labelrank_core.explain.render import View, rule_votes
from pages.ui.render import drawing
from pages.ui.render.evidence._scene import EvidenceScene, render_evidence

_VIEWS: dict[str, View] = {
    "Each round": "each",
    "Score so far": "running",
    "By feature": "features",
}


@render_evidence.register
def _render_rule_votes(evidence: RuleVotes, scene: EvidenceScene) -> None:
    view = "Each round"
    if not scene.brief:
        drawing.before_a_widget()
        view = st.segmented_control(
            "Rounds",
            list(_VIEWS),
            default=view,
            required=True,
            key=f"{scene.key}-rounds-view",
            label_visibility="collapsed",
        )
    drawing.render_picture(rule_votes(evidence, scene.plain, _VIEWS[view]), key=scene.key)
