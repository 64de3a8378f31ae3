"""Methods that predict from the most similar training cases."""

from labelrank_core.methods.neighbors.label_ranker import KNeighborsLabelRanker
from labelrank_core.methods.neighbors.ml_knn import MLkNNClassifier
from labelrank_core.methods.neighbors.multilabel_ranker import KNeighborsMultilabelRanker

__all__ = ["KNeighborsLabelRanker", "KNeighborsMultilabelRanker", "MLkNNClassifier"]
