"""Linear machines learned for F1 by cutting planes (SVM-perf), one for every column of signs."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from labelrank_core.methods.convergence import warn_not_converged
from labelrank_core.methods.machines import Machines
from labelrank_core.methods.pair_ranker import common_scale
from labelrank_core.rankings import FloatArray, IntArray

# How far from the best weights so far towards those of the planes a second plane is added: without
# it, weights jump to and fro, and need up to ten times as many planes (Franc and Sonnenburg 2008).
_STEP = 0.1
# What keeps sets of planes that nearly depend on each other solvable.
_RIDGE = 1e-10
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Cut:
    """The label vector y' that violates the margin most: its loss and its plane.

    Parameters
    ----------
    violation : float
        1 - F1 of y' minus the margin to it.
    loss : float
        1 - F1 of y'.
    missed, false : ndarray of int
        Relevant rows that y' misses, and irrelevant ones that it finds.
    """

    violation: float
    loss: float
    missed: IntArray
    false: IntArray


def most_violated(scores: FloatArray, signs: FloatArray) -> Cut:
    """Find the label vector with the largest 1 - F1 minus margin, for the scores of n rows.

    The margin is (Σ scores of missed rows - Σ scores of falsely found rows) / n. For a number a of
    relevant rows found, these have the highest scores; so do the b irrelevant rows found. In b, the
    sum is concave (F1 is convex in it, and sums of falling scores are concave), so that the best b
    of every a is found by bisection.
    """
    relevant, irrelevant = (
        rows[np.argsort(-scores[rows], kind="stable")]
        for rows in (np.flatnonzero(signs > 0), np.flatnonzero(signs < 0))
    )
    n, n_relevant = len(scores), len(relevant)
    n_hits = np.arange(n_relevant + 1)
    missed = np.append(np.cumsum(scores[relevant[::-1]])[::-1], 0.0)
    false = np.append(0.0, np.cumsum(scores[irrelevant]))

    def gain(b: IntArray) -> FloatArray:
        return false[b] / n - 2 * n_hits / (n_hits + b + n_relevant)

    low, high = np.zeros_like(n_hits), np.full_like(n_hits, len(irrelevant))
    while (low < high).any():
        middle = (low + high) // 2
        rises = gain(np.minimum(middle + 1, len(irrelevant))) > gain(middle)
        low, high = np.where(rises & (low < high), middle + 1, low), np.where(rises, high, middle)
    values = 1 + gain(low) - missed / n
    a = int(np.argmax(values))
    b = int(low[a])
    loss = 1 - 2 * a / (a + b + n_relevant)
    return Cut(float(values[a]), loss, relevant[a:], irrelevant[:b])


class _Planes:
    """The planes that carry the weights, C Σ_k p_k plane_k, with shares p that sum to 1.

    A plane is (Σ missed rows - Σ falsely found rows) / n; it is held as these multiples of rows.
    The first one is 0: the true labels. Shares minimise C ‖Σ p_k plane_k‖² / 2 - Σ p_k loss_k.
    """

    def __init__(self, n_rows: int) -> None:
        self.multiples = np.zeros((1, n_rows))
        self.scores = np.zeros((1, n_rows))
        self.losses = np.zeros(1)
        self.shares = np.ones(1)
        self.products = np.zeros((1, 1))

    def add(self, multiples: FloatArray, scores: FloatArray, loss: float) -> None:
        """Add a plane with share 0; `scores` of all rows by it."""
        self.multiples = np.vstack([self.multiples, multiples])
        self.scores = np.vstack([self.scores, scores])
        self.losses, self.shares = np.append(self.losses, loss), np.append(self.shares, 0.0)
        row = self.multiples @ scores
        self.products = np.block([[self.products, row[:-1, None]], [row[None, :]]])

    def solve(self, C: float) -> None:
        """Find the best shares, and drop planes without one (an active-set method)."""
        while True:
            optimum = self._without_bounds(C)
            is_negative = optimum < -_ROUNDING
            if not is_negative.any():
                self._keep(np.maximum(optimum, 0.0), np.zeros(len(optimum), dtype=bool))
                return
            shares = self.shares
            step = (shares[is_negative] / (shares[is_negative] - optimum[is_negative])).min()
            moved = shares + step * (optimum - shares)
            moved[is_negative & (moved < _ROUNDING)] = 0.0
            self._keep(np.maximum(moved, 0.0), (shares == 0) & ~is_negative)

    def _without_bounds(self, C: float) -> FloatArray:
        """Return the shares that would be best if they could be negative."""
        k = len(self.shares)
        system = np.ones((k + 1, k + 1))
        system[:k, :k] = C * self.products
        system[range(k), range(k)] += _RIDGE * C * np.trace(self.products) / k + _ROUNDING
        system[k, k] = 0.0
        return np.linalg.solve(system, np.append(self.losses, 1.0))[:k]

    def _keep(self, shares: FloatArray, waiting: Any) -> None:
        planes = np.flatnonzero((shares > 0) | waiting)
        self.multiples, self.scores = self.multiples[planes], self.scores[planes]
        self.losses, self.products = self.losses[planes], self.products[np.ix_(planes, planes)]
        self.shares = shares[planes] / shares[planes].sum()


@dataclass(frozen=True, eq=False)
class _Weights:
    """Weights as multiples of rows, the scores of all rows by them, and their objective."""

    multiples: FloatArray
    scores: FloatArray
    cut: Cut
    objective: float

    @classmethod
    def of(cls, multiples: FloatArray, scores: FloatArray, signs: FloatArray, C: float) -> Any:
        """Measure weights."""
        cut = most_violated(scores, signs)
        return cls(multiples, scores, cut, float(multiples @ scores) / 2 + C * cut.violation)


class _TrainingRows:
    """Training rows, with a constant feature for the intercept."""

    def __init__(self, X: Any, *, fit_intercept: bool) -> None:
        self.X, self.transposed = X, X.T.tocsr() if sparse.issparse(X) else X.T
        self.bias = float(fit_intercept)

    def scores(self, multiples: FloatArray) -> FloatArray:
        """Return the scores of all rows by the weights Σ multiple_i row_i."""
        return self.X @ (self.transposed @ multiples) + self.bias * multiples.sum()


def learn_for_f1(
    X: Any, signs: FloatArray, C: float, *, fit_intercept: bool, tol: float, max_iter: int
) -> Machines:
    """Learn every column of signs; of equal signs, weights are 0 and the intercept is the sign.

    Features, sparse or dense, are divided by one power of two if any exceeds 1000 in size.
    """
    scale = common_scale(X.data if sparse.issparse(X) else X)
    rows = _TrainingRows(X / scale if scale > 1 else X, fit_intercept=fit_intercept)
    is_constant = np.abs(signs.sum(axis=0)) == len(signs)
    weights = np.zeros((X.shape[1], signs.shape[1]))
    intercept = np.where(is_constant, signs[0], 0.0)
    stopped = 0
    for column in np.flatnonzero(~is_constant):
        solution, converged = _learn(rows, signs[:, column], C, tol, max_iter)
        weights[:, column] = rows.transposed @ solution.multiples / scale
        intercept[column] = rows.bias * solution.multiples.sum()
        stopped += not converged
    if stopped:
        warn_not_converged(
            f"{stopped} labels need more than max_iter={max_iter} cutting planes to come within "
            f"tol={tol} of the optimum. Raise max_iter or tol, scale the features, or take a "
            "smaller C."
        )
    return Machines(weights, intercept, is_constant)


def _learn(
    rows: _TrainingRows, signs: FloatArray, C: float, tol: float, max_iter: int
) -> tuple[_Weights, bool]:
    """Add the plane of the most violated label vector until none is violated by more than tol."""
    planes = _Planes(len(signs))
    best = _Weights.of(planes.multiples[0], planes.scores[0], signs, C)
    cuts = [best.cut]
    for _ in range(max_iter):
        for cut in cuts:
            multiples = np.zeros(len(signs))
            multiples[cut.missed], multiples[cut.false] = 1 / len(signs), -1 / len(signs)
            planes.add(multiples, rows.scores(multiples), cut.loss)
        planes.solve(C)
        multiples = C * (planes.shares @ planes.multiples)
        scores = C * (planes.shares @ planes.scores)
        lowest = C * float(planes.losses @ planes.shares) - float(multiples @ scores) / 2
        newest = _Weights.of(multiples, scores, signs, C)
        between = _Weights.of(
            best.multiples + _STEP * (multiples - best.multiples),
            best.scores + _STEP * (scores - best.scores),
            signs,
            C,
        )
        best = min(best, newest, between, key=lambda weights: weights.objective)
        if best.objective - lowest <= tol * C:
            return best, True
        cuts = [newest.cut, between.cut]
    return best, False
