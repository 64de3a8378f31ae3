"""The quality of methods, their errors, and the reliability of their confidence."""

from labelrank_core.evaluation.evaluate import Evaluation, evaluate_model, evaluate_predictions
from labelrank_core.evaluation.scorers import Scorer, scorers
from labelrank_core.evaluation.tuning import tune

__all__ = ["Evaluation", "Scorer", "evaluate_model", "evaluate_predictions", "scorers", "tune"]
