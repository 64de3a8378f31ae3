"""Measures of predicted label rankings against true ones, which may be incomplete or tied.

Rankings are positions, 1 = most preferred, shape (n_samples, n_labels). Only the order of a row
matters, so other keys (lower = better) can be passed. These rules hold for every measure here:

- **Partial truth** (NaN): labels the truth does not rank are left out of truth *and* prediction,
  and the prediction is ranked again among the others. Predictions must be complete.
- **Ties.** Kendall counts the pairs the truth orders strictly; on those, a predicted tie is half an
  inversion. Spearman and footrule use generalised ranks (the mean place of the tied labels) and no
  other tie correction, so a strict prediction of a tied truth stays below 1. For position error and
  top-k, predicted ties are broken by label index; where several labels are truly first, the best
  placed of them counts.
- **Nothing to compare.** Where the truth orders no pair (fewer than two ranked labels, or all
  tied) the case has the value NaN, and means leave it out; the mean of no case is NaN.
- **Similarities** are ``1 - 2 * distance / largest distance`` of the case, in [-1, 1] ([LR06]_,
  section 5): 1 for equal, -1 for reversed rankings.

Every function returns the mean of the cases, or one value per case with ``average=None``, and
raises ValueError if the shapes differ or the prediction holds NaN.

References
----------
.. [LR06] K. Brinker, E. Hüllermeier: Case-based label ranking. ECML 2006.
.. [MLR07] K. Brinker, E. Hüllermeier: Case-based multilabel ranking. IJCAI 2007.
.. [HF07] E. Hüllermeier, J. Fürnkranz: On minimizing the position error in label ranking.
   ECML 2007.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from labelrank_core.metrics._common import (
    Array,
    best_place,
    measure_of_cases,
    orders_nothing,
    paired,
    within,
)
from labelrank_core.rankings import (
    FloatArray,
    are_permutations,
    dense_positions,
    generalised_ranks,
)


@measure_of_cases
def kendall_tau_score(Y_true: Array, Y_pred: Array) -> FloatArray:
    r"""Return the mean Kendall's tau: (concordant - discordant) / pairs the truth orders.

    .. math:: \tau = \frac{C - D}{C + D + T}

    with the numbers C of concordant, D of discordant and T of pairs that only the prediction ties:
    tau-a over the comparable pairs: a predicted tie on such a pair is neither concordant nor
    discordant, but the pair counts in the denominator. Equals `scipy.stats.kendalltau` for strict
    complete rankings; with ties SciPy's is tau-b and differs.

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
    >>> kendall_tau_score([[1, 2, 3, float("nan")], [1, 1, 1, 1]], [[1, 3, 2, 4], [1, 2, 3, 4]])
    0.3333333333333333
    """
    agreement, comparable = pair_counts(Y_true, Y_pred)
    return np.divide(agreement, np.where(comparable > 0, comparable, np.nan))


@measure_of_cases
def kendall_distance(Y_true: Array, Y_pred: Array) -> FloatArray:
    """Return the mean number of pairs that the prediction orders against the truth.

    Eq. 2 of [LR06]_. A predicted tie on a pair the truth orders counts 1/2.

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
        In [0, m(m-1)/2] for m labels, lower is better; NaN where the truth orders no pair.

    Examples
    --------
    >>> kendall_distance([[1, 2, 3], [1, 2, 3]], [[1, 3, 2], [1, 2, 3]])
    0.5
    """
    agreement, comparable = pair_counts(Y_true, Y_pred)
    return np.where(comparable > 0, (comparable - agreement) / 2, np.nan)


@measure_of_cases
def spearman_rho_score(Y_true: Array, Y_pred: Array) -> FloatArray:
    r"""Return the mean Spearman's rho: 1 - 6 * squared rank distances / (m(m²-1)).

    .. math:: \rho = 1 - \frac{6 \sum_i (r_i - s_i)^2}{m (m^2 - 1)}

    with the true and predicted ranks r_i and s_i of m ranked labels. Equals
    `scipy.stats.spearmanr` for strict complete rankings; with ties SciPy's is Pearson's correlation
    of the generalised ranks and differs.

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
    >>> spearman_rho_score([[1, 2, 3], [3, 1, 2]], [[1, 3, 2], [3, 1, 2]])
    0.75
    """
    return _rho(Y_true, Y_pred)


@measure_of_cases
def spearman_distance(Y_true: Array, Y_pred: Array) -> FloatArray:
    """Return the mean sum of squared differences of the labels' ranks.

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
        In [0, m(m²-1)/3] for m labels, lower is better; NaN where the truth orders no pair.

    Examples
    --------
    >>> spearman_distance([[1, 2, 3], [1, 2, 3]], [[1, 3, 2], [1, 2, 3]])
    1.0
    """
    return _squared_distance(Y_true, Y_pred)


@measure_of_cases
def footrule_score(Y_true: Array, Y_pred: Array) -> FloatArray:
    """Return the mean footrule similarity: 1 - 2 * absolute rank distances / ⌊m²/2⌋.

    Reversal gives -1, and so does every ranking that moves all labels of the upper half to the
    lower.

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
    >>> footrule_score([[1, 2, 3], [3, 1, 2]], [[1, 3, 2], [3, 1, 2]])
    0.5
    """
    return 1 - 2 * _absolute_distance(Y_true, Y_pred) / (_n_ranked(Y_true) ** 2 // 2)


@measure_of_cases
def footrule_distance(Y_true: Array, Y_pred: Array) -> FloatArray:
    """Return the mean sum of absolute differences of the labels' ranks.

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
        In [0, ⌊m²/2⌋] for m labels, lower is better; NaN where the truth orders no pair.

    Examples
    --------
    >>> footrule_distance([[1, 2, 3], [1, 2, 3]], [[1, 3, 2], [1, 2, 3]])
    1.0
    """
    return _absolute_distance(Y_true, Y_pred)


@measure_of_cases
def calibrated_spearman_score(Y_true: Array, Y_pred: Array) -> FloatArray:
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
    average : {"mean"} or None, default="mean"
        None: one value per case.

    Returns
    -------
    float or ndarray of shape (n_samples,)
        In [-1, 1], higher is better; NaN where all labels tie with the virtual label.

    Examples
    --------
    >>> calibrated_spearman_score([[1, 3, 4, 2]], [[1, 2, 4, 3]])
    0.8
    """
    return _rho(Y_true, Y_pred)


