"""Methods that look up the most similar training cases."""

from labelrank_core.neighbors.label_ranker import KNeighborsLabelRanker
from labelrank_core.neighbors.ml_knn import MLkNNClassifier
from labelrank_core.neighbors.multilabel_ranker import KNeighborsMultilabelRanker

__all__ = ["KNeighborsLabelRanker", "KNeighborsMultilabelRanker", "MLkNNClassifier"]
