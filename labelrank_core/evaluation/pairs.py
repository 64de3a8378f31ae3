"""Pairs of labels of many cases, a chunk of cases at a time."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from labelrank_core.aggregation.sums import chunks
from labelrank_core.data.pair_preferences import PairPreferences
from labelrank_core.rankings import FloatArray

# Numbers of a chunk's largest temporary (8 MB).
_CHUNK_CELLS = 1 << 20


# True positions, or what is known of their pairs.
Truth = ArrayLike | PairPreferences


def truth_of(truth: Truth) -> FloatArray | PairPreferences:
    """Return positions as an array, NaN = not ranked; preferences between pairs as they are."""
    return truth if isinstance(truth, PairPreferences) else np.asarray(truth, dtype=np.float64)


def truth_chunks(truth: FloatArray | PairPreferences) -> Iterator[slice]:
    """Part the cases of a truth so that no array of all their pairs becomes large."""
    n_labels = truth.n_labels if isinstance(truth, PairPreferences) else truth.shape[1]
    return pair_chunks(len(truth), n_labels)


def true_pairs(positions: Truth) -> NDArray[np.bool_]:
    """Tell which labels are truly ahead of which, (n_cases, m, m); ties and NaN order no pair."""
    if isinstance(positions, PairPreferences):
        return positions.ahead()
    array = np.asarray(positions, dtype=np.float64)
    return array[:, :, None] < array[:, None, :]


def pair_chunks(n_cases: int, n_labels: int) -> Iterator[slice]:
    """Part cases so that no array of all their pairs becomes large."""
    return chunks(n_cases, n_labels * n_labels, at_once=_CHUNK_CELLS)