@measure_of_cases
def position_error(Y_true: Array, Y_pred: Array) -> FloatArray:
    """Return the mean number of labels predicted ahead of the truly first one.

    The position error of [HF07]_ counted from 0: the predicted place of the target label, here the
    truly first one, minus 1. Divided by m-1 it is the normalised error.

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
        In [0, m-1] for m labels, lower is better; NaN where the truth orders no pair.

    Examples
    --------
    >>> position_error([[1, 2, 3], [1, 2, 3]], [[3, 1, 2], [1, 3, 2]])
    1.0
    """
    return _place_of_first(Y_true, Y_pred)


@measure_of_cases
def top_k_score(Y_true: Array, Y_pred: Array, *, k: int = 2) -> FloatArray:
    """Return the share of cases whose truly first label is among the first k predicted.

    Equals `sklearn.metrics.top_k_accuracy_score` of the truly first label, except where scores tie:
    here the lower label index comes first, there the higher one.

    Parameters
    ----------
    Y_true : array-like of shape (n_samples, n_labels)
        True positions; NaN = not ranked, ties allowed.
    Y_pred : array-like of shape (n_samples, n_labels)
        Predicted positions, complete.
    k : int, default=2
        Number of first predicted labels, at least 1; from m on every case counts 1.
    average : {"mean"} or None, default="mean"
        None: one value per case, 0 or 1.

    Returns
    -------
    float or ndarray of shape (n_samples,)
        In [0, 1], higher is better; NaN where the truth orders no pair.

    Examples
    --------
    >>> top_k_score([[1, 2, 3], [1, 2, 3]], [[3, 1, 2], [2, 1, 3]], k=2)
    0.5
    """
    return within(_place_of_first(Y_true, Y_pred), k)


