"""A prediction recomputed without each of its neighbours, and by other consensus rules."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelrank_core.aggregation import LOSSES, RankTable, losses_to
from labelrank_core.explain.evidence import (
    Label,
    LeaveOneOut,
    LeaveOneOutSets,
    RuleOrders,
    RuleOutcome,
    Step,
    Text,
)
from labelrank_core.rankings import FloatArray, IntArray

# With more labels in one circle of majorities, the fewest contradicted pairs take too long.
_KEMENY_LABELS = 12
_MOST_NEIGHBORS = 200
_MOST_SETS = 60
ONE_CASE_TITLE = "Does one case decide?"
_TITLES = {
    "borda": "Borda",
    "median": "median rank",
    "footrule": "footrule",
    "kemeny": "Kemeny",
    "majority": "most frequent",
}


# The consensus of some of the searched neighbours: which, in order, (n_sets, n_searched), and how
# many of them are the k nearest; positions of shape (n_sets, n_labels).
Consensus = Callable[[IntArray, int], IntArray]


def is_quick(n_labels: int, n_neighbors: int, aggregation: str) -> bool:
    """Tell whether a consensus can be recomputed so often."""
    quick = aggregation != "kemeny" or n_labels <= _KEMENY_LABELS
    return 2 <= n_neighbors <= _MOST_NEIGHBORS and quick


def leave_one_out_of(
    rows: IntArray, rankings: FloatArray, n_neighbors: int, consensus: Consensus, *, has_next: bool
) -> LeaveOneOut:
    """Recompute a consensus without each of its neighbours, and for the first of them.

    Parameters
    ----------
    rows : ndarray of shape (n_searched,)
        The neighbours searched for, nearest first; more than are asked.
    rankings : ndarray of shape (n_neighbors, n_labels)
        The rankings of those that are asked.
    n_neighbors : int
        How many are asked.
    consensus : callable
        Recomputes it.
    has_next : bool
        Whether enough were searched for to let the next one take the place of another.

    Returns
    -------
    LeaveOneOut
        All of it.
    """
    everyone = np.arange(len(rows))
    others = np.array([np.delete(everyone, i) for i in range(n_neighbors)])
    running = [consensus(everyone[None], n)[0] for n in range(1, n_neighbors + 1)]
    return LeaveOneOut(
        rows=rows[:n_neighbors],
        rankings=rankings,
        running=np.array(running),
        without=consensus(others, n_neighbors - 1),
        replaced=consensus(others, n_neighbors) if has_next else None,
        next_row=int(rows[n_neighbors]) if has_next else None,
    )


def is_quick_for_sets(n_neighbors: int) -> bool:
    """Tell whether label sets can be predicted so often."""
    return 2 <= n_neighbors <= _MOST_SETS


def leave_one_out_sets_step(
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
        The predictions with their sentence.
    """
    k = len(rows) - has_next
    others = np.array([np.delete(np.arange(k), i) for i in range(k)])
    found = LeaveOneOutSets(
        rows=rows[:k],
        relevance=relevance[:k],
        running=np.array([predict(np.arange(n)[None])[0] for n in range(1, k + 1)]),
        without=predict(others),
        replaced=predict(np.column_stack([others, np.full(k, k)])) if has_next else None,
        next_row=int(rows[k]) if has_next else None,
    )
    changes = [found.changed_by(found.without[i]) for i in found.deciding]
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
    return Step(ONE_CASE_TITLE, Text(template, values), found)


_NO_CASE = "No single case decides: without any one of the {k} the relevant labels stay the same."
_ONE_CASE = "One of the {k} cases decides alone: without it, "
_SOME_CASES = "{n} of the {k} cases each change the relevant labels when removed: "


def orders_by_every_rule(
    table: RankTable,
    rows: IntArray,
    weights: IntArray | None,
    predicted: IntArray,
    order_by: Callable[[str], IntArray],
) -> RuleOrders:
    """Let every rule order the labels by the same neighbours.

    Parameters
    ----------
    table : RankTable
        Training rankings.
    rows, weights : ndarray of shape (1, n_neighbors), weights or None
        The neighbours and their weights.
    predicted : ndarray of shape (n_labels,)
        The predicted positions.
    order_by : callable
        The positions that a rule gives the labels, (1, n_labels).

    Returns
    -------
    RuleOrders
        Without Kemeny's where many labels make it slow.
    """
    quick = table.n_labels <= _KEMENY_LABELS
    outcomes = []
    for key in _TITLES if quick else [key for key in _TITLES if key != "kemeny"]:
        positions = order_by(key)
        losses = (
            float(losses_to(LOSSES[loss], positions, table, rows, weights).mean[0])
            for loss in ("squared", "footrule", "kendall")
        )
        outcomes.append(RuleOutcome(key, _TITLES[key], tuple(positions[0].tolist()), *losses))
    return RuleOrders(tuple(outcomes), tuple(predicted.tolist()))
