"""Methods that predict the probability of every label set of the training cases."""

from labelrank_core.methods.label_sets.chains import ProbabilisticChainsClassifier
from labelrank_core.methods.label_sets.forest import LabelSetForestClassifier
from labelrank_core.methods.label_sets.powerset import LabelPowersetClassifier
from labelrank_core.methods.label_sets.random_k import RAkELClassifier

__all__ = [
    "LabelPowersetClassifier",
    "LabelSetForestClassifier",
    "ProbabilisticChainsClassifier",
    "RAkELClassifier",
]
