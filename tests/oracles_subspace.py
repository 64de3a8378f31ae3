"""MLLS-08 as the paper writes it: d × d matrices, nonsymmetric eigenvectors, loops over cuts."""

import numpy as np


def objective(X, Y, U, V, theta, alpha, beta):
    """Eq. 5."""
    loss = ((X @ U - Y) ** 2).sum() / len(X)
    return loss + alpha * ((U - theta.T @ V) ** 2).sum() + beta * (U**2).sum()


def solve(X, Y, alpha, beta, r):
    """Θ and U by eqs 9, 10, 14, 15 and the QR decomposition of section 2.4."""
    n, d = X.shape
    M = X.T @ X / n + (alpha + beta) * np.eye(d)
    inverse = np.linalg.inv(M)
    S1 = np.eye(d) - alpha * inverse
    S2 = inverse @ X.T @ Y @ Y.T @ X @ inverse
    values, vectors = np.linalg.eig(np.linalg.solve(S1, S2))
    leading = np.argsort(-values.real)[:r]
    theta = np.linalg.qr(vectors[:, leading].real)[0].T
    U = np.linalg.solve(M - alpha * theta.T @ theta, X.T @ Y) / n
    return theta, U


def f1(predicted, relevance):
    hits = np.logical_and(predicted, relevance).sum()
    total = np.sum(predicted) + np.sum(relevance)
    return 2 * hits / total if total else 0.0


def macro_f1(predicted, relevance):
    return np.mean([f1(predicted[:, j], relevance[:, j]) for j in range(relevance.shape[1])])


def cuts(scores):
    """Every threshold that makes a difference: below all, between two, at the highest."""
    values = np.unique(scores)
    return [values[0] - 1, *((values[1:] + values[:-1]) / 2), values[-1]]
