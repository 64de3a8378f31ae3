"""SciPy's distances, with their parameters checked."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from labelrank_core.rankings import FloatArray

# Metrics of 0/1 vectors.
BINARY = {"jaccard", "dice", "rogerstanimoto", "russellrao", "sokalsneath", "yule"}
# Metrics for which all rows are scanned.
SCANNED = BINARY | {"braycurtis", "minkowski", "seuclidean", "mahalanobis"}
_REQUIRED = {"seuclidean": ["V"], "mahalanobis": ["VI"]}
_OPTIONAL = {"minkowski": ["p", "w"]}


def check_metric(metric: str, params: Mapping[str, Any], X: FloatArray) -> None:
    """Raise a ValueError if a metric cannot be used with these parameters or features."""
    required, optional = _REQUIRED.get(metric, []), _OPTIONAL.get(metric, [])
    if not set(required) <= set(params) <= {*required, *optional}:
        raise ValueError(
            f"Expected metric_params of {metric!r} with {required} and optionally {optional}, "
            f"got {list(params)}."
        )
    if metric in BINARY and not np.isin(X, (0, 1)).all():
        value = X[~np.isin(X, (0, 1))][0]
        raise ValueError(
            f"Expected features of 0 and 1, not scaled, for metric={metric!r}, got {value}."
        )


def distances(X: FloatArray, Z: FloatArray, metric: str, params: Mapping[str, Any]) -> FloatArray:
    """Compute the distance of every row of X to every row of Z; 0 where it is 0 / 0."""
    matrix: FloatArray = cdist(X, Z, metric, **params)
    if metric in SCANNED:
        matrix[np.isnan(matrix)] = 0.0
    return matrix
