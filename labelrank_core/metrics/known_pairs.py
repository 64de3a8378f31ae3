"""Measures of predicted rankings on the pairs of labels that are known."""

from typing import Literal, overload

import numpy as np
from numpy.typing import ArrayLike

from labelrank_core.data.pair_preferences import PairPreferences
from labelrank_core.metrics._common import mean_of_cases
from labelrank_core.rankings import FloatArray, check_rankings


@overload
def pair_tau_score(
    Y_true: PairPreferences, Y_pred: ArrayLike, *, average: Literal["mean"] = ...
) -> float: ...


@overload
def pair_tau_score(Y_true: PairPreferences, Y_pred: ArrayLike, *, average: None) -> FloatArray: ...


def pair_tau_score(
    Y_true: PairPreferences, Y_pred: ArrayLike, *, average: str | None = "mean"
) -> float | FloatArray:
    r"""Return the mean rank correlation of predictions with the pairs of labels that are known.

    .. math:: \tau = 1 - \frac{1}{|K|} \sum_{(i, j) \in K} |s_{ij} - p_{ij}|

    for the known pairs K of a case, with the sign s of the truth and p of the prediction: 1 if
    label i is ahead, -1 if j is, 0 for a tie. So a pair counts 1 where it is as known, -1 where it
    is reversed and 0 where only one of the two ties it. Of the pairs of strict rankings, whole or
    with labels missing, it is `kendall_tau_score`, of those of complete rankings with ties
    `tau_x_score`. Where the known pairs of a case form a cycle, no prediction reaches 1.

    Parameters
    ----------
    Y_true : PairPreferences
        The known pairs of n_samples cases.
    Y_pred : array-like of shape (n_samples, n_labels)
        Predicted positions, complete; labels may tie.
    average : {"mean"} or None, default="mean"
        None: one value per case.

    Returns
    -------
    float or ndarray of shape (n_samples,)
        In [-1, 1], higher is better; NaN for a case without a known pair, which the mean leaves
        out.

    Raises
    ------
    ValueError
        If the shapes do not fit, a position is missing or `average` is another value.

    Examples
    --------
    >>> truth = PairPreferences.from_words(["a > b | c > d", "b > a"])
    >>> pair_tau_score(truth, [[1, 2, 4, 3], [2, 1, 3, 4]])
    0.5
    """
    if average not in ("mean", None):
        raise ValueError(f"Expected average to be 'mean' or None, got {average!r}.")
    prediction = check_rankings(Y_pred)
    expected = (len(Y_true), Y_true.n_labels)
    if prediction.shape != expected:
        raise ValueError(f"Expected predictions of shape {expected}, got {prediction.shape}.")
    differences = np.abs(Y_true.signs - PairPreferences.from_rankings(prediction).signs)
    n_known = Y_true.n_known
    values = 1 - np.nansum(differences, axis=1) / np.where(n_known > 0, n_known, np.nan)
    return values if average is None else mean_of_cases(values)
