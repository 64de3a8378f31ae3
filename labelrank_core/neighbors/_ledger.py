"""The ledger of a consensus: recomputed for some of its neighbours and by other rules."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelrank_core.aggregation import CONSENSUS_RULES, LOSSES, RankTable, losses_to
from labelrank_core.evidence import (
    Label,
    NeighborLedger,
    RuleOrders,
    RuleOutcome,
    SetLedger,
    Step,
    Text,
)
from labelrank_core.neighbors._base import inverse_distance_weights
from labelrank_core.rankings import FloatArray, IntArray, strict_positions

# With more labels in one circle of majorities, the fewest contradicted pairs take too long.
_KEMENY_LABELS = 12
_MOST_NEIGHBORS = 200
_MOST_SETS = 60
_TITLES = {
    "borda": "Borda",
    "median": "median rank",
    "footrule": "footrule",
    "kemeny": "Kemeny",
    "majority": "most frequent",
}


def has_ledger(table: RankTable, n_neighbors: int, aggregation: str) -> bool:
    """Tell whether a consensus can be recomputed so often: of a few complete rankings."""
    quick = aggregation != "kemeny" or table.n_labels <= _KEMENY_LABELS
    return table.complete and 2 <= n_neighbors <= _MOST_NEIGHBORS and quick


def ledger_of(
    table: RankTable,
    rows: IntArray,
    distances: FloatArray | None,
    aggregation: str,
    *,
    has_next: bool,
) -> NeighborLedger:
    """Recompute a consensus without each of its neighbours, and for the first of them.

    With one case more than the neighbours, also with that in place of each of them.

    Parameters
    ----------
    table : RankTable
        Complete training rankings.
    rows : ndarray of shape (n_neighbors,) or (n_neighbors + 1,)
        At least two neighbours, nearest first, and the next nearest case if there is one.
    distances : ndarray of the same shape or None
        Their distances where these weigh, from which the weights of those left are computed: the
        nearest of them has 1. None: all weigh the same.
    aggregation : str
        The rule.
    has_next : bool
        Whether the last row is the next nearest case.

    Returns
    -------
    NeighborLedger
        All of them.
    """
    rank, k = CONSENSUS_RULES[aggregation].rank, len(rows) - has_next

    def consensus(chosen: IntArray) -> IntArray:
        given = None if distances is None else inverse_distance_weights(distances[chosen])
        return strict_positions(rank(table, rows[chosen], given).keys)

    others = np.array([np.delete(np.arange(k), i) for i in range(k)])
    replaced = np.column_stack([others, np.full(k, k)]) if has_next else None
    running = [consensus(np.arange(n)[None])[0] for n in range(1, k + 1)]
    return NeighborLedger(
        rows=rows[:k],
        rankings=table.ranks(rows[:k]),
        running=np.array(running),
        without=consensus(others),
        replaced=None if replaced is None else consensus(replaced),
        next_row=int(rows[k]) if has_next else None,
    )


def has_set_ledger(n_neighbors: int) -> bool:
    """Tell whether label sets can be predicted so often."""
    return 2 <= n_neighbors <= _MOST_SETS


def set_ledger_step(
    rows: IntArray,
    relevance: NDArray[np.bool_],
    predict: Callable[[IntArray], NDArray[np.bool_]],
    *,
    has_next: bool,
) -> Step:
    """Predict label sets again without each of the neighbours, and from the first of them.

    Parameters
    ----------
    rows : ndarray of shape (n_neighbors,) or (n_neighbors + 1,)
        At least two neighbours, nearest first, and the next nearest case if there is one.
    relevance : ndarray of bool, shape (n_rows, n_labels)
        Their labels.
    predict : callable
        Returns the relevant labels, (n_sets, n_labels), by indices into `rows`, (n_sets, size).
    has_next : bool
        Whether the last row is the next nearest case.

    Returns
    -------
    Step
        The ledger with its sentence.
    """
    k = len(rows) - has_next
    others = np.array([np.delete(np.arange(k), i) for i in range(k)])
    ledger = SetLedger(
        rows=rows[:k],
        relevance=relevance[:k],
        running=np.array([predict(np.arange(n)[None])[0] for n in range(1, k + 1)]),
        without=predict(others),
        replaced=predict(np.column_stack([others, np.full(k, k)])) if has_next else None,
        next_row=int(rows[k]) if has_next else None,
    )
    changes = [ledger.changed_by(ledger.without[i]) for i in ledger.deciding]
    values: dict[str, Any] = {"k": k, "n": len(changes)}
    for word, which in (("entering", 0), ("leaving", 1)):
        labels = sorted({label for change in changes for label in change[which]})
        values[word] = tuple(Label(label) for label in labels)
    template = _NO_CASE if not changes else _ONE_CASE if len(changes) == 1 else _SOME_CASES
    if changes:
        parts = [
            part
            for word, part in (
                ("entering", "{entering} would be relevant"),
                ("leaving", "{leaving} would not be"),
            )
            if values[word]
        ]
        template += (" or " if len(changes) > 1 else " and ").join(parts) + "."
    return Step("What hangs on one case", Text(template, values), ledger)


_NO_CASE = "No single case decides: without any one of the {k}, the relevant labels are the same."
_ONE_CASE = "One of the {k} cases decides alone: without it, "
_SOME_CASES = "Take away any one of {n} of the {k} cases, and the relevant labels are others: "


def orders_by_every_rule(
    table: RankTable, rows: IntArray, weights: IntArray | None, predicted: IntArray
) -> RuleOrders:
    """Let every rule order the labels by the same neighbours.

    Parameters
    ----------
    table : RankTable
        Complete training rankings.
    rows, weights : ndarray of shape (1, n_neighbors), weights or None
        The neighbours and their weights.
    predicted : ndarray of shape (n_labels,)
        The predicted positions.

    Returns
    -------
    RuleOrders
        Without Kemeny's where many labels make it slow.
    """
    quick = table.n_labels <= _KEMENY_LABELS
    return RuleOrders(
        tuple(_outcome(key, table, rows, weights) for key in _TITLES if quick or key != "kemeny"),
        tuple(predicted.tolist()),
    )


def _outcome(key: str, table: RankTable, rows: IntArray, weights: IntArray | None) -> RuleOutcome:
    positions = strict_positions(CONSENSUS_RULES[key].rank(table, rows, weights).keys)
    losses = (
        float(losses_to(LOSSES[loss], positions, table, rows, weights).mean[0])
        for loss in ("squared", "footrule", "kendall")
    )
    return RuleOutcome(key, _TITLES[key], tuple(positions[0].tolist()), *losses)
