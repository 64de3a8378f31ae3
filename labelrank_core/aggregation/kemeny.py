"""Kemeny's consensus: the order that contradicts the fewest pairwise preferences.

Labels are ordered by the majorities where these have no cycle, which is optimal; the labels of a
strongly connected component of the majority graph are ordered together, by dynamic programming
over their subsets. The orders of different components do not interfere (the extended Condorcet
criterion), so the whole is optimal.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from labelrank_core.aggregation.sums import chunks
from labelrank_core.aggregation.table import RankTable
from labelrank_core.rankings import IntArray, positions_from_orderings

# Components of up to this many labels are ordered exactly (see tests/benchmarks/consensus.py).
EXACT_LABELS = 13
# Optimal orders of up to this many labels are counted; all have at most 16! of them.
MOST_COUNTED = 16
# Those of up to this many labels are counted wherever an order is shown.
_QUICKLY_COUNTED = 12


@dataclass(frozen=True, eq=False)
class KemenyOrder:
    """One consensus, the best label first."""

    ordering: list[int]
    # At most this many (weighted) preferences are contradicted beyond the optimum; 0 = optimal.
    excess: int


def preference_counts(table: RankTable, rows: IntArray, weights: IntArray | None) -> IntArray:
    """Add up the weights of each query's rankings with label i ahead of label j, ``[q, i, j]``."""
    counts = np.zeros((len(rows), table.n_labels, table.n_labels), dtype=np.int64)
    for voter in range(rows.shape[1]):
        ranks = table.doubled[rows[:, voter]]
        ahead = ranks[:, :, None] < ranks[:, None, :]
        if not table.complete:
            ahead &= ranks[:, :, None] > 0
        counts += ahead if weights is None else weights[:, voter, None, None] * ahead
    return counts


def kemeny_positions(table: RankTable, rows: IntArray, weights: IntArray | None) -> IntArray:
    """Find each query's Kemeny consensus; of several optimal orders the lexicographically first."""
    orderings = np.empty((len(rows), table.n_labels), dtype=np.int64)
    for part in chunks(len(rows), table.n_labels**2):
        counts = preference_counts(table, rows[part], None if weights is None else weights[part])
        orderings[part], acyclic = majority_orderings(counts)
        for query in np.flatnonzero(~acyclic):
            orderings[part.start + query] = kemeny_order(counts[query]).ordering
    return positions_from_orderings(orderings)


def majority_orderings(counts: IntArray) -> tuple[IntArray, NDArray[np.bool_]]:
    """Order labels by the majorities, the lowest index first; return too which have no cycle."""
    beats = counts > counts.transpose(0, 2, 1)
    n_queries, n_labels = counts.shape[:2]
    blockers = beats.sum(axis=1)
    queries = np.arange(n_queries)
    orderings = np.empty((n_queries, n_labels), dtype=np.int64)
    acyclic = np.ones(n_queries, dtype=bool)
    for index in range(n_labels):
        leaders = np.argmax(blockers == 0, axis=1)
        # In a cycle every label that is left is beaten by another one.
        acyclic &= blockers[queries, leaders] == 0
        orderings[:, index] = leaders
        blockers -= beats[queries, leaders]
        blockers[queries, leaders] = n_labels + 1
    return orderings, acyclic


def kemeny_order(counts: IntArray) -> KemenyOrder:
    """Find one query's Kemeny consensus from its `preference_counts`."""
    beats = counts > counts.T
    n_components, component_of = connected_components(beats, connection="strong")
    members = [np.flatnonzero(component_of == c) for c in range(n_components)]
    parts = [_Component(labels, counts[np.ix_(labels, labels)]) for labels in members]
    ordering: list[int] = []
    blockers = (beats & (component_of[:, None] != component_of)).sum(axis=0)
    remaining = list(range(len(counts)))
    # Components may be interleaved: the lowest index that no component ahead blocks, and that may
    # lead the rest of its own, gives the lexicographically first order.
    while remaining:
        label = next(
            label
            for label in remaining
            if blockers[label] == 0 and parts[component_of[label]].may_lead(label)
        )
        ordering.append(label)
        remaining.remove(label)
        parts[component_of[label]].take(label)
        blockers -= beats[label] & (component_of != component_of[label])
    return KemenyOrder(ordering, sum(part.excess for part in parts))


