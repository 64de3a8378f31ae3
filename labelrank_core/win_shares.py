"""Pairwise win shares: a consensus of rankings that leave labels out.

The mean of observed positions is biased where labels are missing, and a middle score for missing
labels pulls every consensus to the middle. Here two labels are compared only by the rankings that
rank both: the share of them that prefers the first is its *win share* over the second. Labels are
ordered by their shares summed over all others. For complete rankings this is the order by mean
rank: the sum is n_labels - mean rank.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from labelrank_core.rankings import FloatArray, IntArray

# The least common multiple of 1 ... 22. Shares are kept in whole units of half this fraction, so
# that they, and their sums, are exact among up to 22 rankings.
WHOLE = 232792560
SHARE_UNIT = 2 * WHOLE
_CHUNK_CELLS = 1 << 20


@dataclass(frozen=True, eq=False)
class PairTable:
    """Which label of every pair each ranking prefers.

    Parameters
    ----------
    first, second : ndarray of int, shape (n_pairs,)
        The labels of the pairs, first < second.
    n_labels : int
        Number of labels.
    wins : ndarray of int8, shape (n_rankings, n_pairs)
        2 where the first label is preferred, 1 where they tie, else 0.
    known : ndarray of int8, shape (n_rankings, n_pairs)
        1 where the ranking ranks both labels, else 0.
    """

    first: IntArray
    second: IntArray
    n_labels: int
    wins: NDArray[np.int8]
    known: NDArray[np.int8]

    @classmethod
    def from_rankings(cls, positions: FloatArray) -> "PairTable":
        """Compare the labels of rankings, positions of shape (n_rankings, n_labels), NaN allowed.

        Parameters
        ----------
        positions : ndarray of shape (n_rankings, n_labels)
            Positions; NaN = not ranked.

        Returns
        -------
        PairTable
            One column a pair.
        """
        n_labels = positions.shape[1]
        first, second = np.triu_indices(n_labels, 1)
        difference = positions[:, second] - positions[:, first]
        known = ~np.isnan(difference)
        wins = np.where(known, 1 + np.sign(np.nan_to_num(difference)), 0)
        return cls(first, second, n_labels, wins.astype(np.int8), known.astype(np.int8))

    @cached_property
    def overall(self) -> FloatArray:
        """The win share of each pair among all rankings; 1/2 where none ranks both."""
        known = self.known.sum(axis=0, dtype=np.int64)
        wins = self.wins.sum(axis=0, dtype=np.int64)
        return np.where(known > 0, wins / np.maximum(2 * known, 1), 0.5)

    def shares(self, wins: FloatArray, known: FloatArray) -> FloatArray:
        """Divide summed wins by what they could be; the overall share where nobody ranks both.

        Parameters
        ----------
        wins, known : ndarray of shape (n_queries, n_pairs)
            Sums of the table's rows, weighted alike.

        Returns
        -------
        ndarray of shape (n_queries, n_pairs)
            Between 0 (the second label always wins) and 1.
        """
        halves = np.divide(wins, 2 * known, out=np.empty(wins.shape), where=known > 0)
        return np.where(known > 0, halves, self.overall)

    def summed(self, shares: FloatArray) -> IntArray:
        """Sum each label's shares over the other labels.

        Parameters
        ----------
        shares : ndarray of shape (n_queries, n_pairs)
            Win shares of the first labels; the second labels have the rest to 1.

        Returns
        -------
        ndarray of shape (n_queries, n_labels)
            Whole numbers in units of 1 / `SHARE_UNIT`: high = preferred, from 0 (beats no label)
            to n_labels - 1. Two labels whose shares are the same fractions tie exactly.
        """
        units = np.rint(shares * SHARE_UNIT).astype(np.int64)
        sums = np.zeros((len(shares), self.n_labels), dtype=np.int64)
        for label in range(self.n_labels):
            ahead, behind = self.first == label, self.second == label
            sums[:, label] = units[:, ahead].sum(axis=1)
            sums[:, label] += behind.sum() * SHARE_UNIT - units[:, behind].sum(axis=1)
        return sums


def win_share_sums(table: PairTable, rows: IntArray, weights: IntArray | None) -> IntArray:
    """Score the labels by the rankings named for each query, higher = preferred.

    Parameters
    ----------
    table : PairTable
        The rankings, complete or partial.
    rows : ndarray of int, shape (n_queries, k)
        Which of them.
    weights : ndarray of int, shape (n_queries, k), or None
        How often each counts; None: once.

    Returns
    -------
    ndarray of shape (n_queries, n_labels)
        As from `PairTable.summed`.

    Examples
    --------
    >>> table = PairTable.from_rankings(np.array([[1, 2, np.nan], [np.nan, 1, 2], [2, 1, 3]]))
    >>> win_share_sums(table, np.array([[0, 1, 2]]), None) / SHARE_UNIT
    array([[1.5, 1.5, 0. ]])
    """
    sums = np.empty((len(rows), table.n_labels), dtype=np.int64)
    step = max(1, _CHUNK_CELLS // max(1, len(table.first)))
    for start in range(0, len(rows), step):
        part = slice(start, start + step)
        wins = np.zeros((len(rows[part]), len(table.first)))
        known = np.zeros_like(wins)
        for place in range(rows.shape[1]):
            times = 1 if weights is None else weights[part, place, None]
            wins += times * table.wins[rows[part, place]]
            known += times * table.known[rows[part, place]]
        sums[part] = table.summed(table.shares(wins, known))
    return sums
