"""The search that a metric and the form of the cases need."""

from collections.abc import Mapping
from typing import Any

from scipy import sparse

from labelrank_core.methods.nearest.directions import DIRECTION_METRICS, DirectionSearch
from labelrank_core.methods.nearest.distances import check_metric
from labelrank_core.methods.nearest.search import SCIPY_METRICS, NeighborSearch
from labelrank_core.methods.nearest.sparse_search import SparseSearch

Search = NeighborSearch | SparseSearch | DirectionSearch
METRICS = {*SCIPY_METRICS, *DIRECTION_METRICS}
# Metrics that can be computed from products of sparse matrices.
SPARSE_METRICS = {"euclidean", "l2", "sqeuclidean", "cosine"}


def fit_search(
    metric: str, X: Any, n_jobs: int | None = None, params: Mapping[str, Any] | None = None
) -> Search:
    """Return a search among training rows, dense or, for `SPARSE_METRICS`, in a CSR matrix."""
    check_metric(metric, params or {}, X)
    if metric in DIRECTION_METRICS:
        return DirectionSearch(metric).fit(X)
    if sparse.issparse(X):
        return SparseSearch(metric).fit(X)
    return NeighborSearch(metric, n_jobs, params).fit(X)
