"""Members of blends for label sets, not methods of their own: they predict probabilities."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.ensemble import ExtraTreesRegressor, RandomForestRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold

from labelrank_core.explain.capabilities import HasRawScores, method_of
from labelrank_core.explain.predictions import bare_model, label_probabilities
from labelrank_core.methods.convergence import platt_fits
from labelrank_core.methods.machines import kernel_of, learn_margins
from labelrank_core.methods.pair_ranker import common_scale
from labelrank_core.rankings import FloatArray, IntArray

_FOREST = {"best": RandomForestRegressor, "random": ExtraTreesRegressor}
# Margins are turned into probabilities by those of training cases that were not learned.
_N_FOLDS = 3
_LARGEST = 1e30


def probabilities(model: Any, X: Any) -> FloatArray:
    """Return the probability that each label is relevant, (n_cases, n_labels).

    Of a classifier that has neither probabilities nor scores 1 or 0, by what it predicts.
    """
    estimator, cases = bare_model(model, X)
    if method_of(estimator, "predict_proba"):
        return label_probabilities(estimator, cases)
    if isinstance(estimator, HasRawScores):
        # Least squares on 1 and -1 estimates 2 p - 1.
        return np.clip((1 + estimator.raw_scores(cases)) / 2, 0.0, 1.0)
    return np.asarray(estimator.predict(cases), dtype=np.float64)


class LabelSetForest(BaseEstimator):
    """Trees that share their splits between all labels; a leaf says each label's share."""

    # Of 0 and 1 the variance, which these trees lower, is half of Gini's impurity.
    def __init__(
        self,
        n_estimators: int = 50,
        splitter: str = "random",
        max_features: Any = 0.3,
        min_samples_leaf: int = 2,
        random_state: Any = 0,
    ) -> None:
        self.n_estimators = n_estimators
        self.splitter = splitter
        self.max_features = max_features
        self.min_samples_leaf = min_samples_leaf
        self.random_state = random_state

    def fit(self, X: FloatArray, Y: IntArray) -> Self:
        """Grow the trees."""
        self.scale_ = common_scale(X)
        self.forest_ = _FOREST[self.splitter](
            self.n_estimators,
            max_features=self.max_features,
            min_samples_leaf=self.min_samples_leaf,
            random_state=self.random_state,
        ).fit(X / self.scale_, Y)
        return self

    def predict_proba(self, X: FloatArray) -> FloatArray:
        """Return the mean share of every label in a case's leaves."""
        # Trees keep features in single precision; beyond all training cases nothing changes.
        cases = np.clip(X / self.scale_, -_LARGEST, _LARGEST)
        return np.clip(self.forest_.predict(cases), 0.0, 1.0)


class MarginProbabilities(BaseEstimator):
    """One support vector machine per label, whose margins are calibrated out of fold."""

    # As in J. Platt: Probabilistic outputs for support vector machines, 1999.
    def __init__(self, C: float = 1.0, gamma: float | None = None, random_state: Any = 0) -> None:
        self.C = C
        self.gamma = gamma
        self.random_state = random_state

    def fit(self, X: FloatArray, Y: IntArray) -> Self:
        """Learn the machines, and calibrate their margins."""
        signs = np.where(Y == 1, 1.0, -1.0)
        self._margins = self._learned(X, signs)
        margins = np.zeros(signs.shape)
        if len(X) > 1:
            folds = KFold(min(_N_FOLDS, len(X)), shuffle=True, random_state=self.random_state)
            for train, test in folds.split(X):
                margins[test] = self._learned(X[train], signs[train]).of(X[test])
        columns = zip(margins.T, np.asarray(Y).T, strict=True)
        with platt_fits():
            self._odds = [_odds(margin, relevant) for margin, relevant in columns]
        return self

    def _learned(self, X: FloatArray, signs: FloatArray) -> Any:
        kernel = kernel_of("rbf", degree=1, gamma=self.gamma)
        return learn_margins(X, signs, self.C, kernel, loss="hinge")

    def predict_proba(self, X: FloatArray) -> FloatArray:
        """Return the probability that each label is relevant."""
        slopes, intercepts = np.array(self._odds).T
        # Not through exponentials that overflow.
        return 0.5 * (1 + np.tanh((self._margins.of(X) * slopes + intercepts) / 2))


def _odds(margins: FloatArray, relevant: IntArray) -> tuple[float, float]:
    """Return slope and intercept of the log-odds; of one kind of case the smoothed share."""
    n, n_relevant = len(relevant), int(relevant.sum())
    if not 0 < n_relevant < n or np.ptp(margins) == 0:
        return 0.0, float(np.log((n_relevant + 1) / (n - n_relevant + 1)))
    regression = LogisticRegression(C=1e3).fit(margins[:, None], relevant)
    # More margin never makes a label less likely.
    if regression.coef_[0, 0] <= 0:
        return 0.0, float(np.log((n_relevant + 1) / (n - n_relevant + 1)))
    return float(regression.coef_[0, 0]), float(regression.intercept_[0])
