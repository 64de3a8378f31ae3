"""Naive support vector machines: the two problems as they are written, by general optimisers."""

import numpy as np
from scipy.optimize import minimize


def squared_hinge(X, signs, C):
    """Weights and intercept of the linear machine that also penalises its intercept."""

    def loss(both):
        weights, intercept = both[:-1], both[-1]
        total = (weights @ weights + intercept**2) / 2
        for x, sign in zip(X, signs, strict=True):
            total += C * max(0.0, 1 - sign * (weights @ x + intercept)) ** 2
        return total

    found = minimize(loss, np.zeros(len(X[0]) + 1), method="BFGS", options={"gtol": 1e-7}).x
    return found[:-1], found[-1]


def kernel_value(x, z, kernel, *, gamma, degree=3, coef0=1):
    """One value of a kernel."""
    if kernel == "poly":
        return (gamma * sum(a * b for a, b in zip(x, z, strict=True)) + coef0) ** degree
    return np.exp(-gamma * sum((a - b) ** 2 for a, b in zip(x, z, strict=True)))


def hinge(gram, signs, C):
    """Weights of the cases and intercept of the machine with hinge loss, by its dual problem."""
    signs = np.asarray(signs, dtype=float)
    inner = np.outer(signs, signs) * gram
    alphas = minimize(
        lambda alphas: alphas @ inner @ alphas / 2 - alphas.sum(),
        np.zeros(len(signs)),
        jac=lambda alphas: inner @ alphas - 1,
        method="SLSQP",
        bounds=[(0, C)] * len(signs),
        constraints={"type": "eq", "fun": lambda alphas: alphas @ signs, "jac": lambda _: signs},
        options={"ftol": 1e-14, "maxiter": 1000},
    ).x
    weights = alphas * signs
    # Cases within the bounds lie on the margin.
    free = (alphas > 1e-5 * C) & (alphas < (1 - 1e-5) * C)
    return weights, float(np.mean(signs[free] - gram[free] @ weights)), free.any()
