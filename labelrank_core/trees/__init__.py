"""Methods that grow decision trees."""

from labelrank_core.trees._targets import VARIANTS
from labelrank_core.trees.forest import LabelRankingForest

__all__ = ["VARIANTS", "LabelRankingForest"]
