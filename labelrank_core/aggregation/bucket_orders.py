"""Bucket orders: rankings in which labels may share a position, as the answer to pairwise votes.

Ordering label i ahead of label j rather than tying them *gains* the votes for i strictly ahead,
minus the votes for anything else: for j ahead, or for a tie. The bucket order with the largest sum
of gains is the one with the least summed distance of Kemeny and Snell to the voters' rankings, and
so with the largest mean tau_x [emond2002]_: a pair costs 2 where it is reversed and 1 where only
one of both rankings ties it. Finding it is NP-hard [gionis2006]_; it is exact for few labels, by
dynamic programming over their subsets, and found by local search beyond.

Votes are whole numbers, so that equal gains are equal exactly. Of equally good bucket orders that
with the larger first bucket is taken, then that with the lower label indices in it, and so on;
beyond `EXACT_LABELS` a tie is kept unless an order gains more.

References
----------
.. [emond2002] E. Emond, D. Mason: A new rank correlation coefficient with application to the
   consensus ranking problem. Journal of Multi-Criteria Decision Analysis 11, 2002.
.. [gionis2006] A. Gionis, H. Mannila, K. Puolamäki, A. Ukkonen: Algorithms for discovering bucket
   orders from data. KDD 2006.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from labelrank_core.aggregation.kemeny import preference_counts
from labelrank_core.aggregation.sums import chunks, total_weights
from labelrank_core.aggregation.table import RankTable
from labelrank_core.rankings import ROUNDING, FloatArray, IntArray, strict_positions

# Up to this many labels bucket orders are exact. Three to their power is the work for each query.
EXACT_LABELS = 8
# Shares are rounded to this fraction.
_SHARE_UNIT = 1 << 30
# Numbers of the largest temporary (8 MB).
_CELLS = 1 << 20
# Each round of local search gains, and few queries need more than three.
_MOST_ROUNDS = 20


@dataclass(frozen=True, eq=False)
class PairVotes:
    """The votes on every pair of labels, in whole numbers, ``[q, i, j]`` of each query.

    Parameters
    ----------
    ahead : ndarray of shape (n_queries, n_labels, n_labels)
        Those for label i strictly ahead of j.
    compared : ndarray of shape (n_queries, n_labels, n_labels)
        All on labels i and j: for either order, or a tie.
    """

    ahead: IntArray
    compared: IntArray

    @classmethod
    def of_rankings(cls, table: RankTable, rows: IntArray, weights: IntArray | None) -> Self:
        """Count the (weighted) rankings of each query; one votes on the labels that it ranks."""
        ahead = preference_counts(table, rows, weights)
        if table.complete:
            return cls(
                ahead, np.broadcast_to(total_weights(rows, weights)[:, :, None], ahead.shape)
            )
        compared = np.zeros_like(ahead)
        for voter in range(rows.shape[1]):
            ranked = table.doubled[rows[:, voter]] > 0
            both = ranked[:, :, None] & ranked[:, None, :]
            compared += both if weights is None else weights[:, voter, None, None] * both
        return cls(ahead, compared)

    @classmethod
    def of_shares(cls, ahead: FloatArray, compared: FloatArray | None = None) -> Self:
        """Take shares of the votes for i strictly ahead of j, and of all votes, rounded to 2**-30.

        None: every voter votes on every pair. What is left to both orders is the share of ties.
        """
        votes = np.rint(ahead * _SHARE_UNIT).astype(np.int64)
        if compared is None:
            return cls(votes, np.broadcast_to(np.int64(_SHARE_UNIT), votes.shape))
        return cls(votes, np.rint(compared * _SHARE_UNIT).astype(np.int64))

    @property
    def gains(self) -> IntArray:
        """The votes for i ahead of j less all others on the two; 0 on the diagonal."""
        gains = 2 * self.ahead - self.compared
        labels = np.arange(gains.shape[1])
        gains[:, labels, labels] = 0
        return gains

    @property
    def win_shares(self) -> FloatArray:
        """The share of the votes on i and j for i, ties counted one half; 0.5 without any."""
        wins = self.compared + self.ahead - self.ahead.transpose(0, 2, 1)
        half = np.full(wins.shape, 0.5)
        shares = np.divide(wins, 2 * self.compared, out=half, where=self.compared > 0)
        labels = np.arange(shares.shape[1])
        shares[:, labels, labels] = 0.5
        return shares

    def agreement(self, positions: IntArray) -> FloatArray:
        """Return 1 - the mean Kemeny distance of a bucket order to the votes / the largest one.

        Shape (n_queries,), between 0 and 1; 0 where there are no votes. It is (1 + the mean tau_x)
        / 2 where every vote is a complete ranking.
        """
        # A pair costs 2 where it is reversed and 1 where only one side ties it, so tying all labels
        # costs every strict vote once; ordering a pair saves its gain.
        cost = self.ahead.sum(axis=(1, 2)) - summed_gains(self.gains, positions)
        n_labels = positions.shape[1]
        off_diagonal = ~np.eye(n_labels, dtype=bool)
        largest = self.compared.sum(axis=(1, 2), where=off_diagonal)
        return np.where(largest > 0, 1 - cost / np.maximum(largest, 1), 0.0)


def bucket_orders(gains: IntArray) -> IntArray:
    """Find each query's bucket order with the largest sum of gains, as positions without gaps.

    Exact for up to `EXACT_LABELS` labels; beyond, no move of a label, and no other cut of the
    labels in their order, gains more.
    """
    n_queries, n_labels = gains.shape[:2]
    exact = n_labels <= EXACT_LABELS
    search = _exact_orders if exact else _improved_orders
    positions = np.empty((n_queries, n_labels), dtype=np.int64)
    for part in chunks(n_queries, 3**n_labels if exact else 4 * n_labels**2, at_once=_CELLS):
        positions[part] = search(gains[part])
    return positions


def cut_orders(keys: NDArray[Any], gains: IntArray) -> IntArray:
    """Cut labels, ordered by keys (the lowest first), into the buckets with the most gains.

    Labels with the same key are ordered by index before cutting.
    """
    n_queries, n_labels = gains.shape[:2]
    queries = np.arange(n_queries)
    ordering = np.argsort(keys, axis=1, kind="stable")
    ordered = gains[queries[:, None, None], ordering[:, :, None], ordering[:, None, :]]
    # What a bucket from place i to place j loses: the gains of its pairs, all in their order.
    lost = np.triu(ordered, 1)[:, ::-1].cumsum(axis=1)[:, ::-1].cumsum(axis=2)
    least = np.zeros((n_queries, n_labels + 1), dtype=np.int64)
    sizes = np.empty((n_queries, n_labels), dtype=np.int64)
    for first in range(n_labels - 1, -1, -1):
        costs = (lost[:, first, first:] + least[:, first + 1 :])[:, ::-1]
        # Of equally good buckets the largest.
        best_cuts = np.argmin(costs, axis=1)
        sizes[:, first] = costs.shape[1] - best_cuts
        least[:, first] = costs[queries, best_cuts]
    opens = np.zeros((n_queries, n_labels + 1), dtype=np.int64)
    opening = np.zeros(n_queries, dtype=np.int64)
    for index in range(n_labels):
        opens[:, index] = opening == index
        opening = np.where(opening == index, index + sizes[:, index], opening)
    positions = np.empty_like(ordering)
    np.put_along_axis(positions, ordering, opens[:, :-1].cumsum(axis=1), axis=1)
    return positions


def buckets_within(keys: NDArray[Any], gap: Any) -> IntArray:
    """Order labels by keys (the lowest first) and tie those within a gap of a bucket's first one.

    So no bucket spans more than the gap, one for all queries or of shape (n_queries,); with 0 equal
    keys tie.
    """
    limit = np.asarray(gap) * (1 + ROUNDING)
    ordering = np.argsort(keys, axis=1, kind="stable")
    ascending = np.take_along_axis(keys, ordering, axis=1)
    first = ascending[:, 0].copy()
    bucket_numbers = np.ones(ascending.shape, dtype=np.int64)
    for index in range(1, ascending.shape[1]):
        opens = ascending[:, index] - first > limit
        first[opens] = ascending[opens, index]
        bucket_numbers[:, index] = bucket_numbers[:, index - 1] + opens
    positions = np.empty_like(bucket_numbers)
    np.put_along_axis(positions, ordering, bucket_numbers, axis=1)
    return positions


def summed_gains(gains: IntArray, positions: IntArray) -> IntArray:
    """Add up the gains of the pairs that each query's bucket order orders."""
    ahead = positions[:, :, None] < positions[:, None, :]
    return np.where(ahead, gains, 0).sum(axis=(1, 2))


