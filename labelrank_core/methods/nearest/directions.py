"""Exact nearest neighbours by cosine or correlation distance, then by row index.

Both distances are 1 - s, where s is the cosine of two rows, for correlation of two rows less their
means. Rows are ordered by the exact value of s for the features as they are stored: rows of equal
direction tie, whatever their lengths, and so do all other rows of equal s, dense or sparse. A row
without a direction (zeros, for correlation a constant row) is at distance 1 from everything.

Whole numbers of moderate size are compared without rounding, by the products d and squared lengths
q of the rows: s |s| = d |d| / (q q'). Other features are compared by rounded unit vectors; where
these differ by no more than a bound of their rounding error, by the same fraction of integers.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from hashlib import blake2b
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from labelrank_core._sklearn import sparse_matmul_to_dense
from labelrank_core.aggregation.sums import chunks
from labelrank_core.methods.nearest.search import NeighborTable, without_themselves
from labelrank_core.rankings import FloatArray, IntArray

DIRECTION_METRICS = ("cosine", "correlation")
# The number of products, or of differences of features, held at once (8 MB per array).
_BLOCK_CELLS = 1 << 20
_EPS = float(np.finfo(np.float64).eps)
# Sums of whole numbers below this are exact in floating point, in any order.
_EXACT = 2.0**52
# Fractions d**2 / q' that differ are different floating-point numbers if q * q'**2 is below this.
_DISTINCT = 2.0**51
_LARGEST_WHOLE = 2.0**25


class DirectionSearch:
    """Exact search: the k nearest rows are the first k of any longer list."""

    def __init__(self, metric: str) -> None:
        self.metric = metric

    def fit(self, X: Any) -> "DirectionSearch":
        """Keep the training rows, an array or, for the cosine, a CSR matrix; return self."""
        self._is_sparse = sparse.issparse(X)
        self._own = self._converted(X)
        self._units = self._unit_rows(self._own)
        # Negative products, because the largest cosine is the nearest.
        self._opposite_columns, self._opposite_units = -self._own.T, -self._units.T
        if self._is_sparse:
            self._opposite_columns = self._opposite_columns.tocsr()
            self._opposite_units = self._opposite_units.tocsr()
        n_features = self._own.shape[1]
        # Correlation multiplies sums by the number of features instead of dividing by it.
        self._factor = n_features if self.metric == "correlation" else 1
        # Two distances that differ by more do so without rounding.
        self._tolerance = 32 * (n_features + 8) * _EPS
        self._is_whole = bool(_is_whole(self._own).all())
        if self._is_whole:
            self._sums, self._lengths = self._whole_sums(self._own)
            self._divisors = np.where(self._lengths > 0, self._lengths, 1.0)
            self._longest = max(1.0, float(self._lengths.max()) ** 2)
            self._is_whole = self._factor * float(_row_squares(self._own).max()) < _EXACT
        return self

    @property
    def n_rows(self) -> int:
        """The number of training rows."""
        return int(self._own.shape[0])

    def largest_differences(
        self,
        x: FloatArray,  # noqa: ARG002
        rows: IntArray,  # noqa: ARG002
    ) -> tuple[None, None]:
        """Return None twice: the distance is no sum of shares of the features."""
        return None, None

    def query(self, X: Any, n_neighbors: int) -> NeighborTable:
        """Find the neighbours of every row of X, an array or a sparse matrix."""
        X = self._converted(X)
        n_queries = X.shape[0]
        table = NeighborTable(
            np.empty((n_queries, n_neighbors)), np.empty((n_queries, n_neighbors), dtype=np.int64)
        )
        is_exact = self._is_exact_for(X)
        for search, queries in (
            (self._nearest_of_whole, np.flatnonzero(is_exact)),
            (self._nearest, np.flatnonzero(~is_exact)),
        ):
            for part in chunks(len(queries), self.n_rows, at_once=_BLOCK_CELLS):
                block = queries[part]
                table.distances[block], table.rows[block] = search(X[block], n_neighbors)
        return table

    def query_others(self, n_neighbors: int, queries: IntArray | None = None) -> NeighborTable:
        """Find the neighbours of training rows, None: all, among at most all other rows."""
        rows = self._own if queries is None else self._own[queries]
        return without_themselves(self.query(rows, n_neighbors + 1), n_neighbors, queries)

    def _converted(self, X: Any) -> Any:
        """Return rows in the form of the training rows, for CSR a copy with ordered features."""
        if not self._is_sparse:
            return X.toarray(order="C") if sparse.issparse(X) else X
        copy = sparse.csr_matrix(X, dtype=np.float64, copy=True)
        copy.sum_duplicates()
        copy.eliminate_zeros()
        return copy

    def _unit_rows(self, X: Any) -> Any:
        """Give every row the length 1, for correlation less its mean; 0 without a direction."""
        largest = _row_largest(X)
        units = _divided(X, largest)
        if self.metric == "correlation":
            constant = np.ptp(X, axis=1) == 0
            # The first mean may be wrong by more than the features differ; the others are not.
            for _ in range(3):
                units = units - units.mean(axis=1, keepdims=True)
            units[constant] = 0.0
            units = _divided(units, _row_largest(units))
        return _divided(units, np.sqrt(_row_squares(units)))

    def _products(self, X: Any, columns: Any) -> FloatArray:
        return np.asarray(sparse_matmul_to_dense(X, columns) if self._is_sparse else X @ columns)

    # Whole numbers.

    def _whole_sums(self, X: Any) -> tuple[FloatArray, FloatArray]:
        """Return the sums of rows, 0 for the cosine, and their squared lengths."""
        if self.metric == "cosine":
            return np.zeros(X.shape[0]), _row_squares(X)
        sums = X.sum(axis=1)
        return sums, self._factor * _row_squares(X) - sums**2

    def _is_exact_for(self, X: Any) -> NDArray[np.bool_]:
        """Tell for which queries all numbers are whole, and small enough to stay exact."""
        if not self._is_whole:
            return np.zeros(X.shape[0], dtype=bool)
        is_exact = _is_whole(X)
        for measure, bound in (
            (lambda rows: self._factor * _row_squares(rows), _EXACT),
            (lambda rows: self._whole_sums(rows)[1], _DISTINCT / self._longest),
        ):
            is_exact[is_exact] = measure(X[is_exact]) < bound
        return is_exact

    def _nearest_of_whole(self, X: Any, n_neighbors: int) -> tuple[FloatArray, IntArray]:
        sums, lengths = self._whole_sums(X)
        products = self._products(X, self._opposite_columns)
        if self.metric == "correlation":
            products *= self._factor
            products += sums[:, None] * self._sums
        # Without the queries' own lengths, which do not change the order.
        keys = np.abs(products)
        keys *= products
        keys /= self._divisors
        queries, rows = np.nonzero(keys <= _bounds(keys, n_neighbors))
        rows = _first(queries, rows, keys[queries, rows], len(keys), n_neighbors)
        both = lengths[:, None] * self._lengths[rows]
        products = -np.take_along_axis(products, rows, 1)
        squares = products**2
        divisors = np.where(both > 0, both, 1.0)
        # Of exact numbers, so that equal fractions give equal distances.
        similarity, squared_sines = np.sqrt(squares / divisors), (both - squares) / divisors
        near = squared_sines / (1 + similarity)
        return np.where(products > 0, near, 1 + similarity), rows

    # Other numbers.

    def _nearest(self, X: Any, n_neighbors: int) -> tuple[FloatArray, IntArray]:
        units = self._unit_rows(X)
        keys = self._products(units, self._opposite_units)
        queries, rows = np.nonzero(keys <= _bounds(keys, n_neighbors) + 2 * self._tolerance)
        distances, is_certain = self._distances(units, queries, rows)
        # Rows ascend within each query, and a stable sort keeps them so among equal distances.
        order = np.lexsort((distances, queries))
        starts = np.searchsorted(queries, np.arange(X.shape[0]))
        self._break_ties(X, queries, rows, distances, is_certain, order, starts, n_neighbors)
        nearest = order[starts[:, None] + np.arange(n_neighbors)]
        return distances[nearest], rows[nearest]

    def _distances(
        self, units: Any, queries: IntArray, rows: IntArray
    ) -> tuple[FloatArray, NDArray[np.bool_]]:
        """Compute the distances of pairs, and tell which are 1 without any rounding."""
        # Half the squared distance of unit vectors is their cosine distance.
        distances = np.empty(len(queries))
        is_certain = np.empty(len(queries), dtype=bool)
        for part in chunks(len(queries), self._widest(units), at_once=_BLOCK_CELLS):
            ours, theirs = units[queries[part]], self._units[rows[part]]
            distances[part] = _row_squares(ours - theirs) / 2
            is_certain[part] = self._share_nothing(ours, theirs)
        distances[is_certain] = 1.0
        return distances, is_certain

    def _share_nothing(self, ours: Any, theirs: Any) -> NDArray[np.bool_]:
        """Tell which pairs of rows have a cosine of 0 by their contents."""
        if self._is_sparse:
            shared = ours.astype(bool).multiply(theirs.astype(bool))
            return np.asarray(shared.sum(axis=1)).ravel() == 0
        if self.metric == "correlation":
            return ~(ours.any(axis=1) & theirs.any(axis=1))
        return ~((ours != 0) & (theirs != 0)).any(axis=1)

    def _widest(self, units: Any) -> int:
        """Return the largest number of features in a query and a training row together."""
        if not self._is_sparse:
            return int(units.shape[1])
        pair = (units, self._units)
        return sum(int(np.diff(matrix.indptr).max(initial=0)) for matrix in pair) + 1

    def _break_ties(
        self,
        X: Any,
        queries: IntArray,
        rows: IntArray,
        distances: FloatArray,
        is_certain: NDArray[np.bool_],
        order: IntArray,
        starts: IntArray,
        n_neighbors: int,
    ) -> None:
        """Order pairs in place by exact distance where the rounded ones may be equal."""
        sorted_distances, sorted_queries = distances[order], queries[order]
        near = np.diff(sorted_distances) <= self._tolerance
        near &= np.diff(sorted_queries) == 0
        # Runs of distances that may be equal begin after each gap.
        ends = np.append(np.flatnonzero(~near) + 1, len(order))
        begins = np.append(0, ends[:-1])
        # Of equal directions that were rounded apart.
        may_be_zero = sorted_distances[begins] <= self._tolerance
        may_be_zero &= np.maximum.reduceat(sorted_distances, begins) > 0
        is_used = begins - starts[sorted_queries[begins]] < n_neighbors
        n_certain = np.append(0, np.cumsum(is_certain[order]))
        is_unsure = n_certain[ends] - n_certain[begins] < ends - begins
        contents = self._contents[rows[order]]
        differ = np.minimum.reduceat(contents, begins) < np.maximum.reduceat(contents, begins)
        for run in np.flatnonzero((differ | may_be_zero) & is_used & is_unsure):
            pairs = order[begins[run] : ends[run]]
            x = _integers(X, queries[pairs[0]])
            contents_of_run, index = np.unique(self._contents[rows[pairs]], return_inverse=True)
            cosines = [self._exact_cosine(x, _integers(self._own, row)) for row in contents_of_run]
            descending = sorted(set(cosines), reverse=True)
            rank_of_cosine = {cosine: rank for rank, cosine in enumerate(descending)}
            ranks = np.array([rank_of_cosine[cosine] for cosine in cosines])
            distances[pairs] = np.array([_distance(cosine) for cosine in cosines])[index]
            order[begins[run] : ends[run]] = pairs[np.lexsort((rows[pairs], ranks[index]))]

    @cached_property
    def _contents(self) -> IntArray:
        """The first row that is equal to each row."""
        first: dict[bytes, int] = {}
        contents = np.empty(self.n_rows, dtype=np.int64)
        for row in range(self.n_rows):
            features, values = _nonzero(self._own, row)
            digest = blake2b(features.tobytes() + values.tobytes(), digest_size=16).digest()
            contents[row] = first.setdefault(digest, row)
        return contents

    def _exact_cosine(self, x: Mapping[int, int], z: Mapping[int, int]) -> Fraction:
        """Return s |s| of two rows of integers."""
        product, both = self._product(x, z), self._product(x, x) * self._product(z, z)
        return Fraction(product * abs(product), both) if both else Fraction()

    def _product(self, x: Mapping[int, int], z: Mapping[int, int]) -> int:
        fewer, more = sorted((x, z), key=len)
        product = sum(value * more.get(feature, 0) for feature, value in fewer.items())
        if self.metric == "cosine":
            return product
        return self._factor * product - sum(x.values()) * sum(z.values())


def _distance(cosine: Fraction) -> float:
    """Return 1 - s from s |s|."""
    if cosine <= 0:
        return 1 + sqrt(-cosine)
    return float(1 - cosine) / (1 + sqrt(cosine))


def _nonzero(X: Any, row: int) -> tuple[IntArray, FloatArray]:
    """Return the features of a row that are not 0, and their values."""
    if sparse.issparse(X):
        part = slice(X.indptr[row], X.indptr[row + 1])
        return X.indices[part].astype(np.int64), X.data[part]
    features = np.flatnonzero(X[row])
    return features, X[row, features]


def _integers(X: Any, row: int) -> dict[int, int]:
    """Return the features of a row that are not 0, times a power of two that makes them whole."""
    features, values = _nonzero(X, row)
    mantissas, exponents = np.frexp(values)
    numerators = np.ldexp(mantissas, 53).astype(np.int64).tolist()
    shifts = (exponents - exponents.min(initial=0)).tolist()
    return {
        feature: value << shift
        for feature, value, shift in zip(features.tolist(), numerators, shifts, strict=True)
    }


def _bounds(keys: FloatArray, n_lowest: int) -> FloatArray:
    """Return an upper bound of the n-th lowest key of each row, shape (n_rows, 1)."""
    # The n-th lowest of the minima of groups, which is hardly higher and much faster to find.
    n_groups = 4 * n_lowest
    size = keys.shape[1] // n_groups
    if size > 1:
        keys = keys[:, : size * n_groups].reshape(-1, size, n_groups).min(axis=1)
    return np.partition(keys, n_lowest - 1, axis=1)[:, n_lowest - 1, None]


def _first(
    queries: IntArray, rows: IntArray, keys: FloatArray, n_queries: int, n_first: int
) -> IntArray:
    """Return each query's rows with the lowest keys, shape (n_queries, n_first)."""
    # Rows ascend within each query, and a stable sort keeps them so among equal keys.
    order = np.lexsort((keys, queries))
    starts = np.searchsorted(queries, np.arange(n_queries))
    return rows[order[starts[:, None] + np.arange(n_first)]]


