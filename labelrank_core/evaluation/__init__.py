"""How good a method is, on what, and how far its confidence can be trusted."""

from labelrank_core.evaluation.evaluate import Evaluation, evaluate_model, evaluate_predictions
from labelrank_core.evaluation.tuning import tune

__all__ = ["Evaluation", "evaluate_model", "evaluate_predictions", "tune"]
