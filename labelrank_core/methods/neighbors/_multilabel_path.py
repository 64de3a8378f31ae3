"""k-NN multilabel ranking at every number of neighbours and of virtual labels."""

from functools import cached_property
from typing import Any

import numpy as np

from labelrank_core.aggregation.label_sets import SET_RULES
from labelrank_core.aggregation.sums import WEIGHT_UNIT, total_weights
from labelrank_core.aggregation.virtual_labels import CalibratedTargets, leads_of, ranks_with
from labelrank_core.aggregation.win_shares import WIDEST
from labelrank_core.explain.evidence import Explanation
from labelrank_core.methods.base import LabelSetPoint, check_count
from labelrank_core.methods.nearest.base import NeighborPath, NeighborPoint
from labelrank_core.methods.nearest.searches import Search
from labelrank_core.methods.neighbors._multilabel_explain import explain_case
from labelrank_core.rankings import FloatArray, IntArray, strict_positions

ZERO_LINE = "zero_line"
DECISIONS = (ZERO_LINE, *SET_RULES)
# How many times as many neighbours order labels that tie, up to `WIDEST`.
_WIDENING = 4


class MultilabelRankingPath(NeighborPath):
    """Multilabel rankings of some cases at every number of neighbours and virtual labels."""

    # Without `ordered` only the k nearest are searched for: enough for scores, not for positions.
    def __init__(
        self,
        model: Any,
        X: Any,
        search: Search,
        targets: CalibratedTargets,
        n_neighbors: int | None,
        ordered: bool = True,
    ) -> None:
        self.targets = targets
        self._widens = ordered and model.tie_breaking == "wider"
        super().__init__(model, X, search, n_neighbors)

    def _n_searched(self) -> int:
        return self.n_wider(self.n_neighbors) if self._widens else self.n_neighbors

    def n_wider(self, n_neighbors: int) -> int:
        """Return the size of the neighbourhood that orders labels tied among the k nearest."""
        wider = max(n_neighbors, min(_WIDENING * n_neighbors, WIDEST))
        return min(wider, self.model.n_samples_fit_)

    def at(
        self,
        *,
        n_neighbors: int | None = None,
        n_virtual_labels: int | None = None,
        decision: str | None = None,
    ) -> "MultilabelRankingPoint":
        """Predict with k neighbours, up to the path's largest, p, a decision; None: the model's."""
        decision = self.model.decision if decision is None else decision
        if decision not in DECISIONS:
            raise ValueError(f"Expected decision in {sorted(DECISIONS)}, got {decision!r}.")
        p = self.model.n_virtual_labels if n_virtual_labels is None else n_virtual_labels
        p, k = check_count("n_virtual_labels", p), self.check_k(n_neighbors)
        # Where there is no zero line, its width orders no labels either.
        p = p if decision == ZERO_LINE else 1
        unit = 1 if self.weights is None else WEIGHT_UNIT
        largest = self.n_wider(k) if self.model.tie_breaking == "wider" else k
        if 2 * (self.model.n_labels_ + p) * largest * unit > np.iinfo(np.int64).max:
            raise ValueError(f"Expected n_virtual_labels that keep sums exact, got {p}.")
        return MultilabelRankingPoint(self, k, p, decision)


