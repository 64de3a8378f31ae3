"""Evidence drawn: one function for each kind, and the explanation they add up to."""

from pages.ui.render.evidence import _linear, _members, _neighbors, _pairs, _rules, _trees
from pages.ui.render.evidence._plane import plane, render_plane
from pages.ui.render.evidence._scene import EvidenceScene, render_evidence, render_step

# The modules that ask for something add themselves to `render_evidence`.
DRAWINGS = (_linear, _members, _neighbors, _pairs, _rules, _trees)

__all__ = [
    "DRAWINGS",
    "EvidenceScene",
    "plane",
    "render_evidence",
    "render_plane",
    "render_step",
]
