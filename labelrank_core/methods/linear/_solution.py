"""The solution at one (α, β, r) and its thresholds, computed when first needed."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from labelrank_core.methods.linear._decomposition import Decomposition
from labelrank_core.metrics.thresholds import RULES
from labelrank_core.rankings import FloatArray, IntArray


@dataclass(frozen=True)
class Settings:
    """One setting of the path: penalties, r (at most the rank of XᵀY), a rule of `RULES`."""

    alpha: float
    beta: float
    n_components: int
    threshold: str


@dataclass(frozen=True, eq=False)
class Solution:
    """Weights, subspace and thresholds at one setting."""

    settings: Settings
    decomposition: Decomposition
    relevance: IntArray

    @property
    def _penalties_and_r(self) -> tuple[float, float, int]:
        return self.settings.alpha, self.settings.beta, self.settings.n_components

    @cached_property
    def coefficients(self) -> FloatArray:
        """U in the basis, (t, n_labels)."""
        return self.decomposition.spectrum.weights(*self._penalties_and_r)

    @cached_property
    def subspace(self) -> FloatArray:
        """Θ in the basis, (r, t)."""
        return self.decomposition.spectrum.subspace(*self._penalties_and_r)

    @cached_property
    def weights(self) -> FloatArray:
        """U: weights of the features or, with a kernel, of the training cases, (., n_labels)."""
        return self.decomposition.basis.weights(self.coefficients)

    @cached_property
    def shared_weights(self) -> FloatArray:
        """ΘᵀV, the part of U in the shared subspace."""
        return self.decomposition.basis.weights(self._shared)

    @cached_property
    def shared_coordinates(self) -> tuple[FloatArray, FloatArray]:
        """The factors of `shared_weights`: Θᵀ, (., r), and the labels' directions V, (r, m)."""
        inside = self.decomposition.basis.weights(self.subspace.T)
        return inside, self.subspace @ self.coefficients

    @cached_property
    def own_weights(self) -> FloatArray:
        """W = U - ΘᵀV, the labels' own weights."""
        return self.decomposition.basis.weights(self.coefficients - self._shared)

    @cached_property
    def _shared(self) -> FloatArray:
        return self.subspace.T @ (self.subspace @ self.coefficients)

    @cached_property
    def thresholds(self) -> FloatArray:
        """The threshold that each label's score must exceed, (n_labels,)."""
        parts = self.decomposition
        if self.settings.threshold == "zero" or not parts.folds:
            return np.zeros(len(parts.baseline))
        alpha, beta, n_components = self._penalties_and_r
        scores = parts.out_of_fold_scores(np.array([alpha]), beta, n_components)[0]
        return RULES[self.settings.threshold](scores, self.relevance)

    @cached_property
    def objective(self) -> float:
        """The minimum of eq. 5 of [ji2010], on the training cases."""
        alpha, beta, _ = self._penalties_and_r
        own_weights = self.coefficients - self._shared
        return float(
            self.decomposition.spectrum.residual(self.coefficients, self.decomposition.targets_norm)
            + alpha * (own_weights**2).sum()
            + beta * (self.coefficients**2).sum()
        )


def probabilities(scores: FloatArray) -> FloatArray:
    """Read scores as probabilities: least squares on +1 and -1 estimates 2 p - 1."""
    return np.clip((1 + scores) / 2, 0, 1)
