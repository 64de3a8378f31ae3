"""Ranking by pairwise comparison: a binary classifier for every pair of labels."""

from functools import cached_property
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from labelrank_core._sklearn import Interval, StrOptions, fit_context
from labelrank_core.aggregation import TIES
from labelrank_core.explain.evidence import PairParts
from labelrank_core.methods.base_classifiers import (
    BASE_CLASSIFIER,
    BaseClassifiers,
    checked_parameters,
    learn_classifiers,
    predicts_probabilities,
)
from labelrank_core.methods.convergence import one_warning_for_all, warn_of_stopped
from labelrank_core.methods.pair_ranker import (
    PAIR_TERMS,
    LinearPairs,
    PairwiseRanker,
    common_scale,
    votes_of,
)
from labelrank_core.methods.pairs import PairPath, PairPoint, linear_crossings, split_signs
from labelrank_core.methods.pairwise._curves import CurvedPairs, SplineBasis
from labelrank_core.rankings import FloatArray

# Newton's method solves a system of this many unknowns per step; with more, L-BFGS is faster.
_NEWTON_FEATURES = 200
_MOST_STEPS = 1000


class PairwiseLabelRanker(PairwiseRanker):
    """Rank labels by the votes of one binary model for every pair of them [hullermeier2008]_.

    The model of a pair i < j learns 'i is preferred to j' from the training cases that prefer one
    of the two. Labels are ordered by the sums of their probabilities, or votes, over all pairs.

    Parameters
    ----------
    C : float, default=10.0
        Inverse penalty of logistic regression, larger than 0, as in scikit-learn. No effect if an
        estimator is given.
    voting : {"weighted", "binary"}, default="weighted"
        ``"weighted"`` sums probabilities, ``"binary"`` votes of 0 and 1, with one half where a
        probability is one half.
    n_knots : int or None, default=None
        Knots of the curves that a log-odds follows over each feature (cubic splines, with knots at
        quantiles of the training cases); None: straight lines. No effect if an estimator is given.
    ties : {"break", "predict"}, default="break"
        ``"predict"``: labels may share a position. A pair then has two models, which learn whether
        one of both labels is strictly ahead of the other from all cases that rank both; the
        prediction is the bucket order with the least expected Kemeny distance, and so with the
        largest expected tau_x: exactly for up to 8 labels, beyond by local search. The confidence
        is 1 - expected distance / largest one.
    estimator : classifier or None, default=None
        Unfitted scikit-learn classifier to learn each pair from 0/1 targets; None: logistic
        regression. One with only a ``decision_function`` needs ``voting="binary"``: a pair votes
        by its sign.

    Attributes
    ----------
    coef_ : ndarray of shape (n_pairs, n_features)
        Weights of the log-odds, pairs as in ``numpy.triu_indices(n_labels, 1)``; 0 for pairs
        without a model. With ``ties="predict"`` twice as many: those for the first label of every
        pair, then those for the second. With curves, one for each spline instead of each feature.
        Logistic regression only.
    intercept_ : ndarray of shape (n_pairs,)
        Intercepts; infinite where all training cases agree on a pair. Logistic regression only.
    estimators_ : list of classifier or None
        The fitted models; None for pairs without one. With an estimator only.
    n_labels_ : int
        Number of labels.
    n_features_in_ : int
        Number of features.

    Notes
    -----
    Incomplete rankings: a pair learns from the cases that rank both of its labels. Ties are ignored
    unless they are predicted. A pair that no case orders counts one half; one that all cases order
    alike always has that outcome. Numbers are rounded to 12 decimals, so that labels that tie in
    exact arithmetic tie here; ties are broken by label index.

    If any feature exceeds 1000 in size, all are divided by one power of two before the penalty is
    applied, because logistic regression loses digits there. Sparse cases are made dense.

    Weights of cases go to the models of the pairs, those of one's own included; the quantiles at
    which curves bend do not depend on them.

    Curves are our own choice: the log-odds of a pair are then a sum of one curve per feature. Their
    splines are standardised, and flat beyond the smallest and the largest training value. A value
    that is frequent enough to be several quantiles may have a step of its own.

    One fit for each of the m (m - 1) / 2 pairs. The base of [hullermeier2008]_ is logistic
    regression in WEKA, which hardly penalises; the default here penalises little.

    References
    ----------
    .. [hullermeier2008] E. Hüllermeier, J. Fürnkranz, W. Cheng, K. Brinker: Label ranking by
       learning pairwise preferences. Artificial Intelligence 172, 2008.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> Y = [[1, 2, 3], [1, 2, 3], [3, 2, 1], [3, 2, 1]]
    >>> PairwiseLabelRanker().fit(X, Y).predict([[0.4], [2.9]])
    array([[1, 2, 3],
           [3, 2, 1]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "C": [Interval(Real, 0, None, closed="neither")],
        "voting": [StrOptions(set(PAIR_TERMS))],
        "n_knots": [Interval(Integral, 2, None, closed="left"), None],
        "ties": [StrOptions(set(TIES))],
        "estimator": BASE_CLASSIFIER,
    }

    def __init__(
        self,
        C: float = 10.0,
        *,
        voting: str = "weighted",
        n_knots: int | None = None,
        ties: str = "break",
        estimator: Any = None,
    ) -> None:
        self.C = C
        self.voting = voting
        self.n_knots = n_knots
        self.ties = ties
        self.estimator = estimator

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, Y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn every pair of labels.

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
        _require_probabilities(self.voting, self.estimator)
        features, signs, counts = self._weighted_data(X, Y, sample_weight)
        if self.ties == "predict":
            signs = split_signs(signs)
        scale = common_scale(features)
        if self.estimator is not None:
            params = {} if counts is None else {"sample_weight": counts}
            with checked_parameters():
                models = learn_classifiers(self.estimator, features / scale, signs, params)
            self.estimators_ = models.estimators
            self._pairs: Any = _EstimatedPairs(models, scale)
            return self
        mean = np.average(features, axis=0, weights=counts)
        if self.n_knots is None:
            weights, constant = self._learn_all(features / scale, signs, counts)
            self._pairs = LinearPairs(weights / scale, constant, mean)
        else:
            basis = SplineBasis.over(features, self.n_knots)
            weights, constant = self._learn_all(basis.columns(features), signs, counts)
            self._pairs = CurvedPairs(basis, weights, constant, mean)
        self.coef_, self.intercept_ = self._pairs.weights.T, constant
        return self

    def _learn_all(
        self, design: FloatArray, signs: FloatArray, counts: FloatArray | None
    ) -> tuple[FloatArray, FloatArray]:
        """Fit the logistic regression of every pair; return weights and intercepts."""
        solver = "newton-cholesky" if design.shape[1] <= _NEWTON_FEATURES else "lbfgs"
        regression = LogisticRegression(C=self.C, solver=solver, tol=1e-9, max_iter=_MOST_STEPS)
        params = {} if counts is None else {"sample_weight": counts}
        with one_warning_for_all():
            models = learn_classifiers(regression, design, signs, params)
        intercept, weights = models.certain_log_odds, np.zeros((design.shape[1], signs.shape[1]))
        n_stopped = 0
        for pair, model in enumerate(models.estimators):
            if model is not None:
                weights[:, pair], intercept[pair] = model.coef_[0], model.intercept_[0]
                n_stopped += model.n_iter_[0] >= _MOST_STEPS
        remedy = "Scale the features, or take a smaller C."
        warn_of_stopped(n_stopped, "logistic regression", _MOST_STEPS, remedy)
        return weights, intercept

    def path(self, X: ArrayLike) -> "ComparisonPath":
        """Compare all pairs once, then predict with either kind of votes.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ComparisonPath
            ``path.at(voting=...)`` equals a fresh fit.
        """
        return ComparisonPath(self, self._cases(X), self._observed, self._pairs)


def _require_probabilities(voting: str, estimator: Any) -> None:
    """Raise a ValueError for votes that a base classifier cannot cast."""
    if voting == "weighted" and estimator is not None and not predicts_probabilities(estimator):
        raise ValueError(
            "Expected an estimator with predict_proba for voting='weighted', got "
            f"{type(estimator).__name__}. Choose voting='binary', or wrap it in scikit-learn's "
            "CalibratedClassifierCV."
        )


class _EstimatedPairs:
    """Log-odds, or else decisions, by any classifiers, one for each pair."""

    def __init__(self, models: BaseClassifiers, scale: float) -> None:
        self.models = models
        self.scale = scale

    def margins(self, X: FloatArray) -> FloatArray:
        """Return the log-odds, or decisions, of some cases, (n_cases, n_pairs)."""
        models = self.models
        return (models.log_odds if models.has_probabilities else models.of)(X / self.scale)

    def parts(self, x: FloatArray, positions: Any, title: str) -> None:
        """Return None: the contributions of features are not known."""


class ComparisonPath(PairPath):
    """The log-odds of all pairs for some cases; votes of either kind follow from them."""

    def __init__(
        self,
        model: Any,
        X: FloatArray,
        observed: FloatArray,
        pairs: LinearPairs | _EstimatedPairs,
    ) -> None:
        super().__init__(model, X, observed)
        self.pairs = pairs

    @cached_property
    def margins(self) -> FloatArray:
        """The log-odds of the first label of every pair, (n_cases, n_pairs)."""
        return self.pairs.margins(self.X)

    def at(self, *, voting: str | None = None) -> "ComparisonPoint":
        """Predict by probabilities or votes; None: the model's own. ValueError for others."""
        voting = self.model.voting if voting is None else voting
        if voting not in PAIR_TERMS:
            raise ValueError(f"Expected voting in {sorted(PAIR_TERMS)}, got {voting!r}.")
        _require_probabilities(voting, self.model.estimator)
        return ComparisonPoint(self, voting)

    def parts(self, point: PairPoint, case: int) -> PairParts | None:
        """Split the log-odds of one case into contributions of its features."""
        return self.pairs.parts(self.X[case], point.positions[case], "log-odds")


class ComparisonPoint(PairPoint):
    """Predictions by one kind of votes."""

    def __init__(self, path: ComparisonPath, voting: str) -> None:
        self.voting = voting
        preferences = expit(path.margins) if voting == "weighted" else votes_of(path.margins)
        super().__init__(path, preferences, PAIR_TERMS[voting])

    def breakpoints(
        self, x: FloatArray, feature: int, ends: tuple[float, float]
    ) -> FloatArray | None:
        """List where a pair's vote changes; None where probabilities are summed."""
        pairs = self.path.pairs
        if self.voting == "weighted" or not isinstance(pairs, LinearPairs):
            return None
        margins = pairs.margins(x[None])[0]
        return linear_crossings(margins, pairs.weights[feature], float(x[feature]), ends)
