"""Measures of predicted rankings in which a tie is an answer: bucket orders against bucket orders.

Rankings are positions, 1 = most preferred, shape (n_samples, n_labels); tied labels share one, and
only the order of a row matters. Unlike in `labelrank_core.metrics.ranking`, pairs that the truth
ties count: a predicted tie is right on them, a predicted order half wrong. Labels the truth does
not rank (NaN) are left out of truth and prediction; the prediction must be complete. A case whose
truth ranks fewer than two labels has the value NaN, which means leave out. Every function returns
the mean of the cases, or one value per case with ``average=None``, and raises ValueError if the
shapes differ or the prediction holds NaN.

References
----------
.. [EM02] E. Emond, D. Mason: A new rank correlation coefficient with application to the consensus
   ranking problem. Journal of Multi-Criteria Decision Analysis 11, 2002.
.. [KS62] J. Kemeny, J. Snell: Mathematical models in the social sciences. 1962.
.. [F06] R. Fagin, R. Kumar, M. Mahdian, D. Sivakumar, E. Vee: Comparing partial rankings. SIAM
   Journal on Discrete Mathematics 20(3), 2006.
"""

import numpy as np

from labelrank_core.metrics._common import Array, measure_of_cases
from labelrank_core.metrics.ranking import pair_orders
from labelrank_core.rankings import FloatArray, IntArray, place_ranges


@measure_of_cases
def tau_x_score(Y_true: Array, Y_pred: Array) -> FloatArray:
    r"""Return the mean tau_x, the rank correlation of bucket orders of [EM02]_.

    .. math:: \tau_x = \frac{\sum_{i \ne j} a_{ij} b_{ij}}{m (m - 1)}

    with a_ij = 1 if label i is ahead of j or ties with it, -1 if it is behind, and b_ij likewise
    for the prediction of m labels. It equals 1 - 2 * `kemeny_distance` / (m(m-1)), and Kendall's
    tau where neither ranking has a tie.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True positions; NaN = not ranked, ties allowed.
    Y_pred : array-like of shape (n_samples, n_labels)
        Predicted positions, complete; ties allowed.
    average : {"mean"} or None, default="mean"
        None: one value per case.

    Returns
    -------
    float or ndarray of shape (n_samples,)
        In [-1, 1], higher is better: 1 for equal rankings with ties in the same pairs, -1 for
        reversed strict ones, 0 where one ranking ties all labels and the other none; NaN where the
        truth ranks fewer than two labels.

    Examples
    --------
    >>> tau_x_score([[1, 2, 2], [1, 2, 3]], [[1, 2, 2], [1, 1, 1]])
    0.5
    """
    n_reversed, n_half, n_pairs = _pair_differences(Y_true, Y_pred)
    return 1 - (2 * n_reversed + n_half) / n_pairs


@measure_of_cases
def kemeny_distance(Y_true: Array, Y_pred: Array) -> FloatArray:
    """Return the mean distance of Kemeny and Snell between bucket orders [KS62]_.

    A pair of labels costs 2 where the rankings order it in opposite ways, and 1 where only one of
    them ties it: twice `kendall_p_distance` with p = 1/2.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True positions; NaN = not ranked, ties allowed.
    Y_pred : array-like of shape (n_samples, n_labels)
        Predicted positions, complete; ties allowed.
    average : {"mean"} or None, default="mean"
        None: one value per case.

    Returns
    -------
    float or ndarray of shape (n_samples,)
        In [0, m(m-1)] for m labels, lower is better; NaN where the truth ranks fewer than two.

    Examples
    --------
    >>> kemeny_distance([[1, 2, 2], [1, 2, 3]], [[1, 2, 3], [3, 2, 1]])
    3.5
    """
    n_reversed, n_half, n_pairs = _pair_differences(Y_true, Y_pred)
    return np.where(np.isnan(n_pairs), np.nan, 2 * n_reversed + n_half)


