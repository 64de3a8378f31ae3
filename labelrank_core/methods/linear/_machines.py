"""Linear support vector machines, one for each label, on dense or sparse cases."""

from math import ceil, log2
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.svm import LinearSVC

from labelrank_core.methods.linear._basis import mean_of
from labelrank_core.methods.linear._decomposition import fold_rows
from labelrank_core.methods.linear._linear_scores import LinearScores
from labelrank_core.methods.pair_ranker import LARGEST_LEARNED
from labelrank_core.rankings import FloatArray, IntArray


def learn_scores(
    X: Any, relevance: IntArray, C: float, *, fit_intercept: bool, n_folds: int
) -> LinearScores:
    """Learn every label from all cases, and without each fold to score the cases left out."""
    weights, intercept = learn_machines(X, relevance, C, fit_intercept=fit_intercept)
    out_of_fold = held_out_scores(X, relevance, C, fit_intercept=fit_intercept, n_folds=n_folds)
    mean = mean_of(X, centre=True)
    return LinearScores(weights, intercept, mean, out_of_fold, relevance)


def learn_machines(
    X: Any, relevance: IntArray, C: float, *, fit_intercept: bool
) -> tuple[FloatArray, FloatArray]:
    """Learn each label against the rest; return weights (n_features, n_labels) and intercepts.

    A label that all or no cases have gets the constant score 1 or -1.
    """
    X, scale = _learnable(X)
    weights, intercept = np.zeros((X.shape[1], relevance.shape[1])), 2.0 * relevance[0] - 1
    # Newton's method on the primal for few features; coordinate ascent on the dual for many: on
    # 1000 pages of 18 000 words it is 20 times as fast. Its order is random, with a fixed seed.
    many = X.shape[1] > X.shape[0]
    machine = LinearSVC(
        C=C,
        dual=many,
        tol=1e-6 if many else 1e-4,
        max_iter=1000,
        random_state=0,
        fit_intercept=fit_intercept,
    )
    for label in np.flatnonzero(relevance.min(axis=0) < relevance.max(axis=0)):
        machine.fit(X, relevance[:, label])
        weights[:, label] = machine.coef_[0] / scale
        intercept[label] = np.ravel(machine.intercept_)[0]
    return weights, intercept


def held_out_scores(
    X: Any, relevance: IntArray, C: float, *, fit_intercept: bool, n_folds: int
) -> FloatArray | None:
    """Score every row by machines learned without its fold, (n_samples, n_labels).

    None for a single row.
    """
    scores = np.empty(relevance.shape)
    folds = fold_rows(len(relevance), n_folds)
    for held_out in folds:
        others = np.delete(np.arange(len(relevance)), held_out)
        weights, intercept = learn_machines(
            X[others], relevance[others], C, fit_intercept=fit_intercept
        )
        scores[held_out] = X[held_out] @ weights + intercept
    return scores if folds else None


def _learnable(X: Any) -> tuple[Any, float]:
    """Divide cases by the power of two that brings them to at most 1000 in size."""
    values = X.data if sparse.issparse(X) else X
    largest = float(np.abs(values).max(initial=0.0))
    scale = 2.0 ** max(0, ceil(log2(largest / LARGEST_LEARNED))) if largest else 1.0
    X = X / scale if scale > 1 else X
    if sparse.issparse(X):
        # All that liblinear reads.
        X = sparse.csr_matrix(X)
        X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)
    return X, scale
