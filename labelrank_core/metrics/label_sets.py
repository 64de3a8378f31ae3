"""Measures of predicted label sets, case by case: precision, recall, F1 and Jaccard similarity.

They are the *example-based* measures of [GS04]_ and [TKV10]_ (`average="samples"` in scikit-learn):
each compares the set of labels predicted for a case with the set of its relevant labels, and the
mean of the cases is returned, or one value per case with ``average=None``. Sets have no ties.

**Nothing to divide by** counts as `zero_division`, 0 by default, as in scikit-learn: the precision
of a case for which nothing is predicted, the recall of one without relevant labels, and F1 and
Jaccard where both sets are empty. Evaluations use 0. MULAN counts 1 where both sets are empty,
which is what ``zero_division=1`` gives for F1 and Jaccard.

Every function raises ValueError if the shapes differ, the prediction holds NaN or `zero_division`
is neither 0 nor 1.

References
----------
.. [GS04] S. Godbole, S. Sarawagi: Discriminative methods for multi-labeled classification. PAKDD
   2004.
.. [TKV10] G. Tsoumakas, I. Katakis, I. Vlahavas: Mining multi-label data. Data Mining and Knowledge
   Discovery Handbook 2010, bipartitions, example-based.
"""

import numpy as np

from labelrank_core.metrics._common import Array, measure_of_cases
from labelrank_core.rankings import FloatArray


@measure_of_cases
def samples_precision_score(Y_true: Array, Y_pred: Array, *, zero_division: int = 0) -> FloatArray:
    """Return the mean share of a case's predicted labels that are relevant.

    Equals `sklearn.metrics.precision_score` with ``average="samples"``; [TKV10]_.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Predicted relevance, 0 or 1.
    zero_division : {0, 1}, default=0
        The value of a case for which no label is predicted.
    average : {"mean"} or None, default="mean"
        None: one value per case.

    Returns
    -------
    float or ndarray of shape (n_samples,)
        In [0, 1], higher is better; NaN without a case.

    Examples
    --------
    >>> samples_precision_score([[1, 0], [0, 1]], [[1, 1], [0, 0]])
    0.25
    """
    n_common, _, n_predicted = _set_sizes(Y_true, Y_pred)
    return _share(n_common, n_predicted, zero_division)


@measure_of_cases
def samples_recall_score(Y_true: Array, Y_pred: Array, *, zero_division: int = 0) -> FloatArray:
    """Return the mean share of a case's relevant labels that are predicted.

    Equals `sklearn.metrics.recall_score` with ``average="samples"``; [TKV10]_.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Predicted relevance, 0 or 1.
    zero_division : {0, 1}, default=0
        The value of a case without relevant labels.
    average : {"mean"} or None, default="mean"
        None: one value per case.

    Returns
    -------
    float or ndarray of shape (n_samples,)
        In [0, 1], higher is better; NaN without a case.

    Examples
    --------
    >>> samples_recall_score([[1, 1], [0, 1]], [[1, 0], [0, 1]])
    0.75
    """
    n_common, n_relevant, _ = _set_sizes(Y_true, Y_pred)
    return _share(n_common, n_relevant, zero_division)


@measure_of_cases
def samples_f1_score(Y_true: Array, Y_pred: Array, *, zero_division: int = 0) -> FloatArray:
    """Return the mean F1 of a case's label sets: 2 common / (relevant + predicted).

    Equals `sklearn.metrics.f1_score` with ``average="samples"``; [TKV10]_.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Predicted relevance, 0 or 1.
    zero_division : {0, 1}, default=0
        The value of a case without relevant and without predicted labels.
    average : {"mean"} or None, default="mean"
        None: one value per case.

    Returns
    -------
    float or ndarray of shape (n_samples,)
        In [0, 1], higher is better; NaN without a case.

    Examples
    --------
    >>> samples_f1_score([[1, 1, 1], [0, 0, 0]], [[1, 0, 0], [0, 0, 0]])
    0.25
    """
    n_common, n_relevant, n_predicted = _set_sizes(Y_true, Y_pred)
    return _share(2 * n_common, n_relevant + n_predicted, zero_division)


@measure_of_cases
def samples_jaccard_score(Y_true: Array, Y_pred: Array, *, zero_division: int = 0) -> FloatArray:
    """Return the mean Jaccard similarity of a case's label sets: common / in either.

    Equals `sklearn.metrics.jaccard_score` with ``average="samples"``. It is the accuracy of [GS04]_
    and of MULAN and MEKA.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Predicted relevance, 0 or 1.
    zero_division : {0, 1}, default=0
        The value of a case without relevant and without predicted labels.
    average : {"mean"} or None, default="mean"
        None: one value per case.

    Returns
    -------
    float or ndarray of shape (n_samples,)
        In [0, 1], higher is better; NaN without a case.

    Examples
    --------
    >>> samples_jaccard_score([[1, 1, 0], [1, 0, 0]], [[1, 0, 1], [1, 0, 0]])
    0.6666666666666666
    """
    n_common, n_relevant, n_predicted = _set_sizes(Y_true, Y_pred)
    return _share(n_common, n_relevant + n_predicted - n_common, zero_division)


def _set_sizes(truth: Array, prediction: Array) -> tuple[Array, Array, Array]:
    """Count the common, the relevant and the predicted labels of each case."""
    relevant, predicted = truth > 0, prediction > 0
    return tuple(
        np.count_nonzero(labels, axis=1) for labels in (relevant & predicted, relevant, predicted)
    )


def _share(n_counted: Array, n_all: Array, zero_division: int) -> FloatArray:
    if zero_division not in (0, 1):
        raise ValueError(f"Expected zero_division to be 0 or 1, got {zero_division!r}.")
    return np.where(n_all > 0, n_counted / np.maximum(n_all, 1), float(zero_division))
