"""Blended methods: asks which one's own explanation to open."""

from dataclasses import replace

import streamlit as st

from labelrank_core.explain import render as drawings
from labelrank_core.explain.evidence import Confidence, MemberProbabilities, MemberSupports
from pages.ui.choose import choices
from pages.ui.render import drawing
from pages.ui.render.evidence._scene import EvidenceScene, render_evidence, render_step


@render_evidence.register
def _render_members(evidence: MemberSupports | MemberProbabilities, scene: EvidenceScene) -> None:
    drawing.render_picture(drawings.picture(evidence, scene.plain), key=scene.key)
    if scene.brief:
        return
    silent = [name for name in evidence.names if name not in evidence.explanations]
    if silent:
        drawing.render_caption(f"Without an explanation of their own: {', '.join(silent)}.")
    if not evidence.explanations:
        return
    key = f"{scene.key}-member"
    drawing.before_a_widget()
    name = choices.choose(
        st.pills, "Open the explanation of", list(evidence.explanations), None, key=key
    )
    if name is None:
        return
    member_explanation = evidence.explanations[name]()
    inner = replace(
        scene, key=f"{scene.key}-own", case=replace(scene.case, explanation=member_explanation)
    )
    for step in member_explanation.steps:
        if not isinstance(step.evidence, Confidence):
            render_step(step, inner)
