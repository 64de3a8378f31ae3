"""Exact nearest neighbours in a defined order: by distance, then by row index."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.neighbors import NearestNeighbors

from labelrank_core.aggregation.sums import chunks
from labelrank_core.methods.nearest.distances import SCANNED, check_metric, distances
from labelrank_core.rankings import FloatArray, IntArray

# scikit-learn's name of a metric -> SciPy's name of the metric searched with. Left out: those that
# SciPy lacks (haversine, nan_euclidean), precomputed distances and functions. Cosine and
# correlation have a search of their own, see `directions`.
SCIPY_METRICS = {
    "euclidean": "euclidean",
    "manhattan": "cityblock",
    "chebyshev": "chebyshev",
    "canberra": "canberra",
    "hamming": "hamming",
    "sqeuclidean": "euclidean",
    "l1": "cityblock",
    "l2": "euclidean",
    "cityblock": "cityblock",
    **{name: name for name in sorted(SCANNED)},
}
# SciPy's names -> scikit-learn's, where they differ or scikit-learn has several.
_SEARCHED = {"euclidean": "euclidean", "cityblock": "manhattan"}
# Up to this many features a tree beats scanning all rows (see tests/benchmarks).
_TREE_MAX_FEATURES = 6
_TREE_METRICS = ("euclidean", "manhattan", "chebyshev")
# Candidates beyond the neighbours wanted: the fewest, and the most where there are ties.
_FEWEST_SPARE, _MOST_SPARE = 2, 128
# The first queries show how many candidates the others need.
_FIRST_BLOCK_ROWS = 256
_BLOCK_CELLS = 1 << 20
_CHUNK_CELLS = 1 << 16
# Up to this many distances are computed at once, without threads, which cost more than they save.
_FEW_CELLS = 1 << 17
_SCAN_CELLS = 1 << 20
# Metrics that are sums over the features of differences to this power.
_POWERS = {"euclidean": 2, "l2": 2, "sqeuclidean": 2, "manhattan": 1, "l1": 1, "cityblock": 1}
_N_SHOWN = 8
# Whole numbers below this are exact in floating point.
_EXACT = 2.0**53


@dataclass(frozen=True, eq=False)
class NeighborTable:
    """Neighbours of some queries, (n_queries, n_neighbors), by distance, then by training row."""

    distances: FloatArray
    rows: IntArray


def without_themselves(
    table: NeighborTable, n_neighbors: int, queries: IntArray | None = None
) -> NeighborTable:
    """Leave each training row, None: all in turn, out of its own n_neighbors + 1 nearest."""
    # Behind enough rows at distance 0 with lower indices, a row is not among its own nearest; then
    # the last one found is left out.
    queries = np.arange(len(table.rows)) if queries is None else queries
    is_other = table.rows != queries[:, None]
    is_other[is_other.all(axis=1), -1] = False
    shape = (len(table.rows), n_neighbors)
    return NeighborTable(
        table.distances[is_other].reshape(shape), table.rows[is_other].reshape(shape)
    )


def largest_shares(parts: FloatArray, power: int) -> tuple[IntArray, FloatArray]:
    """Return the features with the largest shares of each distance, and these shares."""
    widest = parts.max(axis=1, keepdims=True)
    # Powers of the largest doubles would overflow.
    parts = np.divide(parts, widest, out=np.zeros_like(parts), where=widest > 0) ** power
    totals = parts.sum(axis=1, keepdims=True)
    shares = np.divide(parts, totals, out=np.zeros_like(parts), where=totals > 0)
    largest = np.argsort(-shares, axis=1, kind="stable")[:, :_N_SHOWN]
    return largest, np.take_along_axis(shares, largest, axis=1)


class NeighborSearch:
    """Exact search: the k nearest rows are the first k of any longer list."""

    # scikit-learn proposes a few candidates more than wanted; their distances are computed again
    # pair by pair, so that they do not depend on how queries are batched, and sorted by (distance,
    # row). If rounding or ties could hide a nearer row, the query is scanned in full. Whole
    # numbers, which tie often, need none of this: see `_RowOrder`.

    def __init__(
        self, metric: str, n_jobs: int | None, params: Mapping[str, Any] | None = None
    ) -> None:
        self.metric = metric
        self.n_jobs = n_jobs
        self._params = dict(params or {})
        self._searched = _SEARCHED.get(SCIPY_METRICS[metric], metric)

    def fit(self, X: FloatArray) -> "NeighborSearch":
        """Keep the training rows; return self."""
        check_metric(self.metric, self._params, X)
        tree = X.shape[1] <= _TREE_MAX_FEATURES and self._searched in _TREE_METRICS
        self._X = X
        algorithm = "kd_tree" if tree else "brute"
        if self.metric not in SCANNED:
            self._index = NearestNeighbors(
                metric=self._searched, algorithm=algorithm, n_jobs=self.n_jobs
            ).fit(X)
        self._largest = float(np.abs(X).max())
        self._in_row_order = (
            _RowOrder(X, algorithm, self.n_jobs)
            if self._searched == "euclidean" and _is_whole(X)
            else None
        )
        # Bounds the error of squared distances found through inner products, for features up to 1.
        n_features = X.shape[1]
        self._rounding = 8 * n_features * (n_features + 4) * np.finfo(np.float64).eps
        return self

    @property
    def n_rows(self) -> int:
        """The number of training rows."""
        return len(self._X)

    def column(self, feature: int) -> FloatArray:
        """Return one feature of all training rows."""
        return self._X[:, feature]

    def squared_distances(self, x: FloatArray) -> FloatArray:
        """Return the squared Euclidean distances of a case to all training rows."""
        return np.square(self._X - x).sum(axis=1)

    def largest_differences(
        self, x: FloatArray, rows: IntArray
    ) -> tuple[IntArray, FloatArray] | tuple[None, None]:
        """Return up to eight features with the largest shares of each distance, and the shares."""
        # Of the squared distance, if it is Euclidean. None where a metric is not such a sum.
        power = _POWERS.get(self.metric)
        if power is None:
            return None, None
        return largest_shares(np.abs(self._X[rows] - x), power)

    def query(self, X: FloatArray, n_neighbors: int) -> NeighborTable:
        """Find the neighbours of every row of X, shape (n_queries, n_features)."""
        check_metric(self.metric, self._params, X)
        table = self._query(X, n_neighbors)
        if self.metric == "sqeuclidean":
            return NeighborTable(np.square(table.distances), table.rows)
        return table

    def _query(self, X: FloatArray, n_neighbors: int) -> NeighborTable:
        table = NeighborTable(
            np.empty((len(X), n_neighbors)), np.empty((len(X), n_neighbors), dtype=np.int64)
        )
        if self.metric in SCANNED or len(X) * len(self._X) <= _FEW_CELLS:
            self._scan(X, np.arange(len(X)), table)
            return table
        if self._in_row_order is not None and self._in_row_order.is_exact_for(X):
            table.rows[:] = self._in_row_order.rows(X, n_neighbors)
            table.distances[:] = self._pair_distances(X, table.rows)
            return table
        spare, start, size = _FEWEST_SPARE, 0, _FIRST_BLOCK_ROWS
        while start < len(X):
            block = np.arange(start, min(start + size, len(X)))
            unsure = self._propose(X, block, spare, table)
            # With many ties or duplicates more candidates are cheaper than scans.
            while len(unsure) > max(16, len(block) // 50) and spare < _MOST_SPARE:
                spare *= 4
                unsure = self._propose(X, unsure, spare, table)
            self._scan(X, unsure, table)
            start += size
            size = max(_FIRST_BLOCK_ROWS, _BLOCK_CELLS // (n_neighbors + spare))
        return table

    def _propose(
        self, X: FloatArray, queries: IntArray, spare: int, table: NeighborTable
    ) -> IntArray:
        """Find neighbours of some queries among candidates; return the queries left unsure."""
        n_neighbors = table.rows.shape[1]
        n_candidates = min(len(self._X), n_neighbors + spare)
        proposed, candidates = self._index.kneighbors(X[queries], n_candidates)
        exact, order = self._sort(X[queries], candidates)
        table.distances[queries] = exact[:, :n_neighbors]
        table.rows[queries] = order[:, :n_neighbors]
        if n_candidates == len(self._X):
            return queries[:0]
        return queries[self._unsure(X[queries], exact[:, n_neighbors - 1], proposed[:, -1])]

    def query_others(self, n_neighbors: int, queries: IntArray | None = None) -> NeighborTable:
        """Find the neighbours of training rows, None: all, among at most all other rows."""
        rows = self._X if queries is None else self._X[queries]
        return without_themselves(self.query(rows, n_neighbors + 1), n_neighbors, queries)

    def _distances(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        return distances(X, Z, SCIPY_METRICS[self.metric], self._params)

    def _sort(self, X: FloatArray, candidates: IntArray) -> tuple[FloatArray, IntArray]:
        candidates = np.sort(candidates, axis=1)
        exact = self._pair_distances(X, candidates)
        order = np.argsort(exact, axis=1, kind="stable")
        return np.take_along_axis(exact, order, 1), np.take_along_axis(candidates, order, 1)

    def _pair_distances(self, X: FloatArray, candidates: IntArray) -> FloatArray:
        """Compute each query's distance to its candidates, independently of the batch."""
        distances = np.empty(candidates.shape)
        cells = candidates.shape[1] * self._X.shape[1]
        for part in chunks(len(X), cells, at_once=_CHUNK_CELLS):
            if self._searched == "euclidean":
                difference = self._X.take(candidates[part], axis=0)
                difference -= X[part, None, :]
                np.square(difference, out=difference)
                distances[part] = np.sqrt(difference.sum(axis=2))
            else:
                for query in range(*part.indices(len(X))):
                    near = self._X[candidates[query]]
                    distances[query] = self._distances(X[query : query + 1], near)
        return distances

    def _unsure(self, X: FloatArray, kth: FloatArray, reach: FloatArray) -> IntArray:
        """List the queries whose k-th distance equals the farthest candidate's up to rounding."""
        if self._searched != "euclidean":
            return np.flatnonzero(kth >= reach * (1 - 1e-9))
        rounding = self._rounding * (self._largest + np.abs(X).max(axis=1)) ** 2
        return np.flatnonzero(kth**2 >= reach**2 - rounding)

    def _scan(self, X: FloatArray, queries: IntArray, table: NeighborTable) -> None:
        """Find the neighbours of some queries among all rows."""
        n_neighbors = table.rows.shape[1]
        for chunk in chunks(len(queries), len(self._X), at_once=_SCAN_CELLS):
            part = queries[chunk]
            scanned = self._distances(X[part], self._X)
            kth = np.partition(scanned, n_neighbors - 1, axis=1)[:, n_neighbors - 1]
            # Rows that are behind the k-th only by rounding are compared again, pair by pair.
            near = scanned <= (kth * (1 + 1e-9) + 1e-300)[:, None]
            # Mostly none: then all queries are compared at once.
            has_more = near.sum(axis=1) > n_neighbors
            sure = part[~has_more]
            candidates = near[~has_more].nonzero()[1].reshape(-1, n_neighbors)
            table.distances[sure], table.rows[sure] = self._sort(X[sure], candidates)
            for query, among in zip(part[has_more], near[has_more], strict=True):
                exact, order = self._sort(X[query : query + 1], np.flatnonzero(among)[None])
                table.distances[query] = exact[0, :n_neighbors]
                table.rows[query] = order[0, :n_neighbors]


