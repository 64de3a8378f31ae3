"""Partial abstention: label pairs of weak support are withheld, the rest is a partial order.

A method asks neighbours or trees, and the *support* of i before j is the share that has i ahead of
j. Pairs supported by more than a threshold are predicted, with everything that follows from them:
if i before j and j before k are predicted, i before k is too. A label set of supports can
contradict itself in a circle (i before j, j before k, k before i); then the threshold of this case
is raised until no circle is left. So is it in [cheng2010]_, where an ensemble of rankers is asked.

Both follow from one matrix. The strength of a chain of labels is the support of its weakest link;
the *chained support* of i before j is the strength of the strongest chain from i to j. The
transitive closure of the pairs supported by more than t is the pairs with a chained support of
more than t, and the least threshold without a circle is the largest chained support of a label
before itself.

References
----------
.. [cheng2010] W. Cheng, M. Rademaker, B. De Baets, E. Hüllermeier: Predicting partial orders:
   ranking with abstention. ECML PKDD 2010.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from labelrank_core.data.dataset import Dataset
from labelrank_core.data.splits import Split
from labelrank_core.explain.predictions import bare_model, last_step
from labelrank_core.rankings import FloatArray, IntArray

__all__ = [
    "AbstentionCurve",
    "PartialOrder",
    "abstention_curve",
    "chained_support",
    "evaluate_abstention",
    "has_pair_support",
    "least_thresholds",
    "partial_order",
    "partial_orders",
]

THRESHOLDS = np.arange(50, 100) / 100
# Supports that differ by less than floating-point noise are equal.
_DECIMALS = 12
_LOWEST = 0.5
# Numbers of a chunk's largest temporary (8 MB).
_CHUNK_CELLS = 1 << 20


@dataclass(frozen=True, eq=False)
class PartialOrder:
    """What is predicted of one case when pairs of weak support are withheld.

    Parameters
    ----------
    before : ndarray of bool, shape (n_labels, n_labels)
        ``[i, j]``: whether i is predicted to be before j. Transitive and without a circle.
    support : ndarray of shape (n_labels, n_labels)
        Share of neighbours or trees that has i ahead of j.
    threshold : float
        What a pair's support, or that of every link of a chain, exceeds: the threshold asked for,
        or a higher one where that leaves a circle.
    """

    before: NDArray[np.bool_]
    support: FloatArray
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
        return 1 + self.before.sum(axis=0), len(self.before) - self.before.sum(axis=1)

    @property
    def withheld(self) -> list[tuple[int, int, float]]:
        """The withheld pairs: the label preferred, the other, its support; strongest first."""
        first, second = np.nonzero(~(self.before | self.before.T))
        support = self.support[first, second]
        kept = (support > _LOWEST) | ((support == _LOWEST) & (first < second))
        kept &= first != second
        pairs = zip(
            first[kept].tolist(), second[kept].tolist(), support[kept].tolist(), strict=True
        )
        return sorted(pairs, key=lambda pair: (-pair[2], pair[:2]))


@dataclass(frozen=True, eq=False)
class AbstentionCurve:
    """How right the predicted pairs are, and how many there are, at every threshold.

    Parameters
    ----------
    thresholds : ndarray of shape (n_thresholds,)
        Rising.
    n_right, n_wrong : ndarray of int, shape (n_cases, n_thresholds)
        Pairs predicted as the truth has them, and the other way round.
    n_pairs : ndarray of int, shape (n_cases,)
        Pairs that the truth orders.
    """

    thresholds: FloatArray
    n_right: IntArray
    n_wrong: IntArray
    n_pairs: IntArray

    def frame(self) -> pd.DataFrame:
        """Tabulate the curve.

        Returns
        -------
        DataFrame
            One row a threshold: ``threshold``; ``correctness`` and ``completeness``, means of the
            cases as `abstention_curve` defines them; ``n_answered``, the cases with a predicted
            pair, over which the first is a mean; ``share_predicted`` of all pairs of all cases
            and ``share_right`` of the predicted ones. NaN where there is nothing to divide by.
        """
        told = self.n_pairs > 0
        right, wrong = self.n_right[told], self.n_wrong[told]
        predicted = right + wrong
        answered = predicted > 0
        correctness = np.where(answered, right - wrong, 0) / np.maximum(predicted, 1)
        n_answered = answered.sum(axis=0)
        complete = predicted / self.n_pairs[told][:, None]
        alike = np.ones_like(n_answered)
        return pd.DataFrame(
            {
                "threshold": self.thresholds,
                "correctness": _divided(correctness.sum(axis=0), n_answered),
                "completeness": _divided(complete.sum(axis=0), alike * told.sum()),
                "n_answered": n_answered,
                "share_predicted": _divided(predicted.sum(axis=0), alike * self.n_pairs.sum()),
                "share_right": _divided(right.sum(axis=0), predicted.sum(axis=0)),
            }
        )


def chained_support(support: ArrayLike) -> FloatArray:
    """Return the support of the weakest link of the strongest chain between any two labels.

    Parameters
    ----------
    support : array-like of shape (n_cases, n_labels, n_labels)
        ``[c, i, j]``: share that has i ahead of j, in [0, 1]. The diagonal is not looked at.

    Returns
    -------
    ndarray of shape (n_cases, n_labels, n_labels)
        On the diagonal the strongest circle through a label. To 12 decimals.

    Examples
    --------
    >>> chained_support([[[0.5, 0.9, 0.5], [0.1, 0.5, 0.8], [0.5, 0.2, 0.5]]])
    array([[[0.5, 0.9, 0.8],
            [0.5, 0.5, 0.8],
            [0.5, 0.5, 0.5]]])
    """
    chained = _without_noise(support)
    labels = np.arange(chained.shape[1])
    chained[:, labels, labels] = 0
    for k in labels:
        through = np.minimum(chained[:, :, k, None], chained[:, None, k, :])
        np.maximum(chained, through, out=chained)
    return chained


def least_thresholds(chained: FloatArray) -> FloatArray:
    """Return the least threshold of each case, at least 0.5, at which no circle is left.

    Parameters
    ----------
    chained : ndarray of shape (n_cases, n_labels, n_labels)
        As from `chained_support`.

    Returns
    -------
    ndarray of shape (n_cases,)
        Thresholds.
    """
    circles = np.diagonal(chained, axis1=1, axis2=2)
    return np.maximum(_LOWEST, circles.max(axis=1, initial=0.0))


def partial_orders(support: ArrayLike, *, threshold: float) -> NDArray[np.bool_]:
    """Predict the pairs that are supported by more than a threshold, and what follows from them.

    After [cheng2010]_, with a threshold to choose: pairs are withheld whose support is at most the
    threshold, or at most the least one without a circle, unless they follow from others.

    Parameters
    ----------
    support : array-like of shape (n_cases, n_labels, n_labels)
        ``[c, i, j]``: share that has i ahead of j; with that of j ahead of i at most 1.
    threshold : float
        At least 0.5 and below 1.

    Returns
    -------
    ndarray of bool, shape (n_cases, n_labels, n_labels)
        ``[c, i, j]``: whether i is predicted before j. A strict partial order of every case.

    Raises
    ------
    ValueError
        If the threshold is out of range.

    References
    ----------
    .. [cheng2010] W. Cheng, M. Rademaker, B. De Baets, E. Hüllermeier: Predicting partial orders:
       ranking with abstention. ECML PKDD 2010.

    Examples
    --------
    Of three labels the first is surely ahead of the second; about the third nobody knows.

    >>> support = [[[0.5, 0.9, 0.6], [0.1, 0.5, 0.4], [0.4, 0.6, 0.5]]]
    >>> partial_orders(support, threshold=0.7).astype(int)
    array([[[0, 1, 0],
            [0, 0, 0],
            [0, 0, 0]]])
    """
    chained = chained_support(support)
    return chained > _thresholds(chained, threshold)[:, None, None]


def partial_order(support: ArrayLike, *, threshold: float) -> PartialOrder:
    """Predict the partial order of one case; see `partial_orders`.

    Parameters
    ----------
    support : array-like of shape (n_labels, n_labels)
        ``[i, j]``: share that has i ahead of j.
    threshold : float
        At least 0.5 and below 1.

    Returns
    -------
    PartialOrder
        The pairs predicted, and those withheld.
    """
    own = _without_noise(support)
    chained = chained_support(own[None])
    raised = float(_thresholds(chained, threshold)[0])
    return PartialOrder(chained[0] > raised, own, raised)


def abstention_curve(
    point: Any, truth: ArrayLike, *, thresholds: ArrayLike = THRESHOLDS
) -> AbstentionCurve:
    """Compare the partial orders predicted at every threshold with the truth.

    Of the pairs that the truth orders, let C be predicted that way and D the other way round.
    Correctness is (C - D) / (C + D), Goodman and Kruskal's gamma, between -1 and 1 and undefined
    without a predicted pair; completeness is (C + D) / all these pairs, between 0 and 1; both as in
    [cheng2010]_. Cases are compared in chunks.

    Parameters
    ----------
    point : object with ``pair_support(cases)``
        Predictions of some cases, as from ``model.point(X)``.
    truth : array-like of shape (n_cases, n_labels)
        True positions. Ties and labels not ranked (NaN) are not ordered.
    thresholds : array-like of shape (n_thresholds,), default=0.5, 0.51, ..., 0.99
        Rising, at least 0.5 and below 1.

    Returns
    -------
    AbstentionCurve
        Counts of each case; means by ``frame()``.

    Raises
    ------
    ValueError
        If thresholds do not rise or are out of range.

    References
    ----------
    .. [cheng2010] W. Cheng, M. Rademaker, B. De Baets, E. Hüllermeier: Predicting partial orders:
       ranking with abstention. ECML PKDD 2010.
    """
    steps = _without_noise(thresholds)
    if steps.ndim != 1 or (np.diff(steps) <= 0).any():
        raise ValueError(f"Expected thresholds that rise, got {thresholds!r}.")
    for end in steps[[0, -1]] if len(steps) else ():
        _check(end)
    positions = np.asarray(truth, dtype=np.float64)
    counts = np.zeros((2, len(positions), len(steps)), dtype=np.int64)
    n_pairs = np.zeros(len(positions), dtype=np.int64)
    for part in _chunks(*positions.shape):
        ahead = positions[part, :, None] < positions[part, None, :]
        chained = chained_support(point.pair_support(part))
        lowest = least_thresholds(chained)[:, None, None]
        strength = np.where(chained > lowest, chained, 0.0)
        n_pairs[part] = ahead.sum(axis=(1, 2))
        for count, own in zip(counts, (strength, strength.transpose(0, 2, 1)), strict=True):
            count[part] = _exceeding(own, ahead, steps)
    return AbstentionCurve(steps, counts[0], counts[1], n_pairs)


def evaluate_abstention(model: Any, dataset: Dataset, split: Split) -> AbstentionCurve:
    """Train a copy of a model on one part of the data, and withhold pairs on the other.

    Parameters
    ----------
    model : estimator or Pipeline
        One with ``predict_pair_support``. Left as it is: a clone is trained.
    dataset : Dataset
        The data.
    split : Split
        Its two parts.

    Returns
    -------
    AbstentionCurve
        Of the test part.

    Raises
    ------
    ValueError
        If the model has no support of label pairs.

    Examples
    --------
    >>> from labelrank_core import KNeighborsLabelRanker, load_sample
    >>> from labelrank_core.data.splits import holdout_split
    >>> data = load_sample("iris")
    >>> curve = evaluate_abstention(KNeighborsLabelRanker(10), data, holdout_split(data))
    >>> curve.frame()["completeness"].is_monotonic_decreasing
    True
    """
    if not has_pair_support(model):
        raise ValueError(
            f"Expected a model with predict_pair_support, got {type(last_step(model)).__name__}."
        )
    fitted = clone(model).fit(dataset.X[split.train], dataset.rankings[split.train])
    estimator, X = bare_model(fitted, dataset.X[split.test])
    return abstention_curve(estimator.point(X), dataset.rankings[split.test])


def has_pair_support(model: Any) -> bool:
    """Tell whether a model, or a type of models, says how far each pair of labels is supported.

    Parameters
    ----------
    model : estimator, Pipeline or type
        The model.

    Returns
    -------
    bool
        Whether it has ``predict_pair_support``.
    """
    return hasattr(last_step(model), "predict_pair_support")


def _without_noise(values: ArrayLike) -> FloatArray:
    own: FloatArray = np.array(values, dtype=np.float64)
    return own.round(_DECIMALS)


def _thresholds(chained: FloatArray, threshold: float) -> FloatArray:
    return np.maximum(_check(threshold), least_thresholds(chained))


def _check(threshold: float) -> float:
    if not _LOWEST <= threshold < 1:
        raise ValueError(f"Expected a threshold of at least 0.5 and below 1, got {threshold}.")
    return round(float(threshold), _DECIMALS)


def _chunks(n_cases: int, n_labels: int) -> Iterator[slice]:
    step = max(1, _CHUNK_CELLS // max(n_labels * n_labels, 1))
    for start in range(0, n_cases, step):
        yield slice(start, min(start + step, n_cases))


def _exceeding(strength: FloatArray, asked: NDArray[np.bool_], steps: FloatArray) -> IntArray:
    """Count for every case the pairs asked for whose strength exceeds each step."""
    cases = np.nonzero(asked)[0]
    n_below = np.searchsorted(steps, strength[asked], side="left")
    width = len(steps) + 1
    cells = np.bincount(cases * width + n_below, minlength=len(asked) * width)
    table = cells.reshape(len(asked), width)
    return np.cumsum(table[:, ::-1], axis=1)[:, -2::-1]


def _divided(numbers: NDArray[Any], by: NDArray[Any]) -> FloatArray:
    return np.divide(numbers, by, out=np.full(len(by), np.nan), where=by > 0)
