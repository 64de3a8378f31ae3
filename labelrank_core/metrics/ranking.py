"""Measures of predicted label rankings against true ones, which may be partial or tied.

Rankings are positions, 1 = most preferred, shape (n_samples, n_labels). Only the order of a row
matters, so other keys (lower = better) serve as well. These rules hold for every measure here:

- **Partial truth** (NaN): labels the truth does not rank are left out of truth *and* prediction,
  and the prediction is ranked anew among the others. Predictions must be complete.
- **Ties.** Kendall looks at the pairs the truth orders strictly; on those, a predicted tie is half
  an inversion. Spearman and footrule use generalised ranks (the mean place of the tied labels) and
  no other tie correction, so a strict prediction of a tied truth stays below 1.
  Position error and top-k look at places: of labels with an equal predicted position, the lower
  label index comes first; where several labels are truly first, the best placed of them counts.
- **Nothing to compare.** Where the truth orders no pair (fewer than two ranked labels, or all
  tied) the case has the value NaN, and means leave it out; the mean of no case is NaN.
- **Similarities** are ``1 - 2 * distance / largest distance`` of the case, in [-1, 1] ([LR06]_,
  section 5): 1 for equal, -1 for reversed rankings.

Every function raises ValueError if the shapes differ or the prediction holds NaN.

References
----------
.. [LR06] K. Brinker, E. Hüllermeier: Case-based label ranking. ECML 2006.
.. [MLR07] K. Brinker, E. Hüllermeier: Case-based multilabel ranking. IJCAI 2007.
.. [HF07] E. Hüllermeier, J. Fürnkranz: On minimizing the position error in label ranking.
   ECML 2007.
"""

import numpy as np
from numpy.typing import ArrayLike

from labelrank_core.metrics import _compare
from labelrank_core.metrics._common import in_chunks, mean_of_cases, paired_complete, within
from labelrank_core.rankings import FloatArray


def kendall_tau_score_per_case(Y_true: ArrayLike, Y_pred: ArrayLike) -> FloatArray:
    """Return Kendall's tau of every case; see `kendall_tau_score`.

    Parameters
    ----------
    Y_true, Y_pred : array-like of shape (n_samples, n_labels)
        Positions; the truth may hold NaN.

    Returns
    -------
    ndarray of shape (n_samples,)
        Values in [-1, 1]; NaN where the truth orders no pair.

    Examples
    --------
    >>> kendall_tau_score_per_case([[1, 2, 3], [1, 1, 1]], [[1, 3, 2], [1, 2, 3]])
    array([0.33333333,        nan])
    """
    return in_chunks(_compare.kendall_tau, *paired_complete(Y_true, Y_pred))


def kendall_tau_score(Y_true: ArrayLike, Y_pred: ArrayLike) -> float:
    """Return the mean Kendall's tau: (concordant - discordant) / pairs the truth orders.

    Tau-a over the comparable pairs: a predicted tie on such a pair is neither concordant nor
    discordant, but the pair counts in the denominator. Equals `scipy.stats.kendalltau` for strict
    complete rankings; with ties that one is tau-b and differs.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True positions; NaN = not ranked, ties allowed.
    Y_pred : array-like of shape (n_samples, n_labels)
        Predicted positions, complete.

    Returns
    -------
    float
        In [-1, 1], higher is better; NaN where no case has a pair to compare.

    Examples
    --------
    >>> kendall_tau_score([[1, 2, 3, float("nan")]], [[1, 3, 2, 4]])
    0.3333333333333333
    """
    return mean_of_cases(kendall_tau_score_per_case(Y_true, Y_pred))


def kendall_distance_per_case(Y_true: ArrayLike, Y_pred: ArrayLike) -> FloatArray:
    """Return the number of inverted pairs of every case; see `kendall_distance`.

    Parameters
    ----------
    Y_true, Y_pred : array-like of shape (n_samples, n_labels)
        Positions; the truth may hold NaN.

    Returns
    -------
    ndarray of shape (n_samples,)
        Values in [0, m(m-1)/2]; NaN where the truth orders no pair.

    Examples
    --------
    >>> kendall_distance_per_case([[1, 2, 3]], [[3, 2, 1]])
    array([3.])
    """
    return in_chunks(_compare.kendall_distance, *paired_complete(Y_true, Y_pred))


