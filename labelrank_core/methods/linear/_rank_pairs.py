"""The pairs of a relevant and an irrelevant label of one case, which Rank-SVM learns from."""

import numpy as np

from labelrank_core.rankings import FloatArray, IntArray


class LabelPairs:
    """All pairs of a relevant and an irrelevant label of one case, case by case.

    Parameters
    ----------
    relevance : ndarray of shape (n_samples, n_labels)
        1 = relevant.
    C : float
        The multipliers of a case sum to at most C.

    Attributes
    ----------
    ahead, behind : ndarray of int of shape (n_pairs,)
        Where the scores of the relevant and of the irrelevant label stand in a flat score matrix.
    largest : ndarray of shape (n_pairs,)
        The largest value of each multiplier.
    slices : dict
        The pairs of every case that has any.
    """

    def __init__(self, relevance: IntArray, C: float) -> None:
        self.shape = relevance.shape
        ahead, behind, largest, n_pairs = [], [], [], 0
        self.slices: dict[int, slice] = {}
        for row, labels in enumerate(relevance):
            first, second = np.flatnonzero(labels == 1), np.flatnonzero(labels == 0)
            count = len(first) * len(second)
            if count:
                ahead.append(np.repeat(first, len(second)) + row * self.shape[1])
                behind.append(np.tile(second, len(first)) + row * self.shape[1])
                largest.append(np.full(count, C / count))
                self.slices[row] = slice(n_pairs, n_pairs + count)
                n_pairs += count
        none = np.zeros(0, dtype=np.int64)
        self.ahead, self.behind = np.concatenate([none, *ahead]), np.concatenate([none, *behind])
        self.largest = np.concatenate([np.zeros(0), *largest])

    def differences(self, scores: FloatArray, pairs: IntArray | slice = slice(None)) -> FloatArray:
        """Return the score of each pair's relevant label minus that of the irrelevant one."""
        flat = scores.ravel()
        return np.asarray(flat[self.ahead[pairs]] - flat[self.behind[pairs]])

    def weights(self, multipliers: FloatArray, pairs: IntArray | slice = slice(None)) -> FloatArray:
        """Return the weight of every case for every label."""
        size = self.shape[0] * self.shape[1]
        plus = np.bincount(self.ahead[pairs], multipliers, size)
        minus = np.bincount(self.behind[pairs], multipliers, size)
        return np.subtract(plus, minus, dtype=np.float64).reshape(self.shape)

    def label_curvature(self, factors: FloatArray) -> FloatArray:
        """Sum the squared differences of two scores times the pairs' factors.

        Return one matrix per case, (n_samples, n_labels, n_labels).
        """
        n_labels = self.shape[1]
        matrices = np.zeros((*self.shape, n_labels))
        flat = matrices.reshape(-1, n_labels)
        first, second = self.ahead % n_labels, self.behind % n_labels
        flat[self.ahead, second] = flat[self.behind, first] = -factors
        diagonal = -matrices.sum(axis=2)
        labels = np.arange(n_labels)
        matrices[:, labels, labels] = diagonal
        return matrices

    def gap(self, gradient: FloatArray, multipliers: FloatArray, rounding: FloatArray) -> float:
        """Return the duality gap, by which the dual objective can still grow at most.

        A gradient smaller than the rounding of the case's scores counts as 0.
        """
        by_pair = rounding[self.ahead // self.shape[1]]
        gradient = np.where(np.abs(gradient) < by_pair, 0.0, gradient)
        room = np.where(gradient > 0, self.largest - multipliers, multipliers)
        return float(np.abs(gradient) @ room)


def score_rounding(lengths: FloatArray, weights: FloatArray) -> FloatArray:
    """Return a bound of the rounding error of each case's scores, from 1e-9 to 1e-3.

    `lengths`: square roots of the kernel of each case with itself, which bound all kernels.
    """
    largest_sum = (lengths @ np.abs(weights)).max()
    rounding: FloatArray = 16 * np.finfo(np.float64).eps * lengths * largest_sum
    return np.clip(rounding, 1e-9, 1e-3)
