"""Learning to keep the relevant labels of every case ahead of the others, and where sets end."""

from dataclasses import dataclass

import numpy as np

from labelrank_core.rankings import FloatArray, IntArray

_LEVEL = 1e-9
# Steps within one case before the scores of all cases are brought up to date.
_STEPS = 3


@dataclass(frozen=True, eq=False)
class RankMargins:
    """What is learned: weights of the training cases, their scores, and how far the search got.

    Parameters
    ----------
    weights, scores : ndarray of shape (n_samples, n_labels)
        Scores are the kernel times the weights.
    n_iter : int
        The number of passes over the cases.
    objective, gap : float
        The dual objective, and how far it may at most be from its maximum.
    """

    weights: FloatArray
    scores: FloatArray
    n_iter: int
    objective: float
    gap: float


class _Case:
    """The pairs of a relevant and an irrelevant label of one case, and their multipliers."""

    def __init__(self, row: int, relevance: IntArray, C: float) -> None:
        self.row = row
        self.relevant = np.flatnonzero(relevance == 1)
        self.irrelevant = np.flatnonzero(relevance == 0)
        self.most = C / (len(self.relevant) * len(self.irrelevant))
        self.multipliers = np.zeros((len(self.relevant), len(self.irrelevant)))

    def direction(self, scores: FloatArray) -> tuple[FloatArray, float]:
        """Return the way to the corner that the gradient points to, and the gap along it."""
        gradient = 1 - scores[self.relevant][:, None] + scores[self.irrelevant]
        corner = np.where(gradient > 0, self.most, 0.0)
        # Pairs that just have their margin stay: else rounding would choose their corner.
        way = np.where(np.abs(gradient) > _LEVEL, corner - self.multipliers, 0.0)
        return way, float((gradient * way).sum())

    def climb(self, scores: FloatArray, square: float) -> FloatArray:
        """Take steps of exact length; return the change of the case's weights.

        `square`: the kernel of the case with itself.
        """
        moved = np.zeros(len(scores))
        for _ in range(_STEPS):
            way, gap = self.direction(scores + square * moved)
            if gap <= 0:
                break
            change = np.zeros(len(scores))
            change[self.relevant] = way.sum(axis=1)
            change[self.irrelevant] = -way.sum(axis=0)
            curve = square * float(change @ change)
            step = min(1.0, gap / curve) if curve > 0 else 1.0
            self.multipliers += step * way
            moved += step * change
        return moved


def learn_margins(
    gram: FloatArray, relevance: IntArray, C: float, *, tol: float, max_iter: int
) -> RankMargins:
    """Maximise the dual of Rank-SVM by Frank-Wolfe steps, case by case in a random order.

    Ends when the gap is at most `tol` times the objective, or after `max_iter` passes.
    """
    n, m = relevance.shape
    n_relevant = relevance.sum(axis=1)
    rows = np.flatnonzero((n_relevant > 0) & (n_relevant < m))
    cases = [_Case(int(row), relevance[row], C) for row in rows]
    weights, scores = np.zeros((n, m)), np.zeros((n, m))
    rng = np.random.default_rng(0)
    n_iter, objective, gap = 0, 0.0, 0.0
    while cases and n_iter < max_iter:
        for place in rng.permutation(len(cases)):
            case = cases[place]
            moved = case.climb(scores[case.row], float(gram[case.row, case.row]))
            weights[case.row] += moved
            scores += np.outer(gram[case.row], moved)
        n_iter += 1
        total = sum(float(case.multipliers.sum()) for case in cases)
        objective = total - 0.5 * float((weights * scores).sum())
        gap = sum(case.direction(scores[case.row])[1] for case in cases)
        if gap <= tol * objective:
            break
    return RankMargins(weights, scores, n_iter, objective, gap)


def best_thresholds(scores: FloatArray, relevance: IntArray) -> FloatArray:
    """Return for every case the threshold that its label set is least wrong with.

    Errors are relevant labels not above it and irrelevant ones not below; of several intervals
    without more errors the lowest, and of an interval its middle. Half a margin beyond the lowest
    or the highest score where there is no other.
    """
    order = np.argsort(scores, axis=1, kind="stable")
    ordered = np.take_along_axis(scores, order, axis=1)
    own = np.take_along_axis(relevance, order, axis=1)
    below = np.hstack([ordered[:, :1] - 1, ordered])
    above = np.hstack([ordered, ordered[:, -1:] + 1])
    none = np.zeros((len(scores), 1), dtype=np.int64)
    n_missed = np.hstack([none, np.cumsum(own, axis=1)])
    n_added = np.hstack([np.cumsum(1 - own[:, ::-1], axis=1)[:, ::-1], none])
    # Between equal scores there is no threshold.
    errors = np.where(above > below, n_missed + n_added, scores.shape[1] + 1)
    place = np.argmin(errors, axis=1)[:, None]
    middles = (below + above) / 2
    found: FloatArray = np.take_along_axis(middles, place, axis=1)[:, 0]
    return found


def fit_thresholds(scores: FloatArray, relevance: IntArray) -> tuple[FloatArray, float]:
    """Return weights of the scores and a constant for thresholds, by least squares."""
    wanted = best_thresholds(scores, relevance)
    centre, middle = scores.mean(axis=0), float(wanted.mean())
    # Scores of a case sum to 0, so there are many solutions: the smallest weights.
    weights = np.linalg.lstsq(scores - centre, wanted - middle, rcond=1e-9)[0]
    return weights, middle - float(centre @ weights)