def most_gains(gains: IntArray) -> IntArray:
    """Bound the summed gains of each query's bucket orders: every pair decided by itself."""
    best = np.maximum(np.maximum(gains, gains.transpose(0, 2, 1)), 0)
    return best.sum(axis=(1, 2)) // 2


def _exact_orders(gains: IntArray) -> IntArray:
    """Choose the first bucket of every subset of the labels, from small subsets to large ones."""
    n_queries, n_labels = gains.shape[:2]
    # Axis i + 1 of `between` says where label i is: in neither set, in the first bucket, behind it.
    between = np.zeros((n_queries, *[3] * n_labels), dtype=np.int64)
    for i in range(n_labels):
        for j in range(n_labels):
            if i != j:
                where: list[Any] = [slice(None)] * (n_labels + 1)
                where[i + 1], where[j + 1] = 1, 2
                shape = (n_queries, *[1] * (n_labels - 2))
                between[tuple(where)] += gains[:, i, j].reshape(shape)
    sums_between = between.reshape(n_queries, -1)
    best = np.zeros((n_queries, 1 << n_labels), dtype=np.int64)
    first = np.zeros((n_queries, 1 << n_labels), dtype=np.int64)
    for subset, buckets, cells in _first_buckets(n_labels):
        sums = sums_between[:, cells] + best[:, subset ^ buckets]
        best_buckets = np.argmax(sums, axis=1)
        best[:, subset] = sums[np.arange(n_queries), best_buckets]
        first[:, subset] = buckets[best_buckets]
    positions = np.zeros((n_queries, n_labels), dtype=np.int64)
    remaining = np.full(n_queries, (1 << n_labels) - 1)
    bits = 1 << np.arange(n_labels)
    for position in range(1, n_labels + 1):
        bucket = first[np.arange(n_queries), remaining]
        positions[(bucket[:, None] & bits) > 0] = position
        remaining ^= bucket
    return positions


