"""Which labels are surely ahead of others: pairs whose scores lie further apart than a threshold.

Thresholding one score per label gives a semiorder, which is transitive by construction. So does the
smallest gap among several models: where a is ahead of b, and b of c, by more than t in all of them,
a is ahead of c by more than 2 t in all of them.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from labelrank_core.explain.capabilities import Ranker, SupportsPoint
from labelrank_core.explain.predictions import bare_model
from labelrank_core.rankings import FloatArray, IntArray

# Gaps that differ only by rounding are equal.
_DECIMALS = 10


def label_scores(model: Ranker, X: Any, setting: Mapping[str, Any] | None = None) -> FloatArray:
    """Score the labels of cases, higher = better, at a setting of the path.

    Of a ranker without scores, each label's score is the number of labels ranked behind it.
    """
    estimator, cases = bare_model(model, X)
    if isinstance(estimator, SupportsPoint):
        return np.asarray(estimator.point(cases, **(setting or {})).scores, dtype=np.float64)
    positions = np.asarray(estimator.predict(cases), dtype=np.float64)
    return positions.shape[1] - positions


def score_gaps(scores: ArrayLike) -> FloatArray:
    """Return the lead of each label over each other, (n_cases, n_labels, n_labels).

    Scores have shape (n_cases, n_labels), or (n_models, n_cases, n_labels): then the smallest gap
    counts.

    >>> score_gaps([[2.0, 0.5]])
    array([[[ 0. ,  1.5],
            [-1.5,  0. ]]])
    """
    array = np.asarray(scores, dtype=np.float64)
    models = array if array.ndim == 3 else array[None]
    gaps = np.full((*models.shape[1:], models.shape[2]), np.inf)
    for model_scores in models:
        np.minimum(gaps, model_scores[:, :, None] - model_scores[:, None, :], out=gaps)
    return gaps.round(_DECIMALS)


def sure_pairs(gaps: FloatArray, threshold: float) -> IntArray:
    """Tell of every pair whether the row's label is surely ahead, 1, surely behind, -1, or 0.

    >>> sure_pairs(score_gaps([[2.0, 0.5, 0.4]]), 1.0)[0]
    array([[ 0,  1,  1],
           [-1,  0,  0],
           [-1,  0,  0]])
    """
    ahead = (gaps > threshold).astype(np.int64)
    return ahead - ahead.transpose(0, 2, 1)
