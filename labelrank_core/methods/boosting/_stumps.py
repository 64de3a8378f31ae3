"""The search for the stump, one threshold of one feature, that parts label weights best."""

from collections.abc import Iterable, Iterator
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
    features : ndarray of shape (n_features,)
        Their numbers, ascending.
    thresholds : tuple of ndarray
        The thresholds of every feature, ascending; at least one.
    intervals : sparse matrix of shape (n_samples, n_features * width)
        1 in the interval that a case has of each feature, counted from the lowest; of sparse cases
        only where the feature is not 0.
    zeros : ndarray of shape (n_features,) or None
        The interval of 0 of each feature, for sparse cases.
    """

    features: IntArray
    thresholds: tuple[FloatArray, ...]
    intervals: Any
    zeros: IntArray | None

    @classmethod
    def of(cls, X: Any, features: IntArray, thresholds: tuple[FloatArray, ...]) -> "_Block":
        """Sort the cases into the intervals of some features."""
        width = 1 + max(map(len, thresholds))
        rows, cells = [], []
        for column, limits in enumerate(thresholds):
            values, cases = _present(X, features[column])
            rows.append(cases)
            cells.append(np.searchsorted(limits, values) + column * width)
        where = np.concatenate(rows), np.concatenate(cells)
        shape = (X.shape[0], len(thresholds) * width)
        intervals = sparse.csr_matrix((np.ones(len(where[0])), where), shape=shape)
        zeros = np.array([np.searchsorted(limits, 0.0) for limits in thresholds])
        return cls(features, thresholds, intervals, zeros if sparse.issparse(X) else None)

    def best(self, both: FloatArray, total: FloatArray, rows: IntArray | None) -> Stump:
        """Find the best stump of these features; columns of `both` sum to `total`."""
        intervals = self.intervals if rows is None else self.intervals[rows]
        columns = np.arange(len(self.features))
        present = columns if self.zeros is None else self._present(intervals)
        stumps = []
        if len(present) < len(columns):
            # No case has another value than 0 of these: all stumps leave all cases on one side.
            absent = int(np.argmin(np.isin(columns, present)))
            stumps = [self._stump(float(_mixed(total[None, None])[0, 0]), absent, 0)]
            intervals = self._narrowed(intervals, present)
        if len(present):
            stumps.append(self._best_of(intervals.T @ both, total, present))
        return first_of(stumps)

    def _best_of(self, sums: FloatArray, total: FloatArray, columns: IntArray) -> Stump:
        """Find the best stump of the features at some places by the weights in their intervals."""
        sums = sums.reshape(len(columns), -1, sums.shape[1])
        if self.zeros is not None:
            sums[np.arange(len(sums)), self.zeros[columns]] += total - sums.sum(axis=1)
        sums_below = np.cumsum(sums, axis=1)[:, :-1]
        mixed = _mixed(sums_below) + _mixed(total - sums_below)
        n_thresholds = np.array([len(self.thresholds[column]) for column in columns])
        mixed[np.arange(mixed.shape[1]) >= n_thresholds[:, None]] = np.inf
        column, threshold = divmod(int(np.argmax(mixed <= mixed.min() + TIE)), mixed.shape[1])
        return self._stump(float(mixed[column, threshold]), int(columns[column]), threshold)

    def _stump(self, mixed: float, column: int, threshold: int) -> Stump:
        return Stump(mixed, int(self.features[column]), float(self.thresholds[column][threshold]))

    @property
    def _width(self) -> int:
        return int(self.intervals.shape[1]) // len(self.features)

    def _present(self, intervals: Any) -> IntArray:
        """Return the places of the features that some of these sparse cases have."""
        return np.unique(intervals.indices // self._width)

    def _narrowed(self, intervals: Any, columns: IntArray) -> Any:
        """Return the columns of the features at some places, which have all that is not 0."""
        width = self._width
        first_cells = np.searchsorted(columns, intervals.indices // width) * width
        cells = intervals.data, first_cells + intervals.indices % width, intervals.indptr
        return sparse.csr_matrix(cells, shape=(intervals.shape[0], len(columns) * width))


def first_of(stumps: Iterable[Stump]) -> Stump:
    """Return the best stump, of those that tie the one with the lower feature."""
    stumps = list(stumps)
    least = min(stump.mixed for stump in stumps)
    tied = [stump for stump in stumps if stump.mixed <= least + TIE]
    return min(tied, key=lambda stump: (stump.feature, stump.threshold))


class StumpSearch:
    """Training cases prepared for searches; `most` thresholds per feature, None: all.

    Sparse cases are in columns (CSC).
    """

    def __init__(self, X: Any, max_thresholds: int | None, n_labels: int) -> None:
        limits = [_thresholds(X, feature, max_thresholds) for feature in range(X.shape[1])]
        if not any(map(len, limits)):
            # Constant cases: a threshold that none is above votes for the most frequent labels.
            limits[0] = np.array([float(X[0, 0])])
        self._blocks = [
            _Block.of(X, features, tuple(limits[feature] for feature in features))
            for features in _grouped(np.array([len(values) for values in limits]), n_labels)
        ]

    def best(self, weights: FloatArray, is_relevant: Any, rows: IntArray | None = None) -> Stump:
        """Find the stump with the least Z of [schapire2000]_, twice the sum of √(W₊ W₋).

        W₊ and W₋ are the weights of the cases on one side that have a label, and that have not.
        Weights, of shape (n_cases, n_labels), sum to 1; their cases may be just some rows. Ties:
        lower feature, then lower threshold.
        """
        both = np.hstack([np.where(is_relevant, weights, 0.0), np.where(is_relevant, 0.0, weights)])
        total = both.sum(axis=0)
        return first_of(block.best(both, total, rows) for block in self._blocks)


def _grouped(n_thresholds: IntArray, n_labels: int) -> Iterator[IntArray]:
    """Group features with about as many thresholds, as many as are looked at at once.

    All of a group are given as many intervals as the one with the most. Constant features have no
    thresholds and are left out.
    """
    order = np.argsort(n_thresholds, kind="stable")
    order = order[n_thresholds[order] > 0]
    while len(order):
        cells = np.arange(1, len(order) + 1) * (1 + n_thresholds[order]) * 2 * n_labels
        n_fit = max(1, int(np.searchsorted(cells, _BLOCK_CELLS, side="right")))
        yield np.sort(order[:n_fit])
        order = order[n_fit:]


def _present(X: Any, feature: int) -> tuple[FloatArray, IntArray]:
    """Return the values of a feature, of sparse cases those that are not 0, and their cases."""
    if not sparse.issparse(X):
        return X[:, feature], np.arange(X.shape[0])
    entries = slice(*X.indptr[feature : feature + 2])
    return X.data[entries], X.indices[entries]


def _mixed(sums: FloatArray) -> FloatArray:
    """Return 2 Σ √(W₊ W₋) over the labels; the last axis has W₊ and then W₋ of all labels."""
    m = sums.shape[2] // 2
    product = np.where(sums > _ROUNDING, sums, 0.0)
    return 2 * np.sqrt(product[:, :, :m] * product[:, :, m:]).sum(axis=2)


def _thresholds(X: Any, feature: int, max_thresholds: int | None) -> FloatArray:
    """Return at most so many midpoints of neighbouring values, even in the numbers of cases."""
    values, _ = _present(X, feature)
    distinct, counts = np.unique(values, return_counts=True)
    if (n_zeros := X.shape[0] - len(values)) > 0:
        zero_index = int(np.searchsorted(distinct, 0.0))
        if zero_index == len(distinct) or distinct[zero_index] != 0:
            distinct = np.insert(distinct, zero_index, 0.0)
            counts = np.insert(counts, zero_index, 0)
        counts[zero_index] += n_zeros
    low, high = distinct[:-1], distinct[1:]
    middles = low + (high - low) / 2
    middles = np.where(middles < high, middles, low)
    if max_thresholds is None or len(middles) <= max_thresholds:
        return middles
    quantiles = np.arange(1, max_thresholds + 1) * X.shape[0] / (max_thresholds + 1)
    indices = np.minimum(np.searchsorted(np.cumsum(counts)[:-1], quantiles), len(middles) - 1)
    return middles[np.unique(indices)]
