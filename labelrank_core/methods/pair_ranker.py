"""The base class of rankers that predict preferences for pairs of labels."""

from dataclasses import dataclass
from math import ceil, log2
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from labelrank_core.data.pair_preferences import PairPreferences
from labelrank_core.explain.evidence import (
    PAIRS_EXPECTED,
    PairParts,
    agreement_with,
)
from labelrank_core.methods.base import (
    LabelRankerMixin,
    PathMixin,
    checked_cases,
    checked_weights,
    dense_cases,
    require_as_many_rows,
    require_few_pairs,
    require_targets,
)
from labelrank_core.methods.pairs import DECIMALS, PairTerms, observed_shares, pair_signs
from labelrank_core.rankings import FloatArray, IntArray, check_rankings

# Solvers lose digits with larger features.
LARGEST_LEARNED = 1e3
_VOTE_TERMS = PairTerms(
    score="number of pairs won",
    pair="{ahead} ahead of {behind}: the vote of the model of this pair is {share}.",
    meaning=agreement_with("this ranking", "the votes of the pairs"),
    definition=(
        "mean over all pairs of labels of the vote, 1, 0 or one half where the model has no "
        "preference, for the label that is predicted ahead"
    ),
    sums_shares=True,
    with_margin=True,
)
PROBABILITY_TERMS = PairTerms(
    score="sum of probabilities",
    pair="{ahead} ahead of {behind}: the probability is {share}.",
    meaning=PAIRS_EXPECTED,
    definition=(
        "mean over all pairs of labels of the probability of the label that is predicted ahead"
    ),
    voters="the models' probability",
    sums_shares=True,
)
PAIR_TERMS = {"weighted": PROBABILITY_TERMS, "binary": _VOTE_TERMS}


def votes_of(margins: FloatArray) -> FloatArray:
    """Return 1 where a margin is for a pair's first label, 0 against it, 1/2 in between."""
    return (np.sign(margins.round(DECIMALS)) + 1) / 2


def common_scale(X: FloatArray) -> float:
    """Return the power of two that brings features beyond 1000 to at most that size."""
    largest = float(np.abs(X).max(initial=0.0))
    return 2.0 ** ceil(log2(largest / LARGEST_LEARNED)) if largest > LARGEST_LEARNED else 1.0


@dataclass(frozen=True, eq=False)
class LinearPairs:
    """Margins that are linear in the features, with weights of shape (n_features, n_pairs)."""

    weights: FloatArray
    intercept: FloatArray
    mean: FloatArray

    def margins(self, X: FloatArray) -> FloatArray:
        """Return the margins of some cases, (n_cases, n_pairs)."""
        return X @ self.weights + self.intercept

    def parts(self, x: FloatArray, positions: IntArray, title: str) -> PairParts:
        """Split the margins of one case into contributions of its features."""
        baseline = self.mean @ self.weights + self.intercept
        return PairParts(title, baseline, x - self.mean, self.weights, positions)


class PairwiseRanker(PathMixin, LabelRankerMixin, BaseEstimator):
    """Estimator that predicts preferences for pairs of labels."""

    n_labels_: int
    _learns_pair_preferences = True

    def _training_data(self, X: ArrayLike, Y: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Check training data; return the features and the signs of `pair_signs`."""
        features, signs, _ = self._weighted_data(X, Y, None)
        return features, signs

    def _weighted_data(
        self, X: ArrayLike, Y: ArrayLike, sample_weight: ArrayLike | None
    ) -> tuple[FloatArray, FloatArray, FloatArray | None]:
        """Check training data; return also the weights, without cases of weight 0."""
        require_targets(self, Y)
        targets = Y if isinstance(Y, PairPreferences) else check_rankings(Y, allow_partial=True)
        features = self._checked(X, copy=True)
        require_as_many_rows(features, len(targets))
        weights = checked_weights(sample_weight, len(targets))
        if weights is not None and not weights.all():
            counted = weights > 0
            features, targets, weights = features[counted], targets[counted], weights[counted]
        if isinstance(targets, PairPreferences):
            self.n_labels_, signs = targets.n_labels, targets.signs
            require_few_pairs(self.n_labels_, len(signs))
        else:
            self.n_labels_, signs = targets.shape[1], pair_signs(targets)
        self._observed = observed_shares(signs, self.n_labels_, weights)
        return features, signs, weights

    def _cases(self, X: ArrayLike) -> FloatArray:
        """Check cases to predict."""
        check_is_fitted(self)
        return self._checked(X, reset=False)

    def _checked(self, X: Any, **options: bool) -> FloatArray:
        dense: FloatArray = dense_cases(checked_cases(self, X, **options), self)
        return dense

    def predict_confidence(self, X: ArrayLike) -> FloatArray:
        """Return the mean preference for the label that is predicted ahead, over all pairs.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases,)
            Between 0 and 1. For probabilities the expected share of pairs ordered correctly; for
            votes the share that agrees with the ranking.
        """
        return self.point(X).confidence

    def predict_pair_support(self, X: ArrayLike) -> FloatArray:
        """Return the support for each label to be preferred to each other.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases, n_labels, n_labels)
            ``[c, i, j]``: the preference for label i over j, between 0 and 1; 0.5 on the
            diagonal.
        """
        return self.point(X).pair_support()
