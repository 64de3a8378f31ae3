"""The base classes of neighbour methods: parameters, search, weights, paths."""

from collections.abc import Sequence
from functools import cached_property
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from labelrank_core._sklearn import Interval, StrOptions
from labelrank_core.aggregation.sums import WEIGHT_UNIT, chunks, weighted_sums
from labelrank_core.explain.evidence import Neighbors
from labelrank_core.methods.base import (
    PathMixin,
    PathPoint,
    check_count,
    checked_cases,
    dense_cases,
    require_as_many_rows,
)
from labelrank_core.methods.nearest.breakpoints import neighbor_breakpoints
from labelrank_core.methods.nearest.search import NeighborSearch, NeighborTable
from labelrank_core.methods.nearest.searches import METRICS, SPARSE_METRICS, Search, fit_search
from labelrank_core.methods.random_ties import RandomTies
from labelrank_core.rankings import FloatArray, IntArray

# The default for the largest number of neighbours of a path: the largest k in section 6 of
# [brinker2007].
PATH_NEIGHBORS = 151
# Sums over every prefix of the neighbours are kept for up to this many numbers (32 MB).
_PREFIX_CELLS = 1 << 22
# Sparse queries are made dense this many numbers at a time (32 MB).
_BLOCK_CELLS = 1 << 22


def inverse_distance_weights(distances: FloatArray) -> IntArray:
    """Weigh neighbours by d_1 / d_i, in units of 2**-30; the nearest has weight 1."""
    # If the nearest has distance 0, only neighbours at distance 0 count, equally.
    nearest = distances[:, :1]
    with np.errstate(divide="ignore", invalid="ignore"):
        relative = np.where(nearest > 0, nearest / distances, distances == 0)
    return np.rint(relative * WEIGHT_UNIT).astype(np.int64)


class NeighborsEstimator(PathMixin, BaseEstimator):
    """Estimator that keeps its training cases and searches for the nearest."""

    # For methods without such parameters.
    weights: str = "uniform"
    random_state: int | None = None
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "metric": [StrOptions(METRICS)],
        "metric_params": [dict, None],
        "n_jobs": [Integral, None],
    }

    def _fit_search(self, X: ArrayLike, n_targets: int) -> Self:
        # A copy, because the model keeps it and a caller may change X.
        checked = checked_cases(self, X, copy=not sparse.issparse(X))
        require_as_many_rows(checked, n_targets)
        self.n_samples_fit_ = int(checked.shape[0])
        check_neighbors(self.n_neighbors, self.n_samples_fit_)
        if self.metric not in SPARSE_METRICS:
            checked = dense_cases(checked, self)
        self._search = fit_search(self.metric, checked, self.n_jobs, self.metric_params)
        return self

    def _check_queries(self, X: Any) -> Any:
        """Return checked cases, dense or CSR."""
        check_is_fitted(self)
        return checked_cases(self, X, reset=False)

    def point(self, X: ArrayLike, **setting: Any) -> Any:
        """Predict everything for some cases with one search."""
        setting = {"n_neighbors": self.n_neighbors, **setting}
        return self.path(X, n_neighbors=setting["n_neighbors"]).at(**setting)


def check_neighbors(n_neighbors: int, n_samples: int) -> int:
    """Return a number of neighbours from 1 to that of the training cases, or raise ValueError."""
    because = f"the training cases, n_samples = {n_samples}"
    return check_count("n_neighbors", n_neighbors, n_samples, because)


def _query(search: Search, X: Any, n_neighbors: int) -> NeighborTable:
    """Search for dense or sparse queries, made dense block by block where the search is dense."""
    if not isinstance(search, NeighborSearch) or not sparse.issparse(X):
        return search.query(X, n_neighbors)
    parts = chunks(X.shape[0], X.shape[1], at_once=_BLOCK_CELLS)
    tables = [search.query(X[part].toarray(order="C"), n_neighbors) for part in parts]
    return NeighborTable(
        np.concatenate([table.distances for table in tables]),
        np.concatenate([table.rows for table in tables]),
    )


