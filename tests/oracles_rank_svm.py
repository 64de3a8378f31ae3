"""Naive Rank-SVM: the dual by a general optimiser, and thresholds by trying all."""

from itertools import product

import numpy as np
from scipy.optimize import minimize


def pairs(Y):
    """All (row, relevant label, irrelevant label)."""
    found = []
    for i, row in enumerate(Y):
        relevant = [j for j, y in enumerate(row) if y == 1]
        irrelevant = [j for j, y in enumerate(row) if y == 0]
        found += [(i, k, l) for k, l in product(relevant, irrelevant)]  # noqa: E741
    return found


def dual(gram, Y, C):
    """Weights of the rows, (n_rows, n_labels), and the largest dual objective."""
    n, m = np.shape(Y)
    found = pairs(Y)
    most = [C / (sum(Y[i]) * (m - sum(Y[i]))) for i, _, _ in found]

    def weights(multipliers):
        beta = np.zeros((n, m))
        for (i, k, l), a in zip(found, multipliers, strict=True):  # noqa: E741
            beta[i, k] += a
            beta[i, l] -= a
        return beta

    def loss(multipliers):
        beta = weights(multipliers)
        return 0.5 * sum(beta[:, j] @ gram @ beta[:, j] for j in range(m)) - sum(multipliers)

    def slope(multipliers):
        scores = gram @ weights(multipliers)
        return np.array([scores[i, k] - scores[i, l] - 1 for i, k, l in found])  # noqa: E741

    best = minimize(
        loss,
        np.zeros(len(found)),
        jac=slope,
        bounds=[(0, limit) for limit in most],
        method="L-BFGS-B",
        options={"ftol": 1e-15, "gtol": 1e-10, "maxiter": 10_000, "maxfun": 100_000},
    )
    return weights(best.x), -best.fun


def best_threshold(scores, relevant):
    """The middle of the lowest interval between scores in which a threshold errs least."""
    ends = sorted(set(scores))
    ends = [ends[0] - 1, *ends, ends[-1] + 1]
    errors = {}
    for low, high in zip(ends, ends[1:], strict=False):  # noqa: RUF007
        t = (low + high) / 2
        errors[t] = sum((s <= t) if y else (s >= t) for s, y in zip(scores, relevant, strict=True))
    return min(errors, key=lambda t: (errors[t], t))
