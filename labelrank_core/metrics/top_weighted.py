"""Measures of predicted rankings in which the first positions weigh most.

Rankings are positions, 1 = most preferred, shape (n_samples, n_labels). As in
`labelrank_core.metrics.ranking`, labels the truth does not rank (NaN) are left out of truth and
prediction, the prediction must be complete, and a case whose truth orders no pair has the value
NaN, which means leave out. Every function returns the mean of the cases, or one value per case with
``average=None``, and raises ValueError if the shapes differ or the prediction holds NaN.

References
----------
.. [V15] S. Vigna: A weighted correlation index for rankings with ties. WWW 2015.
.. [JK02] K. Järvelin, J. Kekäläinen: Cumulated gain-based evaluation of IR techniques. ACM TOIS
   2002.
"""

import numpy as np

from labelrank_core.metrics._common import Array, measure_of_cases, orders_nothing
from labelrank_core.metrics.ranking import pair_counts
from labelrank_core.rankings import FloatArray, generalised_ranks, place_ranges


@measure_of_cases
def top_weighted_tau_score(Y_true: Array, Y_pred: Array) -> FloatArray:
    r"""Return the mean Kendall's tau with pairs weighted by the true positions of their labels.

    .. math:: \tau_w = \frac{\sum_{r_i < r_j} w_{ij} \, \operatorname{sign}(s_j - s_i)}
        {\sum_{r_i < r_j} w_{ij}}, \quad w_{ij} = \frac{1}{r_i} + \frac{1}{r_j}

    with the true and predicted positions r_i and s_i: of the pairs the truth orders, the weight of
    those in the right order minus that of those in the wrong one, divided by the weight of all. The
    weights are the additive hyperbolic ones of [V15]_. Equals `scipy.stats.weightedtau` with
    ``rank=Y_true - 1`` for strict complete rankings; SciPy's default weighs by both rankings, and
    with ties it divides as tau-b does. Truly tied labels weigh by the mean of their places; a
    predicted tie is neither right nor wrong, but its weight is in the denominator.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True positions; NaN = not ranked, ties allowed.
    Y_pred : array-like of shape (n_samples, n_labels)
        Predicted positions, complete.
    average : {"mean"} or None, default="mean"
        None: one value per case.

    Returns
    -------
    float or ndarray of shape (n_samples,)
        In [-1, 1], higher is better; NaN where the truth orders no pair.

    Examples
    --------
    >>> top_weighted_tau_score([[1, 2, 3]], [[1, 3, 2]])
    0.5454545454545455
    >>> top_weighted_tau_score([[1, 2, 3]], [[2, 1, 3]])
    0.1818181818181818
    """
    # An unranked label is in no pair.
    weights = np.nan_to_num(1 / generalised_ranks(Y_true))
    agreement, total = pair_counts(Y_true, Y_pred, weights)
    return np.divide(agreement, np.where(total > 0, total, np.nan))


@measure_of_cases
def position_ndcg_score(Y_true: Array, Y_pred: Array) -> FloatArray:
    r"""Return the mean discounted gain of the predicted ranking, relative to the true one.

    .. math:: \frac{\sum_i (m - r_i) / \log_2(s_i + 1)}{\sum_i (m - r_i) / \log_2(r_i + 1)}

    with the true and predicted positions r_i and s_i of m ranked labels: [JK02]_ with the gain
    m - position, so the truly last has none. Truly tied labels share the mean of their gains,
    labels predicted as tied the mean of their places' discounts. Equals
    `sklearn.metrics.ndcg_score` of these gains.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True positions; NaN = not ranked, ties allowed.
    Y_pred : array-like of shape (n_samples, n_labels)
        Predicted positions, complete.
    average : {"mean"} or None, default="mean"
        None: one value per case.

    Returns
    -------
    float or ndarray of shape (n_samples,)
        In (0, 1], higher is better; NaN where the truth orders no pair. A reversed ranking stays
        well above 0, so compare with that of a random one.

    Examples
    --------
    >>> position_ndcg_score([[1, 2, 3]], [[2, 1, 3]])
    0.8597186998521972
    """
    unranked = np.isnan(Y_true)
    n_ranked = np.count_nonzero(~unranked, axis=1, keepdims=True)
    gains = np.nan_to_num(n_ranked - generalised_ranks(Y_true))
    n_labels = gains.shape[1]
    discounts = 1 / np.log2(np.arange(2, n_labels + 2))
    summed = np.concatenate([[0.0], np.cumsum(discounts)])
    first, last = (
        np.nan_to_num(bounds, nan=1.0).astype(np.int64)
        for bounds in place_ranges(np.where(unranked, np.nan, Y_pred))
    )
    shared = (summed[last] - summed[first - 1]) / (last - first + 1)
    best = np.where(orders_nothing(Y_true), np.nan, -np.sort(-gains, axis=1) @ discounts)
    return (gains * shared).sum(axis=1) / best
