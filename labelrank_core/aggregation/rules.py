"""Consensus rules by a number for each label, or by choosing a whole order.

For each query `rows`, of shape (n_queries, k), lists rankings of a table, nearest first, and
`weights`, of the same shape, says in whole numbers how often each counts (None: once).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from labelrank_core.aggregation.assignments import first_assignments
from labelrank_core.aggregation.bucket_orders import (
    PairVotes,
    bucket_orders,
    buckets_within,
    cut_orders,
)
from labelrank_core.aggregation.kemeny import kemeny_order, kemeny_positions, preference_counts
from labelrank_core.aggregation.losses import LOSSES, RankingLoss
from labelrank_core.aggregation.sums import (
    chunks,
    lower_medians,
    ranked_lower_medians,
    total_weights,
    weighted_sums,
)
from labelrank_core.aggregation.table import RankTable
from labelrank_core.aggregation.win_shares import SHARE_UNIT, neighborhood_sizes, win_share_sums
from labelrank_core.rankings import FloatArray, IntArray

# Of no more rows of a query the kinds are compared pair by pair, which is quicker.
_MOST_COMPARED = 64


@dataclass(frozen=True, eq=False)
class LabelRanks:
    """One whole number per label, the lowest first; `unit` of it are one rank."""

    keys: IntArray
    unit: Any

    @property
    def values(self) -> FloatArray:
        """The numbers as ranks."""
        return self.keys / self.unit


@dataclass(frozen=True)
class ConsensusRule:
    """A consensus rule: its names, its computation, and the loss its consensus is measured by.

    `summary` says in a few words which order it takes; `reason` is a sentence on the consensus of
    rules that choose a whole order.
    """

    key: str
    name: str
    summary: str
    title: str
    partial_title: str
    rank: Callable[[RankTable, IntArray, IntArray | None], LabelRanks]
    loss: str
    reason: str | None = None
    unproven_reason: str | None = None
    details: Callable[[RankTable, IntArray, IntArray | None], Mapping[str, float]] | None = None
    # Which labels tie where ties are predicted: those that no cut of the labels in their order
    # parts, those of the bucket order with the least Kemeny distance, or those with the same rank.
    buckets: Literal["cut", "optimum", "ranks"] = "cut"
    # Whether no order has a smaller `loss` than the consensus: no order at all, none where the
    # numbers of the labels are a ranking themselves, or any order may.
    optimal: Literal["always", "as ranking", "never"] = "always"
    compares_pairs: bool = False
    most_labels: int | None = None
    rank_sums: Callable[[IntArray, IntArray], LabelRanks] | None = None
    rank_widened: Callable[..., LabelRanks] | None = None

    @property
    def measure(self) -> RankingLoss:
        """The loss that its consensus is measured by."""
        return LOSSES[self.loss]

    @property
    def chooses_orders(self) -> bool:
        """Whether the rule chooses a whole order instead of one number for each label."""
        return self.reason is not None

    def widens(self, table: RankTable) -> bool:
        """Tell whether wider neighbourhoods than the k nearest count."""
        return self.rank_widened is not None and not table.complete

    def sizes(self, table: RankTable, n_neighbors: int, n_rankings: int) -> tuple[int, ...]:
        """List the sizes of the neighbourhoods that count: k, and wider ones if the rule widens."""
        widens = self.widens(table)
        return neighborhood_sizes(n_neighbors, n_rankings) if widens else (n_neighbors,)

    def rank_nearest(
        self, table: RankTable, rows: IntArray, weights: IntArray | None, sizes: tuple[int, ...]
    ) -> LabelRanks:
        """Rank the labels by the nearest rankings; those beyond the last size are ignored."""
        rows = rows[:, : sizes[-1]]
        weights = None if weights is None else weights[:, : sizes[-1]]
        if self.rank_widened is None or table.complete:
            return self.rank(table, rows, weights)
        return self.rank_widened(table, rows, weights, sizes)

    def bucket(
        self,
        table: RankTable,
        rows: IntArray,
        weights: IntArray | None,
        ranks: Callable[[], LabelRanks],
        gap: float | None = None,
    ) -> IntArray:
        """Rank the labels with ties, by the ranks of the same queries where these decide.

        With a gap, labels tie whose ranks differ by at most that, in place of the best cut.
        """
        if self.buckets == "optimum":
            positions = np.empty((len(rows), table.n_labels), dtype=np.int64)
            for part in chunks(len(rows), table.n_labels**2):
                part_weights = None if weights is None else weights[part]
                votes = PairVotes.of_rankings(table, rows[part], part_weights)
                positions[part] = bucket_orders(votes.gains)
            return positions
        label_ranks = ranks()
        if self.buckets == "ranks" or gap is not None:
            limit = 0.0 if self.buckets == "ranks" or gap is None else gap
            return buckets_within(label_ranks.keys, limit * np.ravel(label_ranks.unit))
        positions = np.empty_like(label_ranks.keys)
        for part in chunks(len(rows), table.n_labels**2):
            part_weights = None if weights is None else weights[part]
            votes = PairVotes.of_rankings(table, rows[part], part_weights)
            positions[part] = cut_orders(label_ranks.keys[part], votes.gains)
        return positions


def mean_ranks(sums: IntArray, totals: IntArray) -> LabelRanks:
    """Give each label its mean rank, from its summed doubled ranks in complete rankings."""
    return LabelRanks(sums, 2 * totals)


def borda(
    table: RankTable, rows: IntArray, weights: IntArray | None, sizes: tuple[int, ...] = ()
) -> LabelRanks:
    """Give each label its mean rank; for incomplete rankings n_labels - its summed win shares."""
    if table.complete:
        return mean_ranks(weighted_sums(table.doubled, rows, weights), total_weights(rows, weights))
    sums = win_share_sums(table.pairs, rows, weights, sizes)
    return LabelRanks(table.n_labels * SHARE_UNIT - sums, SHARE_UNIT)


def median(table: RankTable, rows: IntArray, weights: IntArray | None) -> LabelRanks:
    """Give each label its lower median rank; for incomplete rankings that of its expected ranks."""
    if table.complete:
        return LabelRanks(lower_medians(table.doubled, rows, weights), 2)
    medians = ranked_lower_medians(table.expected, rows, weights, default=table.middle)
    return LabelRanks(medians, table.unit)


def footrule(table: RankTable, rows: IntArray, weights: IntArray | None) -> LabelRanks:
    """Assign labels to places so that the (expected) ranks differ least from them in total."""
    positions = np.empty((len(rows), table.n_labels), dtype=np.int64)
    for part in chunks(len(rows), table.n_labels**2):
        part_weights = None if weights is None else weights[part]
        positions[part] = 1 + first_assignments(displacements(table, rows[part], part_weights))
    return LabelRanks(positions, 1)


def displacements(table: RankTable, rows: IntArray, weights: IntArray | None) -> IntArray:
    """Sum the distances of each label's ranks to every place, (n_queries, n_labels, n_places)."""
    n_labels = table.n_labels
    positions = np.arange(1, n_labels + 1) * table.unit
    costs = np.zeros((len(rows), n_labels, n_labels), dtype=np.int64)
    for neighbor in range(rows.shape[1]):
        ranks = table.expected[rows[:, neighbor]][:, :, None]
        distances = np.abs(positions - ranks)
        if not table.complete:
            distances *= ranks > 0
        costs += distances if weights is None else weights[:, neighbor, None, None] * distances
    return costs


