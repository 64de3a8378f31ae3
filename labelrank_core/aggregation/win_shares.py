"""Pairwise win shares: a consensus of rankings that leave labels out.

The mean of observed positions is biased where labels are missing, and a middle score for missing
labels pulls every consensus to the middle. Here two labels are compared only by the rankings that
rank both: the share of them that prefers the first is its *win share* over the second. Labels are
ordered by their shares summed over all others. For complete rankings this is the order by mean
rank: the sum is n_labels - mean rank.

Among few neighbours that leave many labels out, few rank both labels of a pair, or none. Wider
neighbourhoods then help: the votes of each neighbourhood are smoothed by one pseudo-vote, the share
in the next wider one; those of the widest by the share among all rankings. So near rankings decide
the pairs that they know well, and wider neighbourhoods the others. A pseudo-vote weighs as much as
the nearest ranking.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import isqrt
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from labelrank_core.aggregation.sums import chunks
from labelrank_core.rankings import FloatArray, IntArray

# The least common multiple of 1 ... 22. Shares are kept in whole units of half this fraction, so
# that they, and their sums, are exact among up to 22 rankings.
WHOLE = 232792560
SHARE_UNIT = 2 * WHOLE
_CHUNK_CELLS = 1 << 18
# Wider neighbourhoods have 4 times, 16 times, ... as many rankings, up to 100.
_WIDENING, WIDEST = 4, 100
# The sum of this many comparisons, of up to 2 each, fits into int8.
_INT8_SUMS = 63
# Comparisons of several rows at once stay in the processor's cache.
_CACHED_CELLS = 1 << 16


@dataclass(frozen=True, eq=False)
class PairTable:
    """Rankings whose labels are compared pair by pair when needed, never all at once."""

    # Pairs are those of numpy.triu_indices(n_labels, 1), along the first axis, so that queries lie
    # side by side in memory. `firsts`, where given, restricts them to these first labels.
    keys: NDArray[np.float32]

    @classmethod
    def from_rankings(cls, positions: FloatArray) -> Self:
        """Keep rankings, positions of shape (n_rankings, n_labels), NaN = not ranked."""
        return cls(np.asarray(positions, dtype=np.float32))

    @property
    def n_labels(self) -> int:
        """Number of labels."""
        return int(self.keys.shape[1])

    @property
    def n_pairs(self) -> int:
        """Number of pairs of labels."""
        return self.n_labels * (self.n_labels - 1) // 2

    def _pairs_of(self, firsts: range | None = None) -> slice:
        """Return the slice of all pairs that holds those with these first labels."""
        firsts = range(self.n_labels) if firsts is None else firsts
        bounds = [i * self.n_labels - i * (i + 1) // 2 for i in (firsts.start, firsts.stop)]
        return slice(*bounds)

    def compare(self, rows: Any, firsts: range | None = None) -> NDArray[np.int8]:
        """Return each row's wins of every pair's first label, and 1 where the row ranks both."""
        # A win counts 2, a tie 1.
        keys = np.ascontiguousarray(self.keys[rows].T)
        pairs = self._pairs_of(firsts)
        comparisons = np.empty((2, pairs.stop - pairs.start, keys.shape[1]), dtype=np.int8)
        wins, both_ranked = comparisons
        for label in range(self.n_labels) if firsts is None else firsts:
            ahead, behind, part = keys[label], keys[label + 1 :], self._within(label, pairs)
            # NaN is neither ahead of anything nor behind it nor equal.
            not_behind = ahead <= behind
            np.add(not_behind, ahead < behind, out=wins[part], dtype=np.int8)
            np.logical_or(not_behind, behind < ahead, out=both_ranked[part].view(np.bool_))
        return comparisons

    def _within(self, label: int, pairs: slice) -> slice:
        """Return the slice of the chosen pairs that holds those of one first label."""
        label_pairs = self._pairs_of(range(label, label + 1))
        return slice(label_pairs.start - pairs.start, label_pairs.stop - pairs.start)

    @cached_property
    def overall(self) -> FloatArray:
        """The win share of each pair among all rankings; 1/2 where none ranks both."""
        votes = np.zeros((2, self.n_pairs), dtype=np.int64)
        for part in chunks(len(self.keys), self.n_pairs, at_once=_CHUNK_CELLS):
            votes += self.compare(part).sum(axis=2, dtype=np.int64)
        wins, compared = votes
        return np.where(compared > 0, wins / np.maximum(2 * compared, 1), 0.5)

    def shares(
        self, wins: NDArray[Any], compared: NDArray[Any], firsts: range | None = None
    ) -> FloatArray:
        """Divide summed wins by their maximum; the overall share where no ranking ranks both."""
        shares = np.empty(wins.shape)
        shares[:] = self.overall[self._pairs_of(firsts), None]
        return np.divide(wins, 2 * compared, out=shares, where=compared > 0)

    def summed(self, shares: FloatArray, firsts: range | None = None) -> IntArray:
        """Sum each label's shares over the others, in whole units of 1 / `SHARE_UNIT`."""
        units = np.rint(shares * SHARE_UNIT).astype(np.int64)
        sums = np.zeros((self.n_labels, shares.shape[1]), dtype=np.int64)
        for label in range(self.n_labels) if firsts is None else firsts:
            label_units = units[self._within(label, self._pairs_of(firsts))]
            sums[label] += label_units.sum(axis=0)
            # The share of the second label is 1 - that of the first.
            sums[label + 1 :] += SHARE_UNIT - label_units
        return sums.T


