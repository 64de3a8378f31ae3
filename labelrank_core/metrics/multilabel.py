"""Measures of predicted label sets and scores against the labels that are relevant.

`relevance` is 0/1, `scores` are higher = better, both of shape (n_samples, n_labels). A predicted
ranking is passed as ``-positions``. Three rules hold for every measure here:

- **Ties between scores** count as in the definitions of [MLkNN05]_: a label with an equal score is
  ranked above another one, so a tie never helps. One-error takes one label: of equal best scores,
  the lower label index. A predicted ranking rarely has ties.
- **Rows with no or only relevant labels** leave nothing to order, and their prediction counts as
  perfect: one-error 0, ranking loss 0, average precision, NDCG and top-k 1, coverage as small as
  it can be (0 without relevant labels, m-1 with all). Hamming loss, subset accuracy, precision at
  k (0 without relevant labels) and log loss need no such rule.
- **The mean of the cases** is returned, or one value per case with ``average=None``.

Every function raises ValueError if the shapes differ or the prediction holds NaN.

Scikit-learn's functions give the same, except:

========================  =========================================================================
here                      in `sklearn.metrics`
========================  =========================================================================
`coverage_error`          ``coverage_error`` is larger by 1 in every row with a relevant label; in
                          rows without one both are 0. `coverage_place_error` equals it.
`average_precision_score` is ``label_ranking_average_precision_score``; ``average_precision_score``
                          averages over labels.
`ndcg_score`              ``ndcg_score`` counts a row without relevant labels as 0, here it is 1.
`hit_at_k_score`          ``top_k_accuracy_score`` takes one label per row, and of equal scores
                          the higher index first; here the lower one, as in `one_error`. A row
                          without relevant labels is 1 here.
`ndcg_at_k_score`         ``ndcg_score(k=k)``, with the same difference.
`log_loss`                ``log_loss`` takes one label; here the labels are averaged.
`one_error`,              have no function.
`precision_at_k_score`
`macro_f1_score`,         ``f1_score`` warns where a label is neither relevant nor predicted in any
`micro_f1_score`          row and counts it as 0: the same value here, without the warning
                          (``zero_division=0``).
`macro_auc_score`         ``roc_auc_score`` of a label whose rows are all relevant or all irrelevant
                          is NaN with a warning, and so is the mean; here it is left out.
no case at all            raises ValueError; here the value is NaN.
========================  =========================================================================

Ties and rows with no or only relevant labels included, there is no difference in Hamming loss,
subset accuracy, ranking loss, average precision, and in NDCG's ties, whose gains are averaged.

References
----------
.. [MLkNN05] M.-L. Zhang, Z.-H. Zhou: A k-nearest neighbor based algorithm for multi-label
   classification. IEEE GrC 2005.
.. [JK02] K. Järvelin, J. Kekäläinen: Cumulated gain-based evaluation of IR techniques. ACM TOIS
   2002.
.. [PV14] Y. Prabhu, M. Varma: FastXML: a fast, accurate and stable tree-classifier for extreme
   multi-label learning. KDD 2014.
"""

import numpy as np

from labelrank_core.metrics._common import (
    Array,
    at_least_one,
    best_place,
    measure_of_cases,
    within,
)
from labelrank_core.rankings import FloatArray, strict_positions


@measure_of_cases
def hamming_loss(Y_true: Array, Y_pred: Array) -> FloatArray:
    """Return the share of label decisions that are wrong.

    Eq. 2 of [MLkNN05]_; equals `sklearn.metrics.hamming_loss`.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Predicted relevance, 0 or 1.
    average : {"mean"} or None, default="mean"
        None: one value per case.

    Returns
    -------
    float or ndarray of shape (n_samples,)
        In [0, 1], lower is better; NaN without a case.

    Examples
    --------
    >>> hamming_loss([[1, 0], [0, 0]], [[1, 1], [0, 0]])
    0.25
    """
    return np.count_nonzero(Y_true != Y_pred, axis=1) / Y_true.shape[1]


@measure_of_cases
def subset_accuracy_score(Y_true: Array, Y_pred: Array) -> FloatArray:
    """Return the share of cases whose set of labels is predicted exactly.

    Equals `sklearn.metrics.accuracy_score` on 0/1 matrices.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Predicted relevance, 0 or 1.
    average : {"mean"} or None, default="mean"
        None: one value per case, 0 or 1.

    Returns
    -------
    float or ndarray of shape (n_samples,)
        In [0, 1], higher is better; NaN without a case.

    Examples
    --------
    >>> subset_accuracy_score([[1, 0], [0, 0]], [[1, 1], [0, 0]])
    0.5
    """
    return (Y_true == Y_pred).all(axis=1).astype(np.float64)


