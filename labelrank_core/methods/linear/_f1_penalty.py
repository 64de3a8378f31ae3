"""Which penalty lets machines learned for F1 predict labels that they never predict."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from labelrank_core.methods.convergence import collect_messages, one_warning_for_all
from labelrank_core.methods.machines import Machines
from labelrank_core.rankings import FloatArray, IntArray

# Labels and rows to try with, and the largest C.
_MOST_LABELS, _MOST_ROWS, _LARGEST_POWER = 5, 1000, 4
_N_FOLDS = 3


@dataclass(frozen=True)
class PenaltyTrial:
    """A larger C with which labels are predicted, and the numbers of labels predicted and tried."""

    C: float
    n_predicted: int
    n_labels: int


def never_predicted(scores: FloatArray, thresholds: FloatArray, signs: FloatArray) -> IntArray:
    """List the labels without a score above the threshold, the most common first.

    None are listed where they are fewer than half of the labels that at least two rows have.
    """
    counts = (signs > 0).sum(axis=0)
    learnable = (counts >= 2) & (counts < len(signs))
    never = np.flatnonzero(learnable & ~(scores > thresholds).any(axis=0))
    if 2 * len(never) < learnable.sum():
        return never[:0]
    return never[np.argsort(-counts[never], kind="stable")]


def try_larger(
    learn: Callable[[Any, FloatArray, float], Machines],
    X: Any,
    signs: FloatArray,
    labels: IntArray,
    C: float,
) -> PenaltyTrial | None:
    """Learn some of the labels with the powers of ten above C until F1 no longer rises.

    F1 is the mean of up to five of the labels, at even distances, on every third row, held out, of
    up to 1000 rows at even distances. None if it stays at 0.
    """
    labels = labels[_evenly(len(labels), _MOST_LABELS)]
    rows = _evenly(len(signs), _MOST_ROWS)
    held_out = rows[::_N_FOLDS]
    train = np.setdiff1d(rows, held_out)
    truth = signs[np.ix_(held_out, labels)] > 0
    best, trial = 0.0, None
    for larger in (10.0**power for power in range(-9, _LARGEST_POWER + 1) if 10.0**power > C):
        with collect_messages(), one_warning_for_all():
            machines = learn(X[train], signs[np.ix_(train, labels)], larger)
        predicted = X[held_out] @ machines.weights + machines.intercept > 0
        totals = np.maximum(1, truth.sum(axis=0) + predicted.sum(axis=0))
        value = float((2 * (truth & predicted).sum(axis=0) / totals).mean())
        if value > best:
            n_predicted = int(predicted.any(axis=0).sum())
            best, trial = value, PenaltyTrial(larger, n_predicted, len(labels))
        elif trial is not None:
            break
    return trial


def _evenly(n: int, n_chosen: int) -> IntArray:
    """Choose up to `n_chosen` of n indices at even distances."""
    return np.unique(np.linspace(0, n - 1, n_chosen).round().astype(np.int64))
