"""Measures of predicted label sets and scores against the labels that are relevant.

`relevance` is 0/1, `scores` are higher = better, both of shape (n_samples, n_labels). A predicted
ranking is passed as ``-positions``. Two rules hold for every measure here:

- **Ties between scores** are resolved as the definitions of [MLkNN05]_ say: a label counts as
  ranked above another already when their scores are equal, so a tie never helps. One-error looks
  at one label: of equal best scores, the lower label index.
- **Rows with no or only relevant labels** leave nothing to order, and their prediction counts as
  perfect: one-error 0, ranking loss 0, average precision, NDCG and top-k 1, coverage as small as
  it can be (0 without relevant labels, m-1 with all). Hamming loss and subset accuracy need no
  such rule.

Every function raises ValueError if the shapes differ or scores hold NaN.

Scikit-learn's functions give the same, except:

========================  =========================================================================
here                      in `sklearn.metrics`
========================  =========================================================================
`coverage_error`          ``coverage_error`` is larger by 1 in every row with a relevant label; in
                          rows without one both are 0. `coverage_place_error` equals it.
`average_precision_score` is ``label_ranking_average_precision_score``; ``average_precision_score``
                          averages over labels.
`ndcg_score`              ``ndcg_score`` counts a row without relevant labels as 0, here it is 1.
`hit_at_k_score`          ``top_k_accuracy_score`` takes one label a row, and of equal scores the
                          higher index first; here the lower one, as in `one_error`. A row
                          without relevant labels is 1 here.
`one_error`               has no function.
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
"""

import numpy as np
from numpy.typing import ArrayLike

from labelrank_core.metrics import _compare
from labelrank_core.metrics._common import (
    in_chunks,
    mean_of_cases,
    paired,
    paired_complete,
    within,
)
from labelrank_core.rankings import FloatArray


def hamming_loss_per_case(Y_true: ArrayLike, Y_pred: ArrayLike) -> FloatArray:
    """Return the share of wrong labels of every case; see `hamming_loss`.

    Parameters
    ----------
    Y_true, Y_pred : array-like of shape (n_samples, n_labels)
        Relevance, 0 or 1.

    Returns
    -------
    ndarray of shape (n_samples,)
        Values in [0, 1].

    Examples
    --------
    >>> hamming_loss_per_case([[1, 0], [0, 0]], [[1, 1], [0, 0]])
    array([0.5, 0. ])
    """
    truth, prediction = paired(Y_true, Y_pred)
    return np.count_nonzero(truth != prediction, axis=1) / truth.shape[1]


def hamming_loss(Y_true: ArrayLike, Y_pred: ArrayLike) -> float:
    """Return the share of label decisions that are wrong.

    Eq. 2 of [MLkNN05]_; equals `sklearn.metrics.hamming_loss`.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Predicted relevance, 0 or 1.

    Returns
    -------
    float
        In [0, 1], lower is better; NaN without a case.

    Examples
    --------
    >>> hamming_loss([[1, 0], [0, 0]], [[1, 1], [0, 0]])
    0.25
    """
    truth, prediction = paired(Y_true, Y_pred)
    if truth.size == 0:
        return float("nan")
    return int(np.count_nonzero(truth != prediction)) / truth.size


def subset_accuracy_score_per_case(Y_true: ArrayLike, Y_pred: ArrayLike) -> FloatArray:
    """Return 1 for every case whose labels are all right; see `subset_accuracy_score`.

    Parameters
    ----------
    Y_true, Y_pred : array-like of shape (n_samples, n_labels)
        Relevance, 0 or 1.

    Returns
    -------
    ndarray of shape (n_samples,)
        0 or 1.

    Examples
    --------
    >>> subset_accuracy_score_per_case([[1, 0], [0, 0]], [[1, 1], [0, 0]])
    array([0., 1.])
    """
    truth, prediction = paired(Y_true, Y_pred)
    return (truth == prediction).all(axis=1).astype(np.float64)


def subset_accuracy_score(Y_true: ArrayLike, Y_pred: ArrayLike) -> float:
    """Return the share of cases whose set of labels is predicted exactly.

    Equals `sklearn.metrics.accuracy_score` on 0/1 matrices.

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
    >>> subset_accuracy_score([[1, 0], [0, 0]], [[1, 1], [0, 0]])
    0.5
    """
    return mean_of_cases(subset_accuracy_score_per_case(Y_true, Y_pred))


def one_error_per_case(Y_true: ArrayLike, Y_pred: ArrayLike) -> FloatArray:
    """Return 1 for every case whose best label is not relevant; see `one_error`.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        Relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Scores.

    Returns
    -------
    ndarray of shape (n_samples,)
        0 or 1.

    Examples
    --------
    >>> one_error_per_case([[1, 0], [0, 1]], [[0.9, 0.3], [0.5, 0.5]])
    array([0., 1.])
    """
    truth, scores = paired_complete(Y_true, Y_pred)
    best = scores.argmax(axis=1, keepdims=True)
    wrong = np.take_along_axis(truth, best, axis=1)[:, 0] == 0
    return (wrong & truth.any(axis=1)).astype(np.float64)


