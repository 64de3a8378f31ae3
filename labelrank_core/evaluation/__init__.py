"""The quality of methods, their errors, and the reliability of their confidence."""

from labelrank_core.evaluation.evaluate import Evaluation, evaluate_model, evaluate_predictions
from labelrank_core.evaluation.scorers import Scorer, scorers, scorers_for
from labelrank_core.evaluation.splitters import LabelSetStratifiedKFold, RankingStratifiedKFold
from labelrank_core.evaluation.tuning import tune

__all__ = [
    "Evaluation",
    "LabelSetStratifiedKFold",
    "RankingStratifiedKFold",
    "Scorer",
    "evaluate_model",
    "evaluate_predictions",
    "scorers",
    "scorers_for",
    "tune",
]
