"""Exact nearest neighbours in a defined order: by distance, then by row index."""

from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.neighbors import NearestNeighbors

from labelrank_core.rankings import FloatArray, IntArray

# scikit-learn's name of a metric -> SciPy's
METRICS = {
    "euclidean": "euclidean",
    "manhattan": "cityblock",
    "chebyshev": "chebyshev",
    "canberra": "canberra",
}
# Up to this many features a tree beats scanning all rows (see tests/benchmarks).
_TREE_MAX_FEATURES = 6
_TREE_METRICS = ("euclidean", "manhattan", "chebyshev")
# Candidates beyond the neighbours asked for; more where ties make the fewest fail.
_FEWEST_SPARE, _MOST_SPARE = 2, 128
# The first queries tell how many candidates the others need.
_FIRST_BLOCK_ROWS = 256
_BLOCK_CELLS = 1 << 20
_CHUNK_CELLS = 1 << 18


@dataclass(frozen=True, eq=False)
class NeighborTable:
    """Neighbours of some queries, nearest first; of equally near rows the lower index first.

    Parameters
    ----------
    distances : ndarray of shape (n_queries, n_neighbors)
        Distances in the metric.
    rows : ndarray of shape (n_queries, n_neighbors)
        Row indices in the training data.
    """

    distances: FloatArray
    rows: IntArray


class NeighborSearch:
    """Find the k nearest rows, the first k of any longer list being the same k rows.

    scikit-learn proposes a few more candidates than asked for; their distances are computed again
    one pair at a time, so that they do not depend on how queries are batched, and sorted by
    (distance, row). A query for which rounding or ties could hide a nearer row is scanned in full.

    Parameters
    ----------
    metric : str
        A key of `METRICS`.
    n_jobs : int or None
        Threads, as in scikit-learn.
    """

    def __init__(self, metric: str, n_jobs: int | None) -> None:
        self.metric = metric
        self.n_jobs = n_jobs

    def fit(self, X: FloatArray) -> "NeighborSearch":
        """Keep the training rows; return self."""
        tree = X.shape[1] <= _TREE_MAX_FEATURES and self.metric in _TREE_METRICS
        self._X = X
        self._index = NearestNeighbors(
            metric=self.metric, algorithm="kd_tree" if tree else "brute", n_jobs=self.n_jobs
        ).fit(X)
        self._largest = float(np.abs(X).max())
        # Bounds the error of squared distances found through inner products, for features up to 1.
        n_features = X.shape[1]
        self._rounding = 8 * n_features * (n_features + 4) * np.finfo(np.float64).eps
        return self

    def query(self, X: FloatArray, n_neighbors: int) -> NeighborTable:
        """Find the neighbours of every row of X, shape (n_queries, n_features)."""
        found = NeighborTable(
            np.empty((len(X), n_neighbors)), np.empty((len(X), n_neighbors), dtype=np.int64)
        )
        spare, start, size = _FEWEST_SPARE, 0, _FIRST_BLOCK_ROWS
        while start < len(X):
            block = np.arange(start, min(start + size, len(X)))
            unsure = self._propose(X, block, spare, found)
            # Many ties or duplicates: more candidates are cheaper than scans.
            while len(unsure) > max(16, len(block) // 50) and spare < _MOST_SPARE:
                spare *= 4
                unsure = self._propose(X, unsure, spare, found)
            self._rescan(X, unsure, found)
            start += size
            size = max(_FIRST_BLOCK_ROWS, _BLOCK_CELLS // (n_neighbors + spare))
        return found

    def _propose(
        self, X: FloatArray, queries: IntArray, spare: int, found: NeighborTable
    ) -> IntArray:
        """Find neighbours of some queries among candidates; return the queries left unsure."""
        n_neighbors = found.rows.shape[1]
        n_candidates = min(len(self._X), n_neighbors + spare)
        proposed, candidates = self._index.kneighbors(X[queries], n_candidates)
        exact, order = self._sort(X[queries], candidates)
        found.distances[queries] = exact[:, :n_neighbors]
        found.rows[queries] = order[:, :n_neighbors]
        if n_candidates == len(self._X):
            return queries[:0]
        return queries[self._unsure(X[queries], exact[:, n_neighbors - 1], proposed[:, -1])]

    def _sort(self, X: FloatArray, candidates: IntArray) -> tuple[FloatArray, IntArray]:
        candidates = np.sort(candidates, axis=1)
        exact = self._pair_distances(X, candidates)
        order = np.argsort(exact, axis=1, kind="stable")
        return np.take_along_axis(exact, order, 1), np.take_along_axis(candidates, order, 1)

    def _pair_distances(self, X: FloatArray, candidates: IntArray) -> FloatArray:
        """Compute each query's distance to its candidates, the same whatever the batch."""
        distances = np.empty(candidates.shape)
        step = max(1, _CHUNK_CELLS // (candidates.shape[1] * self._X.shape[1]))
        for start in range(0, len(X), step):
            part = slice(start, start + step)
            if self.metric == "euclidean":
                difference = self._X[candidates[part]]
                difference -= X[part, None, :]
                np.square(difference, out=difference)
                distances[part] = np.sqrt(difference.sum(axis=2))
            else:
                for query in range(*part.indices(len(X))):
                    near = self._X[candidates[query]]
                    distances[query] = cdist(X[query : query + 1], near, METRICS[self.metric])
        return distances

    def _unsure(self, X: FloatArray, kth: FloatArray, reach: FloatArray) -> IntArray:
        """List the queries whose k-th distance is within rounding of the search's reach."""
        if self.metric != "euclidean":
            return np.flatnonzero(kth >= reach * (1 - 1e-9))
        rounding = self._rounding * (self._largest + np.abs(X).max(axis=1)) ** 2
        return np.flatnonzero(kth**2 >= reach**2 - rounding)

    def _rescan(self, X: FloatArray, queries: IntArray, found: NeighborTable) -> None:
        """Find the neighbours of some queries among all rows."""
        n_neighbors = found.rows.shape[1]
        step = max(1, 4 * _CHUNK_CELLS // len(self._X))
        for start in range(0, len(queries), step):
            part = queries[start : start + step]
            scanned = cdist(X[part], self._X, METRICS[self.metric])
            limits = found.distances[part, -1] * (1 + 1e-9) + 1e-300
            for query, row, limit in zip(part, scanned, limits, strict=True):
                near = np.flatnonzero(row <= limit)[None]
                exact, order = self._sort(X[query : query + 1], near)
                found.distances[query] = exact[0, :n_neighbors]
                found.rows[query] = order[0, :n_neighbors]
