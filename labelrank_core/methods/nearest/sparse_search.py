"""Exact nearest neighbours of sparse cases, in the same order: by distance, then by row index.

Cases stay CSR matrices; distances come from products of blocks of queries with all training rows.
"""

from typing import Any

import numpy as np
from scipy import sparse

from labelrank_core._sklearn import sparse_matmul_to_dense
from labelrank_core.aggregation.sums import chunks
from labelrank_core.methods.nearest.search import (
    NeighborTable,
    largest_shares,
    without_themselves,
)
from labelrank_core.rankings import FloatArray, IntArray

# The number of distances, or differences of features, held at once (8 MB per array).
_BLOCK_CELLS = 1 << 20
# Squared distances below this share of the rows' own squares are computed from differences.
_NEAR = 0.1
_EPS = float(np.finfo(np.float64).eps)


class SparseSearch:
    """Exact search: the k nearest rows are the first k of any longer list."""

    # A squared distance is |x|^2 + |z|^2 - 2 xz, each sum in the order of the features whatever the
    # batch; for rows so near that digits would cancel, it is the sum of the squared differences.
    # Whole numbers are exact.

    def __init__(self, metric: str) -> None:
        self.metric = metric

    def fit(self, X: Any) -> "SparseSearch":
        """Keep a copy of the training rows, a CSR matrix; return self."""
        self._X = _canonical(X)
        self._doubled = self._X.T.tocsr() * -2.0
        self._squares = _row_sums_of_squares(self._X)
        return self

    @property
    def n_rows(self) -> int:
        """The number of training rows."""
        return int(self._X.shape[0])

    def column(self, feature: int) -> FloatArray:
        """Return one feature of all training rows."""
        return np.asarray(self._X[:, [feature]].toarray()).ravel()

    def squared_distances(self, x: FloatArray) -> FloatArray:
        """Return the squared Euclidean distances of a case to all training rows."""
        X, rows = sparse.csr_matrix(x[None]), np.arange(self.n_rows)
        squares = sparse_matmul_to_dense(X, self._doubled)[0] + self._squares
        return self._exact(X, _row_sums_of_squares(X), np.zeros_like(rows), rows, squares)

    def largest_differences(
        self, x: FloatArray, rows: IntArray
    ) -> tuple[IntArray, FloatArray] | tuple[None, None]:
        """Return the features with the largest shares of each distance, and the shares."""
        parts = chunks(len(rows), len(x), at_once=_BLOCK_CELLS)
        largest = [largest_shares(np.abs(self._X[rows[part]].toarray() - x), 2) for part in parts]
        features, shares = zip(*largest, strict=True)
        return np.concatenate(features), np.concatenate(shares)

    def query(self, X: Any, n_neighbors: int) -> NeighborTable:
        """Find the neighbours of every row of X, an array or a sparse matrix."""
        queries = _canonical(X)
        query_squares = _row_sums_of_squares(queries)
        n = queries.shape[0]
        table = NeighborTable(
            np.empty((n, n_neighbors)), np.empty((n, n_neighbors), dtype=np.int64)
        )
        for part in chunks(n, self.n_rows, at_once=_BLOCK_CELLS):
            squares, rows = self._nearest(queries[part], query_squares[part], n_neighbors)
            table.distances[part], table.rows[part] = self._distances(squares), rows
        return table

    def query_others(self, n_neighbors: int, queries: IntArray | None = None) -> NeighborTable:
        """Find the neighbours of training rows, None: all, among at most all other rows."""
        rows = self._X if queries is None else self._X[queries]
        return without_themselves(self.query(rows, n_neighbors + 1), n_neighbors, queries)

    def _distances(self, squares: FloatArray) -> FloatArray:
        return squares if self.metric == "sqeuclidean" else np.sqrt(squares)

    def _nearest(
        self, X: Any, query_squares: FloatArray, n_neighbors: int
    ) -> tuple[FloatArray, IntArray]:
        """Find the neighbours of some queries: squared distances and rows."""
        # Without the queries' own squares, which do not change the order.
        squares: FloatArray = sparse_matmul_to_dense(X, self._doubled)
        squares += self._squares
        kth = np.partition(squares, n_neighbors - 1, axis=1)[:, n_neighbors - 1]
        # After cancellation the error may be as large as the rounding of the two sums.
        rounding = 8 * (self._widest(X) + 4) * _EPS * (query_squares + self._squares.max())
        cells = np.flatnonzero((squares <= (kth + 2 * rounding)[:, None]).ravel())
        queries, rows = np.divmod(cells, self.n_rows)
        values = self._exact(X, query_squares, queries, rows, squares.ravel()[cells])
        # Rows ascend within each query, and a stable sort keeps them so among equal distances.
        order = np.lexsort((values, queries))
        starts = np.searchsorted(queries, np.arange(X.shape[0]))
        nearest = order[starts[:, None] + np.arange(n_neighbors)]
        return values[nearest], rows[nearest]

    def _exact(
        self,
        X: Any,
        query_squares: FloatArray,
        queries: IntArray,
        rows: IntArray,
        values: FloatArray,
    ) -> FloatArray:
        """Return squared distances of pairs, from differences where digits would cancel."""
        values = values + query_squares[queries]
        near = np.flatnonzero(values < _NEAR * (query_squares[queries] + self._squares[rows]))
        values[near] = self._differences(X, queries[near], rows[near])
        return values

    def _widest(self, X: Any) -> int:
        """Return the largest number of features in a query and a training row together."""
        return int(np.diff(X.indptr).max(initial=0) + np.diff(self._X.indptr).max(initial=0))

    def _differences(self, X: Any, queries: IntArray, rows: IntArray) -> FloatArray:
        """Compute squared distances of pairs of a query and a row from their differences."""
        squares = np.empty(len(queries))
        for part in chunks(len(queries), self._widest(X), at_once=_BLOCK_CELLS):
            squares[part] = _row_sums_of_squares(X[queries[part]] - self._X[rows[part]])
        return squares


def _canonical(X: Any) -> Any:
    """Return a copy as a CSR matrix with the features of each row in order, each once."""
    copy = sparse.csr_matrix(X, dtype=np.float64, copy=True)
    copy.sum_duplicates()
    return copy


def _row_sums_of_squares(X: Any) -> FloatArray:
    squares = X.copy()
    np.square(squares.data, out=squares.data)
    return np.asarray(squares @ np.ones(X.shape[1]))
