"""ML-kNN at every number of neighbours and with every smoothing."""

from functools import cached_property
from math import isfinite
from typing import Any

import numpy as np

from labelrank_core.explain.evidence import Explanation
from labelrank_core.methods.base import LabelSetPoint
from labelrank_core.methods.nearest.base import NeighborPath, NeighborPoint
from labelrank_core.methods.nearest.searches import Search
from labelrank_core.methods.neighbors._ml_knn_counts import TrainingCounts, of_counts, posteriors
from labelrank_core.methods.neighbors._ml_knn_explain import explain_case
from labelrank_core.rankings import FloatArray, IntArray

LABEL_NEIGHBORS = ("same", "own")


class MLkNNPath(NeighborPath):
    """Label sets of some cases at every number of neighbours and with every smoothing."""

    def __init__(
        self,
        model: Any,
        X: FloatArray,
        search: Search,
        training: TrainingCounts,
        n_neighbors: int | None,
    ) -> None:
        super().__init__(model, X, search, n_neighbors)
        self.training = training
        training.reach(self.n_neighbors)

    def at(
        self,
        *,
        n_neighbors: int | None = None,
        smoothing: float | None = None,
        label_neighbors: str | None = None,
    ) -> "MLkNNPoint":
        """Predict with k neighbours, up to the path's largest, and s > 0; None: the model's."""
        size_rule = self.model.label_neighbors if label_neighbors is None else label_neighbors
        if size_rule not in LABEL_NEIGHBORS:
            raise ValueError(
                f"Expected label_neighbors in {sorted(LABEL_NEIGHBORS)}, got {size_rule!r}."
            )
        s = float(self.model.smoothing if smoothing is None else smoothing)
        if not (isfinite(s) and s > 0):
            raise ValueError(f"Expected smoothing above 0, got {s}.")
        return MLkNNPoint(self, self.check_k(n_neighbors), s, size_rule == "own")


class MLkNNPoint(LabelSetPoint, NeighborPoint):
    """Label sets of some cases at one setting, computed when first needed."""

    def __init__(
        self, path: MLkNNPath, n_neighbors: int, smoothing: float, has_own: bool = False
    ) -> None:
        self.path = path
        self.n_neighbors = n_neighbors
        self.smoothing = smoothing
        # Whether each label has a number of neighbours of its own.
        self.has_own = has_own

    def label_sizes(self, n_neighbors: int) -> IntArray:
        """Return the number of neighbours that decide each label at this k."""
        if not self.has_own:
            return np.full(self.path.model.n_labels_, n_neighbors)
        return self.path.training.own_sizes(n_neighbors, self.smoothing)

    @cached_property
    def n_used(self) -> IntArray:
        """Number of neighbours that decide each label, shape (n_labels,)."""
        return self.label_sizes(self.n_neighbors)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of the neighbourhoods that count."""
        return tuple(np.unique(self.n_used).tolist())

    @cached_property
    def counts(self) -> IntArray:
        """Number of neighbours with each label, shape (n_cases, n_labels)."""
        relevance, sizes = self.path.training.relevance, self.sizes
        if len(sizes) == 1:
            return self.path.sums("relevance", relevance, sizes[0])
        counts = np.empty((len(self.path.rows), relevance.shape[1]), dtype=np.int64)
        for k in sizes:
            labels = np.flatnonzero(self.n_used == k)
            counts[:, labels] = self.path.sums("relevance", relevance, k)[:, labels]
        return counts

    @cached_property
    def table(self) -> IntArray:
        """Training cases by label and count, as `TrainingCounts.tables` has them."""
        return self.path.training.tables(self.n_used)

    @cached_property
    def _posteriors(self) -> tuple[FloatArray, FloatArray]:
        return posteriors(self.table, self.counts, self.smoothing, self.n_used)

    @cached_property
    def posterior(self) -> FloatArray:
        """P(H1 | E) of every label, shape (n_cases, n_labels)."""
        return of_counts(self._posteriors[0], self.counts)

    @cached_property
    def scores(self) -> FloatArray:
        """Posterior - 0.5, shape (n_cases, n_labels)."""
        return of_counts(self._posteriors[1], self.counts)

    @property
    def probabilities(self) -> FloatArray:
        """The posterior, as methods with probabilities call it."""
        return self.posterior

    @cached_property
    def confidence(self) -> FloatArray:
        """Share of label decisions expected to be right, shape (n_cases,)."""
        return 0.5 + np.abs(self.scores).mean(axis=1)

    def explain(self, case: int) -> Explanation:
        """Explain the prediction of one of the path's cases."""
        return explain_case(self, case)
