"""Predictions with a guarantee: orders of pairs and label sets, and their realised levels."""

from labelrank_core.evaluation.guarantees.calibration import RISKS, Calibration
from labelrank_core.evaluation.guarantees.exchangeability import (
    Exchangeability,
    exchangeability_test,
)
from labelrank_core.evaluation.guarantees.label_sets import RiskControlledLabelSets
from labelrank_core.evaluation.guarantees.ranker import ConformalLabelRanker
from labelrank_core.evaluation.guarantees.realised import LEVELS, Realised, realise

__all__ = [
    "LEVELS",
    "RISKS",
    "Calibration",
    "ConformalLabelRanker",
    "Exchangeability",
    "Realised",
    "RiskControlledLabelSets",
    "exchangeability_test",
    "realise",
]