@dataclass(frozen=True, eq=False)
class SignTable(PairTable):
    """Preferences between single pairs of labels, which need not be those of any ranking.

    `keys` has the signs of all pairs: 1 where the first label is preferred, -1 where the second
    is, 0 for a tie, NaN where nothing is known.
    """

    @property
    def n_labels(self) -> int:
        """Number of labels."""
        return (1 + isqrt(1 + 8 * self.keys.shape[1])) // 2

    @property
    def complete(self) -> bool:
        """Whether every case knows every pair."""
        return not np.isnan(self.keys).any()

    def compare(self, rows: Any, firsts: range | None = None) -> NDArray[np.int8]:
        """Return each row's wins of every pair's first label, and 1 where it knows the pair."""
        signs = self.keys[rows, self._pairs_of(firsts)].T
        is_known = ~np.isnan(signs)
        return np.stack([np.where(is_known, signs + 1, 0), is_known]).astype(np.int8)

    def votes(
        self, rows: IntArray, weights: IntArray | None
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Sum the votes of each query's rows for i strictly ahead of j, and all, ``[q, i, j]``."""
        first, second = np.triu_indices(self.n_labels, 1)
        shape = (len(rows), self.n_labels, self.n_labels)
        ahead, compared = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
        for voter in range(rows.shape[1]):
            signs = self.keys[rows[:, voter]]
            times = 1 if weights is None else weights[:, voter, None]
            ahead[:, first, second] += times * (signs > 0)
            ahead[:, second, first] += times * (signs < 0)
            compared[:, first, second] += times * ~np.isnan(signs)
        return ahead, compared + compared.transpose(0, 2, 1)


def _votes(table: PairTable, rows: IntArray, weights: IntArray | None) -> IntArray:
    """Sum each query's comparisons as `PairTable.compare` has them, (2, n_pairs, n_queries)."""
    votes = np.zeros((2, table.n_pairs, len(rows)), dtype=np.int64)
    if weights is not None:
        for one, times in zip(rows.T, weights.T, strict=True):
            votes += table.compare(one) * times
        return votes
    at_once = min(_INT8_SUMS, max(1, _CACHED_CELLS // max(1, votes.size)))
    for start in range(0, rows.shape[1], _INT8_SUMS):
        few = np.zeros(votes.shape, dtype=np.int8)
        for first in range(start, min(start + _INT8_SUMS, rows.shape[1]), at_once):
            batch = rows[:, first : min(first + at_once, start + _INT8_SUMS)].T
            comparisons = table.compare(batch.ravel()).reshape(2, -1, *batch.shape)
            few += comparisons[:, :, 0] if at_once == 1 else comparisons.sum(axis=2, dtype=np.int8)
        votes += few
    return votes


def neighborhood_sizes(n_neighbors: int, n_rankings: int) -> tuple[int, ...]:
    """List the sizes of wider and wider neighbourhoods: k, 4 k, 16 k, ... up to 100."""
    sizes = [n_neighbors]
    while _WIDENING * sizes[-1] <= min(WIDEST, n_rankings):
        sizes.append(_WIDENING * sizes[-1])
    return tuple(sizes)


def pair_shares(
    table: PairTable, rows: IntArray, weights: IntArray | None, sizes: Sequence[int] = ()
) -> FloatArray:
    """Return the win share of every pair among each query's rankings, (n_pairs, n_queries)."""
    # Rows come nearest first; `sizes` are those of the neighbourhoods, the last one all rows.
    # Without sizes nothing is smoothed.
    if not sizes:
        return table.shares(*_votes(table, rows, weights))
    votes, start = [], 0
    for end in sizes:
        part_weights = None if weights is None else weights[:, start:end]
        votes.append(_votes(table, rows[:, start:end], part_weights))
        start = end
    pseudo_vote = 1 if weights is None else weights[:, 0]
    shares = np.broadcast_to(table.overall[:, None], votes[0][0].shape)
    for wins, compared in reversed(list(accumulate(votes))):
        shares = (wins / 2 + pseudo_vote * shares) / (compared + pseudo_vote)
    return shares


def win_share_sums(
    table: PairTable, rows: IntArray, weights: IntArray | None, sizes: Sequence[int] = ()
) -> IntArray:
    """Score the labels by their summed win shares among each query's rankings."""
    sums = np.empty((len(rows), table.n_labels), dtype=np.int64)
    cells = table.n_pairs * max(1, len(sizes))
    for part in chunks(len(rows), cells, at_once=_CHUNK_CELLS):
        part_weights = None if weights is None else weights[part]
        sums[part] = table.summed(pair_shares(table, rows[part], part_weights, sizes))
    return sums


def require_win_shares(aggregation: str) -> None:
    """Raise a ValueError for a consensus rule that needs whole rankings."""
    if aggregation != "borda":
        raise ValueError(
            "Expected aggregation='borda' for preferences between pairs of labels, which orders "
            f"labels by win shares, got {aggregation!r}, which needs rankings."
        )
