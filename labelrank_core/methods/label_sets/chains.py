"""Probabilistic classifier chains: the probability of each label set, label after label."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.multioutput import ClassifierChain
from sklearn.utils import check_random_state

from labelrank_core._sklearn import Interval, fit_context
from labelrank_core.aggregation.sums import WEIGHT_UNIT, chunks
from labelrank_core.methods.base import check_count
from labelrank_core.methods.base_classifiers import (
    PROBABILISTIC_BASE,
    BaseClassifierMixin,
    checked_parameters,
    fit_chain,
)
from labelrank_core.methods.convergence import one_warning_for_all, warn_of_stopped
from labelrank_core.methods.label_sets._distribution import (
    SetDistributionClassifier,
    SetDistributionPoint,
)
from labelrank_core.rankings import FloatArray, IntArray

# Up to so many labels that some cases have and others have not, all their sets are compared.
_MOST_COMPARED = 10
# Newton's method is exact and, up to so many features and labels, faster than L-BFGS.
_NEWTON_FEATURES = 200
_MOST_STEPS = 1000
_REMEDY = "Scale the features, or take a smaller C."
# The probabilities of all chains are kept for up to this many numbers (32 MB).
_TABLE_CELLS = 1 << 22


@dataclass(frozen=True, eq=False)
class _Chain:
    """Log-odds that are linear in the features and in the labels before, for varying labels."""

    order: IntArray
    # Of the features, with a column for each label of the order.
    weights: FloatArray
    # [i, j]: what having the i-th label of the order adds to the log-odds of the j-th.
    links: FloatArray
    intercept: FloatArray

    def log_probabilities(self, X: NDArray[np.float32], sets: IntArray) -> FloatArray:
        """Return the log-probability of every set by the chain rule, (n_cases, n_sets)."""
        ordered_sets = sets[:, self.order].astype(np.float64)
        # Case by case: the rounding of a product of matrices depends on the number of cases.
        by_features = np.array([x @ self.weights for x in X.astype(np.float64)]) + self.intercept
        by_labels = ordered_sets @ self.links
        total = np.zeros((len(X), len(sets)))
        for step in range(len(self.order)):
            log_odds = by_features[:, step, None] + by_labels[:, step]
            total -= np.logaddexp(0, np.where(ordered_sets[:, step] == 1, -log_odds, log_odds))
        return total


@dataclass(frozen=True, eq=False)
class _EstimatedChain:
    """Base classifiers of varying labels, each with the labels before as features."""

    order: IntArray
    classifiers: Sequence[Any]

    def log_probabilities(self, X: NDArray[np.float32], sets: IntArray) -> FloatArray:
        """Return the log-probability of every set by the chain rule, (n_cases, n_sets)."""
        cases, ordered_sets = X.astype(np.float64), sets[:, self.order]
        total = np.zeros((len(X), len(sets)))
        for step, classifier in enumerate(self.classifiers):
            before, number = np.unique(ordered_sets[:, :step], axis=0, return_inverse=True)
            relevant = np.empty((len(X), len(before)))
            for part in chunks(len(before), len(X) * (X.shape[1] + step)):
                labels = np.repeat(before[part], len(X), axis=0)
                rows = np.hstack([np.tile(cases, (len(before[part]), 1)), labels])
                relevant[:, part] = classifier.predict_proba(rows)[:, 1].reshape(-1, len(X)).T
            relevant = relevant[:, number.ravel()]
            chosen = np.where(ordered_sets[:, step] == 1, relevant, 1 - relevant)
            total += np.log(np.maximum(chosen, 1 / WEIGHT_UNIT))
        return total


class ProbabilisticChainsClassifier(BaseClassifierMixin, SetDistributionClassifier):
    """Predict label sets by probabilistic classifier chains [dembczynski2010]_.

    A chain of logistic regressions, each with the labels before as features, gives every label set
    a probability by the chain rule. Several chains in random orders of the labels are averaged.
    From these probabilities any measure has its best set, which `ClassifierChainsClassifier`, that
    decides label after label, need not find. The chains are scikit-learn's, of logistic regressions
    or of any other classifier with probabilities.

    Parameters
    ----------
    n_chains : int, default=5
        Number of chains, at least 1.
    C : float, default=1.0
        Inverse penalty of the logistic regressions, larger than 0. No effect if an estimator is
        given.
    decision : {"hamming", "f1", "subset"}, default="subset"
        Which set is predicted: ``"subset"`` the likeliest one; ``"f1"`` the one with the largest
        expected F1 [dembczynski2011]_, where F1 of two empty sets is 1; ``"hamming"`` the labels
        with a probability above one half. Ties as in `KNeighborsMultilabelRanker`.
    random_state : int, RandomState instance or None, default=0
        Seed of the orders of the labels. The same number gives the same chains, and with fewer
        chains the first of them.
    estimator : classifier or None, default=None
        Unfitted scikit-learn classifier with ``predict_proba`` to learn each label of a chain from
        0/1 targets; None: logistic regression.

    Attributes
    ----------
    sets_ : ndarray of shape (n_sets, n_labels)
        The label sets that are compared.
    orders_ : ndarray of shape (n_chains, n_varying_labels)
        The order of the labels in each chain; labels that all or no training cases have are not in
        it.
    estimators_ : list of ClassifierChain or None
        The fitted chains, each of its labels in their order; None where no label varies. With an
        estimator only.
    n_labels_ : int
        Number of labels.
    n_features_in_ : int
        Number of features.

    Notes
    -----
    With up to 10 labels that only a part of the training cases has, all sets of these are compared,
    so that decisions are exact. With more, those of the training cases are, and their probabilities
    are divided by their sum: our own choice, where the paper searches all sets for the likeliest.
    Labels of all or of no training cases are as they are there. Probabilities of sets are in units
    of 2**-30. Sparse cases are made dense, which must not take more than 512 MB. Of calibrated
    rankings only the relevance is learned.

    An estimator gets what `fit` is given for it by scikit-learn's metadata routing, such as weights
    of cases. Its probabilities count as at least 2**-30.

    References
    ----------
    .. [dembczynski2010] K. Dembczyński, W. Cheng, E. Hüllermeier: Bayes optimal multilabel
       classification via probabilistic classifier chains. ICML 2010.
    .. [dembczynski2011] K. Dembczyński, W. Waegeman, W. Cheng, E. Hüllermeier: An exact algorithm
       for F-measure maximization. NIPS 2011.

    Examples
    --------
    >>> X = [[0.0, 1.0], [0.2, 0.8], [0.9, 0.1], [1.0, 0.0]]
    >>> Y = [[0, 1, 1], [0, 1, 1], [1, 0, 0], [1, 0, 0]]
    >>> ProbabilisticChainsClassifier(2).fit(X, Y).predict([[0.0, 1.0], [0.8, 0.2]])
    array([[0, 1, 1],
           [1, 0, 0]])

    With another classifier for every label of a chain:

    >>> from sklearn.naive_bayes import GaussianNB
    >>> model = ProbabilisticChainsClassifier(2, estimator=GaussianNB()).fit(X, Y)
    >>> model.predict([[0.0, 1.0], [0.8, 0.2]])
    array([[0, 1, 1],
           [1, 0, 0]])
    """

    _makes_dense = True
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **SetDistributionClassifier._parameter_constraints,
        "n_chains": [Interval(Integral, 1, None, closed="left")],
        "C": [Interval(Real, 0, None, closed="neither")],
        "random_state": ["random_state"],
        "estimator": PROBABILISTIC_BASE,
    }

    def __init__(
        self,
        n_chains: int = 5,
        *,
        C: float = 1.0,
        decision: str = "subset",
        random_state: Any = 0,
        estimator: Any = None,
    ) -> None:
        self.n_chains = n_chains
        self.C = C
        self.decision = decision
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
        checked, relevance = self._checked_label_sets(X, Y)
        cases, _ = self._fit_sets(checked, relevance)
        varying = np.flatnonzero(relevance.min(axis=0) < relevance.max(axis=0))
        if len(varying) <= _MOST_COMPARED:
            every = np.array(list(product((0, 1), repeat=len(varying))), dtype=relevance.dtype)
            self.sets_ = np.repeat(relevance[:1], len(every), axis=0)
            self.sets_[:, varying] = every
        # Sorted by their columns, so that the chains do not depend on how labels are listed.
        varying = varying[np.lexsort(relevance[:, varying])] if len(varying) else varying
        random = check_random_state(self.random_state)
        orders = [random.permutation(varying) for _ in range(self.n_chains)]
        self.orders_ = np.array(orders)
        if self.estimator is None:
            self._chains: list[Any] = [
                self._learn_chain(cases, relevance, order) for order in orders
            ]
            return self
        with checked_parameters():
            self.estimators_ = [
                fit_chain(
                    self.estimator,
                    cases.astype(np.float64),
                    relevance[:, order],
                    routed["estimator"],
                )
                for order in orders
            ]
        self._chains = [
            _EstimatedChain(order, [] if chain is None else chain.estimators_)
            for order, chain in zip(orders, self.estimators_, strict=True)
        ]
        return self

    def _learn_chain(self, X: NDArray[np.float32], relevance: IntArray, order: IntArray) -> _Chain:
        n_features, n = X.shape[1], len(order)
        chain = _Chain(order, np.zeros((n_features, n)), np.zeros((n, n)), np.zeros(n))
        if not n:
            return chain
        solver = "newton-cholesky" if n_features + n <= _NEWTON_FEATURES else "lbfgs"
        regression = LogisticRegression(C=self.C, solver=solver, max_iter=_MOST_STEPS)
        with one_warning_for_all():
            fitted_chain = ClassifierChain(regression).fit(
                X.astype(np.float64), relevance[:, order]
            )
        n_stopped = sum(link.n_iter_[0] >= _MOST_STEPS for link in fitted_chain.estimators_)
        warn_of_stopped(n_stopped, "logistic regression", _MOST_STEPS, _REMEDY)
        for step, link in enumerate(fitted_chain.estimators_):
            chain.weights[:, step] = link.coef_[0, :n_features]
            chain.links[:step, step] = link.coef_[0, n_features:]
            chain.intercept[step] = link.intercept_[0]
        return chain

    def path(self, X: Any) -> "ProbabilisticChainsPath":
        """Prepare cases for predictions with any number of the chains and any decision.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ProbabilisticChainsPath
            ``path.at(n_chains=n, decision="f1")`` equals a fresh fit with these, if `random_state`
            is a number.
        """
        return ProbabilisticChainsPath(self, self._check_queries(X), self._chains)


class ProbabilisticChainsPath:
    """Cases to predict by the first chains."""

    def __init__(
        self,
        model: ProbabilisticChainsClassifier,
        X: NDArray[np.float32],
        chains: Sequence[_Chain | _EstimatedChain],
    ) -> None:
        self.model = model
        self.X = X
        self.chains = chains
        n_cells = len(chains) * len(X) * len(model.sets_)
        self._kept = list(self._shares()) if n_cells <= _TABLE_CELLS else None

    def _shares(self) -> Iterator[FloatArray]:
        """Return the probabilities of all sets by each chain, (n_cases, n_sets)."""
        for chain in self.chains:
            logs = chain.log_probabilities(self.X, self.model.sets_)
            shares = np.exp(logs - logs.max(axis=1, keepdims=True))
            yield shares / shares.sum(axis=1, keepdims=True)

    def at(
        self, *, n_chains: int | None = None, decision: str | None = None
    ) -> SetDistributionPoint:
        """Predict with the first chains, at most those learned, and a decision; None: as fitted."""
        n_learned = len(self.chains)
        n = n_learned if n_chains is None else n_chains
        n = check_count("n_chains", n, n_learned, "the chains learned")
        total = np.zeros((len(self.X), len(self.model.sets_)))
        for shares, _ in zip(self._kept or self._shares(), range(n), strict=False):
            total += shares
        decision = self.model.decision if decision is None else decision
        return SetDistributionPoint(self.model.sets_, total / n, decision)
