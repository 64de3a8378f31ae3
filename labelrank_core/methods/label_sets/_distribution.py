"""Distributions over the label sets of the training cases, and the sets that they decide on."""

from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from labelrank_core._sklearn import StrOptions
from labelrank_core.aggregation.label_sets import SET_RULES
from labelrank_core.aggregation.sums import WEIGHT_UNIT
from labelrank_core.explain.evidence import Explanation
from labelrank_core.methods.base import (
    LabelSetPoint,
    LabelSetsMixin,
    PathMixin,
    checked_cases,
    dense_cases,
)
from labelrank_core.methods.label_sets._explain import explain_case
from labelrank_core.methods.pair_ranker import common_scale
from labelrank_core.metrics.thresholds import DECIMALS
from labelrank_core.rankings import FloatArray, IntArray, strict_positions

_LARGEST = np.finfo(np.float32).max


class SetDistributionClassifier(PathMixin, LabelSetsMixin, BaseEstimator):
    """Base class of methods that predict a probability for each of several label sets."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "decision": [StrOptions(set(SET_RULES))]
    }
    decision: str

    def _fit_sets(self, cases: Any, relevance: IntArray) -> tuple[NDArray[np.float32], IntArray]:
        """Store the different label sets; return dense cases and the number of each one's set."""
        self.sets_, numbers = np.unique(relevance, axis=0, return_inverse=True)
        self.n_labels_ = relevance.shape[1]
        dense = dense_cases(cases, self)
        self._scale = common_scale(dense)
        return self._in_single_precision(dense), numbers.ravel()

    def _checked(self, X: Any, *, reset: bool) -> Any:
        return checked_cases(self, X, reset=reset)

    def _in_single_precision(self, X: FloatArray) -> NDArray[np.float32]:
        # Cases may be far beyond the training cases; which side of a question they are on stays.
        return np.clip(X / self._scale, -_LARGEST, _LARGEST).astype(np.float32)

    def _check_queries(self, X: Any) -> NDArray[np.float32]:
        check_is_fitted(self)
        cases = self._checked(X, reset=False)
        return self._in_single_precision(cases.toarray() if sparse.issparse(cases) else cases)

    def predict_proba(self, X: Any) -> FloatArray:
        """Return the probability that each label is relevant.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases, n_labels)
            The summed probabilities of the sets that have the label.
        """
        return self.point(X).probabilities

    def predict_set_proba(self, X: Any) -> FloatArray:
        """Return the probability of every label set that is compared.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases, n_sets)
            In the order of `sets_`; sums of 1.
        """
        return self.point(X).set_probabilities

    def decision_function(self, X: Any) -> FloatArray:
        """Return each label's probability minus 0.5, or numbers above 0 for the labels of the set.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases, n_labels)
            Above 0 = relevant. With ``decision="hamming"`` the probability minus 0.5; else half of
            that, plus or minus 0.5.
        """
        return self.point(X).scores

    def predict_confidence(self, X: Any) -> FloatArray:
        """Return the share of the label decisions expected to be right, by the probabilities.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases,)
            Between 0 and 1.
        """
        return self.point(X).confidence


class SetDistributionPoint(LabelSetPoint):
    """Label sets of some cases by a distribution over sets, computed when first needed."""

    # `shares`, (n_cases, n_sets), are not negative and have positive sums.
    def __init__(self, sets: IntArray, shares: FloatArray, decision: str) -> None:
        if decision not in SET_RULES:
            raise ValueError(f"Expected decision in {sorted(SET_RULES)}, got {decision!r}.")
        self.sets = sets
        self.decision = decision
        # In whole units, whose sums do not depend on their order.
        self.weights = np.rint(shares * WEIGHT_UNIT).astype(np.int64)
        self.totals = self.weights.sum(axis=1, keepdims=True)

    @cached_property
    def set_probabilities(self) -> FloatArray:
        """The probability of each set, shape (n_cases, n_sets)."""
        return self.weights / self.totals

    @cached_property
    def probabilities(self) -> FloatArray:
        """The probability that each label is relevant, shape (n_cases, n_labels)."""
        # Whole numbers below 2**53 are added exactly.
        sums = self.weights.astype(np.float64) @ self.sets
        return np.round(sums / self.totals, DECIMALS)

    @property
    def raw_scores(self) -> FloatArray:
        """Probabilities minus one half, shape (n_cases, n_labels)."""
        return np.round(self.probabilities - 0.5, DECIMALS)

    @property
    def decides_whole_sets(self) -> bool:
        """Whether the distribution decides on the set as a whole, not on label after label."""
        return self.decision != "hamming"

    @cached_property
    def prediction(self) -> IntArray:
        """The relevant labels, 0/1, shape (n_cases, n_labels)."""
        if not self.decides_whole_sets:
            return (self.raw_scores > 0).astype(np.int64)
        rows = np.broadcast_to(np.arange(len(self.sets)), self.weights.shape)
        return SET_RULES[self.decision](self.sets, rows, self.weights).astype(np.int64)

    @cached_property
    def scores(self) -> FloatArray:
        """The raw scores, or numbers above 0 in the set if sets are decided on as a whole."""
        if not self.decides_whole_sets:
            return self.raw_scores
        return self.raw_scores / 2 + np.where(self.prediction == 1, 0.5, -0.5)

    @cached_property
    def positions(self) -> IntArray:
        """The predicted rankings of the labels, shape (n_cases, n_labels)."""
        return strict_positions(-self.prediction, -self.raw_scores)

    @cached_property
    def confidence(self) -> FloatArray:
        """Share of the label decisions expected to be right, shape (n_cases,)."""
        agreement = np.where(self.prediction == 1, self.probabilities, 1 - self.probabilities)
        return agreement.mean(axis=1)

    def explain(self, case: int) -> Explanation:
        """Explain one case: the likeliest sets, the labels, the decision, the confidence."""
        return explain_case(self, case)