def kendall_distance(Y_true: ArrayLike, Y_pred: ArrayLike) -> float:
    """Return the mean number of pairs that the prediction orders against the truth.

    Eq. 2 of [LR06]_. A predicted tie on a pair the truth orders counts 1/2.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True positions; NaN = not ranked, ties allowed.
    Y_pred : array-like of shape (n_samples, n_labels)
        Predicted positions, complete.

    Returns
    -------
    float
        In [0, m(m-1)/2] for m labels, lower is better; NaN where no case has a pair to compare.

    Examples
    --------
    >>> kendall_distance([[1, 2, 3], [1, 2, 3]], [[1, 3, 2], [1, 2, 3]])
    0.5
    """
    return mean_of_cases(kendall_distance_per_case(Y_true, Y_pred))


def spearman_rho_score_per_case(Y_true: ArrayLike, Y_pred: ArrayLike) -> FloatArray:
    """Return Spearman's rho of every case; see `spearman_rho_score`.

    Parameters
    ----------
    Y_true, Y_pred : array-like of shape (n_samples, n_labels)
        Positions; the truth may hold NaN.

    Returns
    -------
    ndarray of shape (n_samples,)
        Values in [-1, 1]; NaN where the truth orders no pair.

    Examples
    --------
    >>> spearman_rho_score_per_case([[1, 2, 3]], [[1, 3, 2]])
    array([0.5])
    """
    return in_chunks(_compare.spearman_rho, *paired_complete(Y_true, Y_pred))


def spearman_rho_score(Y_true: ArrayLike, Y_pred: ArrayLike) -> float:
    """Return the mean Spearman's rho: 1 - 6 * squared rank distances / (m(m²-1)).

    Equals `scipy.stats.spearmanr` for strict complete rankings; with ties that one is Pearson's
    correlation of the generalised ranks and differs.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True positions; NaN = not ranked, ties allowed.
    Y_pred : array-like of shape (n_samples, n_labels)
        Predicted positions, complete.

    Returns
    -------
    float
        In [-1, 1], higher is better; NaN where no case has a pair to compare.

    Examples
    --------
    >>> spearman_rho_score([[1, 2, 3], [3, 1, 2]], [[1, 3, 2], [3, 1, 2]])
    0.75
    """
    return mean_of_cases(spearman_rho_score_per_case(Y_true, Y_pred))


def spearman_distance_per_case(Y_true: ArrayLike, Y_pred: ArrayLike) -> FloatArray:
    """Return the sum of squared rank differences of every case; see `spearman_distance`.

    Parameters
    ----------
    Y_true, Y_pred : array-like of shape (n_samples, n_labels)
        Positions; the truth may hold NaN.

    Returns
    -------
    ndarray of shape (n_samples,)
        Values in [0, m(m²-1)/3]; NaN where the truth orders no pair.

    Examples
    --------
    >>> spearman_distance_per_case([[1, 2, 3]], [[3, 2, 1]])
    array([8.])
    """
    return in_chunks(_compare.spearman_distance, *paired_complete(Y_true, Y_pred))


def spearman_distance(Y_true: ArrayLike, Y_pred: ArrayLike) -> float:
    """Return the mean sum of squared differences of the labels' ranks.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True positions; NaN = not ranked, ties allowed.
    Y_pred : array-like of shape (n_samples, n_labels)
        Predicted positions, complete.

    Returns
    -------
    float
        In [0, m(m²-1)/3] for m labels, lower is better; NaN where no case has a pair to compare.

    Examples
    --------
    >>> spearman_distance([[1, 2, 3], [1, 2, 3]], [[1, 3, 2], [1, 2, 3]])
    1.0
    """
    return mean_of_cases(spearman_distance_per_case(Y_true, Y_pred))


def footrule_score_per_case(Y_true: ArrayLike, Y_pred: ArrayLike) -> FloatArray:
    """Return the footrule similarity of every case; see `footrule_score`.

    Parameters
    ----------
    Y_true, Y_pred : array-like of shape (n_samples, n_labels)
        Positions; the truth may hold NaN.

    Returns
    -------
    ndarray of shape (n_samples,)
        Values in [-1, 1]; NaN where the truth orders no pair.

    Examples
    --------
    >>> footrule_score_per_case([[1, 2, 3]], [[1, 3, 2]])
    array([0.])
    """
    return in_chunks(_compare.footrule, *paired_complete(Y_true, Y_pred))