class _Component:
    """Labels of one component: which of those left may come first in an optimal order."""

    def __init__(self, labels: IntArray, counts: IntArray) -> None:
        self.excess = 0
        self._bit = {int(label): bit for bit, label in enumerate(labels)}
        self._left = (1 << len(labels)) - 1
        self._chain: list[int] | None = None
        if len(labels) > EXACT_LABELS:
            ordering = improved_ordering(counts)
            self._chain = [int(labels[bit]) for bit in ordering]
            # Every order contradicts at least the smaller side of each pair.
            self.excess = contradictions(counts, ordering) - int(
                np.minimum(counts, counts.T).sum() // 2
            )
        elif len(labels) > 1:
            self._leading = _leading_costs(counts)
            self._least = _least_costs(self._leading)

    def may_lead(self, label: int) -> bool:
        if self._chain is not None:
            return self._chain[0] == label
        if len(self._bit) == 1:
            return True
        bit = self._bit[label]
        least_behind = self._least[self._left ^ (1 << bit)]
        return bool(self._leading[bit][self._left] + least_behind == self._least[self._left])

    def take(self, label: int) -> None:
        if self._chain is not None:
            self._chain.pop(0)
        self._left ^= 1 << self._bit[label]


def _leading_costs(counts: IntArray) -> IntArray:
    """Preferences contradicted by label l leading a subset, shape (n_labels, 2**n_labels)."""
    costs = np.zeros((len(counts), 1), dtype=np.int64)
    for label in range(len(counts)):
        costs = np.concatenate([costs, costs + counts[label][:, None]], axis=1)
    return costs


def _least_costs(leading: IntArray) -> IntArray:
    """Preferences contradicted by the best order of every subset, shape (2**n_labels,)."""
    least = np.full(leading.shape[1], np.iinfo(np.int64).max)
    least[0] = 0
    for bit, subsets in _subsets_by_size(len(leading)):
        cost = leading[bit][subsets] + least[subsets ^ (1 << bit)]
        least[subsets] = np.minimum(least[subsets], cost)
    return least


def optimal_orders(counts: IntArray) -> int:
    """Count the orders of all labels that contradict the fewest preferences."""
    leading = _leading_costs(counts)
    least, n_optimal = _least_costs(leading), np.zeros(leading.shape[1], dtype=np.int64)
    n_optimal[0] = 1
    for bit, subsets in _subsets_by_size(len(leading)):
        without_label = subsets ^ (1 << bit)
        is_best = leading[bit][subsets] + least[without_label] == least[subsets]
        n_optimal[subsets] += is_best * n_optimal[without_label]
    return int(n_optimal[-1])


@dataclass(frozen=True)
class OptimaCount:
    """The number of orders that do equally well by Kemeny's rule, or a lower bound of it."""

    number: int
    is_exact: bool = True

    def __str__(self) -> str:
        """Write the number."""
        return str(self.number) if self.is_exact else f"at least {self.number}"

    def sentence(self, decider: str = "the list of labels") -> str:
        """Say how many orders do equally well, and what decides; empty where there is one."""
        if self.number == 1:
            return ""
        return f"By Kemeny's rule {self} orders do equally well, and {decider} decides."


def count_optima(counts: IntArray) -> OptimaCount | None:
    """Count one query's optimal orders by its `preference_counts`; None where none is proven.

    Exact for up to 12 labels. For more labels one optimal order is counted, and each order that
    swaps two neighbours in it which as many rankings prefer to each other.
    """
    if len(counts) <= _QUICKLY_COUNTED:
        return OptimaCount(optimal_orders(counts))
    order = kemeny_order(counts)
    if order.excess:
        return None
    first, second = np.array(order.ordering[:-1]), np.array(order.ordering[1:])
    n_even = int((counts[first, second] == counts[second, first]).sum())
    return OptimaCount(1 + n_even, is_exact=False)


@lru_cache(maxsize=EXACT_LABELS)
def _subsets_by_size(n_labels: int) -> list[tuple[int, IntArray]]:
    """List, by rising size and for each label, the subsets that hold the label."""
    subsets = np.arange(1 << n_labels)
    sizes = np.bitwise_count(subsets)
    return [
        (bit, np.flatnonzero((sizes == size) & (subsets >> bit & 1 == 1)))
        for size in range(1, n_labels + 1)
        for bit in range(n_labels)
    ]


def contradictions(counts: IntArray, ordering: IntArray) -> int:
    """Add up the preferences that an order contradicts."""
    return int(np.tril(counts[np.ix_(ordering, ordering)], -1).sum())


def improved_ordering(counts: IntArray) -> IntArray:
    """Order by mean rank, or the reverse if better, and move single labels while that helps."""
    margins = counts - counts.T
    ordering = np.argsort(-margins.sum(axis=1), kind="stable")
    if 2 * np.triu(margins[np.ix_(ordering, ordering)]).sum() < 0:
        ordering = ordering[::-1]
    improved = True
    while improved:
        improved = False
        for label in range(len(counts)):
            other_labels = ordering[ordering != label]
            # Gain of standing behind the first i others instead of ahead of all.
            gains = np.concatenate([[0], np.cumsum(margins[other_labels, label])])
            index = int(np.argmax(gains))
            if gains[index] > gains[np.flatnonzero(ordering == label)[0]]:
                ordering = np.insert(other_labels, index, label)
                improved = True
    return ordering
