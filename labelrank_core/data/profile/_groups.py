"""Rows and columns that are equal, bit by bit."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import sparse

from labelrank_core.rankings import IntArray


@dataclass(frozen=True, eq=False)
class Groups:
    """Groups of equal rows, the largest first; of equal sizes the one that begins first."""

    # The group of every row; the first row and the size of every group.
    of_row: IntArray
    first: IntArray
    counts: IntArray


def equal_rows(matrix: Any) -> Groups:
    """Group the equal rows of an array or a sparse matrix; NaN equals NaN, and -0 equals 0."""
    keys = _sparse_keys(matrix) if sparse.issparse(matrix) else _dense_keys(np.asarray(matrix))
    _, first, of_row, counts = np.unique(
        keys, return_index=True, return_inverse=True, return_counts=True
    )
    order = np.lexsort((first, -counts))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return Groups(rank[of_row], first[order], counts[order])


def _dense_keys(matrix: np.ndarray) -> np.ndarray:
    """Turn every row into one value that only equal rows share."""
    if matrix.shape[1] == 0:
        return np.zeros(len(matrix), dtype=np.int64)
    values = np.ascontiguousarray(matrix)
    if values.dtype.kind == "f":  # one bit pattern for -0 and 0, and one for every NaN
        values = values + 0.0
        values[np.isnan(values)] = np.nan
    return values.view(np.dtype((np.void, values.dtype.itemsize * values.shape[1]))).ravel()


def _sparse_keys(matrix: Any) -> IntArray:
    rows = sparse.csr_matrix(matrix, copy=True)
    rows.sum_duplicates()
    rows.eliminate_zeros()
    bounds: Sequence[int] = rows.indptr.tolist()
    codes: dict[bytes, int] = {}
    return np.array(
        [
            codes.setdefault(
                rows.indices[start:end].tobytes() + rows.data[start:end].tobytes(), len(codes)
            )
            for start, end in pairwise(bounds)
        ],
        dtype=np.int64,
    )
