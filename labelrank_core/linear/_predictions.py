"""What a fitted shared-subspace model says of cases, at its own setting."""

from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from labelrank_core.base import MultilabelRankerMixin
from labelrank_core.evidence import Explanation
from labelrank_core.linear._path import SharedSubspacePoint
from labelrank_core.rankings import FloatArray, IntArray


class SharedSubspacePredictions(MultilabelRankerMixin):
    """Predictions, all of them from the point of the path at the model's own setting."""

    def point(self, X: Any) -> SharedSubspacePoint:
        """Predict everything for some cases at once.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        SharedSubspacePoint
            Prediction, positions, scores, confidence and explanations.
        """
        return self.path(X).at()  # type: ignore[attr-defined]

    def predict(self, X: Any) -> IntArray:
        """Predict which labels are relevant.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases, n_labels)
            1 where `decision_function` is above 0.
        """
        return self.point(X).prediction

    def decision_function(self, X: Any) -> FloatArray:
        """Return how far each label's score is above its threshold.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases, n_labels)
            Above 0 = relevant.
        """
        return self.point(X).scores

    def raw_scores(self, X: Any) -> FloatArray:
        """Return the scores before thresholds, which estimate the targets +1 and -1.

        With a threshold for each label they need not order labels as `predict_ranking` does.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases, n_labels)
            Higher = more likely relevant.
        """
        return self.point(X).raw_scores

    def predict_ranking(self, X: Any) -> IntArray:
        """Predict a complete strict ranking of the labels, relevant ones first.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases, n_labels)
            Positions, ordered by `decision_function`, ties by label index.
        """
        return self.point(X).positions

    def predict_confidence(self, X: Any) -> FloatArray:
        """Return the share of each case's label decisions that the scores expect to be right.

        Least squares on +1 and -1 estimates 2 p - 1, so a raw score f stands for the probability
        (1 + f) / 2, clipped to [0, 1], that the label is relevant. The confidence is the mean over
        labels of the probability of the decision made. It estimates 1 - Hamming loss, the
        per-case accuracy to compare it with. The paper defines none.

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

    def explain(self, x: Any) -> Explanation:
        """Explain the prediction for one case.

        Parameters
        ----------
        x : array-like of shape (n_features,), or sparse matrix of shape (1, n_features)
            The case; a Series or a table of one row brings its feature names.

        Returns
        -------
        Explanation
            Ends in what `predict` returns for the case.
        """
        if isinstance(x, pd.Series):
            x = x.to_frame().T
        elif not isinstance(x, pd.DataFrame) and not sparse.issparse(x):
            x = np.asarray(x).reshape(1, -1)
        return self.point(x).explain(0)
