"""Methods that compare others out of fold and blend the best of them."""

from labelrank_core.methods.ensemble.stacked_classifier import StackedMultilabelClassifier
from labelrank_core.methods.ensemble.stacked_ranker import StackedLabelRanker

__all__ = ["StackedLabelRanker", "StackedMultilabelClassifier"]