def footrule_score(Y_true: ArrayLike, Y_pred: ArrayLike) -> float:
    """Return the mean footrule similarity: 1 - 2 * absolute rank distances / ⌊m²/2⌋.

    Reversal gives -1, and so may other rankings: every one that moves all labels of the upper half
    to the lower.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True positions; NaN = not ranked, ties allowed.
    Y_pred : array-like of shape (n_samples, n_labels)
        Predicted positions, complete.

    Returns
    -------
    float
        In [-1, 1], higher is better; NaN where no case has a pair to compare.

    Examples
    --------
    >>> footrule_score([[1, 2, 3], [3, 1, 2]], [[1, 3, 2], [3, 1, 2]])
    0.5
    """
    return mean_of_cases(footrule_score_per_case(Y_true, Y_pred))


def footrule_distance_per_case(Y_true: ArrayLike, Y_pred: ArrayLike) -> FloatArray:
    """Return the sum of absolute rank differences of every case; see `footrule_distance`.

    Parameters
    ----------
    Y_true, Y_pred : array-like of shape (n_samples, n_labels)
        Positions; the truth may hold NaN.

    Returns
    -------
    ndarray of shape (n_samples,)
        Values in [0, ⌊m²/2⌋]; NaN where the truth orders no pair.

    Examples
    --------
    >>> footrule_distance_per_case([[1, 2, 3]], [[3, 2, 1]])
    array([4.])
    """
    return in_chunks(_compare.footrule_distance, *paired_complete(Y_true, Y_pred))


def footrule_distance(Y_true: ArrayLike, Y_pred: ArrayLike) -> float:
    """Return the mean sum of absolute differences of the labels' ranks.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True positions; NaN = not ranked, ties allowed.
    Y_pred : array-like of shape (n_samples, n_labels)
        Predicted positions, complete.

    Returns
    -------
    float
        In [0, ⌊m²/2⌋] for m labels, lower is better; NaN where no case has a pair to compare.

    Examples
    --------
    >>> footrule_distance([[1, 2, 3], [1, 2, 3]], [[1, 3, 2], [1, 2, 3]])
    1.0
    """
    return mean_of_cases(footrule_distance_per_case(Y_true, Y_pred))


def calibrated_spearman_score_per_case(Y_true: ArrayLike, Y_pred: ArrayLike) -> FloatArray:
    """Return the generalised Spearman of every case; see `calibrated_spearman_score`.

    Parameters
    ----------
    Y_true, Y_pred : array-like of shape (n_samples, n_labels + 1)
        Positions, the virtual label's last.

    Returns
    -------
    ndarray of shape (n_samples,)
        Values in [-1, 1]; NaN where all labels tie with the virtual label.

    Examples
    --------
    >>> calibrated_spearman_score_per_case([[1, 3, 3, 2]], [[1, 3, 4, 2]])
    array([0.95])
    """
    return spearman_rho_score_per_case(Y_true, Y_pred)


def calibrated_spearman_score(Y_true: ArrayLike, Y_pred: ArrayLike) -> float:
    """Return the mean Spearman's rho of rankings that hold the virtual label.

    The generalised rank correlation of [MLR07]_, section 5: the squared distance of generalised
    ranks (eq. 1) over the labels and the virtual one, divided by its largest value and scaled to
    [-1, 1]. The truth of 0/1 data is the bucket order of `labelrank_core.rankings.calibrate`,
    whose largest attainable value by a strict prediction is below 1. The virtual label weighs as
    much as any label, so a label on its wrong side costs no more than two labels swapped.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels + 1)
        True positions, the virtual label's last; ties allowed.
    Y_pred : array-like of shape (n_samples, n_labels + 1)
        Predicted positions, the virtual label's last; `calibrated_positions` makes them.

    Returns
    -------
    float
        In [-1, 1], higher is better; NaN where no case has a pair to compare.

    Examples
    --------
    >>> calibrated_spearman_score([[1, 3, 4, 2]], [[1, 2, 4, 3]])
    0.8
    """
    return mean_of_cases(calibrated_spearman_score_per_case(Y_true, Y_pred))


