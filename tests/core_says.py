"""What the core says of a case, computed without any part of the app."""

import numpy as np
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelrank_core import KNeighborsLabelRanker, KNeighborsMultilabelRanker, Task, load_sample
from labelrank_core.data.splits import holdout_split

FIRST_ROWS = {"election": 16, "songs": 10, "iris": 73, "vehicle": 451}


def first_row(name):
    """The row that a sample opens with, from 1: its own, or the first of the test part."""
    return FIRST_ROWS.get(name) or int(holdout_split(load_sample(name)).test[0]) + 1


def fitted(dataset, rows, *, multilabel=None, kind=None, scaled=True, **params):
    """Scaler (or None) and model, fitted on some rows."""
    if multilabel is None:
        multilabel = dataset.task is Task.MULTILABEL
    kind = kind or (KNeighborsMultilabelRanker if multilabel else KNeighborsLabelRanker)
    targets = dataset.Y if multilabel else dataset.rankings
    scaler = StandardScaler().fit(dataset.X[rows]) if scaled else None
    X = dataset.X[rows] if scaler is None else scaler.transform(dataset.X[rows])
    return scaler, kind(**params).fit(X, targets[rows])


def training_part(dataset, row, split=None):
    """Rows that a case, counted from 1, is predicted from: the training part without it."""
    split = split or holdout_split(dataset)
    return split.train[split.train != row - 1]


def explanation(dataset, row, *, split=None, edits=None, **settings):
    """Explain a row, counted from 1, with features changed by index."""
    scaler, model = fitted(dataset, training_part(dataset, row, split), **settings)
    x = np.array(dataset.X[row - 1])
    for feature, value in (edits or {}).items():
        x[feature] = value
    return model.explain(x if scaler is None else scaler.transform([x])[0])


def sentence(dataset, row, **settings):
    """The sentence that sums the explanation up."""
    return explanation(dataset, row, **settings).summary.plain(dataset.label_names, dataset.nouns)


def neighbor_rows(dataset, row, *, split=None, **settings):
    """Rows of the data set, from 1, that stand behind a prediction, nearest first."""
    found = explanation(dataset, row, split=split, **settings).steps[0].evidence
    return [int(n) + 1 for n in training_part(dataset, row, split)[found.rows]]


def pipeline(**params):
    """A label ranker behind a scaler, not fitted."""
    return make_pipeline(StandardScaler(), KNeighborsLabelRanker(**params))