def one_error(Y_true: ArrayLike, Y_pred: ArrayLike) -> float:
    """Return the share of cases whose best-scored label is not relevant.

    Eq. 3 of [MLkNN05]_. Of equal best scores the lower label index is taken. Differs from the
    paper in rows without a relevant label, which count 0: nobody could do better there.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Scores, higher = better.

    Returns
    -------
    float
        In [0, 1], lower is better; NaN without a case.

    Examples
    --------
    >>> one_error([[1, 0], [0, 1]], [[0.9, 0.3], [0.5, 0.5]])
    0.5
    """
    return mean_of_cases(one_error_per_case(Y_true, Y_pred))


def coverage_error_per_case(Y_true: ArrayLike, Y_pred: ArrayLike) -> FloatArray:
    """Return how far down every case's relevant labels reach; see `coverage_error`.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        Relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Scores.

    Returns
    -------
    ndarray of shape (n_samples,)
        Values in [0, m-1].

    Examples
    --------
    >>> coverage_error_per_case([[1, 0, 1], [0, 0, 0]], [[0.9, 0.3, 0.1], [0.5, 0.4, 0.3]])
    array([2., 0.])
    """
    return in_chunks(_compare.coverage, *paired_complete(Y_true, Y_pred))


def coverage_error(Y_true: ArrayLike, Y_pred: ArrayLike) -> float:
    """Return how many steps down the ranked labels lead to the last relevant one, on average.

    Eq. 4 of [MLkNN05]_: labels scored at least as high as the worst relevant one, minus 1. One
    less than `sklearn.metrics.coverage_error`, except in rows without a relevant label (both 0).

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Scores, higher = better.

    Returns
    -------
    float
        In [0, m-1] for m labels, lower is better; NaN without a case. A perfect order has the
        number of relevant labels minus 1, so 0 is not attainable in general.

    Examples
    --------
    >>> coverage_error([[1, 0, 1], [0, 1, 0]], [[0.9, 0.3, 0.1], [0.5, 0.4, 0.3]])
    1.5
    """
    return mean_of_cases(coverage_error_per_case(Y_true, Y_pred))


def coverage_place_error_per_case(Y_true: ArrayLike, Y_pred: ArrayLike) -> FloatArray:
    """Return the place of every case's last relevant label; see `coverage_place_error`.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        Relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Scores.

    Returns
    -------
    ndarray of shape (n_samples,)
        Values in [0, m].

    Examples
    --------
    >>> coverage_place_error_per_case([[1, 0, 1], [0, 0, 0]], [[0.9, 0.3, 0.1], [0.5, 0.4, 0.3]])
    array([3., 0.])
    """
    truth, scores = paired_complete(Y_true, Y_pred)
    return in_chunks(_compare.coverage, truth, scores) + truth.any(axis=1)


def coverage_place_error(Y_true: ArrayLike, Y_pred: ArrayLike) -> float:
    """Return how many labels one reads, on average, until all relevant ones are found.

    Equals `sklearn.metrics.coverage_error`; `coverage_error`, the definition of [MLkNN05]_, is
    smaller by 1 in every row with a relevant label.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Scores, higher = better.

    Returns
    -------
    float
        In [0, m] for m labels, lower is better; NaN without a case. A perfect order has the number
        of relevant labels.

    Examples
    --------
    >>> coverage_place_error([[1, 0, 1], [0, 1, 0]], [[0.9, 0.3, 0.1], [0.5, 0.4, 0.3]])
    2.5
    """
    return mean_of_cases(coverage_place_error_per_case(Y_true, Y_pred))


def hit_at_k_score_per_case(Y_true: ArrayLike, Y_pred: ArrayLike, *, k: int = 3) -> FloatArray:
    """Return 1 for every case with a relevant label among its best k; see `hit_at_k_score`.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        Relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Scores.
    k : int, default=3
        How many labels are looked at.

    Returns
    -------
    ndarray of shape (n_samples,)
        0 or 1.

    Examples
    --------
    >>> hit_at_k_score_per_case([[1, 0, 0], [0, 1, 0]], [[0.1, 0.3, 0.5], [0.2, 0.4, 0.5]], k=2)
    array([0., 1.])
    """
    truth, scores = paired_complete(Y_true, Y_pred)
    return within(in_chunks(_compare.first_relevant, truth, scores), k)


