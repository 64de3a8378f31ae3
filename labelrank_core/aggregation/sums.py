"""Exact sums and medians of ranks, for thousands of sets of rankings at once.

Ranks are *doubled*: twice the generalised rank, so that ties have whole numbers. For each query
`rows`, of shape (n_queries, k), lists rows of a table, and `weights`, of the same shape, says in
whole numbers how often each counts (None: once). Arguments are not checked.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelrank_core.rankings import FloatArray, IntArray, generalised_ranks

# Weights are rounded to this fraction of the largest one.
WEIGHT_UNIT = 1 << 30
# Temporaries of this many numbers stay in the processor's cache.
_CHUNK_CELLS = 1 << 16


def doubled_ranks(positions: FloatArray) -> NDArray[np.int32]:
    """Return twice the generalised ranks of complete rankings, as whole numbers."""
    return np.rint(2 * generalised_ranks(positions)).astype(np.int32)


def whole_weights(weights: FloatArray) -> IntArray:
    """Express the weights of every row in units of 2**-30 of the row's largest, rounded."""
    return np.rint(weights / weights.max(axis=1, keepdims=True) * WEIGHT_UNIT).astype(np.int64)


def total_weights(rows: IntArray, weights: IntArray | None) -> IntArray:
    """Sum the weights of each query's rows, shape (n_queries, 1)."""
    if weights is None:
        return np.full((len(rows), 1), rows.shape[1], dtype=np.int64)
    return weights.sum(axis=1, keepdims=True)


def weighted_sums(table: NDArray[Any], rows: IntArray, weights: IntArray | None) -> IntArray:
    """Add up each query's rows of a table of whole numbers or booleans."""
    sums = np.empty((len(rows), table.shape[1]), dtype=np.int64)
    narrow = weights is None and table.dtype == bool
    dtype = count_type(rows.shape[1]) if narrow else np.int64
    for part in chunks(len(rows), table.shape[1]):
        total = np.zeros(sums[part].shape, dtype=dtype)
        for column in range(rows.shape[1]):
            added = table.take(rows[part, column], axis=0)
            total += added if weights is None else weights[part, column, None] * added
        sums[part] = total
    return sums


def count_type(largest: int) -> np.dtype[Any]:
    """Return the narrowest integer type that can count to `largest`; narrow sums run faster."""
    return np.min_scalar_type(largest)


def lower_medians(ranks: NDArray[Any], rows: IntArray, weights: IntArray | None) -> IntArray:
    """Find each lower median: the smallest rank with at least half of the weight up to it."""
    medians = np.empty((len(rows), ranks.shape[1]), dtype=np.int64)
    middle = (rows.shape[1] - 1) // 2
    for part in chunks(len(rows), rows.shape[1] * ranks.shape[1]):
        gathered = ranks[rows[part]]
        if weights is None:
            medians[part] = np.partition(gathered, middle, axis=1)[:, middle]
        else:
            medians[part] = _weighted_lower_median(gathered, weights[part, :, None])[0]
    return medians


def ranked_lower_medians(
    ranks: NDArray[Any], rows: IntArray, weights: IntArray | None, *, default: int
) -> IntArray:
    """Find each label's lower median among the rows that rank it, `default` where none does."""
    medians = np.empty((len(rows), ranks.shape[1]), dtype=np.int64)
    for part in chunks(len(rows), rows.shape[1] * ranks.shape[1]):
        gathered = ranks[rows[part]]
        counted = (gathered > 0) * (1 if weights is None else weights[part, :, None])
        lower_medians, total = _weighted_lower_median(gathered, counted)
        medians[part] = np.where(total > 0, lower_medians, default)
    return medians


def _weighted_lower_median(
    gathered: NDArray[Any], weights: IntArray
) -> tuple[NDArray[Any], IntArray]:
    """Return the lower medians along axis 1, and the total weights."""
    order = np.argsort(gathered, axis=1, kind="stable")
    reached = np.cumsum(np.take_along_axis(weights, order, axis=1), axis=1)
    median_index = np.argmax(2 * reached >= reached[:, -1:], axis=1)[:, None]
    row = np.take_along_axis(order, median_index, axis=1)
    return np.take_along_axis(gathered, row, axis=1)[:, 0], reached[:, -1]


def chunks(n_queries: int, cells: int, *, at_once: int | None = None) -> Iterator[slice]:
    """Cut queries into slices with small temporaries; a query needs `cells` numbers."""
    step = max(1, (at_once or _CHUNK_CELLS) // max(1, cells))
    for start in range(0, n_queries, step):
        yield slice(start, min(start + step, n_queries))
