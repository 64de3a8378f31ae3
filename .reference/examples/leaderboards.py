"""
A leaderboard
=============

Methods of the package and others, on the same folds of several data sets.
"""

from sklearn.ensemble import RandomForestRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelrank_core import KNeighborsLabelRanker, PairwiseLabelRanker, load_sample
from labelrank_core.comparison.leaderboard import leaderboard
from labelrank_core.experiments import Protocol, join_results, results_of

data = [load_sample(name) for name in ("iris", "wine", "glass")]
protocol = Protocol(n_folds=5)
methods = {
    "k-NN": make_pipeline(StandardScaler(), KNeighborsLabelRanker(5)),
    "pairwise": make_pipeline(StandardScaler(), PairwiseLabelRanker()),
    "regression of positions": RandomForestRegressor(30, random_state=0),
}
results = [results_of(method, data, protocol, name=name) for name, method in methods.items()]
board = leaderboard(join_results(*results), "kendall_tau_score")
board

# %%
# As a table of data: means, standard deviations, average ranks and seconds.

board.frame().round(3)

# %%
# For a paper.

print(board.to_latex())
