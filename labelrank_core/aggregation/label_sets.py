"""The label set that serves a measure best, by the label sets of voters [dembczynski2011]_.

The voters' sets are taken as the joint distribution of the labels: the best set has the largest
mean of the measure over them. For each query `rows`, of shape (n_queries, k), lists rows of a 0/1
matrix, the nearest first, and `weights` are whole numbers of the same shape (None: all 1), not all
0. Arguments are not checked.

References
----------
.. [dembczynski2011] K. Dembczyński, W. Waegeman, W. Cheng, E. Hüllermeier: An exact algorithm for
   F-measure maximization. NIPS 2011.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelrank_core.aggregation.sums import chunks, total_weights, weighted_sums
from labelrank_core.rankings import FloatArray, IntArray

# Means that are equal to this many decimals are the same, so that rounding decides nothing.
_DECIMALS = 12


def majority_sets(
    relevance: NDArray[Any], rows: IntArray, weights: IntArray | None
) -> NDArray[np.bool_]:
    """Return the labels that more than half of the voters have: the least mean Hamming loss."""
    return 2 * weighted_sums(relevance, rows, weights) > total_weights(rows, weights)


def frequent_sets(
    relevance: NDArray[Any], rows: IntArray, weights: IntArray | None
) -> NDArray[np.bool_]:
    """Return the most frequent set of the voters: the largest mean subset accuracy.

    Of equally frequent ones that with the least mean Hamming loss, then the nearest voter's.
    """
    sets = np.empty((len(rows), relevance.shape[1]), dtype=bool)
    # Sets are compared as numbers: the same number is the same set.
    distinct, numbers = np.unique(relevance, axis=0, return_inverse=True)
    numbers = numbers.ravel()
    gains = 2 * weighted_sums(relevance, rows, weights) - total_weights(rows, weights)
    for part in chunks(len(rows), rows.shape[1] * relevance.shape[1]):
        votes = np.ones(rows[part].shape) if weights is None else weights[part]
        keys = numbers[rows[part]] + np.arange(len(votes))[:, None] * len(distinct)
        _, key_numbers = np.unique(keys, return_inverse=True)
        # Sums of whole weights are exact in floating point up to 2**53.
        counts = np.bincount(key_numbers.ravel(), votes.ravel())[key_numbers].reshape(keys.shape)
        agreement = (relevance[rows[part]] * gains[part, None, :]).sum(axis=2)
        is_most_frequent = counts == counts.max(axis=1, keepdims=True)
        agreement = np.where(is_most_frequent, agreement, np.iinfo(np.int64).min)
        voters = np.take_along_axis(rows[part], agreement.argmax(axis=1)[:, None], axis=1)[:, 0]
        sets[part] = relevance[voters] > 0
    return sets


@dataclass(frozen=True, eq=False)
class F1BySize:
    """For every size of a label set, the best set of that size by mean F1 over the voters."""

    # Mean F1 of the best set of 0, 1, ... n_labels labels, shape (n_queries, n_labels + 1).
    values: FloatArray
    # Labels by what they add to sets of 1, 2, ... labels, most first, (n_queries, size, label).
    labels: IntArray

    @property
    def sizes(self) -> IntArray:
        """The number of labels of the best set; of equally good ones the smallest."""
        return self.values.argmax(axis=1)

    def sets_of(self, sizes: IntArray) -> NDArray[np.bool_]:
        """Return the best set of a size for every query, shape (n_queries, n_labels)."""
        n_queries, n_labels = self.labels.shape[:2]
        sets = np.zeros((n_queries, n_labels), dtype=bool)
        order = self.labels[np.arange(n_queries), np.maximum(sizes, 1) - 1]
        np.put_along_axis(sets, order, np.arange(n_labels) < sizes[:, None], axis=1)
        return sets

    def best_first(self, query: int) -> tuple[NDArray[np.bool_], FloatArray]:
        """Return the best sets of every size for one query, the best of all first, and their F1."""
        one = F1BySize(self.values[[query]], self.labels[[query]])
        sizes = np.argsort(-one.values[0], kind="stable")
        sets = np.vstack([one.sets_of(np.array([size])) for size in sizes])
        return sets, one.values[0, sizes]


def f1_by_size(relevance: NDArray[Any], rows: IntArray, weights: IntArray | None) -> F1BySize:
    """Compare sets of every size by mean F1 over the voters; F1 of two empty sets is 1.

    For sets of h labels a label adds the mean of 2 / (s + h) over the voters that have it, for the
    s labels that a voter has: so the h labels that add most are the best set of h labels (algorithm
    1 of [dembczynski2011]_). Labels that add the same: the lower index first.
    """
    n_labels = relevance.shape[1]
    values = np.empty((len(rows), n_labels + 1))
    labels = np.empty((len(rows), n_labels, n_labels), dtype=np.int64)
    n_relevant, sizes = relevance.sum(axis=1), np.arange(1, n_labels + 1)
    for part in chunks(len(rows), n_labels * (2 * rows.shape[1] + n_labels)):
        votes = np.ones(rows[part].shape) if weights is None else weights[part]
        shares = votes / votes.sum(axis=1, keepdims=True)
        set_sizes = n_relevant[rows[part]]
        factors = shares[:, :, None] * 2 / (set_sizes[:, :, None] + sizes)
        added = factors.transpose(0, 2, 1) @ (relevance[rows[part]] > 0)
        labels[part] = np.argsort(-np.round(added, _DECIMALS), axis=2, kind="stable")
        running = np.take_along_axis(added, labels[part], axis=2).cumsum(axis=2)
        values[part, 0] = (shares * (set_sizes == 0)).sum(axis=1)
        values[part, 1:] = running[:, sizes - 1, sizes - 1]
    return F1BySize(values.round(_DECIMALS), labels)


def f1_sets(relevance: NDArray[Any], rows: IntArray, weights: IntArray | None) -> NDArray[np.bool_]:
    """Return the sets with the largest mean F1; of equally good ones the smallest."""
    by_size = f1_by_size(relevance, rows, weights)
    return by_size.sets_of(by_size.sizes)


SET_RULES: Mapping[str, Callable[..., NDArray[np.bool_]]] = {
    "hamming": majority_sets,
    "f1": f1_sets,
    "subset": frequent_sets,
}
