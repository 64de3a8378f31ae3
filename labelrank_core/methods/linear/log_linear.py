"""Log-linear label ranking: linear utilities with the least logistic loss over preferences."""

from collections.abc import Callable
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize
from scipy.special import expit

from labelrank_core._sklearn import Interval, StrOptions, fit_context
from labelrank_core.aggregation import TIES
from labelrank_core.aggregation.sums import chunks
from labelrank_core.data.bounds import SMALLEST_FEATURE
from labelrank_core.methods.convergence import warn_not_converged
from labelrank_core.methods.linear._utilities import (
    CHUNK_CELLS,
    UtilityRanker,
    incidence,
    shares_of_outcomes,
    shares_of_pairs,
)
from labelrank_core.methods.pair_ranker import common_scale
from labelrank_core.methods.tie_thresholds import LARGEST_THRESHOLD
from labelrank_core.rankings import FloatArray

# Ties have no probability at a threshold of 0.
_LEAST_THRESHOLD = 1e-6


class LogLinearRanker(UtilityRanker):
    r"""Rank labels by linear utilities, learned as a log-linear model [dekel2003]_.

    Minimises the mean over the training cases of

    .. math:: \frac{1}{|E|} \sum_{(i, j) \in E} \log\bigl(1 + e^{f_j(x) - f_i(x)}\bigr)

    over the case's preferences E, label i preferred to j, plus penalty / 2 times the squared
    weights, where f_i(x) = w_i · x + b_i.

    Parameters
    ----------
    penalty : float, default=1e-4
        Penalty on the squared weights, intercepts included; larger than 0.
    max_iter : int, default=10000
        The largest number of L-BFGS iterations; if they do not suffice, scikit-learn's
        ConvergenceWarning says so.
    ties : {"break", "predict"}, default="break"
        ``"predict"``: labels may share a position. A threshold is learned with the utilities, by
        the greatest likelihood of three outcomes per pair, of which a tie is one [rao1967]_; the
        prediction is the bucket order with the least expected Kemeny distance, and so with the
        largest expected tau_x: exactly for up to 8 labels, beyond by local search. The confidence
        is then 1 - expected distance / largest one. Not in the paper.

    Attributes
    ----------
    coef_ : ndarray of shape (n_labels, n_features)
        The weights w.
    intercept_ : ndarray of shape (n_labels,)
        The intercepts b.
    tie_threshold_ : float
        By how much a utility must lead for its label to be likelier ahead than not; 0 unless
        ``ties="predict"`` and training cases tie labels. It has the same penalty as a weight.
    objective_ : float
        The minimum.
    n_iter_ : int
        Number of iterations.
    n_labels_ : int
        Number of labels.
    n_features_in_ : int
        Number of features.

    Notes
    -----
    Incomplete rankings: a case has a preference for every pair that it orders; ties give none,
    unless they are predicted: then E has the tied pairs, too. A label that no case ranks has
    utility 0. Without ties the difference of two utilities is the log-odds of the pair. Utilities
    are rounded to 12 decimals; ties are broken by label index.

    Differs from the paper, which minimises by boosting-style updates and without a penalty: the
    loss is convex, so L-BFGS finds the same minimum; without a penalty there is no minimum if the
    training cases can be ranked without error. If any feature exceeds 1000 in size, all are divided
    by one power of two before the penalty is applied. Sparse cases are made dense.

    References
    ----------
    .. [dekel2003] O. Dekel, C. Manning, Y. Singer: Log-linear models for label ranking. NIPS 2003.
    .. [rao1967] P. Rao, L. Kupper: Ties in paired-comparison experiments: a generalization of the
       Bradley-Terry model. Journal of the American Statistical Association 62, 1967.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> Y = [[1, 2, 3], [1, 2, 3], [3, 2, 1], [3, 2, 1]]
    >>> LogLinearRanker().fit(X, Y).predict([[0.4], [2.9]])
    array([[1, 2, 3],
           [3, 2, 1]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "penalty": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "ties": [StrOptions(set(TIES))],
    }

    def __init__(
        self, penalty: float = 1e-4, *, max_iter: int = 10_000, ties: str = "break"
    ) -> None:
        self.penalty = penalty
        self.max_iter = max_iter
        self.ties = ties

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, Y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Find the utilities with the least loss.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training cases. Sparse ones are made dense, which must not take more than 512 MB.
        Y : array-like of shape (n_samples, n_labels) or PairPreferences
            Their positions; labels may tie, NaN = not ranked. Or preferences between any pairs
            of labels.
        sample_weight : array-like of shape (n_samples,) or None, default=None
            How much each case counts: a weight of 2 is that of two equal cases, 0 leaves one out.
            None: all 1.

        Returns
        -------
        self
            Fitted.

        Raises
        ------
        ValueError
            If a parameter or an array is not as described.
        """
        features, signs, counts = self._weighted_data(X, Y, sample_weight)
        scale = common_scale(features)
        design = np.column_stack([features / scale, np.ones(len(features))])
        # Features of equal size speed up the iterations and do not change the minimum. The penalty
        # keeps weights of tiny ones at 0, to rounding, without that.
        sizes = np.sqrt(np.average(design**2, axis=0, weights=counts))
        sizes[sizes < SMALLEST_FEATURE] = 1.0
        learns_ties = self.ties == "predict" and bool((signs == 0).any())
        shares = (shares_of_outcomes if learns_ties else shares_of_pairs)(signs) / len(signs)
        if counts is not None:
            shares *= counts * len(signs) / counts.sum()
        strict = _Loss(design / sizes, signs, shares, self.n_labels_, self.penalty / sizes**2)
        loss: Callable[[FloatArray], tuple[float, FloatArray]] = strict
        start = np.zeros(design.shape[1] * self.n_labels_)
        bounds = None
        if learns_ties:
            loss = _LossWithTies(strict, signs == 0, self.penalty)
            start = np.append(start, 1.0)
            bounds = [(None, None)] * (len(start) - 1) + [(_LEAST_THRESHOLD, LARGEST_THRESHOLD)]
        options = {"maxiter": self.max_iter, "gtol": 1e-9, "ftol": 1e-15, "maxfun": 10**6}
        optimum = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
        self.objective_, self.n_iter_ = float(optimum.fun), int(optimum.nit)
        if self.n_iter_ >= self.max_iter:
            warn_not_converged(
                f"The utilities have not reached the least loss in max_iter={self.max_iter} "
                "iterations. Raise max_iter or the penalty."
            )
        flat, threshold = optimum.x, 0.0
        if learns_ties:
            flat, threshold = flat[:-1], float(flat[-1])
        weights = flat.reshape(design.shape[1], -1) / sizes[:, None]
        weights[:-1] /= scale
        self._keep(weights, np.average(features, axis=0, weights=counts), threshold)
        return self


