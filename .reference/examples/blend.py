"""
A blend of methods
==================

``StackedLabelRanker`` compares methods out of fold and blends those that help each other.
"""

from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelrank_core import (
    KNeighborsLabelRanker,
    LabelRankingForest,
    PairwiseLabelRanker,
    StackedLabelRanker,
    load_sample,
)

data = load_sample("wine")
members = [
    ("nearest", KNeighborsLabelRanker(10)),
    ("pairwise", PairwiseLabelRanker()),
    ("forest", LabelRankingForest(20, random_state=0)),
]
model = make_pipeline(StandardScaler(), StackedLabelRanker(members, inner_folds=3))
model.fit(data.X, data.rankings)

# %%
# What each member was worth, and its weight in the blend.

model[-1].explain(model[:-1].transform(data.X[:1])[0])
