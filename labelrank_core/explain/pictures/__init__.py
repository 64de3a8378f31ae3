"""Evidence drawn, one function for each kind: the same on pages, in reports and in notebooks."""

from labelrank_core.explain.pictures import (
    _labels,
    _linear,
    _members,
    _models,
    _neighbors,
    _pairs,
    _rules,
    _sure_pairs,
    _trees,
)
from labelrank_core.explain.pictures._answer import answer as answer
from labelrank_core.explain.pictures._scene import SHOWN as SHOWN
from labelrank_core.explain.pictures._scene import Picture as Picture
from labelrank_core.explain.pictures._scene import Scene as Scene
from labelrank_core.explain.pictures._scene import Wanted as Wanted
from labelrank_core.explain.pictures._scene import picture as picture
from labelrank_core.explain.pictures._sure_pairs import sure_pairs as sure_pairs

# The modules that draw single kinds add themselves to `picture`.
DRAWINGS = (
    *(_labels, _linear, _members, _models, _neighbors, _pairs, _rules, _sure_pairs, _trees),
)