@lru_cache(maxsize=EXACT_LABELS)
def _first_buckets(n_labels: int) -> list[tuple[int, IntArray, IntArray]]:
    """List for each subset its first buckets, the preferred ones first, and cells of `between`."""
    masks = np.arange(1 << n_labels)
    members = (masks[:, None] >> np.arange(n_labels)) & 1
    # Label 0 has the slowest axis; as a binary number with label 0 first, larger = lower indices.
    cell = members @ 3 ** np.arange(n_labels)[::-1]
    by_index = members @ 2 ** np.arange(n_labels)[::-1]
    preferred = np.lexsort((-by_index, -members.sum(axis=1)))
    rows = []
    for subset in range(1, 1 << n_labels):
        buckets = preferred[((preferred & ~subset) == 0) & (preferred > 0)]
        rows.append((subset, buckets, cell[buckets] + 2 * cell[subset ^ buckets]))
    return rows


def _improved_orders(gains: IntArray) -> IntArray:
    """Search from the best cut of the order by margins, from all labels tied, and from none."""
    margins = (gains - gains.transpose(0, 2, 1)).sum(axis=2)
    best = _search(gains, margins, cut_orders(-margins, gains))
    reached, bound = summed_gains(gains, best), most_gains(gains)
    for start in (np.ones_like(best), strict_positions(-margins)):
        # Where every pair is decided as it is best by itself nothing gains more.
        unproven = np.flatnonzero(reached < bound)
        improved = _search(gains[unproven], margins[unproven], start[unproven])
        sums = summed_gains(gains[unproven], improved)
        better = sums > reached[unproven]
        best[unproven[better]], reached[unproven[better]] = improved[better], sums[better]
    return best


def _search(gains: IntArray, margins: IntArray, positions: IntArray) -> IntArray:
    """Move labels and cut the order again as long as that gains."""
    positions = positions.copy()
    reached = summed_gains(gains, positions)
    # Labels of a bucket stand by their margins before they are cut again.
    within = strict_positions(-margins)
    searching = np.arange(len(gains))
    for _ in range(_MOST_ROUNDS):
        searched_gains = gains[searching]
        moved = _moved_labels(searched_gains, positions[searching])
        cut = cut_orders(moved * (gains.shape[1] + 1) + within[searching], searched_gains)
        sums = np.stack([summed_gains(searched_gains, moved), summed_gains(searched_gains, cut)])
        better = np.where((sums[1] > sums[0])[:, None], cut, moved)
        gained = sums.max(axis=0) > reached[searching]
        searching = searching[gained]
        if not len(searching):
            break
        positions[searching] = better[gained]
        reached[searching] = sums.max(axis=0)[gained]
    return positions


def _moved_labels(gains: IntArray, positions: IntArray) -> IntArray:
    """Move each label in turn into the bucket, or between the buckets, where it gains most."""
    n_queries, n_labels = positions.shape
    queries = np.arange(n_queries)
    buckets = np.arange(1, n_labels + 1)
    positions = positions.copy()
    for label in range(n_labels):
        member = positions[:, :, None] == buckets
        member[:, label] = False
        ahead_of = np.einsum("qjb,qj->qb", member, gains[:, label, :])
        behind = np.einsum("qjb,qj->qb", member, gains[:, :, label])
        gains_before = np.cumsum(behind, axis=1) - behind
        gains_after = np.cumsum(ahead_of[:, ::-1], axis=1)[:, ::-1]
        # Ties first, so that a label gets a bucket of its own only where that gains more.
        into, ahead = gains_before + gains_after - ahead_of, gains_before + gains_after
        last = behind.sum(axis=1, keepdims=True)
        sums = np.concatenate([into, ahead, last], axis=1)
        bucket = positions[:, label]
        slot = np.argmax(sums, axis=1)
        slot = np.where(sums[queries, slot] > sums[queries, bucket - 1], slot, bucket - 1)
        doubled = 2 * positions
        doubled[:, label] = np.where(slot < n_labels, 2 * (slot + 1), 2 * (slot - n_labels) + 1)
        positions = _without_gaps(doubled)
    return positions


def _without_gaps(keys: IntArray) -> IntArray:
    """Renumber small whole numbers from 1 in their order."""
    is_used = np.zeros((len(keys), int(keys.max(initial=0)) + 1), dtype=np.int64)
    np.put_along_axis(is_used, keys, 1, axis=1)
    return np.take_along_axis(is_used.cumsum(axis=1), keys, axis=1)
