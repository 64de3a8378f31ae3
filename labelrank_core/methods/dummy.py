"""Baselines that do not look at the case: what any method has to beat."""

from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from labelrank_core._sklearn import Interval, StrOptions, fit_context
from labelrank_core.aggregation import CONSENSUS_RULES, aggregate
from labelrank_core.aggregation.virtual_labels import CalibratedTargets, leads_of, ranks_with
from labelrank_core.methods.base import (
    LabelRankerMixin,
    MultilabelRankerMixin,
    require_as_many_rows,
    require_targets,
)
from labelrank_core.rankings import FloatArray, IntArray, check_rankings, strict_positions


def _n_cases(estimator: Any, X: Any) -> int:
    return int(validate_data(estimator, X, accept_sparse="csr", reset=False).shape[0])


class ConsensusLabelRanker(LabelRankerMixin, BaseEstimator):
    """Predict the consensus of all training rankings for every case.

    Parameters
    ----------
    aggregation : {"borda", "median", "footrule", "kemeny", "majority"}, default="borda"
        The consensus rule, as in `KNeighborsLabelRanker`.

    Attributes
    ----------
    consensus_ : ndarray of shape (n_labels,)
        The positions it predicts.
    n_features_in_ : int
        Number of features.

    Examples
    --------
    >>> ConsensusLabelRanker().fit([[0], [1]], [[1, 2, 3], [1, 3, 2]]).predict([[5]])
    array([[1, 2, 3]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "aggregation": [StrOptions(set(CONSENSUS_RULES))]
    }

    def __init__(self, *, aggregation: str = "borda") -> None:
        self.aggregation = aggregation

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, Y: ArrayLike) -> Self:
        """Find the consensus.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training cases; only their number matters.
        Y : array-like of shape (n_samples, n_labels)
            Their positions; labels may tie, NaN = not ranked.

        Returns
        -------
        self
            Fitted.
        """
        require_targets(self, Y)
        rankings = check_rankings(Y, allow_partial=True)
        require_as_many_rows(validate_data(self, X, accept_sparse="csr"), len(rankings))
        self.consensus_ = aggregate(rankings, method=self.aggregation)
        return self

    def predict(self, X: ArrayLike) -> IntArray:
        """Predict the same ranking for every case.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases, n_labels)
            Positions.
        """
        check_is_fitted(self)
        return np.tile(self.consensus_, (_n_cases(self, X), 1))


class ConsensusMultilabelRanker(MultilabelRankerMixin, BaseEstimator):
    """Predict the consensus of all training cases, zero line included, for every case.

    Parameters
    ----------
    n_virtual_labels : int, default=1
        How many virtual labels make the zero line, as in `KNeighborsMultilabelRanker`.

    Attributes
    ----------
    lead_ : ndarray of shape (n_labels,)
        Places of each label ahead of the zero line.
    n_features_in_ : int
        Number of features.

    Examples
    --------
    >>> model = ConsensusMultilabelRanker().fit([[0], [1]], [[1, 0, 0], [1, 1, 0]])
    >>> model.predict([[5]])
    array([[1, 0, 0]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_virtual_labels": [Interval(Integral, 1, None, closed="left")]
    }

    def __init__(self, *, n_virtual_labels: int = 1) -> None:
        self.n_virtual_labels = n_virtual_labels

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, Y: ArrayLike) -> Self:
        """Find the consensus.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training cases; only their number matters.
        Y : array-like of shape (n_samples, n_labels) or (n_samples, n_labels + 1)
            A 0/1 matrix, or calibrated rankings with the virtual label last.

        Returns
        -------
        self
            Fitted.
        """
        require_targets(self, Y)
        targets = CalibratedTargets.from_targets(Y)
        require_as_many_rows(validate_data(self, X, accept_sparse="csr"), len(targets.ranks))
        ranks = ranks_with(targets.ranks, targets.slopes, self.n_virtual_labels)
        self.lead_ = leads_of(ranks.sum(axis=0)) / (2 * len(ranks))
        return self

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """Return each label's lead over the zero line.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases, n_labels)
            Above 0 = relevant.
        """
        check_is_fitted(self)
        return np.tile(self.lead_, (_n_cases(self, X), 1))

    def raw_scores(self, X: ArrayLike) -> FloatArray:
        """Return the same as `decision_function`: no label has a threshold of its own.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases, n_labels)
            Higher = more likely relevant.
        """
        return self.decision_function(X)

    def predict(self, X: ArrayLike) -> IntArray:
        """Predict the same relevant labels for every case.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases, n_labels)
            1 = relevant.
        """
        return (self.decision_function(X) > 0).astype(np.int64)

    def predict_ranking(self, X: ArrayLike) -> IntArray:
        """Predict the same ranking of the labels for every case.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases, n_labels)
            Positions.
        """
        return strict_positions(-self.decision_function(X))
