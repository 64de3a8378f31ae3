"""Learning to keep the relevant labels of every case ahead of the others, and where sets end."""

from dataclasses import dataclass

import numpy as np

from labelrank_core.methods.convergence import warn_not_converged
from labelrank_core.methods.linear._rank_interior import (
    MOST_WEIGHTS,
    interior_multipliers,
    kernel_features,
)
from labelrank_core.methods.linear._rank_pairs import LabelPairs, score_rounding
from labelrank_core.rankings import FloatArray, IntArray

# Passes over the cases, and at most so many conjugate gradients, make a round.
_PASSES = 4
_CONJUGATE_GRADIENTS = 15
# So many rounds are tried with a curved kernel before the interior-point method.
_PATIENCE = 15
# Gradient steps within one case before the scores of all cases are brought up to date.
_STEPS = 3
_LINE_SEARCH_STEPS = 20
# The conjugate gradients end when the squared gradient has shrunk by this factor.
_SHRUNK = 1e-10


@dataclass(frozen=True, eq=False)
class RankMargins:
    """Weights of the training cases, their scores, and bounds on their distance from the optimum.

    Parameters
    ----------
    weights, scores : ndarray of shape (n_samples, n_labels)
        Scores are the kernel times the weights.
    n_iter : int
        Number of rounds.
    objective, gap : float
        The dual objective, and how far it may at most be from its maximum.
    rounding : float
        How much rounding may change the scores of a training case.
    """

    weights: FloatArray
    scores: FloatArray
    n_iter: int
    objective: float
    gap: float
    rounding: float


class _Dual:
    """The dual problem: multipliers of the pairs, between 0 and their largest values.

    Maximises their sum minus half the squared weights of all scores.
    """

    def __init__(self, gram: FloatArray, pairs: LabelPairs) -> None:
        self.gram = gram
        self.pairs = pairs
        self.multipliers = np.zeros(len(pairs.largest))
        self.weights, self.scores = np.zeros(pairs.shape), np.zeros(pairs.shape)
        self.gradient = np.ones(len(pairs.largest))
        self._lengths = np.sqrt(np.diagonal(gram))

    def refresh(self) -> tuple[float, float]:
        """Recompute scores and gradient without rounding errors; return objective and gap."""
        self.weights = self.pairs.weights(self.multipliers)
        self.scores = self.gram @ self.weights
        self.gradient = 1 - self.pairs.differences(self.scores)
        objective = self.multipliers.sum() - 0.5 * (self.weights * self.scores).sum()
        self.rounding = score_rounding(self._lengths, self.weights)
        return float(objective), self.pairs.gap(self.gradient, self.multipliers, self.rounding)

    def try_multipliers(self, multipliers: FloatArray) -> None:
        """Take other multipliers if they have a larger objective."""
        previous, (objective, _) = self.multipliers, self.refresh()
        self.multipliers = multipliers
        if self.refresh()[0] < objective:
            self.multipliers = previous
            self.refresh()

    def pass_over(self, rows: IntArray) -> None:
        """Take projected gradient steps, case by case."""
        n_labels = self.pairs.shape[1]
        for row in rows:
            pairs, square = self.pairs.slices[row], self.gram[row, row]
            ahead = self.pairs.ahead[pairs] - row * n_labels
            behind = self.pairs.behind[pairs] - row * n_labels
            multipliers, largest = self.multipliers[pairs], self.pairs.largest[pairs]
            scores, moved = self.scores[row].copy(), np.zeros(n_labels)
            for _ in range(_STEPS):
                # A case's curvature is at most its squared length times the number of labels.
                gradient = 1 - scores[ahead] + scores[behind]
                changed = np.clip(multipliers + gradient / (square * n_labels), 0.0, largest)
                step = changed - multipliers
                if not step.any():
                    break
                change = np.bincount(ahead, step, n_labels) - np.bincount(behind, step, n_labels)
                scores += square * change
                moved += change
                multipliers = changed
            if moved.any():
                self.multipliers[pairs] = multipliers
                self.scores += np.outer(self.gram[row], moved)

    def climb_face(self) -> None:
        """Move the multipliers that are at neither end together, towards their joint maximum."""
        free = np.flatnonzero((self.multipliers > 0) & (self.multipliers < self.pairs.largest))
        if not len(free):
            return
        direction = self._face_direction(free)
        largest, start, length = self.pairs.largest[free], self.multipliers[free], 1.0
        for _ in range(_LINE_SEARCH_STEPS):
            way = np.clip(start + length * direction, 0.0, largest) - start
            slope = float(self.gradient[free] @ way)
            curve = float(way @ self._curvature(way, free))
            if slope > 0 and 2 * slope >= curve:
                step = min(1.0, slope / curve) if curve > 0 else 1.0
                self.multipliers[free] = np.clip(start + step * way, 0.0, largest)
                return
            length /= 2

    def _curvature(self, way: FloatArray, free: IntArray) -> FloatArray:
        return self.pairs.differences(self.gram @ self.pairs.weights(way, free), free)

    def _face_direction(self, free: IntArray) -> FloatArray:
        """Solve for the maximum over the free multipliers, as if they had no ends."""
        rows = self.pairs.ahead[free] // self.pairs.shape[1]
        scale = 1 / np.diagonal(self.gram)[rows]
        residual, direction = self.gradient[free], np.zeros(len(free))
        way = scale * residual
        size = first = float(residual @ way)
        for _ in range(_CONJUGATE_GRADIENTS):
            if size <= _SHRUNK * first:
                break
            bent = self._curvature(way, free)
            curve = float(way @ bent)
            if curve <= 0:
                break
            direction += size / curve * way
            residual = residual - size / curve * bent
            scaled = scale * residual
            previous, size = size, float(residual @ scaled)
            way = scaled + size / previous * way
        return direction