def kemeny(table: RankTable, rows: IntArray, weights: IntArray | None) -> LabelRanks:
    """Find the order that contradicts the fewest pairwise preferences."""
    return LabelRanks(kemeny_positions(table, rows, weights), 1)


def majority(table: RankTable, rows: IntArray, weights: IntArray | None) -> LabelRanks:
    """Take the most frequent ranking, of equally frequent ones the nearest case's."""
    # Of an incomplete ranking its expected ranks, and the middle for missing labels.
    winners, votes = most_frequent(table, rows, weights)
    ranks = table.expected[winners] * (votes > 0)[:, None]
    return LabelRanks(np.where(ranks > 0, ranks, table.middle).astype(np.int64), table.unit)


def most_frequent(
    table: RankTable, rows: IntArray, weights: IntArray | None
) -> tuple[IntArray, IntArray]:
    """Find the first row with each query's most frequent ranking, and that ranking's weight."""
    winners = np.empty(len(rows), dtype=np.int64)
    votes = np.empty(len(rows), dtype=np.int64)
    is_small = rows.shape[1] <= _MOST_COMPARED
    for part in chunks(len(rows), rows.shape[1] ** 2 if is_small else rows.shape[1]):
        kinds = table.kinds[rows[part]]
        counts = (_compared if is_small else _sorted)(
            kinds, np.ones_like(kinds) if weights is None else weights[part]
        )
        best = np.argmax(counts, axis=1)[:, None]
        winners[part] = np.take_along_axis(rows[part], best, axis=1)[:, 0]
        votes[part] = np.take_along_axis(counts, best, axis=1)[:, 0]
    return winners, votes


def _compared(kinds: IntArray, weights: IntArray) -> IntArray:
    """Add up the weights of rows of the same kind, of every query; rows without weight have 0."""
    same = (kinds[:, :, None] == kinds[:, None, :]) & (kinds[:, :, None] >= 0)
    counts: IntArray = (same * weights[:, None, :]).sum(axis=2)
    counts[weights == 0] = 0
    return counts


def _sorted(kinds: IntArray, weights: IntArray) -> IntArray:
    """Do the same for many rows, of which all pairs would fill the memory."""
    counts = np.zeros_like(weights)
    for own_kinds, own_weights, own_counts in zip(kinds, weights, counts, strict=True):
        is_counted = (own_kinds >= 0) & (own_weights != 0)
        _, index = np.unique(own_kinds[is_counted], return_inverse=True)
        sums = np.zeros(len(index), dtype=weights.dtype)
        np.add.at(sums, index, own_weights[is_counted])
        own_counts[is_counted] = sums[index]
    return counts


def excess_bound(table: RankTable, rows: IntArray, weights: IntArray | None) -> FloatArray:
    """Bound the preferences that `kemeny` contradicts beyond the optimum, per ranking."""
    orders = [kemeny_order(counts) for counts in preference_counts(table, rows, weights)]
    return np.array([order.excess for order in orders]) / total_weights(rows, weights)[:, 0]
