"""
Partial rankings
================

Labels without a position, NaN, are not ranked: such cases can be learnt from. A prediction can be
partial too, where the support for a pair of labels is too weak.
"""

import numpy as np

from labelrank_core import KNeighborsLabelRanker, load_sample
from labelrank_core.evaluation.abstention import partial_order
from labelrank_core.rankings import dense_positions

data = load_sample("glass")
rng = np.random.default_rng(0)
rankings = data.rankings.astype(float)
rankings[rng.random(rankings.shape) < 0.4] = np.nan
rankings = dense_positions(rankings)  # without gaps: 1, NaN, 3 becomes 1, NaN, 2
model = KNeighborsLabelRanker(n_neighbors=15).fit(data.X[1:], rankings[1:])
print(model.predict(data.X[:1]), data.rankings[0])

# %%
# The share of neighbours that have one label before another, and the pairs that more than 70 % of
# them have in that order. 1: the label of the row is before that of the column.

support = model.predict_pair_support(data.X[:1])[0]
print(support.round(2))
order = partial_order(support, threshold=0.7)
order.before.astype(int)
