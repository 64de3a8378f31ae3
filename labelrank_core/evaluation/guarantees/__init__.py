"""Predictions with a guarantee: orders of pairs, and label sets, that are rarely wrong."""

from labelrank_core.evaluation.guarantees.calibration import RISKS, Calibration
from labelrank_core.evaluation.guarantees.ranker import ConformalLabelRanker

__all__ = ["RISKS", "Calibration", "ConformalLabelRanker"]