def place_differences(Y_true: ArrayLike, Y_pred: ArrayLike) -> FloatArray:
    """Return how many places too far back every label is predicted.

    Their absolute values add up to `footrule_distance_per_case`, their squares to
    `spearman_distance_per_case`.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True positions; NaN = not ranked, ties allowed.
    Y_pred : array-like of shape (n_samples, n_labels)
        Predicted positions, complete.

    Returns
    -------
    ndarray of shape (n_samples, n_labels)
        Predicted minus true place, negative = too far ahead; NaN for labels the truth does not
        rank and in rows where it orders no pair.

    Examples
    --------
    >>> place_differences([[1, 2, 3, float("nan")]], [[2, 1, 4, 3]])
    array([[ 1., -1.,  0., nan]])
    """
    truth, prediction = paired_complete(Y_true, Y_pred)
    differences = -_compare.rank_differences(truth, prediction)
    return np.where(np.isnan(truth), np.nan, differences) + 0.0


def position_error_per_case(Y_true: ArrayLike, Y_pred: ArrayLike) -> FloatArray:
    """Return how many labels every case names in vain; see `position_error`.

    Parameters
    ----------
    Y_true, Y_pred : array-like of shape (n_samples, n_labels)
        Positions; the truth may hold NaN.

    Returns
    -------
    ndarray of shape (n_samples,)
        Values in [0, m-1]; NaN where the truth orders no pair.

    Examples
    --------
    >>> position_error_per_case([[1, 2, 3], [1, 2, 3]], [[3, 1, 2], [1, 3, 2]])
    array([2., 0.])
    """
    return in_chunks(_compare.position_error, *paired_complete(Y_true, Y_pred))


def position_error(Y_true: ArrayLike, Y_pred: ArrayLike) -> float:
    """Return the mean number of labels predicted ahead of the truly first one.

    The position error of [HF07]_ counted from 0: the predicted place of the target label, here the
    truly first one, minus 1. Divided by m-1 it is the normalised error.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True positions; NaN = not ranked, ties allowed.
    Y_pred : array-like of shape (n_samples, n_labels)
        Predicted positions, complete.

    Returns
    -------
    float
        In [0, m-1] for m labels, lower is better; NaN where no case has a pair to compare.

    Examples
    --------
    >>> position_error([[1, 2, 3], [1, 2, 3]], [[3, 1, 2], [1, 3, 2]])
    1.0
    """
    return mean_of_cases(position_error_per_case(Y_true, Y_pred))


def top_k_score_per_case(Y_true: ArrayLike, Y_pred: ArrayLike, *, k: int = 2) -> FloatArray:
    """Return 1 for every case whose truly first label is among the first k; see `top_k_score`.

    Parameters
    ----------
    Y_true, Y_pred : array-like of shape (n_samples, n_labels)
        Positions; the truth may hold NaN.
    k : int, default=2
        How many predicted labels are looked at.

    Returns
    -------
    ndarray of shape (n_samples,)
        0 or 1; NaN where the truth orders no pair.

    Examples
    --------
    >>> top_k_score_per_case([[1, 2, 3], [1, 2, 3]], [[3, 1, 2], [2, 1, 3]])
    array([0., 1.])
    """
    return within(position_error_per_case(Y_true, Y_pred), k)


def top_k_score(Y_true: ArrayLike, Y_pred: ArrayLike, *, k: int = 2) -> float:
    """Return the share of cases whose truly first label is among the first k predicted.

    Equals `sklearn.metrics.top_k_accuracy_score` of the truly first label as class, except where
    scores tie: of those the lower label index comes first here, the higher one there.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True positions; NaN = not ranked, ties allowed.
    Y_pred : array-like of shape (n_samples, n_labels)
        Predicted positions, complete.
    k : int, default=2
        How many predicted labels are looked at, at least 1; from m on every case counts 1.

    Returns
    -------
    float
        In [0, 1], higher is better; NaN where no case has a pair to compare.

    Examples
    --------
    >>> top_k_score([[1, 2, 3], [1, 2, 3]], [[3, 1, 2], [2, 1, 3]], k=2)
    0.5
    """
    return mean_of_cases(top_k_score_per_case(Y_true, Y_pred, k=k))
