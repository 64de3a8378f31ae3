"""Methods that grow decision trees."""

from labelrank_core.methods.trees._targets import VARIANTS
from labelrank_core.methods.trees.bagging import BaggedTreesLabelRanker
from labelrank_core.methods.trees.bagging import (
    EntropyRankingTreeForest as EntropyRankingTreeForest,
)
from labelrank_core.methods.trees.bagging import (
    FrequencyBaggedTreesLabelRanker as FrequencyBaggedTreesLabelRanker,
)
from labelrank_core.methods.trees.bagging import RankingTreeForest as RankingTreeForest
from labelrank_core.methods.trees.bagging import (
    WidthBaggedTreesLabelRanker as WidthBaggedTreesLabelRanker,
)
from labelrank_core.methods.trees.boosted_trees import BoostedTreesLabelRanker
from labelrank_core.methods.trees.forest import LabelRankingForest
from labelrank_core.methods.trees.ranking_tree import RankingTreeLabelRanker

__all__ = [
    "VARIANTS",
    "BaggedTreesLabelRanker",
    "BoostedTreesLabelRanker",
    "LabelRankingForest",
    "RankingTreeLabelRanker",
]
