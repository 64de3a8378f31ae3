"""
Consensus of rankings
=====================

Five rules make one ranking of several. They need not agree.
"""

import pandas as pd

from labelrank_core.aggregation import aggregate, consensus_losses

votes = [[1, 2, 3], [1, 2, 3], [1, 2, 3], [3, 1, 2], [3, 1, 2]]
rows = {}
for rule in ("borda", "median", "footrule", "kemeny", "majority"):
    ranking = aggregate(votes, method=rule)
    losses = consensus_losses(votes, ranking)
    rows[rule] = [*ranking, losses.kendall, losses.squared]
pd.DataFrame.from_dict(rows, "index", columns=["a", "b", "c", "Kendall distance", "squared"])
