"""Label ranking and multi-label ranking: methods, explanations, measures.

>>> from labelrank_core import KNeighborsLabelRanker, load_sample
>>> X, Y = load_sample("iris").as_frame()
>>> KNeighborsLabelRanker(n_neighbors=5).fit(X, Y).predict(X.head(1))
   setosa  versicolor  virginica
0       1           2          3

Rankings are positions, 1 = most preferred, with a row for each case and a column for each label.
The names in `__all__` are imported from here; the rooms have more:

- `rankings`: what a ranking is, and the conversions between its forms.
- `data`: `Dataset`, also from and to frames; samples, splits, profiles.
- `io`: files and frames to data sets, `read_dataset`, and back, `write_dataset`.
- `methods`: all methods by key, `ALGORITHMS`, and the estimators, which follow scikit-learn.
- `metrics`: the measures as functions, and their registry, `METRICS`.
- `evaluation`: the quality of a model; `scorers` and stratified folds for scikit-learn; guarantees.
- `explain`: the reasons of a prediction, by `explain_prediction` and `what_if`. (`explain` is this
  room, and called it is `explain_prediction`.)
- `comparison`: methods over data sets, by `leaderboard` and significance tests.
- `experiments`: data sets x methods, fold by fold; `results_of` and `read_results` add others.
- `aggregation`: the consensus of many rankings.
- `papers`: the tables that papers print, and their reproduction.
"""

# scikit-learn and `scipy.stats` take a second to import, which a program that only measures need
# not wait for.

from labelrank_core._exports import lazy_exports

# They still work, with a warning, until version 0.4.
_FORMER_NAMES = {
    "EntropyRankingTreeForest",
    "FrequencyBaggedTreesLabelRanker",
    "RankingTreeForest",
    "WidthBaggedTreesLabelRanker",
}

# `Issue` is the name of version 0.1.
__getattr__, __dir__, _names = lazy_exports(__name__, __file__, {"Issue": "Finding"})
__all__ = [name for name in _names if name not in _FORMER_NAMES]
