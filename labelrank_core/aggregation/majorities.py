"""Consensus rules that start from the majorities of pairs: Copeland, Schulze and ranked pairs.

Each puts a label first that wins the majority against every other one. They differ in what they
make of preference cycles. Rankings that do not rank both labels of a pair have no vote on it, nor
have those that tie them.

References
----------
.. [copeland1951] A. Copeland: A reasonable social welfare function. University of Michigan, 1951.
.. [schulze2011] M. Schulze: A new monotonic, clone-independent, reversal symmetric, and
   Condorcet-consistent single-winner election method. Social Choice and Welfare 36, 2011.
.. [tideman1987] T. Tideman: Independence of clones as a criterion for voting rules. Social Choice
   and Welfare 4, 1987.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from labelrank_core.aggregation.kemeny import majority_orderings, preference_counts
from labelrank_core.aggregation.rules import LabelRanks
from labelrank_core.aggregation.sums import chunks
from labelrank_core.aggregation.table import RankTable
from labelrank_core.rankings import IntArray, positions_from_orderings


def copeland(table: RankTable, rows: IntArray, weights: IntArray | None) -> LabelRanks:
    """Rank each label by the majorities it loses, a tie counting one half [copeland1951]_."""
    return _ranked_by_losses(table, rows, weights, lambda counts: counts)


def schulze(table: RankTable, rows: IntArray, weights: IntArray | None) -> LabelRanks:
    """Rank each label by the labels with a stronger path to it than it has back [schulze2011]_.

    The strength of a path is its weakest majority, in votes for the winner.
    """
    return _ranked_by_losses(table, rows, weights, path_strengths)


def _ranked_by_losses(
    table: RankTable,
    rows: IntArray,
    weights: IntArray | None,
    strengths: Callable[[IntArray], IntArray],
) -> LabelRanks:
    keys = np.empty((len(rows), table.n_labels), dtype=np.int64)
    for part in chunks(len(rows), table.n_labels**2):
        part_weights = None if weights is None else weights[part]
        wins = strengths(preference_counts(table, rows[part], part_weights))
        losses = wins.transpose(0, 2, 1)
        # Ranks are doubled and start at 2, of which the diagonal, which always ties, adds 1.
        keys[part] = 2 * (losses > wins).sum(axis=2) + (losses == wins).sum(axis=2) + 1
    return LabelRanks(keys, 2)


def path_strengths(counts: IntArray) -> IntArray:
    """Return the strength of the strongest path between labels, ``[q, i, j]``; 0 = no path."""
    strengths = np.where(counts > counts.transpose(0, 2, 1), counts, 0)
    for label in range(counts.shape[1]):
        through = np.minimum(strengths[:, :, label, None], strengths[:, label, None, :])
        np.maximum(strengths, through, out=strengths)
    return strengths


def ranked_pairs(table: RankTable, rows: IntArray, weights: IntArray | None) -> LabelRanks:
    """Keep the majorities, largest first, that form no cycle with those kept [tideman1987]_.

    Of majorities with as many votes that with fewer votes against comes first, then that with the
    lower label indices. Labels that no majority kept puts in an order are ordered by index.
    """
    positions = np.empty((len(rows), table.n_labels), dtype=np.int64)
    for part in chunks(len(rows), table.n_labels**2):
        part_weights = None if weights is None else weights[part]
        all_counts = preference_counts(table, rows[part], part_weights)
        orderings, acyclic = majority_orderings(all_counts)
        positions[part] = positions_from_orderings(orderings)
        for query in np.flatnonzero(~acyclic):
            positions[part.start + query] = places_by_ranked_pairs(all_counts[query])
    return LabelRanks(positions, 1)


def places_by_ranked_pairs(counts: IntArray, favored: int | None = None) -> IntArray:
    """Return one query's order by `ranked_pairs` from its `preference_counts`.

    With a label that is favoured, of majorities with as many votes for and against those that it
    wins come first and those that it loses last; and it goes ahead of lower indices.
    """
    return _first_positions(_locked(counts, favored), favored)


def _locked(counts: IntArray, favored: int | None = None) -> NDArray[np.bool_]:
    """Return which labels are ahead of which others by the majorities kept, directly or not."""
    ahead = np.zeros(counts.shape, dtype=bool)
    winners, losers = np.nonzero(counts > counts.T)
    favor = np.zeros(len(winners), dtype=np.int64)
    if favored is not None:
        favor = (winners == favored).astype(np.int64) - (losers == favored)
    against, votes = counts[losers, winners], counts[winners, losers]
    order = np.lexsort((losers, winners, -favor, against, -votes))
    for winner, loser in zip(winners[order].tolist(), losers[order].tolist(), strict=True):
        if not ahead[loser, winner]:
            # All that is ahead of the winner, and it, is now ahead of the loser and all behind it.
            is_above, is_below = ahead[:, winner].copy(), ahead[loser].copy()
            is_above[winner] = is_below[loser] = True
            ahead |= is_above[:, None] & is_below
    return ahead


def _first_positions(ahead: NDArray[np.bool_], favored: int | None = None) -> IntArray:
    """Return the order that has the lowest label index in the first place that it may have.

    The label `favored` goes ahead of lower indices.
    """
    n_labels = len(ahead)
    positions, blockers = np.zeros(n_labels, dtype=np.int64), ahead.sum(axis=0)
    for position in range(1, n_labels + 1):
        is_next = (blockers == 0) & (positions == 0)
        label = int(np.argmax(is_next))
        if favored is not None and is_next[favored]:
            label = favored
        positions[label] = position
        blockers -= ahead[label]
    return positions
