"""Confidence drawn: a gauge, and how it is computed."""

from labelrank_core.explain import markup
from labelrank_core.explain.evidence import Confidence
from pages.ui import drawing
from pages.ui.evidence._scene import Scene, draw


@draw.register
def _confidence(evidence: Confidence, _scene: Scene) -> None:
    if not evidence.defined:
        drawing.caption("Not defined for a single case, which always agrees with itself.")
        return
    drawing.show(markup.gauge(evidence.value, evidence.lowest))
    definition = f"{evidence.definition[0].upper()}{evidence.definition[1:]}."
    drawing.caption(evidence.meaning, definition)
