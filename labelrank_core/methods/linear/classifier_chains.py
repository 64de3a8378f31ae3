"""Ensembles of classifier chains, as scikit-learn's users build them."""

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.multioutput import ClassifierChain
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from labelrank_core._sklearn import Interval, fit_context
from labelrank_core.methods.base_classifiers import (
    BASE_CLASSIFIER,
    BaseClassifierMixin,
    checked_parameters,
    fit_chain,
    predicts_probabilities,
)
from labelrank_core.methods.convergence import one_warning_for_all, warn_of_stopped
from labelrank_core.methods.label_probabilities import LabelProbabilitiesMixin
from labelrank_core.methods.linear._basis import mean_of
from labelrank_core.methods.linear._chains import Chain, ChainsPath, EstimatedChain
from labelrank_core.methods.pair_ranker import common_scale
from labelrank_core.rankings import IntArray

# Newton's method is exact and, up to so many features and labels, faster than L-BFGS.
_NEWTON_FEATURES = 200
_TOLERANCE = 1e-9
_MOST_STEPS = 10_000


class ClassifierChainsClassifier(BaseClassifierMixin, LabelProbabilitiesMixin, BaseEstimator):
    """Predict label sets by chains of classifiers, each in a random order of the labels.

    A chain [read2011]_ decides the labels one after the other; the labels before one are features
    of its own. Several chains in random orders make an ensemble: the probability of a label is the
    mean over the chains, and a label is relevant where it is above one half. The chains are
    scikit-learn's `ClassifierChain`, averaged as in its user guide, of logistic regressions or of
    any other classifier.

    Parameters
    ----------
    n_chains : int, default=10
        Number of chains, at least 1.
    C : float, default=1.0
        Inverse penalty of the logistic regressions, larger than 0. No effect if an estimator is
        given.
    random_state : int, RandomState instance or None, default=0
        Seed of the orders of the labels. The same number gives the same chains, and with fewer
        chains the first of them.
    estimator : classifier or None, default=None
        Unfitted scikit-learn classifier to learn each label of a chain from 0/1 targets; None:
        logistic regression. Of one with ``decision_function`` but without ``predict_proba`` a
        chain's probabilities are its decisions, 1 or 0, so that their mean is the share of the
        chains, as in [read2011]_.

    Attributes
    ----------
    orders_ : ndarray of shape (n_chains, n_labels)
        The order of the labels in each chain, by index from 0; constant labels last.
    estimators_ : list of ClassifierChain or None
        The fitted chains, each of the labels that are not constant, in its order; None where all
        are. With an estimator only.
    n_labels_ : int
        Number of labels.
    n_features_in_ : int
        Number of features.

    Notes
    -----
    In training the labels before one are the true ones, in predictions those that the chain has
    predicted. A label that n₊ of n training cases have, where n₊ is 0 or n, has the probability
    (n₊ + 1) / (n + 2) for every case and is not a feature of the others.

    With up to 200 features and labels, probabilities are those of the least loss to 1e-6 (Newton's
    method); with more, to about 1e-5 (L-BFGS). If regressions stop before that, scikit-learn's
    ConvergenceWarning says so.

    An estimator gets what `fit` is given for it by scikit-learn's metadata routing, such as weights
    of cases. Its chains decide as it predicts, and its explanations do not say what probabilities
    are made of.

    Cases are sparse (CSR) or dense; sparse ones stay sparse. Without an estimator all features are
    divided by one power of two if any exceeds 1000 in size. Probabilities are rounded to 12
    decimals; labels with equal ones are ranked by label index, and a label with one half is
    irrelevant.

    Of calibrated rankings only the relevance is learned, not the order among relevant labels or
    among the others.

    References
    ----------
    .. [read2011] J. Read, B. Pfahringer, G. Holmes, E. Frank: Classifier chains for multi-label
       classification. Machine Learning 85, 2011.

    Examples
    --------
    >>> X = [[0.0, 1.0], [0.2, 0.8], [0.9, 0.1], [1.0, 0.0]]
    >>> Y = [[0, 1, 1], [0, 1, 0], [1, 0, 0], [1, 0, 0]]
    >>> model = ClassifierChainsClassifier(3).fit(X, Y)
    >>> model.predict([[0.0, 1.0], [0.8, 0.2]])
    array([[0, 1, 0],
           [1, 0, 0]])

    With another classifier for every label of a chain:

    >>> from sklearn.naive_bayes import GaussianNB
    >>> model = ClassifierChainsClassifier(3, estimator=GaussianNB()).fit(X, Y)
    >>> model.predict([[0.0, 1.0], [0.8, 0.2]])
    array([[0, 1, 1],
           [1, 0, 0]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_chains": [Interval(Integral, 1, None, closed="left")],
        "C": [Interval(Real, 0, None, closed="neither")],
        "random_state": ["random_state"],
        "estimator": BASE_CLASSIFIER,
    }

    def __init__(
        self,
        n_chains: int = 10,
        *,
        C: float = 1.0,
        random_state: Any = 0,
        estimator: Any = None,
    ) -> None:
        self.n_chains = n_chains
        self.C = C
        self.random_state = random_state
        self.estimator = estimator

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, Y: ArrayLike, **params: Any) -> Self:
        """Learn all chains.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training cases.
        Y : array-like of shape (n_samples, n_labels) or (n_samples, n_labels + 1)
            A matrix of nothing but 0 and 1, 1 = relevant; or calibrated rankings: positions of
            the labels and, last, of the virtual label, which is strictly behind the relevant
            labels.
        **params
            Metadata, such as ``sample_weight``, for an estimator that asks for it, with
            scikit-learn's metadata routing.

        Returns
        -------
        self
            Fitted.

        Raises
        ------
        ValueError
            If a parameter or an array is not as described.
        """
        routed = self._routed(params)
        cases, relevance = self._checked_label_sets(X, Y)
        random = check_random_state(self.random_state)
        n_relevant = relevance.sum(axis=0)
        varying = np.flatnonzero((n_relevant > 0) & (n_relevant < len(relevance)))
        # Sorted by their columns, so that the chains do not depend on how labels are listed.
        varying = varying[np.lexsort(relevance[:, varying])] if len(varying) else varying
        orders = [random.permutation(varying) for _ in range(self.n_chains)]
        if self.estimator is None:
            self._chains: list[Any] = [
                _learn_chain(cases, relevance, self.C, order) for order in orders
            ]
        else:
            with checked_parameters():
                self.estimators_ = [
                    fit_chain(self.estimator, cases, relevance[:, order], routed["estimator"])
                    for order in orders
                ]
            share = (n_relevant + 1) / (len(relevance) + 2)
            has_probabilities = predicts_probabilities(self.estimator)
            self._chains = [
                EstimatedChain(_with_constant(order, len(share)), chain, share, has_probabilities)
                for order, chain in zip(orders, self.estimators_, strict=True)
            ]
        self._mean_case = mean_of(cases, centre=True)
        self._mean_labels = relevance.mean(axis=0)
        self.orders_ = np.array([chain.order for chain in self._chains])
        self.n_labels_ = relevance.shape[1]
        return self

    def path(self, X: Any) -> ChainsPath:
        """Prepare cases for predictions with any number of the chains.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ChainsPath
            ``path.at(n_chains=n)`` equals a fresh fit with n chains, if `random_state` is a number.
        """
        check_is_fitted(self)
        return ChainsPath(
            self,
            self._checked(X, reset=False),
            self._chains,
            self._mean_case,
            self._mean_labels,
        )


def _with_constant(order: IntArray, n_labels: int) -> IntArray:
    return np.append(order, np.setdiff1d(np.arange(n_labels), order))


def _learn_chain(X: Any, relevance: IntArray, C: float, order: IntArray) -> Chain:
    """Learn one chain in some order of the labels; the others are constant."""
    (n, d), m = X.shape, relevance.shape[1]
    n_relevant = relevance.sum(axis=0)
    chain = Chain(
        _with_constant(order, m),
        np.zeros((d, m)),
        np.zeros((m, m)),
        np.log((n_relevant + 1) / (n - n_relevant + 1)),
    )
    if not len(order):
        return chain
    scale = common_scale(X.data if sparse.issparse(X) else X)
    solver = "newton-cholesky" if d + m <= _NEWTON_FEATURES else "lbfgs"
    base = LogisticRegression(C=C, solver=solver, tol=_TOLERANCE, max_iter=_MOST_STEPS)
    with one_warning_for_all():
        fitted_chain = ClassifierChain(base).fit(X / scale, relevance[:, order])
    n_stopped = sum(link.n_iter_[0] >= _MOST_STEPS for link in fitted_chain.estimators_)
    remedy = "Scale the features, or take a smaller C."
    warn_of_stopped(n_stopped, "logistic regression", _MOST_STEPS, remedy)
    for n_preceding, (label, link) in enumerate(zip(order, fitted_chain.estimators_, strict=True)):
        chain.weights[:, label] = link.coef_[0, :d] / scale
        chain.links[order[:n_preceding], label] = link.coef_[0, d:]
        chain.intercept[label] = link.intercept_[0]
    return chain
