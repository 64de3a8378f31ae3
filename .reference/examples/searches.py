"""
A search for settings
=====================

``GridSearchCV`` chooses by any of the scorers. Many settings of a fitted model can also be changed
without another fit: that is a *path*.
"""

from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelrank_core import KNeighborsLabelRanker, load_sample
from labelrank_core.evaluation import scorers

data = load_sample("vehicle")
model = make_pipeline(StandardScaler(), KNeighborsLabelRanker())
grid = {"kneighborslabelranker__n_neighbors": [1, 5, 15, 45]}
search = GridSearchCV(model, grid, scoring=scorers["kendall_tau"], cv=3)
search.fit(data.X, data.rankings)
print(search.best_params_, round(search.best_score_, 3))

# %%
# Neighbours are searched once, for any number of them.

scaler, ranker = search.best_estimator_
path = ranker.path(scaler.transform(data.X[:3]))
for k in (1, 5, 15, 45):
    print(k, path.at(n_neighbors=k).confidence.round(2))
