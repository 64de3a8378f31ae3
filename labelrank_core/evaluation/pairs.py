"""Pairs of labels of many cases, a chunk of cases at a time."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from labelrank_core.aggregation.sums import chunks

# Numbers of a chunk's largest temporary (8 MB).
_CHUNK_CELLS = 1 << 20


def true_pairs(positions: ArrayLike) -> NDArray[np.bool_]:
    """Tell which labels are truly ahead of which, (n_cases, m, m); ties and NaN order no pair."""
    own = np.asarray(positions, dtype=np.float64)
    return own[:, :, None] < own[:, None, :]


def pair_chunks(n_cases: int, n_labels: int) -> Iterator[slice]:
    """Part cases so that no array of all their pairs becomes large."""
    return chunks(n_cases, n_labels * n_labels, at_once=_CHUNK_CELLS)