@measure_of_cases
def one_error(Y_true: Array, Y_pred: Array) -> FloatArray:
    """Return the share of cases whose best-scored label is not relevant.

    Eq. 3 of [MLkNN05]_. Of equal best scores the lower label index is taken. Differs from the
    paper in rows without a relevant label, which count 0: no prediction could do better there.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Scores, higher = better.
    average : {"mean"} or None, default="mean"
        None: one value per case, 0 or 1.

    Returns
    -------
    float or ndarray of shape (n_samples,)
        In [0, 1], lower is better; NaN without a case.

    Examples
    --------
    >>> one_error([[1, 0], [0, 1]], [[0.9, 0.3], [0.5, 0.5]])
    0.5
    """
    best = Y_pred.argmax(axis=1, keepdims=True)
    wrong = np.take_along_axis(Y_true, best, axis=1)[:, 0] == 0
    return (wrong & Y_true.any(axis=1)).astype(np.float64)


@measure_of_cases
def coverage_error(Y_true: Array, Y_pred: Array) -> FloatArray:
    """Return the mean number of steps down the ranked labels to the last relevant one.

    Eq. 4 of [MLkNN05]_: labels scored at least as high as the worst relevant one, minus 1. One
    less than `sklearn.metrics.coverage_error`, except in rows without a relevant label (both 0).

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Scores, higher = better.
    average : {"mean"} or None, default="mean"
        None: one value per case.

    Returns
    -------
    float or ndarray of shape (n_samples,)
        In [0, m-1] for m labels, lower is better; NaN without a case. A perfect order has the
        number of relevant labels minus 1, so 0 is not attainable in general.

    Examples
    --------
    >>> coverage_error([[1, 0, 1], [0, 1, 0]], [[0.9, 0.3, 0.1], [0.5, 0.4, 0.3]])
    1.5
    """
    return _coverage(Y_true, Y_pred)


@measure_of_cases
def coverage_place_error(Y_true: Array, Y_pred: Array) -> FloatArray:
    """Return the mean number of top-ranked labels that contain all relevant ones.

    Equals `sklearn.metrics.coverage_error`; `coverage_error`, the definition of [MLkNN05]_, is
    smaller by 1 in every row with a relevant label.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Scores, higher = better.
    average : {"mean"} or None, default="mean"
        None: one value per case.

    Returns
    -------
    float or ndarray of shape (n_samples,)
        In [0, m] for m labels, lower is better; NaN without a case. A perfect order has the number
        of relevant labels.

    Examples
    --------
    >>> coverage_place_error([[1, 0, 1], [0, 1, 0]], [[0.9, 0.3, 0.1], [0.5, 0.4, 0.3]])
    2.5
    """
    return _coverage(Y_true, Y_pred) + Y_true.any(axis=1)


@measure_of_cases
def hit_at_k_score(Y_true: Array, Y_pred: Array, *, k: int = 3) -> FloatArray:
    """Return the share of cases with a relevant label among the k scored highest.

    1 minus `one_error` for k = 1. With one relevant label in each row it equals
    `sklearn.metrics.top_k_accuracy_score` where no scores tie.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Scores, higher = better; of equal ones the lower label index comes first.
    k : int, default=3
        Number of top-ranked labels, at least 1; from m on every case counts 1.
    average : {"mean"} or None, default="mean"
        None: one value per case, 0 or 1.

    Returns
    -------
    float or ndarray of shape (n_samples,)
        In [0, 1], higher is better; NaN without a case. A row without a relevant label has 1.

    Examples
    --------
    >>> hit_at_k_score([[1, 0, 0], [0, 1, 0]], [[0.1, 0.3, 0.5], [0.2, 0.4, 0.5]], k=2)
    0.5
    """
    first = best_place(Y_true > 0, -Y_pred.astype(np.float64))
    return within(np.where(Y_true.any(axis=1), first, 0.0), k)


