"""The search for the stump, one threshold of one feature, that parts label weights best."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from labelrank_core.rankings import FloatArray, IntArray

# Stumps whose criterion differs less tie; weights below this share of their sum are rounding.
TIE = 1e-9
_ROUNDING = 1e-13
# Weights below and above every threshold are summed for this many numbers at once (1 MB each).
_BLOCK_CELLS = 1 << 17


class Stump(NamedTuple):
    """A threshold of a feature, and the weights that stay mixed with it (Z)."""

    mixed: float
    feature: int
    threshold: float


@dataclass(frozen=True, eq=False)
class _Block:
    """Training cases, sorted into the intervals between the thresholds of some features.

    Parameters
    ----------
    first : int
        The first feature.
    thresholds : tuple of ndarray
        The thresholds of every feature, ascending.
    intervals : sparse matrix of shape (n_samples, n_features * width)
        1 in the interval that a case has of each feature, counted from the lowest; of sparse cases
        only where the feature is not 0.
    zeros : ndarray of shape (n_features,) or None
        The interval of 0 of each feature, for sparse cases.
    """

    first: int
    thresholds: tuple[FloatArray, ...]
    intervals: Any
    zeros: IntArray | None

    @classmethod
    def of(cls, X: Any, first: int, thresholds: tuple[FloatArray, ...]) -> "_Block":
        """Sort the cases into the intervals of some features, from the first one on."""
        width = 1 + max(map(len, thresholds))
        rows, cells = [], []
        for place, limits in enumerate(thresholds):
            values, cases = _present(X, first + place)
            rows.append(cases)
            cells.append(np.searchsorted(limits, values) + place * width)
        where = np.concatenate(rows), np.concatenate(cells)
        shape = (X.shape[0], len(thresholds) * width)
        intervals = sparse.csr_matrix((np.ones(len(where[0])), where), shape=shape)
        zeros = np.array([np.searchsorted(limits, 0.0) for limits in thresholds])
        return cls(first, thresholds, intervals, zeros if sparse.issparse(X) else None)

    def best(self, both: FloatArray, total: FloatArray, rows: IntArray | None) -> Stump:
        """Find the best stump of these features; columns of `both` sum to `total`."""
        intervals = self.intervals if rows is None else self.intervals[rows]
        sums = (intervals.T @ both).reshape(len(self.thresholds), -1, both.shape[1])
        if self.zeros is not None:
            sums[np.arange(len(sums)), self.zeros] += total - sums.sum(axis=1)
        below = np.cumsum(sums, axis=1)[:, :-1]
        mixed = _mixed(below) + _mixed(total - below)
        n_thresholds = np.array([len(limits) for limits in self.thresholds])
        mixed[np.arange(mixed.shape[1]) >= n_thresholds[:, None]] = np.inf
        if not np.isfinite(mixed).any():
            return Stump(np.inf, self.first, np.inf)
        feature, number = divmod(int(np.argmax(mixed <= mixed.min() + TIE)), mixed.shape[1])
        value = float(self.thresholds[feature][number])
        return Stump(float(mixed[feature, number]), self.first + feature, value)


class StumpSearch:
    """Training cases prepared for searches; `most` thresholds per feature, None: all.

    Sparse cases are in columns (CSC).
    """

    def __init__(self, X: Any, most: int | None, n_labels: int) -> None:
        limits = [_thresholds(X, feature, most) for feature in range(X.shape[1])]
        if not any(map(len, limits)):
            # Constant cases: a threshold that none is above votes for the most frequent labels.
            limits[0] = np.array([float(X[0, 0])])
        width = 1 + max(map(len, limits))
        step = max(1, _BLOCK_CELLS // (2 * width * n_labels))
        self._blocks = [
            _Block.of(X, first, tuple(limits[first : first + step]))
            for first in range(0, len(limits), step)
        ]

    def best(self, weights: FloatArray, is_relevant: Any, rows: IntArray | None = None) -> Stump:
        """Find the stump with the least Z of [schapire2000]_, twice the sum of √(W₊ W₋).

        W₊ and W₋ are the weights of the cases on one side that have a label, and that have not.
        Weights, of shape (n_cases, n_labels), sum to 1; their cases may be just some rows. Ties:
        lower feature, then lower threshold.
        """
        both = np.hstack([np.where(is_relevant, weights, 0.0), np.where(is_relevant, 0.0, weights)])
        found = [block.best(both, both.sum(axis=0), rows) for block in self._blocks]
        least = min(stump.mixed for stump in found)
        return next(stump for stump in found if stump.mixed <= least + TIE)


def _present(X: Any, feature: int) -> tuple[FloatArray, IntArray]:
    """Return the values of a feature, of sparse cases those that are not 0, and their cases."""
    if not sparse.issparse(X):
        return X[:, feature], np.arange(X.shape[0])
    own = slice(*X.indptr[feature : feature + 2])
    return X.data[own], X.indices[own]


def _mixed(sums: FloatArray) -> FloatArray:
    """Return 2 Σ √(W₊ W₋) over the labels; the last axis has W₊ and then W₋ of all labels."""
    m = sums.shape[2] // 2
    product = np.where(sums > _ROUNDING, sums, 0.0)
    return 2 * np.sqrt(product[:, :, :m] * product[:, :, m:]).sum(axis=2)


def _thresholds(X: Any, feature: int, most: int | None) -> FloatArray:
    """Return at most so many midpoints of neighbouring values, even in the numbers of cases."""
    values, _ = _present(X, feature)
    different, counts = np.unique(values, return_counts=True)
    if (n_zeros := X.shape[0] - len(values)) > 0:
        place = int(np.searchsorted(different, 0.0))
        if place == len(different) or different[place] != 0:
            different, counts = np.insert(different, place, 0.0), np.insert(counts, place, 0)
        counts[place] += n_zeros
    low, high = different[:-1], different[1:]
    middles = low + (high - low) / 2
    middles = np.where(middles < high, middles, low)
    if most is None or len(middles) <= most:
        return middles
    wanted = np.arange(1, most + 1) * X.shape[0] / (most + 1)
    chosen = np.minimum(np.searchsorted(np.cumsum(counts)[:-1], wanted), len(middles) - 1)
    return middles[np.unique(chosen)]
