"""k-NN label ranking from preferences between pairs of labels, at every number of neighbours."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelrank_core.aggregation.bucket_orders import PairVotes, buckets_within, cut_orders
from labelrank_core.aggregation.sums import chunks
from labelrank_core.aggregation.win_shares import (
    SHARE_UNIT,
    WIDEST,
    SignTable,
    neighborhood_sizes,
    pair_shares,
    require_win_shares,
    win_share_sums,
)
from labelrank_core.explain.evidence import Explanation
from labelrank_core.methods.base import RankingPoint
from labelrank_core.methods.nearest.base import NeighborPath, NeighborPoint
from labelrank_core.methods.nearest.searches import Search
from labelrank_core.methods.neighbors._pair_explain import explain_case
from labelrank_core.methods.pairs import square
from labelrank_core.rankings import FloatArray, IntArray


class PairPreferencePath(NeighborPath):
    """Rankings of some cases from the pairs that their neighbours know."""

    def __init__(
        self, model: Any, X: Any, search: Search, table: SignTable, n_neighbors: int | None
    ) -> None:
        self.table = table
        super().__init__(model, X, search, n_neighbors)

    def _n_searched(self) -> int:
        if self.table.complete:
            return self.n_neighbors
        return max(self.n_neighbors, min(WIDEST, self.model.n_samples_fit_))

    def at(
        self, *, n_neighbors: int | None = None, aggregation: str | None = None
    ) -> "PairPreferencePoint":
        """Predict with k neighbours, up to the path's largest; win shares are the only rule."""
        require_win_shares(self.model.aggregation if aggregation is None else aggregation)
        return PairPreferencePoint(self, self.check_k(n_neighbors))


class PairPreferencePoint(RankingPoint, NeighborPoint):
    """Rankings of some cases by win shares at one k, computed when first needed."""

    def __init__(self, path: PairPreferencePath, n_neighbors: int) -> None:
        self.path = path
        self.table = path.table
        self.n_neighbors = n_neighbors

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of the neighbourhoods that count, wider ones too where pairs are unknown."""
        if self.table.complete:
            return (self.n_neighbors,)
        return neighborhood_sizes(self.n_neighbors, self.path.model.n_samples_fit_)

    @property
    def _smoothed(self) -> tuple[int, ...]:
        return () if self.table.complete else self.sizes

    @cached_property
    def _keys(self) -> IntArray:
        rows, weights = self.path.first(self.sizes[-1])
        sums = win_share_sums(self.table, rows, weights, self._smoothed)
        return self.table.n_labels * SHARE_UNIT - sums

    @property
    def order_keys(self) -> tuple[NDArray[Any], ...]:
        """Sort keys of the labels: the ranks by win shares, then the random orders, if any."""
        return (self._keys, *self.path.last_keys())

    @property
    def ranks(self) -> FloatArray:
        """The number of labels less the summed win shares, shape (n_cases, n_labels)."""
        return self._keys / SHARE_UNIT

    @property
    def scores(self) -> FloatArray:
        """The summed win shares: higher = better."""
        return self.table.n_labels - self.ranks

    def pair_votes(self, cases: slice) -> PairVotes:
        """Return the votes of the k neighbours on every pair of labels."""
        rows, weights = self.path.first(self.n_neighbors)
        case_weights = None if weights is None else weights[cases]
        return PairVotes(*self.table.votes(rows[cases], case_weights))

    @cached_property
    def bucketed(self) -> IntArray:
        """The order by win shares, cut into buckets where that fits the votes best, or by gaps."""
        gap = self.path.model.tie_gap
        if gap is not None:
            return buckets_within(self._keys, gap * SHARE_UNIT)
        positions = np.empty_like(self._keys)
        for part in chunks(len(positions), self.table.n_labels**2):
            positions[part] = cut_orders(self._keys[part], self.pair_votes(part).gains)
        return positions

    @cached_property
    def confidence(self) -> FloatArray:
        """The share of the pairs known to the k neighbours that are as predicted."""
        if self.predicts_ties:
            return self.agreement_with_ties
        n_cases, n_labels = self.positions.shape
        agreement = np.empty(n_cases)
        for part in chunks(n_cases, n_labels**2):
            right, compared = self.agreeing_votes(part)
            agreement[part] = right / np.maximum(compared, 1)
        return agreement

    def agreeing_votes(self, cases: slice) -> tuple[FloatArray, FloatArray]:
        """Count the (weighted) votes on pairs that the order agrees with, ties one half; all."""
        votes = self.pair_votes(cases)
        positions = self.positions[cases]
        ahead = positions[:, :, None] < positions[:, None, :]
        compared = np.where(ahead, votes.compared, 0).sum(axis=(1, 2))
        right = np.where(ahead, votes.ahead, 0).sum(axis=(1, 2))
        reversed_ = np.where(ahead, votes.ahead.transpose(0, 2, 1), 0).sum(axis=(1, 2))
        return (compared + right - reversed_) / 2, compared

    def confidence_by(self, loss: str) -> FloatArray:
        """Refuse: the losses of consensus rules compare rankings."""
        raise ValueError(
            "Expected loss=None for a model of preferences between pairs of labels, got "
            f"{loss!r}, which compares rankings."
        )

    def pair_support(self, cases: slice = slice(None)) -> FloatArray:
        """Return the win shares ``[c, i, j]``, smoothed as for the prediction."""
        rows, weights = self.path.first(self.sizes[-1])
        case_weights = None if weights is None else weights[cases]
        shares = pair_shares(self.table, rows[cases], case_weights, self._smoothed)
        return square(shares.T, self.table.n_labels)

    def explain(self, case: int) -> Explanation:
        """Explain the prediction of one of the path's cases."""
        return explain_case(self, case)
