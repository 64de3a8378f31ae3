"""Methods that grow decision trees."""

from labelrank_core.methods.trees._targets import VARIANTS
from labelrank_core.methods.trees.forest import LabelRankingForest

__all__ = ["VARIANTS", "LabelRankingForest"]
