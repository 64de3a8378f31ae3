"""The base class of estimators of linear scores with tuned thresholds."""

from typing import Any

from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from labelrank_core.methods.base import (
    LabelSetsMixin,
    PathMixin,
    checked_cases,
)
from labelrank_core.methods.linear._linear_scores import (
    LinearScores,
    LinearScoresPath,
)
from labelrank_core.rankings import FloatArray


class LinearScoresClassifier(PathMixin, LabelSetsMixin, BaseEstimator):
    """Estimator whose fit ends in `LinearScores`."""

    threshold: str

    def _checked(self, X: Any, *, reset: bool) -> Any:
        return checked_cases(self, X, reset=reset)

    def _keep(self, linear_scores: LinearScores) -> None:
        """Keep the fitted scores, and set the fitted attributes of all methods."""
        self._scores = linear_scores
        self._rule = self.threshold
        self.n_labels_ = linear_scores.relevance.shape[1]
        self.coef_ = linear_scores.weights.T
        self.baseline_ = linear_scores.baseline
        self.intercept_ = linear_scores.baseline - linear_scores.mean @ linear_scores.weights
        self.thresholds_ = linear_scores.thresholds(self.threshold)
        if linear_scores.subspace is not None:
            self.components_ = linear_scores.subspace.inside.T
            self.n_components_ = len(self.components_)

    def _scores_at(self) -> LinearScores:
        """Return the scores; methods with other parameters on the path take them here."""
        return self._scores

    def path(self, X: Any) -> LinearScoresPath:
        """Prepare cases for predictions at other settings of the path.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        LinearScoresPath
            ``path.at(threshold=rule)`` equals a fresh fit, and so do the other parameters that the
            method's class says can be changed.
        """
        check_is_fitted(self)
        return LinearScoresPath(self, self._checked(X, reset=False), self._scores_at, self._rule)

    def decision_function(self, X: Any) -> FloatArray:
        """Return each label's score minus its threshold.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases, n_labels)
            Above 0 for relevant labels.
        """
        return self.point(X).scores

    def predict_confidence(self, X: Any) -> FloatArray:
        """Return the share of each case's label decisions that the scores expect to be right.

        The probability that a label is relevant is a logistic function of its score, fitted to the
        out-of-fold scores of the training rows as in J. Platt: Probabilistic outputs for support
        vector machines, 1999; its slope is at least 0. The confidence is the mean over labels of
        the probability of the decision made. It estimates 1 - Hamming loss of the case. The papers
        define no confidence.

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

    def out_of_fold_scores(self, **setting: Any) -> FloatArray:
        """Return the score of every training row by the fold without it.

        Parameters
        ----------
        **setting
            Parameters of the path besides the threshold; others have the model's own values.

        Returns
        -------
        ndarray of shape (n_samples, n_labels)
            Raw scores, on which thresholds and probabilities are fitted.

        Raises
        ------
        ValueError
            If the model was fitted on a single row, without folds.
        """
        check_is_fitted(self)
        scores = self._scores_at(**setting).out_of_fold
        if scores is None:
            raise ValueError("Expected a model fitted on at least two rows.")
        return scores.copy()
