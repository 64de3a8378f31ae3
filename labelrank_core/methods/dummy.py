"""Baselines that predict the same for every case; every method should beat them."""

from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from labelrank_core._sklearn import Interval, StrOptions, fit_context
from labelrank_core.aggregation import CONSENSUS_RULES, TIES, aggregate
from labelrank_core.aggregation.bucket_orders import PairVotes, cut_orders
from labelrank_core.aggregation.virtual_labels import CalibratedTargets, leads_of, ranks_with
from labelrank_core.aggregation.win_shares import SignTable, require_win_shares
from labelrank_core.data.pair_preferences import PairPreferences
from labelrank_core.methods.base import (
    LabelRankerMixin,
    MultilabelRankerMixin,
    checked_cases,
    require_as_many_rows,
    require_targets,
)
from labelrank_core.rankings import FloatArray, IntArray, check_rankings, strict_positions


def _n_cases(estimator: Any, X: Any) -> int:
    return int(checked_cases(estimator, X, reset=False).shape[0])


class ConsensusLabelRanker(LabelRankerMixin, BaseEstimator):
    """Predict the consensus of all training rankings for every case.

    Of preferences between pairs of labels, the order by win shares among all cases.
    """

    _learns_pair_preferences = True
    n_labels_: int
    consensus_: IntArray

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "aggregation": [StrOptions(set(CONSENSUS_RULES))],
        "ties": [StrOptions(set(TIES))],
    }

    def __init__(self, *, aggregation: str = "borda", ties: str = "break") -> None:
        self.aggregation = aggregation
        self.ties = ties

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, Y: ArrayLike) -> Self:
        """Find the consensus."""
        require_targets(self, Y)
        if isinstance(Y, PairPreferences):
            require_as_many_rows(checked_cases(self, X), len(Y))
            self.n_labels_ = Y.n_labels
            self.consensus_ = self._pair_consensus(SignTable.from_rankings(Y.signs))
            return self
        rankings = check_rankings(Y, allow_partial=True)
        require_as_many_rows(checked_cases(self, X), len(rankings))
        self.n_labels_ = rankings.shape[1]
        self.consensus_ = aggregate(rankings, method=self.aggregation, ties=self.ties)
        return self

    def _pair_consensus(self, table: SignTable) -> IntArray:
        require_win_shares(self.aggregation)
        keys = -table.summed(table.overall[:, None])
        if self.ties == "break":
            return strict_positions(keys)[0]
        everyone = np.arange(len(table.keys))[None]
        return cut_orders(keys, PairVotes(*table.votes(everyone, None)).gains)[0]

    def predict(self, X: ArrayLike) -> IntArray:
        """Predict the same ranking for every case."""
        check_is_fitted(self)
        return np.tile(self.consensus_, (_n_cases(self, X), 1))


class ConsensusMultilabelRanker(MultilabelRankerMixin, BaseEstimator):
    """Predict the consensus of all training cases, zero line included, for every case."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_virtual_labels": [Interval(Integral, 1, None, closed="left")]
    }

    def __init__(self, *, n_virtual_labels: int = 1) -> None:
        self.n_virtual_labels = n_virtual_labels

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, Y: ArrayLike) -> Self:
        """Find the consensus."""
        require_targets(self, Y)
        targets = CalibratedTargets.from_targets(Y)
        require_as_many_rows(checked_cases(self, X), len(targets.ranks))
        ranks = ranks_with(targets.ranks, targets.slopes, self.n_virtual_labels)
        self.n_labels_ = targets.relevance.shape[1]
        self.lead_ = leads_of(ranks.sum(axis=0)) / (2 * len(ranks))
        return self

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """Return each label's lead over the zero line."""
        check_is_fitted(self)
        return np.tile(self.lead_, (_n_cases(self, X), 1))

    def raw_scores(self, X: ArrayLike) -> FloatArray:
        """Return the same as `decision_function`: no label has a threshold of its own."""
        return self.decision_function(X)

    def predict(self, X: ArrayLike) -> IntArray:
        """Predict the same relevant labels for every case."""
        return (self.decision_function(X) > 0).astype(np.int64)

    def predict_ranking(self, X: ArrayLike) -> IntArray:
        """Predict the same ranking of the labels for every case."""
        return strict_positions(-self.decision_function(X))
