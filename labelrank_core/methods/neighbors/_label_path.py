"""k-NN label ranking at every number of neighbours."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelrank_core.aggregation import CONSENSUS_RULES, LOSSES
from labelrank_core.aggregation.bucket_orders import PairVotes
from labelrank_core.aggregation.losses import losses_to
from labelrank_core.aggregation.rules import ConsensusRule, LabelRanks
from labelrank_core.aggregation.sums import total_weights
from labelrank_core.aggregation.table import RankTable
from labelrank_core.aggregation.win_shares import WIDEST
from labelrank_core.explain.evidence import Explanation
from labelrank_core.methods.base import RankingPoint
from labelrank_core.methods.nearest.base import NeighborPath, NeighborPoint
from labelrank_core.methods.nearest.searches import Search
from labelrank_core.methods.neighbors._label_explain import explain_case
from labelrank_core.rankings import FloatArray, IntArray


class LabelRankingPath(NeighborPath):
    """Label rankings of some cases at every number of neighbours and by every consensus rule."""

    # `aggregation` names the only rule that will be used: it limits the neighbours searched for.
    def __init__(
        self,
        model: Any,
        X: Any,
        search: Search,
        table: RankTable,
        n_neighbors: int | None,
        aggregation: str | None = None,
    ) -> None:
        self.table = table
        self._only_rule = None if aggregation is None else _rule(aggregation)
        super().__init__(model, X, search, n_neighbors)

    def _n_searched(self) -> int:
        n_samples = self.model.n_samples_fit_
        if self.table.complete:
            return self.n_neighbors
        if self._only_rule is not None:
            return self._only_rule.sizes(self.table, self.n_neighbors, n_samples)[-1]
        return max(self.n_neighbors, min(WIDEST, n_samples))

    def at(
        self, *, n_neighbors: int | None = None, aggregation: str | None = None
    ) -> "LabelRankingPoint":
        """Predict with k neighbours, up to the path's largest, and a rule; None: the model's."""
        aggregation = self.model.aggregation if aggregation is None else aggregation
        return LabelRankingPoint(self, self.check_k(n_neighbors), _rule(aggregation))


def _rule(aggregation: Any) -> ConsensusRule:
    if aggregation not in CONSENSUS_RULES:
        raise ValueError(f"Expected aggregation in {sorted(CONSENSUS_RULES)}, got {aggregation!r}.")
    return CONSENSUS_RULES[aggregation]


class LabelRankingPoint(RankingPoint, NeighborPoint):
    """Label rankings of some cases at one setting, computed when first needed."""

    def __init__(self, path: LabelRankingPath, n_neighbors: int, rule: ConsensusRule) -> None:
        self.path = path
        self.table = path.table
        self.n_neighbors = n_neighbors
        self.rule = rule

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of the neighbourhoods that count, wider ones too for incomplete rankings."""
        return self.rule.sizes(self.table, self.n_neighbors, self.path.model.n_samples_fit_)

    @cached_property
    def _label_ranks(self) -> LabelRanks:
        rows, weights = self.path.first(self.sizes[-1])
        ties = self.path.random_ties
        if ties is not None and self.rule.chooses_orders:
            columns = np.broadcast_to(np.arange(rows.shape[1]), rows.shape)
            return ties.rank(self.rule, self.table, rows, weights, columns)
        if self.rule.rank_sums is not None and self.table.complete:
            sums = self.path.sums("ranks", self.table.doubled, self.n_neighbors)
            return self.rule.rank_sums(sums, total_weights(rows, weights))
        return self.rule.rank_nearest(self.table, rows, weights, self.sizes)

    @property
    def order_keys(self) -> tuple[NDArray[Any], ...]:
        """Sort keys of the labels: the ranks by the rule, then the random orders, if any."""
        return (self._label_ranks.keys, *self.path.last_keys())

    def pair_votes(self, cases: slice) -> PairVotes:
        """Return the votes of the neighbours on every pair of labels."""
        rows, weights = self.path.first(self.n_neighbors)
        case_weights = None if weights is None else weights[cases]
        return PairVotes.of_rankings(self.table, rows[cases], case_weights)

    @cached_property
    def bucketed(self) -> IntArray:
        """The bucket orders by the consensus rule, as positions."""
        rows, weights = self.path.first(self.n_neighbors)
        gap = self.path.model.tie_gap
        return self.rule.bucket(self.table, rows, weights, lambda: self._label_ranks, gap)

    @cached_property
    def ranks(self) -> FloatArray:
        """The number by which labels are ordered, as a rank, shape (n_cases, n_labels)."""
        return self._label_ranks.values

    @property
    def scores(self) -> FloatArray:
        """The number of labels beaten, n_labels - rank: higher = better."""
        return self.table.n_labels - self.ranks

    @cached_property
    def confidence(self) -> FloatArray:
        """Agreement of the neighbours with the prediction, shape (n_cases,)."""
        return (
            self.agreement_with_ties if self.predicts_ties else self.confidence_by(self.rule.loss)
        )

    def confidence_by(self, loss: str) -> FloatArray:
        """Return the agreement of the neighbours with the positions in a loss of `LOSSES`."""
        if loss not in LOSSES:
            raise ValueError(f"Expected loss in {sorted(LOSSES)}, got {loss!r}.")
        rows, weights = self.path.first(self.n_neighbors)
        return losses_to(LOSSES[loss], self.positions, self.table, rows, weights).agreement

    def pair_support(self, cases: slice = slice(None)) -> FloatArray:
        """Return the win shares ``[c, i, j]`` of the neighbours, smoothed as for the prediction."""
        sizes = self.sizes if self.rule.widens(self.table) else ()
        rows, weights = self.path.first(self.sizes[-1])
        case_weights = None if weights is None else weights[cases]
        return self.table.win_shares(rows[cases], case_weights, sizes)

    def explain(self, case: int) -> Explanation:
        """Explain the prediction of one of the path's cases."""
        return explain_case(self, case)