def _is_whole(X: Any) -> NDArray[np.bool_]:
    """Tell which rows have whole numbers only, of moderate size."""
    values = X.data if sparse.issparse(X) else X
    is_integer = (np.rint(values) == values) & (np.abs(values) < _LARGEST_WHOLE)
    if not sparse.issparse(X):
        return np.asarray(is_integer.all(axis=1))
    broken = np.append(0, np.cumsum(~is_integer))[X.indptr]
    return np.asarray(np.diff(broken) == 0)


def _row_squares(X: Any) -> FloatArray:
    if not sparse.issparse(X):
        return np.asarray(np.square(X).sum(axis=1))
    squares = X.copy()
    np.square(squares.data, out=squares.data)
    return np.asarray(squares @ np.ones(X.shape[1]))


def _row_largest(X: Any) -> FloatArray:
    largest = abs(X).max(axis=1)
    return np.asarray(largest.todense() if sparse.issparse(X) else largest).ravel()


def _divided(X: Any, by: FloatArray) -> Any:
    """Divide the rows of a matrix by numbers, but not by 0."""
    divisors = np.where(by > 0, by, 1.0)
    if not sparse.issparse(X):
        return X / divisors[:, None]
    divided = X.copy()
    divided.data /= np.repeat(divisors, np.diff(X.indptr))
    return divided