def hit_at_k_score(Y_true: ArrayLike, Y_pred: ArrayLike, *, k: int = 3) -> float:
    """Return the share of cases with a relevant label among the k scored highest.

    1 minus `one_error` for k = 1. With one relevant label a row it equals
    `sklearn.metrics.top_k_accuracy_score` where no scores tie.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Scores, higher = better; of equal ones the lower label index comes first.
    k : int, default=3
        How many labels are looked at, at least 1; from m on every case counts 1.

    Returns
    -------
    float
        In [0, 1], higher is better; NaN without a case. A row without a relevant label has 1.

    Examples
    --------
    >>> hit_at_k_score([[1, 0, 0], [0, 1, 0]], [[0.1, 0.3, 0.5], [0.2, 0.4, 0.5]], k=2)
    0.5
    """
    return mean_of_cases(hit_at_k_score_per_case(Y_true, Y_pred, k=k))


def ranking_loss_per_case(Y_true: ArrayLike, Y_pred: ArrayLike) -> FloatArray:
    """Return the share of wrongly ordered pairs of every case; see `ranking_loss`.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        Relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Scores.

    Returns
    -------
    ndarray of shape (n_samples,)
        Values in [0, 1].

    Examples
    --------
    >>> ranking_loss_per_case([[1, 0, 0], [1, 1, 1]], [[0.5, 0.9, 0.1], [0.5, 0.4, 0.3]])
    array([0.5, 0. ])
    """
    return in_chunks(_compare.ranking_loss, *paired_complete(Y_true, Y_pred))


def ranking_loss(Y_true: ArrayLike, Y_pred: ArrayLike) -> float:
    """Return the mean share of (relevant, irrelevant) pairs not ordered that way.

    Eq. 5 of [MLkNN05]_: a pair with equal scores is an error. Equals
    `sklearn.metrics.label_ranking_loss`, which counts ties so too.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Scores, higher = better.

    Returns
    -------
    float
        In [0, 1], lower is better; NaN without a case. A row with no or all labels relevant has 0.

    Examples
    --------
    >>> ranking_loss([[1, 0, 0], [1, 0, 0]], [[0.5, 0.9, 0.1], [0.5, 0.5, 0.5]])
    0.75
    """
    return mean_of_cases(ranking_loss_per_case(Y_true, Y_pred))


def average_precision_score_per_case(Y_true: ArrayLike, Y_pred: ArrayLike) -> FloatArray:
    """Return the average precision of every case; see `average_precision_score`.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        Relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Scores.

    Returns
    -------
    ndarray of shape (n_samples,)
        Values in (0, 1].

    Examples
    --------
    >>> average_precision_score_per_case([[1, 0], [0, 0]], [[0.5, 0.9], [0.5, 0.4]])
    array([0.5, 1. ])
    """
    return in_chunks(_compare.average_precision, *paired_complete(Y_true, Y_pred))


def average_precision_score(Y_true: ArrayLike, Y_pred: ArrayLike) -> float:
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

    Returns
    -------
    float
        In (0, 1], higher is better; NaN without a case. A row with no or all labels relevant has 1.

    Examples
    --------
    >>> average_precision_score([[1, 0, 1]], [[0.9, 0.5, 0.1]])
    0.8333333333333333
    """
    return mean_of_cases(average_precision_score_per_case(Y_true, Y_pred))


def ndcg_score_per_case(Y_true: ArrayLike, Y_pred: ArrayLike) -> FloatArray:
    """Return the normalised discounted cumulative gain of every case; see `ndcg_score`.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        Relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Scores.

    Returns
    -------
    ndarray of shape (n_samples,)
        Values in (0, 1].

    Examples
    --------
    >>> ndcg_score_per_case([[1, 0], [0, 1], [0, 0]], [[0.9, 0.5], [0.9, 0.5], [0.9, 0.5]])
    array([1.        , 0.63092975, 1.        ])
    """
    return in_chunks(_compare.ndcg, *paired_complete(Y_true, Y_pred))


def ndcg_score(Y_true: ArrayLike, Y_pred: ArrayLike) -> float:
    """Return the mean discounted gain of the ranked labels, relative to the best order.

    [JK02]_ with gain 1 for a relevant label and discount log2(place + 1), over all places; labels
    with equal scores share the mean of their places' discounts. Equals `sklearn.metrics.ndcg_score`
    except in rows without a relevant label.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True relevance, 0 or 1.
    Y_pred : array-like of shape (n_samples, n_labels)
        Scores, higher = better.

    Returns
    -------
    float
        In (0, 1], higher is better; NaN without a case. A row with no or all labels relevant has 1.

    Examples
    --------
    >>> ndcg_score([[1, 0], [0, 1]], [[0.9, 0.5], [0.9, 0.5]])
    0.8154648767857288
    """
    return mean_of_cases(ndcg_score_per_case(Y_true, Y_pred))
