"""Measures of labels instead of cases: precision, recall, F1, AUC and average precision.

`relevance` is 0/1, `scores` are higher = better, both of shape (n_samples, n_labels). All equal
scikit-learn's functions with these choices:

- **Nothing to divide by** counts as 0 (``zero_division=0``): the precision of a label never
  predicted, the recall of one never relevant, the F1 of one that is neither.
- **Average precision** needs rows with the label; labels without any are NaN and left out of the
  mean, as with AUC.
- **AUC** needs rows with the label and rows without it. Labels that have no such rows have the
  value NaN and are left out of the mean; the mean of no label is NaN. Scores are compared between
  cases; equal scores count one half.

Every function raises ValueError if the shapes differ, the prediction holds NaN or, for label sets,
there is only one label. Without a case all are NaN.

References
----------
.. [MLLS08] S. Ji, L. Tang, S. Yu, J. Ye: A shared-subspace learning framework for multi-label
   classification. ACM TKDD 2010, section 6.
.. [TKV10] G. Tsoumakas, I. Katakis, I. Vlahavas: Mining multi-label data. Data Mining and Knowledge
   Discovery Handbook 2010, bipartitions, label-based.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from labelrank_core.metrics._common import Array, mean_of_cases, paired
from labelrank_core.rankings import FloatArray


def precision_score_per_label(Y_true: ArrayLike, Y_pred: ArrayLike) -> FloatArray:
    """Return for each label the share of the cases predicted to have it that do.

    Parameters
    ----------
    Y_true, Y_pred : array-like of shape (n_samples, n_labels)
        Relevance, 0 or 1.

    Returns
    -------
    ndarray of shape (n_labels,)
        Shares in [0, 1]; 0 where the label is never predicted.

    Examples
    --------
    >>> precision_score_per_label([[1, 0], [0, 1]], [[1, 0], [1, 0]])
    array([0.5, 0. ])
    """
    return _of_labels("precision_score", Y_true, Y_pred)


def recall_score_per_label(Y_true: ArrayLike, Y_pred: ArrayLike) -> FloatArray:
    """Return for each label the share of the cases that have it for which it is predicted.

    Parameters
    ----------
    Y_true, Y_pred : array-like of shape (n_samples, n_labels)
        Relevance, 0 or 1.

    Returns
    -------
    ndarray of shape (n_labels,)
        Shares in [0, 1]; 0 where no case has the label.

    Examples
    --------
    >>> recall_score_per_label([[1, 1], [0, 1]], [[1, 0], [1, 1]])
    array([1. , 0.5])
    """
    return _of_labels("recall_score", Y_true, Y_pred)


def f1_score_per_label(Y_true: ArrayLike, Y_pred: ArrayLike) -> FloatArray:
    """Return the F1 of each label: 2 tp / (2 tp + fp + fn).

    Parameters
    ----------
    Y_true, Y_pred : array-like of shape (n_samples, n_labels)
        Relevance, 0 or 1.

    Returns
    -------
    ndarray of shape (n_labels,)
        Values in [0, 1]; 0 where the label is neither relevant nor predicted.

    Examples
    --------
    >>> f1_score_per_label([[1, 1], [1, 0]], [[1, 0], [1, 0]])
    array([1., 0.])
    """
    truth, prediction = _sets(Y_true, Y_pred)
    if not len(truth):
        return np.full(truth.shape[1], np.nan)
    # Not by scikit-learn, whose checks take most of the time when a grid of penalties is measured.
    n_hits = np.count_nonzero(truth & prediction, axis=0)
    n_named = np.count_nonzero(truth, axis=0) + np.count_nonzero(prediction, axis=0)
    return 2 * n_hits / np.maximum(n_named, 1)


def auc_score_per_label(Y_true: ArrayLike, Y_pred: ArrayLike) -> FloatArray:
    """Return the area under the ROC curve of each label.

    The probability that a case with the label has a higher score than one without it.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        Relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Scores.

    Returns
    -------
    ndarray of shape (n_labels,)
        Values in [0, 1]; NaN for labels that all cases have, or none.

    Examples
    --------
    >>> auc_score_per_label([[1, 1], [0, 1]], [[0.9, 0.4], [0.2, 0.5]])
    array([ 1., nan])
    """
    # Slow to import, and not needed by other measures.
    from scipy.stats import rankdata
    from sklearn.metrics import roc_auc_score

    truth, scores = paired(Y_true, Y_pred)
    truth = truth > 0
    both = truth.any(axis=0) & ~truth.all(axis=0)
    values = np.full(truth.shape[1], np.nan)
    if both.any():
        # Only the order counts; ranks are finite where scores need not be.
        ranks = rankdata(scores[:, both], axis=0)
        values[both] = roc_auc_score(truth[:, both], ranks, average=None)
    return values


def macro_precision_score(Y_true: ArrayLike, Y_pred: ArrayLike) -> float:
    """Return the mean precision of the labels, each counting the same however rare it is.

    The mean of `precision_score_per_label`; [TKV10]_. Equals `sklearn.metrics.precision_score` with
    ``average="macro", zero_division=0``.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Predicted relevance, 0 or 1.

    Returns
    -------
    float
        In [0, 1], higher is better; NaN without a case; labels never predicted count 0.

    Examples
    --------
    >>> macro_precision_score([[1, 0], [0, 1]], [[1, 0], [1, 0]])
    0.25
    """
    return mean_of_cases(precision_score_per_label(Y_true, Y_pred))


def micro_precision_score(Y_true: ArrayLike, Y_pred: ArrayLike) -> float:
    """Return the share of all labels predicted for all cases that are relevant.

    tp / (tp + fp) of the sums over the labels; [TKV10]_. Equals
    `sklearn.metrics.precision_score` with ``average="micro", zero_division=0``.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Predicted relevance, 0 or 1.

    Returns
    -------
    float
        In [0, 1], higher is better; NaN without a case, 0 where nothing is predicted.

    Examples
    --------
    >>> micro_precision_score([[1, 0], [0, 1]], [[1, 0], [1, 0]])
    0.5
    """
    return _of_all("precision_score", Y_true, Y_pred)


def macro_recall_score(Y_true: ArrayLike, Y_pred: ArrayLike) -> float:
    """Return the mean recall of the labels, each counting the same however rare it is.

    The mean of `recall_score_per_label`; [TKV10]_. Equals `sklearn.metrics.recall_score` with
    ``average="macro", zero_division=0``.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Predicted relevance, 0 or 1.

    Returns
    -------
    float
        In [0, 1], higher is better; NaN without a case; labels that no case has count 0.

    Examples
    --------
    >>> macro_recall_score([[1, 1], [0, 1]], [[1, 0], [1, 1]])
    0.75
    """
    return mean_of_cases(recall_score_per_label(Y_true, Y_pred))


def micro_recall_score(Y_true: ArrayLike, Y_pred: ArrayLike) -> float:
    """Return the share of all relevant labels of all cases that are predicted.

    tp / (tp + fn) of the sums over the labels; [TKV10]_. Equals `sklearn.metrics.recall_score` with
    ``average="micro", zero_division=0``.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Predicted relevance, 0 or 1.

    Returns
    -------
    float
        In [0, 1], higher is better; NaN without a case, 0 where nothing is relevant.

    Examples
    --------
    >>> micro_recall_score([[1, 1], [0, 1]], [[1, 0], [1, 1]])
    0.6666666666666666
    """
    return _of_all("recall_score", Y_true, Y_pred)


def macro_f1_score(Y_true: ArrayLike, Y_pred: ArrayLike) -> float:
    """Return the mean F1 of the labels, each counting the same however rare it is.

    The mean of `f1_score_per_label`; [MLLS08]_. Equals `sklearn.metrics.f1_score` with
    ``average="macro", zero_division=0``.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Predicted relevance, 0 or 1.

    Returns
    -------
    float
        In [0, 1], higher is better; NaN without a case.

    Examples
    --------
    >>> macro_f1_score([[1, 1], [1, 0]], [[1, 0], [1, 0]])
    0.5
    """
    return mean_of_cases(f1_score_per_label(Y_true, Y_pred))


def micro_f1_score(Y_true: ArrayLike, Y_pred: ArrayLike) -> float:
    """Return the F1 of all decisions about all labels together.

    F1 of the sums of tp, fp and fn over the labels, so that frequent labels weigh most;
    [MLLS08]_. Equals `sklearn.metrics.f1_score` with ``average="micro", zero_division=0``.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Predicted relevance, 0 or 1.

    Returns
    -------
    float
        In [0, 1], higher is better; NaN without a case, 0 where nothing is relevant or predicted.

    Examples
    --------
    >>> micro_f1_score([[1, 1], [1, 0]], [[1, 0], [1, 0]])
    0.8
    """
    return _of_all("f1_score", Y_true, Y_pred)


def macro_auc_score(Y_true: ArrayLike, Y_pred: ArrayLike) -> float:
    """Return the mean area under the labels' ROC curves.

    The mean of `auc_score_per_label` over the labels that some cases have and some have not;
    [MLLS08]_. Equals `sklearn.metrics.roc_auc_score` with ``average="macro"`` on those labels.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Scores, higher = better.

    Returns
    -------
    float
        In [0, 1], higher is better, 0.5 by chance; NaN where no label has both kinds of cases.

    Examples
    --------
    >>> macro_auc_score([[1, 0], [0, 1], [0, 0]], [[0.9, 0.4], [0.2, 0.5], [0.1, 0.6]])
    0.75
    """
    return mean_of_cases(auc_score_per_label(Y_true, Y_pred))


def average_precision_score_per_label(Y_true: ArrayLike, Y_pred: ArrayLike) -> FloatArray:
    """Return the average precision of each label: the area under its precision-recall curve.

    The cases are ordered by their scores of the label; for each that has it, the share that has it
    among those scored at least as high; the mean of these shares. Equals
    `sklearn.metrics.average_precision_score` of the label.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        Relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Scores, higher = better; cases with equal scores are passed together.

    Returns
    -------
    ndarray of shape (n_labels,)
        Values in (0, 1]; NaN for labels that no case has.

    Examples
    --------
    >>> average_precision_score_per_label([[1, 0], [0, 0], [1, 0]], [[0.9, 1], [0.5, 1], [0.1, 1]])
    array([0.83333333,        nan])
    """
    from scipy.stats import rankdata
    from sklearn.metrics import average_precision_score

    truth, scores = paired(Y_true, Y_pred)
    truth = truth > 0
    values = np.full(truth.shape[1], np.nan)
    for label in np.flatnonzero(truth.any(axis=0)):
        # Only the order counts; ranks are finite where scores need not be.
        ranks = rankdata(scores[:, label])
        values[label] = average_precision_score(truth[:, label], ranks)
    return values


def macro_average_precision_score(Y_true: ArrayLike, Y_pred: ArrayLike) -> float:
    """Return the mean average precision of the labels (MAP), each counting the same.

    The mean of `average_precision_score_per_label` over the labels that some case has. Not
    `labelrank_core.metrics.average_precision_score`, which orders the labels of each case. Equals
    `sklearn.metrics.average_precision_score` with ``average="macro"`` on those labels; that counts
    labels that no case has as 0, with a warning.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Scores, higher = better.

    Returns
    -------
    float
        In (0, 1], higher is better, by chance about the share of cases with a label; NaN where no
        label is relevant.

    Examples
    --------
    >>> macro_average_precision_score([[1, 0], [0, 1], [1, 0]], [[0.9, 1], [0.5, 2], [0.1, 1]])
    0.9166666666666666
    """
    return mean_of_cases(average_precision_score_per_label(Y_true, Y_pred))


def _of_labels(name: str, Y_true: ArrayLike, Y_pred: ArrayLike) -> FloatArray:
    truth, prediction = _sets(Y_true, Y_pred)
    if not len(truth):
        return np.full(truth.shape[1], np.nan)
    return np.asarray(_score(name)(truth, prediction, average=None, zero_division=0))


def _of_all(name: str, Y_true: ArrayLike, Y_pred: ArrayLike) -> float:
    truth, prediction = _sets(Y_true, Y_pred)
    if not len(truth):
        return float("nan")
    return float(_score(name)(truth, prediction, average="micro", zero_division=0))


def _score(name: str) -> Callable[..., Any]:
    """Import a measure of scikit-learn, which takes longer than all other measures."""
    return getattr(import_module("sklearn.metrics"), name)


def _sets(Y_true: ArrayLike, Y_pred: ArrayLike) -> tuple[Array, Array]:
    truth, prediction = paired(Y_true, Y_pred)
    if truth.shape[1] < 2:
        raise ValueError(f"Expected at least two labels, got {truth.shape[1]}.")
    return truth > 0, prediction > 0