def place_differences(Y_true: ArrayLike, Y_pred: ArrayLike) -> FloatArray:
    """Return the number of places by which each label is predicted too far back.

    Their absolute values add up to the `footrule_distance` of a case, their squares to its
    `spearman_distance`.

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
    truth, prediction = paired(Y_true, Y_pred)
    differences = -_rank_differences(truth, prediction)
    return np.where(np.isnan(truth), np.nan, differences) + 0.0


def pair_counts(
    truth: Array, prediction: Array, weights: FloatArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """Count for every row concordant minus discordant pairs, and the pairs the truth orders.

    With weights of the labels, (n_samples, n_labels), a pair counts as much as both together.
    """
    n_samples = len(truth)
    agreement, comparable = np.zeros(n_samples), np.zeros(n_samples)
    for label, order, predicted_order in pair_orders(truth, prediction):
        if weights is None:
            comparable += np.abs(order).sum(axis=0, dtype=np.int32)
            agreement += (order * predicted_order).sum(axis=0, dtype=np.int32)
        else:
            weight = (weights[:, [label]] + weights[:, label + 1 :]).T
            comparable += (np.abs(order) * weight).sum(axis=0)
            agreement += (order * predicted_order * weight).sum(axis=0)
    return agreement, comparable


def pair_orders(
    truth: Array, prediction: Array
) -> Iterator[tuple[int, NDArray[np.int8], NDArray[np.int8]]]:
    """Compare each label with those after it, in truth and prediction, (n_later, n_samples).

    1 where the label is ahead, -1 where it is behind, 0 where both tie or, in the truth, are not
    both ranked. The prediction's comparisons with labels that are not ranked mean nothing.
    """
    keys, predicted = _small_keys(truth), _small_keys(prediction)
    # An unranked label is last in one copy and first in the other, so no comparison with it holds.
    missing = np.isnan(truth).T
    upper = np.where(missing, np.iinfo(keys.dtype).max, keys)
    lower = np.where(missing, keys.dtype.type(0), keys)
    for label in range(len(keys) - 1):
        later = slice(label + 1, None)
        order = _signs(upper[label] < lower[later], upper[later] < lower[label])
        predicted_order = _signs(
            predicted[label] < predicted[later], predicted[later] < predicted[label]
        )
        yield label, order, predicted_order


def _signs(ahead: NDArray[np.bool_], behind: NDArray[np.bool_]) -> NDArray[np.int8]:
    return ahead.view(np.int8) - behind.view(np.int8)


def _small_keys(positions: Array) -> Array:
    """Return columns of one- or two-byte integers in the order of the rows; NaN becomes any."""
    # Comparing bytes takes an eighth of the memory traffic of comparing floats.
    values = np.where(np.isnan(positions), 1, positions)
    with np.errstate(invalid="ignore"):
        keys = values.astype(np.uint8)
    if not (keys == values).all():
        keys = dense_positions(values).astype(np.uint8 if values.shape[1] < 256 else np.uint16)
    return np.ascontiguousarray(keys.T)


def _rho(truth: Array, prediction: Array) -> FloatArray:
    n_ranked = _n_ranked(truth)
    return 1 - 6 * _squared_distance(truth, prediction) / (n_ranked * (n_ranked**2 - 1))


def _squared_distance(truth: Array, prediction: Array) -> FloatArray:
    difference = _rank_differences(truth, prediction)
    return np.einsum("ij,ij->i", difference, difference)


def _absolute_distance(truth: Array, prediction: Array) -> FloatArray:
    return np.abs(_rank_differences(truth, prediction)).sum(axis=1)


def _n_ranked(truth: Array) -> FloatArray:
    """Count the labels the truth ranks; NaN where fewer than two."""
    counts = np.count_nonzero(~np.isnan(truth), axis=1)
    return np.where(counts > 1, counts, np.nan)


def _rank_differences(truth: Array, prediction: Array) -> FloatArray:
    """Subtract ranks: 0 for labels not compared, NaN in rows where the truth orders no pair."""
    # Permutations are ranks already; ranking them again would take most of the time.
    if truth.shape[1] > 1 and are_permutations(truth).all() and are_permutations(prediction).all():
        return np.subtract(truth, prediction, dtype=np.float64)
    missing = np.isnan(truth)
    difference = generalised_ranks(truth)
    difference -= generalised_ranks(np.where(missing, np.nan, prediction))
    difference[missing] = 0
    difference[orders_nothing(truth)] = np.nan
    return difference


def _place_of_first(truth: Array, prediction: Array) -> FloatArray:
    """Find the best predicted place, from 0, of a truly first label among those ranked."""
    unranked = np.isnan(truth)
    first = np.where(unranked, np.inf, truth).min(axis=1, keepdims=True)
    indices = best_place(truth == first, np.where(unranked, np.inf, prediction))
    return np.where(orders_nothing(truth), np.nan, indices)
