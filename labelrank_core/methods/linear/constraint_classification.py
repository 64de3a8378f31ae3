"""Constraint classification: linear utilities found by a perceptron over preferences."""

from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import minimize_scalar
from sklearn.utils import check_random_state

from labelrank_core._sklearn import Interval, StrOptions, fit_context
from labelrank_core.aggregation import TIES
from labelrank_core.methods.linear._utilities import UtilityRanker, incidence, shares_of_pairs
from labelrank_core.methods.pair_ranker import common_scale
from labelrank_core.methods.pairs import split_signs
from labelrank_core.rankings import FloatArray, IntArray


class ConstraintClassificationRanker(UtilityRanker):
    """Rank labels by linear utilities, learned from preferences as constraints [harpeled2002]_.

    Every preference 'i before j' of a case x is the constraint w_i · x > w_j · x. A perceptron
    passes through the cases; for every constraint that a case violates, x is added to w_i and
    subtracted from w_j. The weights are the mean over all steps.

    Parameters
    ----------
    n_epochs : int, default=16
        Number of passes through the training cases, each in another order.
    max_updates : int or None, default=None
        How often a single constraint may change the weights before it is ignored as noise (the
        'α-bound' of [khardon2007]_); None: always.
    ties : {"break", "predict"}, default="break"
        ``"predict"``: labels may share a position. Each pair of a case is then two constraints,
        for whether one of both utilities exceeds the other by more than a threshold, which the
        perceptron learns with the weights, as that of [crammer2001]_ does; the prediction is the
        bucket order with the least expected Kemeny distance, and so with the largest expected
        tau_x: exactly for up to 8 labels, beyond by local search. The confidence is then 1 -
        expected distance / largest one.
    random_state : int, RandomState instance or None, default=0
        Seed of the orders. The same number gives the same weights.

    Attributes
    ----------
    coef_ : ndarray of shape (n_labels, n_features)
        The weights w.
    intercept_ : ndarray of shape (n_labels,)
        The weights of a constant feature of 1.
    tie_threshold_ : float
        By how much a utility must lead for its label to be likelier ahead than not; 0 unless
        ``ties="predict"``.
    n_updates_ : int
        How often a constraint changed the weights.
    n_labels_ : int
        Number of labels.
    n_features_in_ : int
        Number of features.

    Notes
    -----
    All constraints that a case violates change the weights at once. Their Kesler vectors, with
    n_labels times n_features numbers, are never built.

    Incomplete rankings: a case has a constraint for every pair that it orders; ties give none,
    unless they are predicted. A label that no case ranks has utility 0. Ties are broken by label
    index.

    A perceptron's weights have no unit. They are multiplied by the number with which the
    differences of utilities fit the training preferences best as log-odds, with Platt's smoothed
    targets; this changes no ranking and gives pairs their probabilities.

    Our own choices: the mean of the weights in place of votes, the number of epochs, and this unit.
    If any feature exceeds 1000 in size, all are divided by one power of two first. Sparse cases are
    made dense.

    References
    ----------
    .. [harpeled2002] S. Har-Peled, D. Roth, D. Zimak: Constraint classification: a new approach to
       multiclass classification and ranking. NIPS 2002.
    .. [khardon2007] R. Khardon, G. Wachman: Noise tolerant variants of the perceptron algorithm.
       Journal of Machine Learning Research 8, 2007.
    .. [crammer2001] K. Crammer, Y. Singer: Pranking with ranking. NIPS 2001.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> Y = [[1, 2, 3], [1, 2, 3], [3, 2, 1], [3, 2, 1]]
    >>> ConstraintClassificationRanker().fit(X, Y).predict([[0.4], [2.9]])
    array([[1, 2, 3],
           [3, 2, 1]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_epochs": [Interval(Integral, 1, None, closed="left")],
        "max_updates": [Interval(Integral, 1, None, closed="left"), None],
        "ties": [StrOptions(set(TIES))],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_epochs: int = 16,
        *,
        max_updates: int | None = None,
        ties: str = "break",
        random_state: Any = 0,
    ) -> None:
        self.n_epochs = n_epochs
        self.max_updates = max_updates
        self.ties = ties
        self.random_state = random_state

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, Y: ArrayLike) -> Self:
        """Run the perceptron.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training cases. Sparse ones are made dense, which must not take more than 512 MB.
        Y : array-like of shape (n_samples, n_labels) or PairPreferences
            Their positions; labels may tie, NaN = not ranked. Or preferences between any pairs
            of labels.

        Returns
        -------
        self
            Fitted.

        Raises
        ------
        ValueError
            If a parameter or an array is not as described.
        """
        features, signs = self._training_data(X, Y)
        scale = common_scale(features)
        design = np.column_stack([features / scale, np.ones(len(features))])
        random = check_random_state(self.random_state)
        orders = [random.permutation(len(design)) for _ in range(self.n_epochs)]
        ends = incidence(self.n_labels_)
        if self.ties == "predict":
            # The threshold is the intercept of one more label, which is behind in no constraint.
            signs = split_signs(signs)
            ends = np.column_stack([np.vstack([ends, -ends]), np.full(2 * len(ends), -1.0)])
        is_learned = np.ones((design.shape[1], ends.shape[1]))
        is_learned[:-1, self.n_labels_ :] = 0.0
        weights, self.n_updates_ = perceptron(
            design, np.nan_to_num(signs), ends, orders, self.max_updates, is_learned
        )
        weights *= _unit(design @ weights @ ends.T, signs)
        weights[:-1] /= scale
        threshold = float(weights[-1, self.n_labels_ :].sum())
        self._keep(weights[:, : self.n_labels_], features.mean(axis=0), max(threshold, 0.0))
        return self


def perceptron(
    design: FloatArray,
    signs: FloatArray,
    ends: FloatArray,
    orders: list[IntArray],
    max_updates: int | None,
    is_learned: FloatArray | float = 1.0,
) -> tuple[FloatArray, int]:
    """Return the mean weights over all steps, one per case and pass, and the number of updates.

    Weights stay 0 where `is_learned` is 0.
    """
    weights = np.zeros((design.shape[1], ends.shape[1]))
    # A change made at step t is missing in the first t terms of the mean.
    missed = np.zeros_like(weights)
    times = np.zeros(signs.shape, dtype=np.int64)
    open_, n_steps, n_updates = signs != 0, 0, 0
    for case in np.concatenate(orders):
        x = design[case]
        violated = open_[case] & (signs[case] * (ends @ (x @ weights)) <= 0)
        if violated.any():
            change = is_learned * np.outer(x, (violated * signs[case]) @ ends)
            weights += change
            missed += n_steps * change
            n_updates += int(violated.sum())
            if max_updates is not None:
                times[case] += violated
                open_[case] &= times[case] < max_updates
        n_steps += 1
    return weights - missed / n_steps, n_updates


def _unit(differences: FloatArray, signs: FloatArray) -> float:
    """Return the factor that makes differences of utilities log-odds of the preferences."""
    shares = (shares_of_pairs(signs)[:, None] * np.abs(np.nan_to_num(signs))).ravel()
    margins = (np.nan_to_num(signs) * differences).ravel()
    margins, shares = margins[shares > 0], shares[shares > 0]
    size = float(np.sqrt(np.mean(margins**2))) if len(margins) else 0.0
    if size == 0:
        return 1.0
    truth = (len(margins) + 1) / (len(margins) + 2)

    def loss(exponent: float) -> float:
        odds = np.exp(exponent) / size * margins
        lost = truth * np.logaddexp(0, -odds) + (1 - truth) * np.logaddexp(0, odds)
        return float(shares @ lost)

    return float(np.exp(minimize_scalar(loss, bounds=(-7, 7), method="bounded").x) / size)