@measure_of_cases
def ranking_loss(Y_true: Array, Y_pred: Array) -> FloatArray:
    """Return the mean share of (relevant, irrelevant) pairs in the wrong order.

    Eq. 5 of [MLkNN05]_: a pair with equal scores is an error. Equals
    `sklearn.metrics.label_ranking_loss`, which also counts ties as errors.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Scores, higher = better.
    average : {"mean"} or None, default="mean"
        None: one value per case.

    Returns
    -------
    float or ndarray of shape (n_samples,)
        In [0, 1], lower is better; NaN without a case. A row with no or all labels relevant has 0.

    Examples
    --------
    >>> ranking_loss([[1, 0, 0], [1, 0, 0]], [[0.5, 0.9, 0.1], [0.5, 0.5, 0.5]])
    0.75
    """
    relevant, n_all, n_relevant = _scored_at_least_as_high(Y_true, Y_pred)
    errors = ((n_all - n_relevant) * relevant).sum(axis=1)
    totals = relevant.sum(axis=1)
    pairs = totals * (relevant.shape[1] - totals)
    return np.where(pairs > 0, errors / np.maximum(pairs, 1), 0.0)


@measure_of_cases
def average_precision_score(Y_true: Array, Y_pred: Array) -> FloatArray:
    """Return the mean share of relevant labels among those ranked down to each relevant label.

    Eq. 6 of [MLkNN05]_: for every relevant label, of the labels scored at least as high, the share
    that is relevant. Equals `sklearn.metrics.label_ranking_average_precision_score`, not
    `sklearn.metrics.average_precision_score`, which averages over labels instead of cases.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Scores, higher = better.
    average : {"mean"} or None, default="mean"
        None: one value per case.

    Returns
    -------
    float or ndarray of shape (n_samples,)
        In (0, 1], higher is better; NaN without a case. A row with no or all labels relevant has 1.

    Examples
    --------
    >>> average_precision_score([[1, 0, 1]], [[0.9, 0.5, 0.1]])
    0.8333333333333333
    """
    relevant, n_all, n_relevant = _scored_at_least_as_high(Y_true, Y_pred)
    total = relevant.sum(axis=1)
    precision = (n_relevant / n_all * relevant).sum(axis=1) / np.maximum(total, 1)
    return np.where(total > 0, precision, 1.0)


@measure_of_cases
def ndcg_score(Y_true: Array, Y_pred: Array) -> FloatArray:
    r"""Return the mean discounted gain of the ranked labels, relative to the best order.

    .. math:: \frac{\sum_{i \in R} 1 / \log_2(p_i + 1)}{\sum_{p = 1}^{|R|} 1 / \log_2(p + 1)}

    with the places p_i of the relevant labels R: [JK02]_ with gain 1, over all places; labels with
    equal scores share the mean of their places' discounts. Equals `sklearn.metrics.ndcg_score`
    except in rows without a relevant label.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Scores, higher = better.
    average : {"mean"} or None, default="mean"
        None: one value per case.

    Returns
    -------
    float or ndarray of shape (n_samples,)
        In (0, 1], higher is better; NaN without a case. A row with no or all labels relevant has 1.

    Examples
    --------
    >>> ndcg_score([[1, 0], [0, 1]], [[0.9, 0.5], [0.9, 0.5]])
    0.8154648767857288
    """
    return _ndcg(Y_true, Y_pred, Y_true.shape[1])


@measure_of_cases
def ndcg_at_k_score(Y_true: Array, Y_pred: Array, *, k: int = 5) -> FloatArray:
    """Return the mean discounted gain of the k labels scored highest, relative to the best k.

    `ndcg_score` with a gain only at the first k places; labels with equal scores share the mean of
    their places' discounts, those beyond k being 0. Equals `sklearn.metrics.ndcg_score` with this k
    except in rows without a relevant label.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Scores, higher = better.
    k : int, default=5
        Number of top-ranked labels, at least 1; from m on it is `ndcg_score`.
    average : {"mean"} or None, default="mean"
        None: one value per case.

    Returns
    -------
    float or ndarray of shape (n_samples,)
        In [0, 1], higher is better; NaN without a case. A row with no or all labels relevant has 1.

    Examples
    --------
    >>> ndcg_at_k_score([[1, 0, 1], [0, 1, 0]], [[0.9, 0.5, 0.1], [0.9, 0.5, 0.1]], k=1)
    0.5
    """
    return _ndcg(Y_true, Y_pred, at_least_one(k))


