"""Evidence drawn: one function for each kind, and the explanation they add up to."""

from pages.ui.evidence import _linear, _members, _neighbors, _pairs, _rules, _trees
from pages.ui.evidence._ladder import draw_ladder, ladder, ladder_of
from pages.ui.evidence._plane import plane, where
from pages.ui.evidence._scene import Scene, draw, draw_step

# The modules that ask for something add themselves to `draw`.
DRAWINGS = (_linear, _members, _neighbors, _pairs, _rules, _trees)

__all__ = [
    "DRAWINGS",
    "Scene",
    "draw",
    "draw_ladder",
    "draw_step",
    "ladder",
    "ladder_of",
    "plane",
    "where",
]
