"""Gradient boosting of trees for every label, as scikit-learn's users build it."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from functools import cache, cached_property
from itertools import islice
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from scipy.special import expit
from sklearn.base import BaseEstimator
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.utils.validation import check_is_fitted
from threadpoolctl import ThreadpoolController

from labelrank_core._sklearn import Interval, fit_context
from labelrank_core.explain.evidence import Explanation
from labelrank_core.methods.base import check_count, dense_cases
from labelrank_core.methods.label_probabilities import (
    LabelProbabilitiesMixin,
    LabelProbabilitiesPoint,
    probability_values,
)
from labelrank_core.metrics.thresholds import DECIMALS
from labelrank_core.rankings import FloatArray


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


def _one_thread() -> AbstractContextManager[Any]:
    """Let trees be grown by one thread: several that wait for each other took 50 times as long."""
    return _controller().limit(limits=1, user_api="openmp")


class GradientBoostingLabelsClassifier(LabelProbabilitiesMixin, BaseEstimator):
    """Predict label sets by gradient boosting of trees, for every label by itself [friedman2001]_.

    Each round adds a small tree to the log-odds of a label, grown on what the trees before it leave
    open. A label is relevant where its probability is above one half. The trees are those of
    scikit-learn's `HistGradientBoostingClassifier`.

    Parameters
    ----------
    n_estimators : int, default=50
        Rounds for every label, at least 1.
    learning_rate : float, default=0.1
        What a tree's answer is multiplied by, larger than 0.
    max_leaf_nodes : int, default=15
        The most leaves of a tree, at least 2.
    min_samples_leaf : int, default=10
        The fewest training cases in a leaf.

    Attributes
    ----------
    n_labels_ : int
        Number of labels.
    n_features_in_ : int
        Number of features.

    Notes
    -----
    A label that n₊ of n training cases have, where n₊ is 0 or n, has the probability
    (n₊ + 1) / (n + 2) for every case. Probabilities are rounded to 12 decimals; labels with equal
    ones are ranked by label index. Sparse cases are made dense, which must not take more than
    512 MB. Of calibrated rankings only the relevance is learned.

    References
    ----------
    .. [friedman2001] J. Friedman: Greedy function approximation: a gradient boosting machine.
       Annals of Statistics 29(5), 2001.

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [0.7], [0.8], [0.9]]
    >>> Y = [[0, 1], [0, 1], [0, 1], [1, 0], [1, 0], [1, 1]]
    >>> model = GradientBoostingLabelsClassifier(20, min_samples_leaf=1).fit(X, Y)
    >>> model.predict([[0.0], [0.75]])
    array([[0, 1],
           [1, 0]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "max_leaf_nodes": [Interval(Integral, 2, None, closed="left")],
        "min_samples_leaf": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        n_estimators: int = 50,
        *,
        learning_rate: float = 0.1,
        max_leaf_nodes: int = 15,
        min_samples_leaf: int = 10,
    ) -> None:
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_leaf = min_samples_leaf

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, Y: ArrayLike) -> Self:
        """Grow the trees of every label.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training cases.
        Y : array-like of shape (n_samples, n_labels) or (n_samples, n_labels + 1)
            A matrix of nothing but 0 and 1, 1 = relevant; or calibrated rankings: positions of
            the labels and, last, of the virtual label, which is strictly behind the relevant
            labels.

        Returns
        -------
        self
            Fitted.

        Raises
        ------
        ValueError
            If a parameter or an array is not as described.
        """
        checked, relevance = self._checked_label_sets(X, Y)
        cases = dense_cases(checked, self)
        self.n_labels_ = relevance.shape[1]
        shares = (relevance.sum(axis=0) + 1) / (len(relevance) + 2)
        self._constant_log_odds = np.log(shares / (1 - shares))
        with _one_thread():
            self._boosted = [
                self._unfitted().fit(cases, column) if column.min() < column.max() else None
                for column in relevance.T
            ]
        return self

    def _unfitted(self) -> HistGradientBoostingClassifier:
        return HistGradientBoostingClassifier(
            max_iter=self.n_estimators,
            learning_rate=self.learning_rate,
            max_leaf_nodes=self.max_leaf_nodes,
            min_samples_leaf=self.min_samples_leaf,
            early_stopping=False,
            # Values of features are drawn only to place thresholds among 200 000 cases or more.
            random_state=0,
        )

    def path(self, X: Any) -> "GradientBoostingPath":
        """Predict after any number of rounds.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        GradientBoostingPath
            ``path.at(n_estimators=n)`` equals a fresh fit with n rounds.
        """
        check_is_fitted(self)
        checked = self._checked(X, reset=False)
        cases = checked.toarray() if sparse.issparse(checked) else checked
        return GradientBoostingPath(self, cases, self._boosted, self._constant_log_odds)


class GradientBoostingPath:
    """Cases to predict by the first rounds."""

    def __init__(
        self,
        model: GradientBoostingLabelsClassifier,
        X: FloatArray,
        boosted: Sequence[HistGradientBoostingClassifier | None],
        constant_log_odds: FloatArray,
    ) -> None:
        self.model = model
        self.X = X
        self.boosted = boosted
        self.constant_log_odds = constant_log_odds

    def at(self, *, n_estimators: int | None = None) -> "GradientBoostingPoint":
        """Predict after n rounds, at most those learned; None: after all."""
        n_learned = self.model.n_estimators
        n = n_learned if n_estimators is None else n_estimators
        return GradientBoostingPoint(
            self, check_count("n_estimators", n, n_learned, "the rounds learned")
        )

    def log_odds(self, n_estimators: int) -> FloatArray:
        """Add up the trees of the first rounds, (n_cases, n_labels)."""
        log_odds = np.tile(self.constant_log_odds, (len(self.X), 1))
        with _one_thread():
            for label, boosted in enumerate(self.boosted):
                if boosted is not None:
                    stages = boosted.staged_decision_function(self.X)
                    log_odds[:, label] = next(islice(stages, n_estimators - 1, None)).ravel()
        return log_odds


class GradientBoostingPoint(LabelProbabilitiesPoint):
    """Label sets of some cases after some rounds, computed when first needed."""

    def __init__(self, path: GradientBoostingPath, n_estimators: int) -> None:
        self.path = path
        self.n_estimators = n_estimators

    @cached_property
    def probabilities(self) -> FloatArray:
        """The probability that each label is relevant, shape (n_cases, n_labels)."""
        return np.round(expit(self.path.log_odds(self.n_estimators)), DECIMALS)

    def explain(self, case: int) -> Explanation:
        """Explain one case: the probabilities and the confidence."""
        values = {**probability_values(self, case), "n": self.n_estimators}
        return self.explain_probabilities(case, values, stands_for=_STANDS_FOR, made_of=_MADE_OF)


_MADE_OF = "by {n} trees of its own"
_STANDS_FOR = "the probability that a label is relevant is that after the last tree"
