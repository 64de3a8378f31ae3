"""Methods that grow decision trees."""

from labelrank_core.trees.forest import VARIANTS, LabelRankingForest

__all__ = ["VARIANTS", "LabelRankingForest"]
