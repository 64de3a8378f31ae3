"""Assigning labels to places at the least cost: of several ways the first by label index."""

import numpy as np
from scipy.optimize import linear_sum_assignment

from labelrank_core.rankings import IntArray

# Whole numbers up to here are exact as floats, in which assignments are computed.
_EXACT = 1 << 52
# Looking for another order at the same cost takes the cube of the number of labels.
MOST_LABELS_FIRST_BY_INDEX = 32


def first_assignments(costs: IntArray) -> IntArray:
    """Assign labels to places at the least total cost.

    `costs`, shape (n_queries, n_labels, n_places), are whole and not negative; the result is the
    place of each label, from 0. Labels without any cost go near the middle. Among the orders that
    are left the first by label index is taken, up to `MOST_LABELS_FIRST_BY_INDEX` labels and as
    long as costs can be compared without rounding; else one that is nearly the first.
    """
    n_queries, n_labels, _ = costs.shape
    from_middle = np.abs(2 * np.arange(n_labels) + 1 - n_labels)
    by_index = np.outer(np.arange(n_labels, 0, -1), np.arange(n_labels))
    room_for_index, room_for_middle = n_labels**3, 2 * n_labels**2
    assignments = np.empty((n_queries, n_labels), dtype=np.int64)
    totals = np.zeros_like(costs)
    is_exact = np.zeros(n_queries, dtype=bool)
    for query, cost in enumerate(costs):
        # Dividing makes room for what breaks ties.
        total = cost // max(1, np.gcd.reduce(cost, axis=None))
        is_unknown = ~total.any(axis=1, keepdims=True)
        if int(total.max()) * n_labels * room_for_middle < _EXACT:
            total = total * room_for_middle + is_unknown * from_middle
            is_exact[query] = True
        totals[query] = total
        if int(total.max()) * n_labels * room_for_index < _EXACT:
            # Mostly the first by index at once.
            total = total * room_for_index + by_index
        assignments[query] = linear_sum_assignment(total)[1]
    if n_labels <= MOST_LABELS_FIRST_BY_INDEX:
        _take_first(totals, assignments, np.flatnonzero(is_exact))
    return assignments


def _take_first(costs: IntArray, assignments: IntArray, queries: IntArray) -> None:
    """Replace the orders of some queries by the first ones at the same cost."""
    while len(queries):
        first_place, label = _earlier_orders(costs[queries], assignments[queries])
        improved = first_place < costs.shape[1]
        queries = queries[improved]
        for query, position, lower_label in zip(
            queries, first_place[improved], label[improved], strict=True
        ):
            behind = np.flatnonzero(assignments[query] >= position)
            behind = behind[behind != lower_label]
            costs_behind = costs[query][behind, position + 1 :]
            rows, columns = linear_sum_assignment(costs_behind)
            assignments[query, behind[rows]] = columns + position + 1
            assignments[query, lower_label] = position


def _earlier_orders(costs: IntArray, assignments: IntArray) -> tuple[IntArray, IntArray]:
    """Find for each query the first place that a lower label can take at the same total cost.

    Returns that place, the number of places if there is none, and the lowest such label.
    """
    labels = np.argsort(assignments, axis=1)
    n_labels = labels.shape[1]
    # What it costs that the label in one place moves to another.
    moves = np.take_along_axis(costs, labels[:, :, None], axis=1)
    moves -= np.diagonal(moves, axis1=1, axis2=2)[:, :, None].copy()
    # The cheapest way from each place to each other one, over places behind the current one.
    ways = moves.copy()
    first_place = np.full(len(costs), n_labels)
    lowest_label = np.full(len(costs), n_labels)
    for position in range(n_labels - 1, -1, -1):
        in_circle = moves[:, position + 1 :, position] + ways[:, position, position + 1 :] == 0
        candidates = np.where(in_circle, labels[:, position + 1 :], n_labels)
        lowest = candidates.min(axis=1, initial=n_labels)
        is_lower = lowest < labels[:, position]
        first_place[is_lower], lowest_label[is_lower] = position, lowest[is_lower]
        # Ways that begin further behind are not needed any more.
        through = ways[:, :position, position, None] + ways[:, position, None, :]
        np.minimum(ways[:, :position], through, out=ways[:, :position])
    return first_place, lowest_label