class _RowOrder:
    """Nearest rows of whole-number features, which often have equal distances."""

    # With features times a power of two s > n_rows and the row index as a further feature (0 for a
    # query), squared distances are s**2 times the true ones plus the square of the row index: they
    # order rows by (distance, row), without ties, and are exact below 2**53.

    def __init__(self, X: FloatArray, algorithm: str, n_jobs: int | None) -> None:
        self._scale = 2.0 ** len(X).bit_length()
        self._largest = float(np.abs(X).max())
        index = np.arange(len(X), dtype=np.float64)[:, None]
        self._index = NearestNeighbors(algorithm=algorithm, n_jobs=n_jobs).fit(
            np.hstack([self._scale * X, index])
        )

    def is_exact_for(self, X: FloatArray) -> bool:
        """Tell whether no distance to these queries is rounded."""
        reach = self._largest + float(np.abs(X).max())
        return (X.shape[1] * reach**2 + 1) * self._scale**2 < _EXACT and _is_whole(X)

    def rows(self, X: FloatArray, n_neighbors: int) -> IntArray:
        """Find the nearest rows of every query, by (distance, row)."""
        queries = np.hstack([self._scale * X, np.zeros((len(X), 1))])
        rows: IntArray = self._index.kneighbors(queries, n_neighbors, return_distance=False)
        return rows


def _is_whole(X: FloatArray) -> bool:
    return bool((np.rint(X) == X).all())
