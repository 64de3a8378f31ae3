"""What the trees split on, and the forest of scikit-learn that grows them."""

import warnings
from collections.abc import Mapping
from math import log2
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from labelrank_core.rankings import FloatArray, IntArray, generalised_ranks

SPLIT_TARGETS = ("borda", "top_label", "ranking")
# Parameters by which the forest of [zhou2018] is the one of its text, or of its authors' program.
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
    """Return the label in front of every ranking, the one with the lower index where some tie."""
    return np.argmin(doubled, axis=1)


def split_target(doubled: FloatArray, split_on: str) -> FloatArray | IntArray:
    """Return what the trees separate: doubled ranks, or a class for every ranking."""
    if split_on == "borda":
        return doubled
    if split_on == "top_label":
        return top_labels(doubled)
    ranks = generalised_ranks(doubled)
    return np.unique(ranks, axis=0, return_inverse=True)[1].reshape(len(ranks))


def features_per_split(max_features: Any, n_features: int) -> Any:
    """Return scikit-learn's ``max_features``; ``"log2+1"`` is the paper's number."""
    return int(log2(n_features)) + 1 if max_features == "log2+1" else max_features


def grow(
    X: NDArray[np.float32], doubled: FloatArray, split_on: str, **params: Any
) -> RandomForestRegressor | RandomForestClassifier:
    """Grow the trees: variance of the doubled ranks, or entropy of the classes."""
    params["max_features"] = features_per_split(params["max_features"], X.shape[1])
    target = split_target(doubled, split_on)
    if split_on == "borda":
        return RandomForestRegressor(**params).fit(X, target)
    forest = RandomForestClassifier(criterion="entropy", **params)
    with warnings.catch_warnings():
        # Here almost every ranking may be a class of its own, and is meant to be.
        warnings.filterwarnings("ignore", "The number of unique classes", UserWarning)
        return forest.fit(X, target)
