"""The solution of MLLS-08 in the basis of the singular vectors, by diagonal and t × m matrices.

With the centred cases X = P Σ Qᵀ (rank t) and G = PᵀY, section 3 of [ji2010] reduces to label
space. Let ridge(β) = Σ (Σ² + n β)⁻¹ G be the ridge regression of every label and Π the projector
on the r leading right singular vectors of C = Σ ((Σ²/n + β) (Σ²/n + α + β))^(-1/2) G, eq. 26. Then

    U* = Q (ridge(β) Π + ridge(α + β) (I − Π)),        Θ spans the rows of (Q ridge(β) Π)ᵀ:

combinations of labels that are in the shared subspace are shrunk by β alone, all others by α + β.
It follows from ZᵀS₁Z = I for Z = D P₂ in the paper's notation, so that eq. 17 needs no QR.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from labelrank_core.rankings import FloatArray


@dataclass(frozen=True, eq=False)
class Spectrum:
    """All that the solution of any (α, β, r) needs to know of the cases and the targets."""

    # The singular values of the centred cases, all above the cutoff, largest first.
    singular: FloatArray
    # G: the centred targets in the basis of the left singular vectors, (t, n_labels).
    targets: FloatArray
    n_samples: int

    @cached_property
    def rank(self) -> int:
        """Rank of XᵀY: with as many shared dimensions every combination of labels is shared."""
        if not self.targets.size:
            return 0
        return int(np.linalg.matrix_rank(self.singular[:, None] * self.targets))

    @cached_property
    def _variances(self) -> FloatArray:
        return self.singular**2 / self.n_samples

    def ridge(self, penalty: float) -> FloatArray:
        """Return the weights of a ridge regression of every label: ‖XU − Y‖² / n + penalty ‖U‖²."""
        shrunk = self.singular / (self.n_samples * (self._variances + penalty))
        return shrunk[:, None] * self.targets

    def directions(self, alpha: float, beta: float, n_components: int) -> FloatArray:
        """Return the r leading right singular vectors of C, (r, n_labels): shared combinations."""
        scale = self.singular / np.sqrt(
            (self._variances + beta) * (self._variances + (alpha + beta))
        )
        triangle = np.linalg.qr(scale[:, None] * self.targets, mode="r")
        return np.linalg.svd(triangle, full_matrices=False)[2][:n_components]

    def weights(self, alpha: float, beta: float, n_components: int) -> FloatArray:
        """Return U*, eq. 9 of [ji2010]; from r = rank on it is ridge regression with beta."""
        shared = self.ridge(beta)
        if alpha == 0 or n_components >= self.rank:
            return shared
        own_weights = self.ridge(alpha + beta)
        directions = self.directions(alpha, beta, n_components)
        return own_weights + ((shared - own_weights) @ directions.T) @ directions

    def weights_along(self, alphas: FloatArray, beta: float, n_components: int) -> FloatArray:
        """Return U* for several alphas at once, fast, (n_alphas, t, n_labels)."""
        # The Gram matrix of C makes Π less exact where singular values of C are below 1e-6 of the
        # largest; the weights are as small there, and agree with `weights` to 1e-8 of the largest.
        shared = self.ridge(beta)
        if n_components >= self.rank:
            return np.broadcast_to(shared, (len(alphas), *shared.shape))
        penalties = (alphas + beta)[:, None]
        shrunk = self.singular / (self.n_samples * (self._variances + penalties))
        own_weights = shrunk[:, :, None] * self.targets
        # CᵀC = n² ridge(β)ᵀ ridge(α + β)
        leading = np.linalg.eigh(shared.T @ own_weights)[1][:, :, -n_components:]
        return own_weights + ((shared - own_weights) @ leading) @ leading.transpose(0, 2, 1)

    def subspace(self, alpha: float, beta: float, n_components: int) -> FloatArray:
        """Return Θ in the basis, orthonormal rows (r, t), the solution of eq. 13 of [ji2010]."""
        directions = self.directions(alpha, beta, min(n_components, self.rank))
        vectors, _ = np.linalg.qr(self.ridge(beta) @ directions.T)
        return vectors.T

    def residual(self, weights: FloatArray, targets_norm: float) -> float:
        """Return ‖XU − Y‖² / n, with ‖Y‖² of the centred targets as `targets_norm`."""
        unreached = targets_norm - (self.targets**2).sum()
        reached = ((self.singular[:, None] * weights - self.targets) ** 2).sum()
        return float((reached + max(unreached, 0.0)) / self.n_samples)
