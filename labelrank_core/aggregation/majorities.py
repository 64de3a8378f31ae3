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

from labelrank_core.aggregation.kemeny import preference_counts
from labelrank_core.aggregation.rules import ConsensusRule, LabelRanks
from labelrank_core.aggregation.sums import chunks
from labelrank_core.aggregation.table import RankTable
from labelrank_core.rankings import IntArray


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
        for query, counts in enumerate(all_counts, part.start):
            positions[query] = _places(_locked(counts))
    return LabelRanks(positions, 1)


def _locked(counts: IntArray) -> NDArray[np.bool_]:
    """Return which labels are ahead of which others by the majorities kept, directly or not."""
    ahead = np.zeros(counts.shape, dtype=bool)
    winners, losers = np.nonzero(counts > counts.T)
    order = np.lexsort((losers, winners, counts[losers, winners], -counts[winners, losers]))
    for winner, loser in zip(winners[order].tolist(), losers[order].tolist(), strict=True):
        if not ahead[loser, winner]:
            # All that is ahead of the winner, and it, is now ahead of the loser and all behind it.
            above, below = ahead[:, winner].copy(), ahead[loser].copy()
            above[winner] = below[loser] = True
            ahead |= above[:, None] & below
    return ahead


def _places(ahead: NDArray[np.bool_]) -> IntArray:
    """Return the order that has the lowest label index in the first place that it may have."""
    n_labels = len(ahead)
    places, blockers = np.zeros(n_labels, dtype=np.int64), ahead.sum(axis=0)
    for place in range(1, n_labels + 1):
        label = int(np.argmax((blockers == 0) & (places == 0)))
        places[label] = place
        blockers -= ahead[label]
    return places


MAJORITY_RULES = {
    rule.key: rule
    for rule in (
        ConsensusRule(
            key="copeland",
            name="Copeland",
            title="rank by majorities",
            partial_title="rank by majorities",
            rank=copeland,
            loss="kendall",
            compares_pairs=True,
            buckets="ranks",
        ),
        ConsensusRule(
            key="schulze",
            name="Schulze",
            title="rank by strongest paths",
            partial_title="rank by strongest paths",
            rank=schulze,
            loss="kendall",
            compares_pairs=True,
            buckets="ranks",
        ),
        ConsensusRule(
            key="ranked_pairs",
            name="ranked pairs",
            title="place in the order",
            partial_title="place in the order",
            rank=ranked_pairs,
            loss="kendall",
            compares_pairs=True,
        ),
    )
}
