"""The base class of estimators of boosted rules: fit, predictions, paths over the rounds."""

from abc import abstractmethod
from functools import cached_property
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from labelrank_core._sklearn import Interval, fit_context
from labelrank_core.explain.evidence import Explanation
from labelrank_core.methods.base import (
    LabelSetPoint,
    LabelSetsMixin,
    PathMixin,
    check_count,
    checked_cases,
    checked_weights,
)
from labelrank_core.methods.boosting._explain import explain_case
from labelrank_core.methods.boosting._rules import Rules, probabilities
from labelrank_core.methods.boosting._stumps import StumpSearch
from labelrank_core.methods.pairs import DECIMALS
from labelrank_core.rankings import FloatArray, IntArray


class BoostedRules(PathMixin, LabelSetsMixin, BaseEstimator):
    """Estimators that sum the votes of rules on the labels."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "max_thresholds": [Interval(Integral, 1, None, closed="left"), None],
    }
    # Whether rules depend on each other, and there are votes before any.
    _is_tree: ClassVar[bool] = False
    n_estimators: int
    max_thresholds: int | None

    @abstractmethod
    def _boost(self, search: StumpSearch, X: Any, relevance: IntArray, counts: FloatArray) -> Rules:
        """Find the rules of all rounds; `counts` are the weights of the cases, above 0."""

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, Y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Find the rules of all rounds.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training cases.
        Y : array-like of shape (n_samples, n_labels) or (n_samples, n_labels + 1)
            A matrix of nothing but 0 and 1, 1 = relevant; or calibrated rankings: positions of
            the labels and, last, of the virtual label, which is strictly behind the relevant
            labels.
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
        cases, relevance = self._checked_label_sets(X, Y)
        self.n_labels_ = relevance.shape[1]
        counts = checked_weights(sample_weight, len(relevance))
        if counts is None:
            counts = np.ones(len(relevance))
        elif not counts.all():
            cases, relevance, counts = cases[counts > 0], relevance[counts > 0], counts[counts > 0]
        columns = cases.tocsc() if sparse.issparse(cases) else cases
        search = StumpSearch(columns, self.max_thresholds, self.n_labels_)
        self._rules = self._boost(search, columns, relevance, counts)
        return self

    def _checked(self, X: Any, *, reset: bool) -> Any:
        return checked_cases(self, X, reset=reset)

    @staticmethod
    def _column(X: Any, feature: int) -> FloatArray:
        return X[:, [feature]].toarray()[:, 0] if sparse.issparse(X) else X[:, feature]

    def decision_function(self, X: Any) -> FloatArray:
        """Return the score of every label, above 0 where it is relevant.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases, n_labels)
            Sums of votes, rounded to 12 decimals.
        """
        return self.point(X).scores

    def predict_confidence(self, X: Any) -> FloatArray:
        """Return the share of each case's label decisions that the scores expect to be right.

        The weights that boosting minimises are least where the score f of a label of probability p
        is ½ ln(p / (1 - p)), so f stands for the probability 1 / (1 + exp(-2 f)). The confidence is
        the mean over labels of the probability of the decision made. It estimates 1 - Hamming loss
        of the case, and is too high after many rounds. Not from the paper.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases,)
            Between 0.5 and 1.
        """
        return self.point(X).confidence

    def path(self, X: Any) -> "BoostedPath":
        """Ask all rules about some cases once, for predictions after any number of rounds.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        BoostedPath
            ``path.at(n_estimators=t)`` equals a fresh fit with t rounds, up to the model's.
        """
        check_is_fitted(self)
        return BoostedPath(self, self._checked(X, reset=False), self._rules, is_tree=self._is_tree)


class BoostedPath:
    """Some cases that all rules have been asked about."""

    def __init__(self, model: BoostedRules, X: Any, rules: Rules, *, is_tree: bool) -> None:
        self.model = model
        self.rules = rules
        self.is_tree = is_tree
        self.sides = rules.sides(X)

    def at(self, *, n_estimators: int | None = None) -> "BoostedPoint":
        """Predict after so many rounds, up to the model's; None: all."""
        n_rounds = len(self.rules)
        if n_estimators is not None:
            check_count("n_estimators", n_estimators, n_rounds, "the rounds fitted")
        return BoostedPoint(self, n_rounds if n_estimators is None else n_estimators)


class BoostedPoint(LabelSetPoint):
    """Label sets of some cases after some rounds, computed when first needed."""

    def __init__(self, path: BoostedPath, n_estimators: int) -> None:
        self.path = path
        self.n_estimators = n_estimators

    @cached_property
    def scores(self) -> FloatArray:
        """The sum of the votes on every label, shape (n_cases, n_labels)."""
        votes = self.path.rules.scores(self.path.sides, self.n_estimators)
        return votes.round(DECIMALS)

    @cached_property
    def confidence(self) -> FloatArray:
        """Estimated share of the label decisions that are right, shape (n_cases,)."""
        return probabilities(np.abs(self.scores)).mean(axis=1)

    def breakpoints(self, x: FloatArray, feature: int, ends: tuple[float, float]) -> FloatArray:
        """List the thresholds of a feature that the case can meet."""
        met = self.path.rules.met(x, feature, self.n_estimators)
        return met[(met > ends[0]) & (met < ends[1])]

    def explain(self, case: int) -> Explanation:
        """Explain the prediction of one of the path's cases."""
        return explain_case(self, case)
