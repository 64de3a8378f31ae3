"""Rank-SVM's dual problem by an interior-point method, for few weights."""

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve, eigh

from labelrank_core.methods.linear._rank_pairs import LabelPairs, score_rounding
from labelrank_core.rankings import FloatArray

# Every step factorises a square matrix with this many rows at most (32 MB).
MOST_WEIGHTS = 2000
# Eigenvalues of the kernel below this share of the largest are rounding.
_RANK = 1e-12
# It ends after so many steps without a smaller gap.
_PATIENCE = 5
# How far a step goes towards the nearest bound, at most.
_TO_BOUND = 0.99
# The centre is at least this share of the mean product.
_CENTRES = 1e-14


def kernel_features(gram: FloatArray) -> FloatArray:
    """Return features whose inner products are the kernel, shape (n_samples, rank)."""
    values, vectors = eigh(gram)
    is_positive = values > _RANK * values[-1]
    return np.asarray(vectors[:, is_positive] * np.sqrt(values[is_positive]))


def interior_multipliers(
    features: FloatArray, pairs: LabelPairs, *, tol: float, max_iter: int
) -> tuple[FloatArray, int]:
    """Return multipliers near the optimum, strictly between their bounds, and the steps taken.

    Mehrotra's predictor-corrector method. `features`: one row per case, whose inner products are
    the kernel. Ends when the gap is at most `tol` times the objective, after `max_iter` steps, or
    where rounding allows no better ones.
    """
    state = _Interior(features, pairs)
    best, least_gap, n_worse, n_steps = state.multipliers, state.gap, 0, 0
    while n_steps < max_iter and n_worse < _PATIENCE and state.gap > tol * max(state.objective, 0):
        try:
            # Huge kernels overflow; the check for finite numbers then ends the search.
            with np.errstate(all="ignore"):
                state.step()
        except (LinAlgError, FloatingPointError):
            break
        n_steps, n_worse = n_steps + 1, n_worse + 1
        if state.gap < least_gap:
            best, least_gap, n_worse = state.multipliers, state.gap, 0
    return best, n_steps


class _Interior:
    """Multipliers a between 0 and u, and the multipliers of their lower and upper bounds."""

    def __init__(self, features: FloatArray, pairs: LabelPairs) -> None:
        self.features = features
        self.pairs = pairs
        self.multipliers = pairs.largest / 2
        self._lengths = np.sqrt((features**2).sum(axis=1))
        self._look()
        level = 1.0 + np.abs(self.gradient)
        self.lower = np.maximum(-self.gradient, 0) + level
        self.upper = np.maximum(self.gradient, 0) + level

    def _look(self) -> None:
        """Compute gradient, objective and gap."""
        by_case = self.pairs.weights(self.multipliers)
        weights = self.features.T @ by_case
        self.gradient = 1 - self.pairs.differences(self.features @ weights)
        self.objective = float(self.multipliers.sum() - 0.5 * (weights * weights).sum())
        self.gap = self.pairs.gap(
            self.gradient, self.multipliers, score_rounding(self._lengths, by_case)
        )

    def step(self) -> None:
        """Take one step: towards complementary products of 0, corrected and centred."""
        a, slack = self.multipliers, self.pairs.largest - self.multipliers
        self._stiffness = 1 / (self.lower / a + self.upper / slack)
        matrix = self._matrix()
        if not np.isfinite(matrix).all():
            raise FloatingPointError
        self._factor = cho_factor(matrix, lower=True, overwrite_a=True, check_finite=False)
        mean = float(a @ self.lower + slack @ self.upper) / (2 * len(a))
        by_a, by_lower, by_upper = self._direction(-a * self.lower, -slack * self.upper)
        length = _longest(np.concatenate([a, slack]), np.concatenate([by_a, -by_a]))
        dual_length = _longest(
            np.concatenate([self.lower, self.upper]), np.concatenate([by_lower, by_upper])
        )
        ahead = float((a + length * by_a) @ (self.lower + dual_length * by_lower))
        ahead += float((slack - length * by_a) @ (self.upper + dual_length * by_upper))
        centre = max((ahead / (2 * len(a)) / mean) ** 3, _CENTRES) * mean
        by_a, by_lower, by_upper = self._direction(
            centre - a * self.lower - by_a * by_lower,
            centre - slack * self.upper + by_a * by_upper,
        )
        # The objective is quadratic, so both take steps of one length.
        values = np.concatenate([a, slack, self.lower, self.upper])
        length = _longest(values, np.concatenate([by_a, -by_a, by_lower, by_upper]))
        self.multipliers = a + length * by_a
        self.lower = self.lower + length * by_lower
        self.upper = self.upper + length * by_upper
        self._look()
        if not np.isfinite([self.gap, self.objective]).all():
            raise FloatingPointError

    def _direction(
        self, lower_lack: FloatArray, upper_lack: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the changes of the multipliers and of those of both bounds."""
        a, slack = self.multipliers, self.pairs.largest - self.multipliers
        lack = self.gradient + self.lower - self.upper + lower_lack / a - upper_lack / slack
        pushed = self.features.T @ self.pairs.weights(self._stiffness * lack)
        weights = (
            cho_solve(self._factor, pushed.T.ravel(), check_finite=False).reshape(pushed.T.shape).T
        )
        change = self._stiffness * (lack - self.pairs.differences(self.features @ weights))
        by_lower = (lower_lack - self.lower * change) / a
        by_upper = (upper_lack + self.upper * change) / slack
        return change, by_lower, by_upper

    def _matrix(self) -> FloatArray:
        """Return 1 plus the weighted squares of the pairs' features, label by label."""
        n_features, n_labels = self.features.shape[1], self.pairs.shape[1]
        curvature = self.pairs.label_curvature(self._stiffness)
        # Only the lower triangle is used, but all of it is looked through for infinite numbers.
        matrix = np.zeros((n_labels * n_features, n_labels * n_features))
        for i in range(n_labels):
            rows = slice(i * n_features, (i + 1) * n_features)
            for j in range(i + 1):
                block = self.features.T @ (curvature[:, i, j, None] * self.features)
                matrix[rows, j * n_features : (j + 1) * n_features] = block
        matrix[np.diag_indices(len(matrix))] += 1
        return matrix


def _longest(values: FloatArray, change: FloatArray) -> float:
    """Return the longest step along a change that leaves values positive, at most 1."""
    falling = change < 0
    if not falling.any():
        return 1.0
    return min(1.0, _TO_BOUND * float((values[falling] / -change[falling]).min()))