def learn_margins(
    gram: FloatArray,
    relevance: IntArray,
    C: float,
    *,
    tol: float,
    max_iter: int,
    features: FloatArray | None = None,
) -> RankMargins:
    """Maximise the dual of Rank-SVM, whose bounds allow one case to move without the others.

    A round moves the multipliers case by case, in a random order, then those at neither end
    together. Both only raise the objective. If few weights are to be learned, an interior-point
    method takes over after some rounds, and rounds finish what it leaves. Ends when the gap is at
    most `tol` times the objective, or after `max_iter` rounds and steps, with a
    ConvergenceWarning. `features`: few features of the cases whose inner products are the kernel,
    with which the interior-point method starts; None: a curved kernel, or many.
    """
    pairs = LabelPairs(relevance, C)
    rows = np.array(list(pairs.slices), dtype=np.int64)
    dual = _Dual(gram, pairs)
    rng = np.random.default_rng(0)
    is_small = len(gram) * relevance.shape[1] <= MOST_WEIGHTS
    patience = _PATIENCE if features is None else 0
    n_iter, (objective, gap) = 0, dual.refresh()
    while gap > tol * max(objective, 0.0) and n_iter < max_iter:
        is_stuck = n_iter == patience and n_iter + 1 < max_iter
        if is_stuck and (is_small or features is not None):
            inputs = kernel_features(gram) if features is None else features
            multipliers, n_steps = interior_multipliers(
                inputs, pairs, tol=tol / 10, max_iter=max_iter - n_iter - 1
            )
            dual.try_multipliers(multipliers)
            n_iter += n_steps
        # Passes also set multipliers that are nearly at an end to that end.
        for _ in range(_PASSES):
            dual.pass_over(rng.permutation(rows))
        dual.refresh()
        dual.climb_face()
        objective, gap = dual.refresh()
        n_iter += 1
    if gap > tol * max(objective, 0.0):
        warn_not_converged(
            f"Rank-SVM stopped after max_iter={max_iter} rounds: the objective may still rise by "
            f"{gap / max(objective, 1e-300):.2g} of its value, more than tol={tol}. Scale the "
            "features, raise max_iter or tol, or take a smaller C."
        )
    return RankMargins(
        dual.weights, dual.scores, n_iter, objective, gap, float(dual.rounding.max())
    )


def best_thresholds(scores: FloatArray, relevance: IntArray) -> FloatArray:
    """Return for every case the threshold that its label set is least wrong with.

    Errors are relevant labels not above it and irrelevant ones not below; of several intervals
    without more errors the lowest, and of an interval its middle. Half a margin beyond the lowest
    or the highest score where there is no other.
    """
    order = np.argsort(scores, axis=1, kind="stable")
    ordered = np.take_along_axis(scores, order, axis=1)
    ordered_relevance = np.take_along_axis(relevance, order, axis=1)
    lower = np.hstack([ordered[:, :1] - 1, ordered])
    upper = np.hstack([ordered, ordered[:, -1:] + 1])
    none = np.zeros((len(scores), 1), dtype=np.int64)
    n_missed = np.hstack([none, np.cumsum(ordered_relevance, axis=1)])
    n_added = np.hstack([np.cumsum(1 - ordered_relevance[:, ::-1], axis=1)[:, ::-1], none])
    # Between equal scores there is no threshold.
    errors = np.where(upper > lower, n_missed + n_added, scores.shape[1] + 1)
    best = np.argmin(errors, axis=1)[:, None]
    middles = (lower + upper) / 2
    return np.asarray(np.take_along_axis(middles, best, axis=1)[:, 0])


def fit_thresholds(scores: FloatArray, relevance: IntArray) -> tuple[FloatArray, float]:
    """Return weights of the scores and a constant for thresholds, by least squares."""
    thresholds = best_thresholds(scores, relevance)
    centre, middle = scores.mean(axis=0), float(thresholds.mean())
    # Scores of a case sum to 0, so there are many solutions: the smallest weights.
    weights = np.linalg.lstsq(scores - centre, thresholds - middle, rcond=1e-9)[0]
    return weights, middle - float(centre @ weights)
