"""Explanations as data: steps from the data to a prediction, each with its evidence.

Every kind of evidence is a frozen dataclass with ``frame(label_names)``, the table an interface
shows beside the picture. Texts are templates with typed values, so that names are escaped where
they are shown, not before.
"""

from labelrank_core.explain.evidence._consensus import RuleOrders, RuleOutcome
from labelrank_core.explain.evidence._explanation import SHOWN as SHOWN
from labelrank_core.explain.evidence._explanation import About, Evidence, Explanation, Step
from labelrank_core.explain.evidence._gap import Crossing, GapDial
from labelrank_core.explain.evidence._labels import (
    LABELS_EXPECTED,
    PAIRS_EXPECTED,
    Confidence,
    LabelScores,
    SetValues,
    VotedProbabilities,
    WinShares,
    agreement_with,
    loss_arithmetic,
    share_text,
    votes_needed,
)
from labelrank_core.explain.evidence._leave_one_out import LeaveOneOut, LeaveOneOutSets
from labelrank_core.explain.evidence._linear import ScoreParts, SubspaceView
from labelrank_core.explain.evidence._members import MemberProbabilities, MemberSupports
from labelrank_core.explain.evidence._models import ChoiceChances, MallowsFit
from labelrank_core.explain.evidence._neighbors import CountEvidence, Neighbors
from labelrank_core.explain.evidence._pairs import PairMatrix, PairParts
from labelrank_core.explain.evidence._rules import RuleVotes
from labelrank_core.explain.evidence._sure_pairs import (
    SurePairs,
    positions_within,
    possible_positions,
    true_columns,
    true_positions,
)
from labelrank_core.explain.evidence._text import Label, SharedPlace, Text, format_value
from labelrank_core.explain.evidence._trees import (
    Question,
    RankParts,
    TreeNode,
    TreeVotes,
    VotingOrders,
)

__all__ = [
    "LABELS_EXPECTED",
    "PAIRS_EXPECTED",
    "About",
    "ChoiceChances",
    "Confidence",
    "CountEvidence",
    "Crossing",
    "Evidence",
    "Explanation",
    "GapDial",
    "Label",
    "LabelScores",
    "LeaveOneOut",
    "LeaveOneOutSets",
    "MallowsFit",
    "MemberProbabilities",
    "MemberSupports",
    "Neighbors",
    "PairMatrix",
    "PairParts",
    "Question",
    "RankParts",
    "RuleOrders",
    "RuleOutcome",
    "RuleVotes",
    "ScoreParts",
    "SetValues",
    "SharedPlace",
    "Step",
    "SubspaceView",
    "SurePairs",
    "Text",
    "TreeNode",
    "TreeVotes",
    "VotedProbabilities",
    "VotingOrders",
    "WinShares",
    "agreement_with",
    "format_value",
    "loss_arithmetic",
    "positions_within",
    "possible_positions",
    "share_text",
    "true_columns",
    "true_positions",
    "votes_needed",
]
