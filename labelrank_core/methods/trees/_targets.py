"""The targets that trees are grown on, and the scikit-learn forest that grows them."""

import warnings
from collections.abc import Mapping
from functools import partial
from math import log2
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)

from labelrank_core.rankings import FloatArray, IntArray, generalised_ranks

SPLIT_TARGETS = ("borda", "top_label", "ranking")
# Forests on bootstrap samples, whose questions have the best threshold or a random one.
REGRESSORS: Mapping[str, Any] = MappingProxyType(
    {"best": RandomForestRegressor, "random": partial(ExtraTreesRegressor, bootstrap=True)}
)
_CLASSIFIERS: Mapping[str, Any] = MappingProxyType(
    {"best": RandomForestClassifier, "random": partial(ExtraTreesClassifier, bootstrap=True)}
)
# The parameters of the forest in the text of [zhou2018], and in its authors' program.
VARIANTS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "paper": MappingProxyType(
            {"n_estimators": 50, "max_depth": 8, "split_on": "top_label", "voting": "rankings"}
        ),
        "program": MappingProxyType(
            {"n_estimators": 50, "max_depth": 8, "split_on": "ranking", "voting": "rankings"}
        ),
    }
)


def top_labels(doubled: FloatArray) -> IntArray:
    """Return the first label of every ranking, ties broken by label index."""
    return np.argmin(doubled, axis=1)


def split_target(doubled: FloatArray, split_on: str) -> FloatArray | IntArray:
    """Return the target of the trees: doubled ranks, first labels, or a class per ranking."""
    if split_on == "borda":
        return doubled
    if split_on == "top_label":
        return top_labels(doubled)
    ranks = generalised_ranks(doubled)
    return np.unique(ranks, axis=0, return_inverse=True)[1].reshape(len(ranks))


def features_per_split(max_features: Any, n_features: int) -> Any:
    """Return scikit-learn's ``max_features``; ``"log2+1"`` is the paper's number."""
    paper_values = {"log2+1": int(log2(n_features)) + 1, "all": n_features}
    return paper_values.get(max_features, max_features)


def grow(
    X: NDArray[np.float32], doubled: FloatArray, split_on: str, splitter: str, **params: Any
) -> Any:
    """Grow the trees: variance of the doubled ranks, or entropy of the classes."""
    params["max_features"] = features_per_split(params["max_features"], X.shape[1])
    target = split_target(doubled, split_on)
    if split_on == "borda":
        return REGRESSORS[splitter](**params).fit(X, target)
    forest = _CLASSIFIERS[splitter](criterion="entropy", **params)
    with warnings.catch_warnings():
        # Almost every ranking may be a class of its own, on purpose.
        warnings.filterwarnings("ignore", "The number of unique classes", UserWarning)
        return forest.fit(X, target)
