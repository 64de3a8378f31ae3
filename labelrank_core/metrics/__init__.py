"""Measures of predicted rankings, label sets and scores, and their registry."""

from labelrank_core.metrics._common import mean_of_cases
from labelrank_core.metrics.labels import (
    auc_score_per_label,
    f1_score_per_label,
    macro_auc_score,
    macro_f1_score,
    micro_f1_score,
    precision_score_per_label,
    recall_score_per_label,
)
from labelrank_core.metrics.multilabel import (
    average_precision_score,
    coverage_error,
    coverage_place_error,
    hamming_loss,
    hit_at_k_score,
    ndcg_score,
    one_error,
    ranking_loss,
    subset_accuracy_score,
)
from labelrank_core.metrics.ranking import (
    calibrated_spearman_score,
    footrule_distance,
    footrule_score,
    kendall_distance,
    kendall_tau_score,
    place_differences,
    position_error,
    spearman_distance,
    spearman_rho_score,
    top_k_score,
)
from labelrank_core.metrics.registry import METRICS, Measure, measures_for

__all__ = [
    "METRICS",
    "Measure",
    "auc_score_per_label",
    "average_precision_score",
    "calibrated_spearman_score",
    "coverage_error",
    "coverage_place_error",
    "f1_score_per_label",
    "footrule_distance",
    "footrule_score",
    "hamming_loss",
    "hit_at_k_score",
    "kendall_distance",
    "kendall_tau_score",
    "macro_auc_score",
    "macro_f1_score",
    "mean_of_cases",
    "measures_for",
    "micro_f1_score",
    "ndcg_score",
    "one_error",
    "place_differences",
    "position_error",
    "precision_score_per_label",
    "ranking_loss",
    "recall_score_per_label",
    "spearman_distance",
    "spearman_rho_score",
    "subset_accuracy_score",
    "top_k_score",
]