class MultilabelRankingPoint(LabelSetPoint, NeighborPoint):
    """Multilabel rankings of some cases at one setting, computed when first needed."""

    def __init__(
        self,
        path: MultilabelRankingPath,
        n_neighbors: int,
        n_virtual_labels: int,
        decision: str = ZERO_LINE,
    ) -> None:
        self.path = path
        self.decision = decision
        self.targets = path.targets
        self.n_neighbors = n_neighbors
        self.n_virtual_labels = n_virtual_labels

    def sums(self, name: str) -> IntArray:
        """Add up "ranks", "slopes" or "relevance" of the targets over the neighbours."""
        return self.path.sums(name, getattr(self.targets, name), self.n_neighbors)

    @cached_property
    def _rank_sums(self) -> IntArray:
        """Summed doubled ranks of the labels and, last, of the virtual labels."""
        # One virtual label needs no slopes, whose sums cost as much as those of the ranks.
        if self.n_virtual_labels == 1:
            return self.sums("ranks")
        return ranks_with(self.sums("ranks"), self.sums("slopes"), self.n_virtual_labels)

    @cached_property
    def leads(self) -> IntArray:
        """Lead of each label over the virtual labels, in whole numbers."""
        return leads_of(self._rank_sums)

    @cached_property
    def totals(self) -> IntArray:
        """The total weight of each case's neighbours, shape (n_cases, 1)."""
        return total_weights(*self.path.first(self.n_neighbors))

    @cached_property
    def prediction(self) -> IntArray:
        """The relevant labels, 0/1, shape (n_cases, n_labels)."""
        if self.has_zero_line:
            return (self.leads > 0).astype(np.int64)
        rule = SET_RULES[self.decision]
        return rule(self.targets.relevance, *self.path.first(self.n_neighbors)).astype(np.int64)

    @property
    def has_zero_line(self) -> bool:
        """Whether the virtual labels decide which labels are relevant."""
        return self.decision == ZERO_LINE

    @property
    def decides_whole_sets(self) -> bool:
        """Whether the neighbours' label sets decide on the set as a whole."""
        return not self.has_zero_line

    @property
    def breaks_ties(self) -> bool:
        """Whether wider neighbourhoods order labels that tie among the neighbours."""
        return self.path.model.tie_breaking == "wider"

    @property
    def n_wider(self) -> int:
        """The size of the wider neighbourhood."""
        return self.path.n_wider(self.n_neighbors)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of the neighbourhoods that count, a wider one too if it breaks ties."""
        return (self.n_neighbors, self.n_wider) if self.breaks_ties else (self.n_neighbors,)

    @cached_property
    def tie_leads(self) -> tuple[IntArray, ...]:
        """The leads that order labels tied before: of a wider neighbourhood, of all cases."""
        if not self.breaks_ties:
            return ()
        wider = MultilabelRankingPoint(self.path, self.n_wider, self.n_virtual_labels)
        total = ranks_with(self.targets.rank_sums, self.targets.slope_sums, self.n_virtual_labels)
        return wider.leads, np.broadcast_to(leads_of(total), self.leads.shape)

    @cached_property
    def positions(self) -> IntArray:
        """The predicted ranking of the labels, shape (n_cases, n_labels)."""
        ties = (-leads for leads in self.tie_leads)
        keys = (-self.leads, *ties, *self.path.last_keys())
        return strict_positions(*(() if self.has_zero_line else (-self.prediction,)), *keys)

    @cached_property
    def raw_scores(self) -> FloatArray:
        """Places each label is ahead of the virtual labels, shape (n_cases, n_labels)."""
        return self.leads / (2 * self.totals)

    @cached_property
    def scores(self) -> FloatArray:
        """The raw scores; if sets are decided as a whole, numbers above 0 exactly in the set."""
        if self.has_zero_line:
            return self.raw_scores
        # Labels are fewer than m + 1 places ahead or behind, so this is less than 1/2.
        share = self.raw_scores / (2 * (self.path.model.n_labels_ + 1))
        return share + np.where(self.prediction == 1, 0.5, -0.5)

    @cached_property
    def mean_ranks(self) -> FloatArray:
        """Mean ranks of the labels and, last, of the virtual labels."""
        return self._rank_sums / (2 * self.totals)

    @cached_property
    def shares(self) -> FloatArray:
        """The (weighted) share of the neighbours for which each label is relevant."""
        return self.sums("relevance") / self.totals

    @cached_property
    def confidence(self) -> FloatArray:
        """Mean agreement of the neighbours' label sets with the predicted one, (n_cases,)."""
        agreement = np.where(self.prediction == 1, self.shares, 1 - self.shares)
        return agreement.mean(axis=1)

    @property
    def label_support(self) -> tuple[FloatArray, FloatArray | None]:
        """The shares of the neighbours with each label, and the bar above which one is relevant."""
        if self.decision == "hamming":
            return self.shares, np.full(len(self.shares), 0.5)
        if not self.targets.binary or not self.has_zero_line:
            return self.scores, None
        return self.shares, np.array([self.bar(case) for case in range(len(self.shares))])

    def bar(self, case: int, n_virtual_labels: int | None = None) -> float:
        """Return the share of neighbours a label must exceed to be relevant, for 0/1 targets."""
        # (m - mean number of labels of the neighbours + p) / (m + 2 p), from sorting by mean rank.
        p = self.n_virtual_labels if n_virtual_labels is None else n_virtual_labels
        m, total = self.path.model.n_labels_, int(self.totals[case, 0])
        # One division of whole numbers, so that a share equal to the bar is not above it.
        return (total * (m + p) - int(self.sums("relevance")[case].sum())) / (total * (m + 2 * p))

    def explain(self, case: int) -> Explanation:
        """Explain the prediction of one of the path's cases."""
        return explain_case(self, case)
