"""Partial abstention: label pairs of weak support are withheld, the rest is a partial order.

The *support* of i before j is the share of votes, of neighbours or trees, with i ahead of j. Pairs
supported by more than a threshold are predicted, and their transitive closure: if i before j and j
before k are predicted, i before k is too. Supports can contradict each other in a preference cycle
(i before j, j before k, k before i); then the threshold of this case is raised until no cycle is
left, as in [cheng2010]_ for the votes of an ensemble.

Both follow from the max-min transitive closure of the supports. The strength of a path of labels is
the support of its weakest pair; the closure holds the strength of the strongest path from i to j.
The pairs predicted at threshold t are those whose closure exceeds t, and the least threshold
without a cycle is the largest closure of a label before itself.

References
----------
.. [cheng2010] W. Cheng, M. Rademaker, B. De Baets, E. Hüllermeier: Predicting partial orders:
   ranking with abstention. ECML PKDD 2010.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from labelrank_core.data.dataset import Dataset
from labelrank_core.evaluation.pairs import Truth, true_pairs, truth_chunks, truth_of
from labelrank_core.explain.capabilities import Ranker, SupportsPairs
from labelrank_core.explain.evidence import possible_positions
from labelrank_core.explain.predictions import bare_model
from labelrank_core.rankings import FloatArray, IntArray

THRESHOLDS = np.arange(50, 100) / 100
# Supports that differ only by rounding are equal.
_DECIMALS = 12
_LOWEST = 0.5


@dataclass(frozen=True, eq=False)
class PartialOrder:
    """The predicted pairs of one case, pairs of weak support withheld."""

    # [i, j]: whether i is predicted to be before j, transitive and without a cycle.
    before: NDArray[np.bool_]
    support: FloatArray
    # The requested one, or the least one without a cycle if that is higher.
    threshold: float

    @property
    def n_pairs(self) -> int:
        """Number of label pairs."""
        n_labels = len(self.before)
        return n_labels * (n_labels - 1) // 2

    @property
    def n_predicted(self) -> int:
        """Number of label pairs predicted."""
        return int(self.before.sum())

    @property
    def positions(self) -> tuple[IntArray, IntArray]:
        """The best and the worst position each label can have in a ranking with this order."""
        order = self.before.astype(np.int64)
        first, last = possible_positions(order - order.T).T
        return first, last

    @property
    def withheld(self) -> list[tuple[int, int, float]]:
        """The withheld pairs: the label preferred, the other, its support; strongest first."""
        first, second = np.nonzero(~(self.before | self.before.T))
        support = self.support[first, second]
        mask = (support > _LOWEST) | ((support == _LOWEST) & (first < second))
        mask &= first != second
        pairs = zip(
            first[mask].tolist(), second[mask].tolist(), support[mask].tolist(), strict=True
        )
        return sorted(pairs, key=lambda pair: (-pair[2], pair[:2]))


@dataclass(frozen=True, eq=False)
class AbstentionCurve:
    """The numbers of pairs of each case predicted rightly and wrongly, at rising thresholds."""

    thresholds: FloatArray
    # Shape (n_cases, n_thresholds).
    n_right: IntArray
    n_wrong: IntArray
    # The pairs that the true ranking of each case orders.
    n_pairs: IntArray

    def frame(self) -> pd.DataFrame:
        """Tabulate the curve, one row per threshold; NaN where nothing is predicted or ordered.

        Correctness is the mean over the ``n_answered`` cases with a predicted pair, completeness
        that over all cases; shares are those of all pairs of all cases.
        """
        ordered = self.n_pairs > 0
        right, wrong = self.n_right[ordered], self.n_wrong[ordered]
        predicted = right + wrong
        answered = predicted > 0
        correctness = np.where(answered, right - wrong, 0) / np.maximum(predicted, 1)
        n_answered = answered.sum(axis=0)
        complete = predicted / self.n_pairs[ordered][:, None]
        return pd.DataFrame(
            {
                "threshold": self.thresholds,
                "correctness": _divided(correctness.sum(axis=0), n_answered),
                "completeness": _divided(
                    complete.sum(axis=0), np.full_like(n_answered, ordered.sum())
                ),
                "n_answered": n_answered,
                "share_predicted": _divided(
                    predicted.sum(axis=0), np.full_like(n_answered, self.n_pairs.sum())
                ),
                "share_right": _divided(right.sum(axis=0), predicted.sum(axis=0)),
            }
        )

    def at(self, threshold: float) -> pd.Series:
        """Return the row of the frame with the least threshold that is not below this one."""
        rows = self.frame()
        return rows.iloc[int(rows["threshold"].searchsorted(_checked(threshold)))]


def transitive_closure(support: ArrayLike) -> FloatArray:
    """Return the max-min transitive closure of supports, (n_cases, n_labels, n_labels).

    Rounded to 12 decimals; on the diagonal the strength of the strongest cycle through a label.

    >>> transitive_closure([[[0.5, 0.9, 0.5], [0.1, 0.5, 0.8], [0.5, 0.2, 0.5]]])
    array([[[0.5, 0.9, 0.8],
            [0.5, 0.5, 0.8],
            [0.5, 0.5, 0.5]]])
    """
    closure = _rounded(support)
    labels = np.arange(closure.shape[1])
    closure[:, labels, labels] = 0
    # Floyd and Warshall: paths through the labels 0 to k.
    for k in labels:
        through = np.minimum(closure[:, :, k, None], closure[:, None, k, :])
        np.maximum(closure, through, out=closure)
    return closure


def acyclic_thresholds(closure: FloatArray) -> FloatArray:
    """Return the least threshold of each case, at least 0.5, at which no cycle is left."""
    cycles = np.diagonal(closure, axis1=1, axis2=2)
    return np.maximum(_LOWEST, cycles.max(axis=1, initial=0.0))


def partial_order(support: ArrayLike, *, threshold: float) -> PartialOrder:
    """Predict the pairs of one case with more support than a threshold, transitively closed.

    Support has shape (n_labels, n_labels); that of i before j and that of j before i sum to at most
    1. The threshold is at least 0.5 and below 1. After [cheng2010]_.

    The first label is clearly ahead of the second; the third cannot be compared with them.

    >>> support = [[0.5, 0.9, 0.6], [0.1, 0.5, 0.4], [0.4, 0.6, 0.5]]
    >>> partial_order(support, threshold=0.7).before.astype(int)
    array([[0, 1, 0],
           [0, 0, 0],
           [0, 0, 0]])
    """
    rounded = _rounded(support)
    closure = transitive_closure(rounded[None])
    raised = float(np.maximum(_checked(threshold), acyclic_thresholds(closure))[0])
    return PartialOrder(closure[0] > raised, rounded, raised)


def abstention_curve(
    point: SupportsPairs, truth: Truth, *, thresholds: ArrayLike = THRESHOLDS
) -> AbstentionCurve:
    """Compare the partial orders predicted at every threshold with true positions or known pairs.

    `point`, such as ``model.point(X)``, has ``pair_support(cases)``. Thresholds rise from at least
    0.5 to below 1.

    Of the pairs that the truth orders, let C be predicted that way and D the other way round.
    Correctness is (C - D) / (C + D), Goodman and Kruskal's gamma, from -1 to 1; completeness is
    (C + D) / the number of these pairs, from 0 to 1; both as in [cheng2010]_.
    """
    steps = _rounded(thresholds)
    if steps.ndim != 1 or (np.diff(steps) <= 0).any():
        raise ValueError(f"Expected thresholds that rise, got {thresholds!r}.")
    for end in steps[[0, -1]] if len(steps) else ():
        _checked(end)
    positions = truth_of(truth)
    counts = np.zeros((2, len(positions), len(steps)), dtype=np.int64)
    n_pairs = np.zeros(len(positions), dtype=np.int64)
    for part in truth_chunks(positions):
        ahead = true_pairs(positions[part])
        closure = transitive_closure(point.pair_support(part))
        lowest = acyclic_thresholds(closure)[:, None, None]
        strength = np.where(closure > lowest, closure, 0.0)
        n_pairs[part] = ahead.sum(axis=(1, 2))
        for count, directed in zip(counts, (strength, strength.transpose(0, 2, 1)), strict=True):
            count[part] = _exceeding(directed, ahead, steps)
    return AbstentionCurve(steps, counts[0], counts[1], n_pairs)


def withhold_pairs(
    model: Ranker, dataset: Dataset, rows: IntArray, *, setting: Mapping[str, Any] | None = None
) -> AbstentionCurve:
    """Withhold pairs of rows that a fitted model has not seen, at its own or another setting."""
    estimator, X = bare_model(model, dataset.X[rows])
    return abstention_curve(estimator.point(X, **(setting or {})), dataset.orders[rows])


def _rounded(values: ArrayLike) -> FloatArray:
    array: FloatArray = np.array(values, dtype=np.float64)
    return array.round(_DECIMALS)


def _checked(threshold: float) -> float:
    if not _LOWEST <= threshold < 1:
        raise ValueError(f"Expected a threshold of at least 0.5 and below 1, got {threshold}.")
    return round(float(threshold), _DECIMALS)


def _exceeding(strength: FloatArray, counted: NDArray[np.bool_], steps: FloatArray) -> IntArray:
    """Count for every case the counted pairs whose strength exceeds each threshold."""
    cases = np.nonzero(counted)[0]
    n_below = np.searchsorted(steps, strength[counted], side="left")
    width = len(steps) + 1
    cells = np.bincount(cases * width + n_below, minlength=len(counted) * width)
    table = cells.reshape(len(counted), width)
    return np.cumsum(table[:, ::-1], axis=1)[:, -2::-1]


def _divided(numbers: NDArray[Any], by: NDArray[Any]) -> FloatArray:
    """Divide; NaN where the divisor is 0."""
    return np.divide(numbers, by, out=np.full(len(by), np.nan), where=by > 0)