@measure_of_cases
def kendall_p_distance(Y_true: Array, Y_pred: Array, *, p: float = 0.5) -> FloatArray:
    """Return the mean Kendall distance with a penalty p for ties, K^(p) of [F06]_.

    A pair of labels costs 1 where the rankings order it in opposite ways, p where only one of them
    ties it, and nothing else.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True positions; NaN = not ranked, ties allowed.
    Y_pred : array-like of shape (n_samples, n_labels)
        Predicted positions, complete; ties allowed.
    p : float, default=0.5
        Between 0 and 1. From 1/2 on it is a metric; below, the triangle inequality fails, and at 0
        different rankings can be at distance 0. 1/2 is K_prof of the source.
    average : {"mean"} or None, default="mean"
        None: one value per case.

    Returns
    -------
    float or ndarray of shape (n_samples,)
        In [0, m(m-1)/2] for m labels, lower is better; NaN where the truth ranks fewer than two.

    Raises
    ------
    ValueError
        If p is not between 0 and 1.

    Examples
    --------
    >>> kendall_p_distance([[1, 2, 2], [1, 2, 3]], [[1, 2, 3], [3, 2, 1]], p=1)
    2.0
    """
    penalty = _share(p)
    n_reversed, n_half, n_pairs = _pair_differences(Y_true, Y_pred)
    return np.where(np.isnan(n_pairs), np.nan, n_reversed + penalty * n_half)


@measure_of_cases
def footrule_p_distance(Y_true: Array, Y_pred: Array, *, p: float = 0.5) -> FloatArray:
    """Return the mean footrule distance of bucket orders, F_prof of [F06]_ for p = 1/2.

    The difference of a label's ranks, without its sign, summed over the labels. A bucket of tied
    labels has the rank (1 - p) * its first place + p * its last one; the mean of its places with
    1/2, for which `kendall_p_distance` <= this distance <= 2 * `kendall_p_distance`. Other values
    of p are our own choice: 0 and 1 compare the ranks of competitions, 1 2 2 4 and 1 3 3 4.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True positions; NaN = not ranked, ties allowed.
    Y_pred : array-like of shape (n_samples, n_labels)
        Predicted positions, complete; ties allowed.
    p : float, default=0.5
        Between 0 and 1: how far from its first to its last place the rank of a bucket is.
    average : {"mean"} or None, default="mean"
        None: one value per case.

    Returns
    -------
    float or ndarray of shape (n_samples,)
        At least 0, at most ⌊m²/2⌋ for m labels if p is 1/2; lower is better; NaN where the truth
        ranks fewer than two labels.

    Raises
    ------
    ValueError
        If p is not between 0 and 1.

    Examples
    --------
    >>> footrule_p_distance([[1, 2, 2], [1, 2, 3]], [[1, 2, 3], [3, 2, 1]])
    2.5
    """
    share = _share(p)
    unranked = np.isnan(Y_true)
    truth, prediction = (
        (1 - share) * first + share * last
        for first, last in map(place_ranges, (Y_true, np.where(unranked, np.nan, Y_pred)))
    )
    total = np.abs(np.nan_to_num(truth - prediction)).sum(axis=1)
    return np.where((~unranked).sum(axis=1) > 1, total, np.nan)


def _share(p: float) -> float:
    if not 0 <= p <= 1:
        raise ValueError(f"Expected p between 0 and 1, got {p!r}.")
    return p


def _pair_differences(truth: Array, prediction: Array) -> tuple[IntArray, IntArray, FloatArray]:
    """Count for every row pairs in opposite order, tied in one ranking only, and all ranked.

    The last is NaN where fewer than two labels are ranked.
    """
    n_samples, n_labels = truth.shape
    ranked = ~np.isnan(truth).T
    n_reversed, n_half = np.zeros(n_samples, dtype=np.int64), np.zeros(n_samples, dtype=np.int64)
    for label, order, predicted in pair_orders(truth, prediction):
        difference = np.abs(order - predicted)
        difference *= ranked[label] & ranked[label + 1 :]
        n_half += (difference == 1).sum(axis=0)
        n_reversed += (difference == 2).sum(axis=0)
    n_ranked = ranked.sum(axis=0) if n_labels else np.zeros(n_samples)
    n_pairs = n_ranked * (n_ranked - 1) / 2
    return n_reversed, n_half, np.where(n_pairs > 0, n_pairs, np.nan)
