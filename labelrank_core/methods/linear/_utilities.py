"""Predictions and explanations of methods that give every label a linear utility."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from labelrank_core.explain.evidence import (
    PAIRS_EXPECTED,
    PairParts,
)
from labelrank_core.methods.pair_ranker import LinearPairs, PairwiseRanker
from labelrank_core.methods.pairs import PairPath, PairPoint, PairTerms, linear_crossings
from labelrank_core.rankings import FloatArray, IntArray

# The largest number of cases times pairs handled at once (8 MB).
CHUNK_CELLS = 1 << 20
_TERMS = PairTerms(
    score="utility",
    pair="{ahead} ahead of {behind}: the probability is {share}.",
    meaning=PAIRS_EXPECTED,
    definition=(
        "mean over all pairs of labels of 1 / (1 + exp(-difference of their utilities)), the label "
        "that is predicted ahead first"
    ),
    lowest=0.5,
    voters="the model's probability",
)


def shares_of_pairs(signs: FloatArray) -> FloatArray:
    """Return the weight of each case's preferences, which add up to 1; 0 without any."""
    return _shares((np.abs(signs) == 1).sum(axis=1))


def shares_of_outcomes(signs: FloatArray) -> FloatArray:
    """Return the same for preferences and ties."""
    return _shares((~np.isnan(signs)).sum(axis=1))


def _shares(counts: IntArray) -> FloatArray:
    return 1.0 / np.maximum(counts, 1) * (counts > 0)


def incidence(n_labels: int) -> FloatArray:
    """Return 1 for the first and -1 for the second label of every pair, (n_pairs, n_labels)."""
    first, second = np.triu_indices(n_labels, 1)
    matrix = np.zeros((len(first), n_labels))
    pairs = np.arange(len(first))
    matrix[pairs, first], matrix[pairs, second] = 1.0, -1.0
    return matrix


class UtilityRanker(PairwiseRanker):
    """Estimator that orders labels by utilities, whose differences are log-odds of pairs."""

    coef_: FloatArray
    intercept_: FloatArray
    tie_threshold_: float

    def _keep(self, weights: FloatArray, mean: FloatArray, tie_threshold: float) -> None:
        """Set weights of shape (n_features + 1, n_labels), the last row the intercepts."""
        self.coef_, self.intercept_ = weights[:-1].T, weights[-1]
        self.tie_threshold_ = tie_threshold
        self._mean = mean

    def path(self, X: ArrayLike) -> "UtilityPath":
        """Prepare cases for predictions; no parameter can be changed without another fit.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        UtilityPath
            ``path.at()`` predicts.
        """
        return UtilityPath(self, self._cases(X), self._observed, self._mean)


class UtilityPath(PairPath):
    """Cases to predict by utilities."""

    def __init__(
        self, model: UtilityRanker, X: FloatArray, observed: FloatArray, mean: FloatArray
    ) -> None:
        super().__init__(model, X, observed)
        self.mean = mean

    def at(self) -> "UtilityPoint":
        """Predict the cases."""
        return UtilityPoint(self)

    def parts(self, point: PairPoint, case: int) -> PairParts:
        """Split the differences of one case's utilities into contributions of its features."""
        model = self.model
        signs = incidence(model.n_labels_).T
        pairs = LinearPairs(model.coef_.T @ signs, model.intercept_ @ signs, self.mean)
        return pairs.parts(self.X[case], point.positions[case], "difference of utilities")


class UtilityPoint(PairPoint):
    """Predictions by utilities."""

    def __init__(self, path: UtilityPath) -> None:
        model = path.model
        utilities = path.X @ model.coef_.T + model.intercept_
        first, second = np.triu_indices(model.n_labels_, 1)
        leads = utilities[:, first] - utilities[:, second]
        if model.ties == "predict":
            leads = np.hstack([leads, -leads]) - model.tie_threshold_
        super().__init__(path, expit(leads), _TERMS, utilities)

    def breakpoints(
        self, x: FloatArray, feature: int, ends: tuple[float, float]
    ) -> FloatArray | None:
        """List where two labels have the same utility as a feature varies; None with ties."""
        # Which labels share a position depends on the probabilities of all pairs.
        if self.predicts_ties:
            return None
        model = self.path.model
        first, second = np.triu_indices(model.n_labels_, 1)
        utilities: NDArray[Any] = model.coef_ @ x + model.intercept_
        slopes = model.coef_[:, feature]
        return linear_crossings(
            utilities[first] - utilities[second],
            slopes[first] - slopes[second],
            float(x[feature]),
            ends,
        )
