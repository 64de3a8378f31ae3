"""The consensus rules: which number or which whole order decides."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from labelrank_core.aggregation._kemeny import kemeny_order, kemeny_positions, preference_counts
from labelrank_core.aggregation._losses import LOSSES, RankingLoss
from labelrank_core.aggregation._sums import (
    chunks,
    lower_medians,
    ranked_lower_medians,
    total_weights,
    weighted_sums,
)
from labelrank_core.aggregation._table import RankTable
from labelrank_core.aggregation.win_shares import SHARE_UNIT, win_share_sums
from labelrank_core.rankings import FloatArray, IntArray

# Whole numbers up to here are exact as floats, in which assignments are computed.
_EXACT = 1 << 52


@dataclass(frozen=True, eq=False)
class LabelRanks:
    """One whole number a label, the lowest first.

    Parameters
    ----------
    keys : ndarray of int, shape (n_queries, n_labels)
        The numbers.
    unit : int or ndarray of shape (n_queries, 1)
        How much of them is one rank.
    """

    keys: IntArray
    unit: Any

    @property
    def values(self) -> FloatArray:
        """The numbers as ranks."""
        return self.keys / self.unit


@dataclass(frozen=True)
class ConsensusRule:
    """How rankings become one.

    Parameters
    ----------
    title : str
        The number each label gets, in words; with partial rankings `partial_title`.
    partial_title : str
        The same for partial rankings.
    rank : callable
        (RankTable, rows, weights) -> LabelRanks.
    loss : str
        The key of the loss it minimises, and confidence measures, in `LOSSES`.
    reason : str or None
        Why the order is as it is, a template with k, loss, votes and excess; None where each label
        gets a number that speaks for itself.
    optimal_as_ranking_only : bool
        Whether it minimises its loss only where the numbers are a ranking themselves.
    """

    title: str
    partial_title: str
    rank: Callable[[RankTable, IntArray, IntArray | None], LabelRanks]
    loss: str
    reason: str | None = None
    optimal_as_ranking_only: bool = False

    @property
    def measure(self) -> RankingLoss:
        """The loss."""
        return LOSSES[self.loss]


def borda(table: RankTable, rows: IntArray, weights: IntArray | None) -> LabelRanks:
    """Give each label its mean rank; of partial rankings n_labels - its summed win shares.

    For complete rankings the two are the same. Where no neighbour ranks both labels of a pair, all
    training rankings decide its share.
    """
    if table.complete:
        return LabelRanks(
            weighted_sums(table.places, rows, weights), 2 * total_weights(rows, weights)
        )
    sums = win_share_sums(table.pairs, rows, weights)
    return LabelRanks(table.n_labels * SHARE_UNIT - sums, SHARE_UNIT)


def median(table: RankTable, rows: IntArray, weights: IntArray | None) -> LabelRanks:
    """Give each label its lower median rank; of partial rankings that of its expected ranks."""
    if table.complete:
        return LabelRanks(lower_medians(table.places, rows, weights), 2)
    medians = ranked_lower_medians(table.expected, rows, weights, default=table.middle)
    return LabelRanks(medians, table.unit)


def footrule(table: RankTable, rows: IntArray, weights: IntArray | None) -> LabelRanks:
    """Assign labels to places at the least sum of absolute differences of (expected) ranks.

    Of several optimal assignments one with lower label indices ahead, and labels that nobody
    ranked near the middle, is taken as long as whole numbers leave room for that beside the costs.
    """
    n_labels = table.n_labels
    positions = np.empty((len(rows), n_labels), dtype=np.int64)
    from_middle = np.abs(2 * np.arange(n_labels) + 1 - n_labels)
    by_index = np.outer(np.arange(n_labels, 0, -1), np.arange(n_labels))
    room = 2 * n_labels**3  # more than these two can add up to
    for part in chunks(len(rows), n_labels**2):
        own = None if weights is None else weights[part]
        for query, cost in enumerate(_displacements(table, rows[part], own), start=part.start):
            unknown = ~cost.any(axis=1, keepdims=True)
            cost //= max(1, np.gcd.reduce(cost, axis=None))
            if int(cost.max()) * n_labels * room < _EXACT:
                cost = cost * room + by_index + n_labels * unknown * from_middle
            positions[query] = 1 + linear_sum_assignment(cost)[1]
    return LabelRanks(positions, 1)


def _displacements(table: RankTable, rows: IntArray, weights: IntArray | None) -> IntArray:
    """Sum the distances of each label's ranks to every place, (n_queries, n_labels, n_places)."""
    n_labels = table.n_labels
    places = np.arange(1, n_labels + 1) * table.unit
    costs = np.zeros((len(rows), n_labels, n_labels), dtype=np.int64)
    for neighbor in range(rows.shape[1]):
        ranks = table.expected[rows[:, neighbor]][:, :, None]
        distances = np.abs(places - ranks)
        if not table.complete:
            distances *= ranks > 0
        costs += distances if weights is None else weights[:, neighbor, None, None] * distances
    return costs


