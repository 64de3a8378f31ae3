"""Predictions with a guarantee: orders of pairs that are rarely wrong, and what is realised."""

from labelrank_core.evaluation.guarantees.calibration import RISKS, Calibration
from labelrank_core.evaluation.guarantees.ranker import ConformalLabelRanker
from labelrank_core.evaluation.guarantees.realised import LEVELS, Realised, realise

__all__ = ["LEVELS", "RISKS", "Calibration", "ConformalLabelRanker", "Realised", "realise"]
