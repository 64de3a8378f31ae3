"""Predictions recomputed without each of the neighbours, and from the nearest 1, 2, ... k."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelrank_core.aggregation.rules import ConsensusRule
from labelrank_core.explain.evidence import Label, LeaveOneOut, LeaveOneOutSets, Step, Text
from labelrank_core.rankings import FloatArray, IntArray, strict_positions

ONE_CASE_TITLE = "Would one case fewer change it?"
BUT_THE_NEXT = (
    " With the next nearest case in its place, the prediction changes for {others} of the {k}."
)
_MOST_NEIGHBORS = 200
_MOST_NEIGHBORS_OF_SETS = 60


def is_quick(n_neighbors: int, n_labels: int, rule: ConsensusRule) -> bool:
    """Tell whether a consensus can be recomputed without each of its neighbours."""
    quick = rule.most_labels is None or n_labels <= rule.most_labels
    return 2 <= n_neighbors <= _MOST_NEIGHBORS and quick


def leave_one_out(
    rows: IntArray,
    rankings: FloatArray,
    consensus: Callable[[IntArray, int], IntArray],
    *,
    has_next: bool,
    last_keys: tuple[IntArray, ...] = (),
) -> LeaveOneOut:
    """Recompute a consensus without each of its neighbours, and for the nearest 1, 2, ... k."""
    # `rows` are all neighbours found, `rankings` those of the k in use. `consensus` gets indices
    # into `rows`, (n_sets, n_chosen), and k, and returns keys that order the labels, lowest first.
    # `last_keys`, (n_labels,), order labels that tie; none: the label index does.
    k, everyone = len(rankings), np.arange(len(rows))
    remaining = np.array([np.delete(everyone, i) for i in range(k)])
    running = np.array([consensus(everyone[None], n)[0] for n in range(1, k + 1)])
    without = consensus(remaining, k - 1)
    replaced = consensus(remaining, k) if has_next else None

    def positions(keys: IntArray) -> IntArray:
        return strict_positions(keys, *(np.broadcast_to(key, keys.shape) for key in last_keys))

    return LeaveOneOut(
        rows=rows[:k],
        rankings=rankings,
        running=positions(running),
        without=positions(without),
        replaced=None if replaced is None else positions(replaced),
        next_row=int(rows[k]) if has_next else None,
        keys=running[-1],
        keys_without=without,
        keys_replaced=replaced,
    )


def is_quick_for_sets(n_neighbors: int) -> bool:
    """Tell whether label sets can be predicted without each of the neighbours."""
    return 2 <= n_neighbors <= _MOST_NEIGHBORS_OF_SETS


def leave_one_out_of_sets(
    rows: IntArray,
    relevance: NDArray[np.bool_],
    predict: Callable[[IntArray], NDArray[np.bool_]],
    *,
    has_next: bool,
) -> Step:
    """Predict label sets without each of the neighbours, and from the nearest 1, 2, ... k."""
    # With `has_next` the last of `rows` is the next nearest case. `predict` gets indices into them,
    # (n_sets, size), and returns the relevant labels, (n_sets, n_labels).
    k = len(rows) - has_next
    remaining = np.array([np.delete(np.arange(k), i) for i in range(k)])
    evidence = LeaveOneOutSets(
        rows=rows[:k],
        relevance=relevance[:k],
        running=np.array([predict(np.arange(n)[None])[0] for n in range(1, k + 1)]),
        without=predict(remaining),
        replaced=predict(np.column_stack([remaining, np.full(k, k)])) if has_next else None,
        next_row=int(rows[k]) if has_next else None,
    )
    return Step(ONE_CASE_TITLE, _changes_text(evidence, k), evidence)


def _changes_text(evidence: LeaveOneOutSets, k: int) -> Text:
    changes = [evidence.changed_by(evidence.without[i]) for i in evidence.deciding]
    values: dict[str, Any] = {"k": k, "n": len(changes)}
    if not changes:
        values["others"] = len(evidence.changed_by_next)
        return Text(_NO_CASE + (BUT_THE_NEXT if values["others"] else ""), values)
    parts = []
    for change_index, name, template in (
        (0, "entering", "{entering} would be relevant"),
        (1, "leaving", "{leaving} would not be"),
    ):
        labels = sorted({label for change in changes for label in change[change_index]})
        if labels:
            values[name] = tuple(Label(label) for label in labels)
            parts.append(template)
    start, join = (_ONE_CASE, " and ") if len(changes) == 1 else (_SOME_CASES, " or ")
    return Text(start + join.join(parts) + ".", values)


_NO_CASE = "No single case decides: without any one of the {k} the relevant labels stay the same."
_ONE_CASE = "One of the {k} cases decides alone: without it, "
_SOME_CASES = "{n} of the {k} cases decide: without one of them, "