@measure_of_cases
def precision_at_k_score(Y_true: Array, Y_pred: Array, *, k: int = 3) -> FloatArray:
    """Return the mean share of relevant labels among the k scored highest.

    Relevant labels among the first k, divided by k even where fewer labels are relevant or exist,
    as in [PV14]_.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Scores, higher = better; of equal ones the lower label index comes first.
    k : int, default=3
        Number of top-ranked labels, at least 1.
    average : {"mean"} or None, default="mean"
        None: one value per case.

    Returns
    -------
    float or ndarray of shape (n_samples,)
        In [0, 1], higher is better; NaN without a case. A perfect order has min(k, relevant
        labels) / k, so 1 is not attainable in general; a row without relevant labels has 0.

    Examples
    --------
    >>> precision_at_k_score([[1, 0, 1], [0, 1, 0]], [[0.9, 0.5, 0.1], [0.9, 0.5, 0.1]], k=2)
    0.5
    """
    positions = strict_positions(-Y_pred.astype(np.float64))
    n_relevant = np.count_nonzero((Y_true > 0) & (positions <= at_least_one(k)), axis=1)
    return n_relevant / k


@measure_of_cases
def log_loss(Y_true: Array, Y_pred: Array) -> FloatArray:
    """Return the mean negative logarithm of the probability of the truth, label by label.

    For each label -log(p) if it is relevant and -log(1 - p) if it is not, in nats, averaged over
    the labels. A probability of 0 for what is true counts as 2.2e-16 (float64's epsilon), which
    bounds the loss of a label by 36.04. Equals the mean of `sklearn.metrics.log_loss` over the
    labels. MEKA has it with other bounds (Log Loss, lim. L and lim. D).

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Probabilities that the labels are relevant, in [0, 1].
    average : {"mean"} or None, default="mean"
        None: one value per case.

    Returns
    -------
    float or ndarray of shape (n_samples,)
        In [0, 36.04], lower is better, log(2) = 0.693 for probabilities of 1/2; NaN without a case.

    Raises
    ------
    ValueError
        If a probability is below 0 or above 1.

    Examples
    --------
    >>> round(log_loss([[1, 0]], [[0.8, 0.4]]), 3)
    0.367
    """
    outside = (Y_pred < 0) | (Y_pred > 1)
    if outside.any():
        raise ValueError(f"Expected probabilities between 0 and 1, got {Y_pred[outside][0]}.")
    of_truth = np.where(Y_true > 0, Y_pred, 1 - Y_pred.astype(np.float64))
    return -np.log(np.maximum(of_truth, np.finfo(np.float64).eps)).mean(axis=1) + 0.0


def _ndcg(truth: Array, scores: Array, k: int) -> FloatArray:
    """Compare the discounted gain at the first k places with the largest possible one."""
    relevant, n_all, _ = _scored_at_least_as_high(truth, scores)
    n_labels = relevant.shape[1]
    discounts = np.zeros(n_labels + 1)
    np.cumsum(1 / np.log2(np.arange(2, n_labels + 2)), out=discounts[1:])
    discounts[k + 1 :] = discounts[min(k, n_labels)]
    # Where each bucket of tied labels starts: a label's gain is the mean over its bucket's places.
    starts = np.zeros_like(n_all)
    starts[:, 1:] = np.where(n_all[:, 1:] > n_all[:, :-1], np.arange(1, n_labels), 0)
    starts = np.maximum.accumulate(starts, axis=1)
    gains = (discounts[n_all] - discounts[starts]) / (n_all - starts)
    total = relevant.sum(axis=1)
    best = discounts[total]
    gained = (gains * relevant).sum(axis=1)
    return np.where(total > 0, gained / np.where(total > 0, best, 1.0), 1.0)


def _coverage(truth: Array, scores: Array) -> FloatArray:
    worst = np.where(truth > 0, scores, np.inf).min(axis=1, keepdims=True)
    reached = np.count_nonzero(scores >= worst, axis=1) - 1.0
    return np.where(truth.any(axis=1), reached, 0.0)


def _scored_at_least_as_high(truth: Array, scores: Array) -> tuple[Array, Array, Array]:
    """Sort relevance by score; count for each label all, and the relevant, labels up to it."""
    descending = np.argsort(-np.asarray(scores, dtype=np.float64), axis=1)
    relevant = np.take_along_axis(truth, descending, axis=1) > 0
    ordered = np.take_along_axis(scores, descending, axis=1)
    n_labels = relevant.shape[1]
    ends_bucket = np.ones(relevant.shape, dtype=bool)
    ends_bucket[:, :-1] = ordered[:, :-1] != ordered[:, 1:]
    bucket_end = np.where(ends_bucket, np.arange(1, n_labels + 1), n_labels)
    n_all = np.minimum.accumulate(bucket_end[:, ::-1], axis=1)[:, ::-1]
    n_relevant = np.take_along_axis(relevant.cumsum(axis=1), n_all - 1, axis=1)
    return relevant, n_all, n_relevant
