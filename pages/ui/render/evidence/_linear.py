"""Parts of linear scores: asks for the label whose contributions are drawn."""

from labelrank_core.explain.evidence import ScoreParts
from labelrank_core.explain.render import contributions, picture
from pages.ui.render import drawing
from pages.ui.render.evidence._scene import EvidenceScene, choose_label, render_evidence


@render_evidence.register
def _render_score_parts(evidence: ScoreParts, scene: EvidenceScene) -> None:
    drawing.render_picture(picture(evidence, scene.plain), key=scene.key)
    if not scene.brief:
        label = choose_label(scene, "parts")
        drawing.render_picture(contributions(evidence, scene.plain, label), key=scene.key)
