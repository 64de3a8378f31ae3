"""Methods that grow decision trees."""

from labelrank_core.methods.trees._targets import VARIANTS
from labelrank_core.methods.trees.bagging import (
    BaggedTreesLabelRanker,
    FrequencyBaggedTreesLabelRanker,
    WidthBaggedTreesLabelRanker,
)
from labelrank_core.methods.trees.boosted_trees import BoostedTreesLabelRanker
from labelrank_core.methods.trees.forest import LabelRankingForest
from labelrank_core.methods.trees.ranking_forests import (
    EntropyRankingTreeForest,
    RankingTreeForest,
)
from labelrank_core.methods.trees.ranking_tree import RankingTreeLabelRanker

__all__ = [
    "VARIANTS",
    "BaggedTreesLabelRanker",
    "BoostedTreesLabelRanker",
    "EntropyRankingTreeForest",
    "FrequencyBaggedTreesLabelRanker",
    "LabelRankingForest",
    "RankingTreeForest",
    "RankingTreeLabelRanker",
    "WidthBaggedTreesLabelRanker",
]
