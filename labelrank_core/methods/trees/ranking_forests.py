"""Where forests of ranking trees were; gone with version 0.4."""

from labelrank_core.methods.trees.bagging import (
    EntropyRankingTreeForest as EntropyRankingTreeForest,
)
from labelrank_core.methods.trees.bagging import RankingTreeForest as RankingTreeForest