class _Loss:
    """The objective and its gradient, with a share for each case, a penalty for each feature."""

    def __init__(
        self,
        design: FloatArray,
        signs: FloatArray,
        shares: FloatArray,
        n_labels: int,
        penalties: FloatArray,
    ) -> None:
        self.design = design
        self.signs = np.nan_to_num(signs)
        self.shares = shares
        self.ends = incidence(n_labels)
        self.penalties = penalties[:, None]
        self.parts = list(chunks(len(signs), self.ends.shape[0], at_once=CHUNK_CELLS))

    def __call__(self, flat: FloatArray) -> tuple[float, FloatArray]:
        """Return the objective and its gradient at some weights."""
        weights = flat.reshape(self.design.shape[1], -1)
        value = float((self.penalties * weights**2).sum() / 2)
        gradient = self.penalties * weights
        for part in self.parts:
            signs, shares = self.signs[part], self.shares[part, None]
            margins = signs * (self.design[part] @ weights @ self.ends.T)
            value += float((shares * np.abs(signs) * np.logaddexp(0, -margins)).sum())
            slopes = -shares * signs * expit(-margins)
            gradient += self.design[part].T @ (slopes @ self.ends)
        return value, gradient.ravel()


class _LossWithTies:
    """The objective with a threshold behind the weights, under which labels may also tie."""

    def __init__(self, strict: _Loss, ties: NDArray[np.bool_], penalty: float) -> None:
        self.strict = strict
        self.ties = ties
        self.penalty = penalty

    def __call__(self, flat: FloatArray) -> tuple[float, FloatArray]:
        """Return the objective and its gradient at some weights and a threshold."""
        strict, threshold = self.strict, flat[-1]
        weights = flat[:-1].reshape(strict.design.shape[1], -1)
        value = float((strict.penalties * weights**2).sum() + self.penalty * threshold**2) / 2
        gradient = strict.penalties * weights
        slope = self.penalty * threshold
        for part in strict.parts:
            leads = strict.design[part] @ weights @ strict.ends.T
            signs, shares = strict.signs[part], strict.shares[part, None]
            ordered, ties = shares * np.abs(signs), shares * self.ties[part]
            margins = signs * leads - threshold
            # The probability of a tie is the product of those that neither label leads by less
            # than minus the threshold, times 1 - exp(-2 threshold).
            first_margins, second_margins = threshold + leads, threshold - leads
            n_ties = ties.sum()
            value += float((ordered * np.logaddexp(0, -margins)).sum())
            tie_losses = np.logaddexp(0, -first_margins) + np.logaddexp(0, -second_margins)
            value += float((ties * tie_losses).sum())
            value -= float(n_ties * np.log(-np.expm1(-2 * threshold)))
            missed, over, under = (
                ordered * expit(-margins),
                ties * expit(-first_margins),
                ties * expit(-second_margins),
            )
            gradient += strict.design[part].T @ ((under - over - signs * missed) @ strict.ends)
            slope += float((missed - over - under).sum() - 2 * n_ties / np.expm1(2 * threshold))
        return value, np.append(gradient.ravel(), slope)
