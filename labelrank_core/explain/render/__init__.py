"""Evidence drawn, one file for each kind: the same on pages, in reports and in notebooks.

`markup` has the drawings themselves, from plain values, with their style sheet and texts.
"""

from labelrank_core.explain.render import (
    _labels,
    _linear,
    _members,
    _models,
    _neighbors,
    _pairs,
    _rules,
    _subspace,
    _sure_pairs,
    _trees,
)
from labelrank_core.explain.render._answer import answer as answer
from labelrank_core.explain.render._labels import pair_shares as pair_shares
from labelrank_core.explain.render._linear import contributions as contributions
from labelrank_core.explain.render._neighbors import NEIGHBORS_SHOWN as NEIGHBORS_SHOWN
from labelrank_core.explain.render._neighbors import count_evidence as count_evidence
from labelrank_core.explain.render._neighbors import counts_in_training as counts_in_training
from labelrank_core.explain.render._neighbors import prior_to_posterior as prior_to_posterior
from labelrank_core.explain.render._pairs import pair_parts as pair_parts
from labelrank_core.explain.render._rankings import predicted_ranking as predicted_ranking
from labelrank_core.explain.render._rankings import target_ranking as target_ranking
from labelrank_core.explain.render._rankings import true_ranking as true_ranking
from labelrank_core.explain.render._rankings import with_scores as with_scores
from labelrank_core.explain.render._rules import View as View
from labelrank_core.explain.render._rules import rule_votes as rule_votes
from labelrank_core.explain.render._scene import SHOWN as SHOWN
from labelrank_core.explain.render._scene import LabelSelection as LabelSelection
from labelrank_core.explain.render._scene import Picture as Picture
from labelrank_core.explain.render._scene import Scene as Scene
from labelrank_core.explain.render._scene import picture as picture
from labelrank_core.explain.render._sure_pairs import MOST_GAPS as MOST_GAPS
from labelrank_core.explain.render._sure_pairs import about_marks as about_marks
from labelrank_core.explain.render._sure_pairs import gaps_of as gaps_of
from labelrank_core.explain.render._sure_pairs import pair_gaps as pair_gaps
from labelrank_core.explain.render._sure_pairs import sure_pairs as sure_pairs
from labelrank_core.explain.render._trees import leaf as leaf
from labelrank_core.explain.render._trees import tree_votes as tree_votes
from labelrank_core.explain.render._trees import way as way
from labelrank_core.explain.render._trees import whole_tree as whole_tree

# The modules that draw single kinds add themselves to `picture`.
DRAWINGS = (
    *(_labels, _linear, _members, _models, _neighbors, _pairs, _rules, _subspace),
    *(_sure_pairs, _trees),
)