def kemeny(table: RankTable, rows: IntArray, weights: IntArray | None) -> LabelRanks:
    """Find the order that contradicts the fewest pairwise preferences."""
    return LabelRanks(kemeny_positions(table, rows, weights), 1)


def majority(table: RankTable, rows: IntArray, weights: IntArray | None) -> LabelRanks:
    """Take the most frequent ranking; of equally frequent ones the nearest case's.

    Of a partial ranking expected ranks are taken, for its missing labels the middle.
    """
    winners, votes = most_frequent(table, rows, weights)
    ranks = table.expected[winners] * (votes > 0)[:, None]
    return LabelRanks(np.where(ranks > 0, ranks, table.middle).astype(np.int64), table.unit)


def most_frequent(
    table: RankTable, rows: IntArray, weights: IntArray | None
) -> tuple[IntArray, IntArray]:
    """Find the first row with each query's most frequent ranking, and that ranking's weight.

    Rows of weight 0 are as if absent: they do not come first either.

    Parameters
    ----------
    table : RankTable
        The rankings.
    rows : ndarray of int, shape (n_queries, k)
        Which of them.
    weights : ndarray of int, shape (n_queries, k), or None
        How often each counts; None: once.

    Returns
    -------
    winners, votes : ndarray of int, shape (n_queries,)
        The rows, and the weight of all rows with the same ranking; 0 where none compares labels.
    """
    winners = np.empty(len(rows), dtype=np.int64)
    votes = np.empty(len(rows), dtype=np.int64)
    for part in chunks(len(rows), rows.shape[1] ** 2):
        kinds = table.kinds[rows[part]]
        same = (kinds[:, :, None] == kinds[:, None, :]) & (kinds[:, :, None] >= 0)
        counts = (same * (1 if weights is None else weights[part, None, :])).sum(axis=2)
        if weights is not None:
            counts[weights[part] == 0] = 0
        best = np.argmax(counts, axis=1)[:, None]
        winners[part] = np.take_along_axis(rows[part], best, axis=1)[:, 0]
        votes[part] = np.take_along_axis(counts, best, axis=1)[:, 0]
    return winners, votes


def excess_bound(table: RankTable, rows: IntArray, weights: IntArray | None) -> FloatArray:
    """Bound what `kemeny` contradicts beyond the optimum, a ranking on average.

    Parameters
    ----------
    table : RankTable
        The rankings.
    rows : ndarray of int, shape (n_queries, k)
        Which of them.
    weights : ndarray of int, shape (n_queries, k), or None
        How often each counts; None: once.

    Returns
    -------
    ndarray of shape (n_queries,)
        At most so many pairs fewer can be contradicted; 0 = optimal.
    """
    orders = [kemeny_order(counts) for counts in preference_counts(table, rows, weights)]
    return np.array([order.excess for order in orders]) / total_weights(rows, weights)[:, 0]


CONSENSUS_RULES = {
    "borda": ConsensusRule(
        title="mean rank", partial_title="rank by win shares", rank=borda, loss="squared"
    ),
    "median": ConsensusRule(
        title="median rank",
        partial_title="median expected rank",
        rank=median,
        loss="footrule",
        optimal_as_ranking_only=True,
    ),
    "footrule": ConsensusRule(
        title="place of least cost",
        partial_title="place of least cost",
        rank=footrule,
        loss="footrule",
        reason=(
            "No other order of the labels differs less from the rankings of the {k} most similar "
            "cases, in places summed over labels; on average it differs by {loss}."
        ),
    ),
    "kemeny": ConsensusRule(
        title="place in the order",
        partial_title="place in the order",
        rank=kemeny,
        loss="kendall",
        reason=(
            "No other order contradicts fewer preferences between two labels of the {k} most "
            "similar cases; on average it contradicts {loss} of a case's."
        ),
    ),
    "majority": ConsensusRule(
        title="rank in the most frequent ranking",
        partial_title="rank in the most frequent ranking",
        rank=majority,
        loss="contradicted",
        reason=(
            "This is the most frequent ranking among the {k} most similar cases; its share is "
            "{votes}."
        ),
    ),
}