class NeighborPath:
    """The neighbours of some checked cases, searched once; every smaller k is a prefix."""

    def __init__(self, model: Any, X: Any, search: Search, n_neighbors: int | None) -> None:
        if n_neighbors is None:
            n_neighbors = min(model.n_samples_fit_, max(PATH_NEIGHBORS, model.n_neighbors))
        self.model = model
        self.X = X
        self.search = search
        self.n_neighbors = check_neighbors(n_neighbors, model.n_samples_fit_)
        nearest = _query(search, X, self._n_searched())
        self.distances, self.rows = nearest.distances, nearest.rows
        weighted = model.weights == "distance"
        self.weights = inverse_distance_weights(self.distances) if weighted else None
        self._prefixes: dict[str, IntArray] = {}

    @cached_property
    def random_ties(self) -> RandomTies | None:
        """The random orders that break ties; None: they are broken by index."""
        if self.model.random_state is None:
            return None
        size = self.model.n_labels_, self.rows.shape[1]
        return RandomTies.draw(self.model.random_state, self.X, *size)

    def last_keys(self, cases: Any = slice(None)) -> tuple[IntArray, ...]:
        """Return the keys that order labels tied in all others; none: the label index does."""
        return () if self.random_ties is None else (self.random_ties.label_keys[cases],)

    def _n_searched(self) -> int:
        """Return the number of neighbours to search for, at least the largest k."""
        return self.n_neighbors

    def check_k(self, n_neighbors: int | None) -> int:
        """Return the k to use; None: the model's own."""
        k = self.model.n_neighbors if n_neighbors is None else n_neighbors
        return check_count("n_neighbors", k, self.n_neighbors, "the most this path has searched")

    def first(self, k: int) -> tuple[IntArray, IntArray | None]:
        """Return rows and weights of the k nearest."""
        return self.rows[:, :k], None if self.weights is None else self.weights[:, :k]

    def sums(self, name: str, table: Any, k: int) -> IntArray:
        """Sum table rows over the k nearest, from running sums where they fit in memory."""
        if name not in self._prefixes or self._prefixes[name].shape[1] < k:
            n_searched = self.rows.shape[1]
            longest = self.n_neighbors if k <= self.n_neighbors else n_searched
            cells = len(self.rows) * longest * table.shape[1]
            # For a single k running sums would only cost memory.
            if k in (self.n_neighbors, n_searched) or cells > _PREFIX_CELLS:
                return weighted_sums(table, *self.first(k))
            neighbors, weights = self.first(longest)
            rows = table[neighbors].astype(np.int64)
            if weights is not None:
                rows *= weights[:, :, None]
            self._prefixes[name] = np.cumsum(rows, axis=1)
        return self._prefixes[name][:, k - 1]

    def breakpoints(
        self, x: FloatArray, feature: int, ends: tuple[float, float], sizes: Sequence[int]
    ) -> FloatArray | None:
        """List where the neighbours change as a feature varies; None if weights or draws do too."""
        if self.weights is not None or self.model.random_state is not None:
            return None
        return neighbor_breakpoints(self.search, x, feature, ends, np.array(sizes))

    def evidence(self, case: int, k: int, ranks: FloatArray, has_zero_line: bool) -> Neighbors:
        """Return the k nearest of one case with their generalised ranks."""
        rows, weights = self.first(k)
        case_weights = np.ones(k) if weights is None else weights[case] / WEIGHT_UNIT
        x = self.X[[case]].toarray()[0] if sparse.issparse(self.X) else self.X[case]
        return Neighbors(
            rows[case],
            self.distances[case, :k],
            case_weights,
            ranks,
            has_zero_line,
            *self.search.largest_differences(x, rows[case]),
        )

    def several_count(self, case: int, k: int) -> bool:
        """Tell whether more than one of the k nearest counts, so that they can disagree."""
        _, weights = self.first(k)
        return k > 1 if weights is None else int((weights[case] > 0).sum()) > 1


class NeighborPoint(PathPoint):
    """A point of a path of neighbours."""

    path: Any
    n_neighbors: int

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of the neighbourhoods that count, the k nearest first."""
        return (self.n_neighbors,)

    def breakpoints(
        self, x: FloatArray, feature: int, ends: tuple[float, float]
    ) -> FloatArray | None:
        """List where a neighbour is replaced; None with weights, draws, or not Euclidean."""
        return self.path.breakpoints(x, feature, ends, self.sizes)
