"""One factorisation of the training cases, of the smaller side: never d × d where d > n.

``FeatureBasis``: linear, d ≤ n. Dense cases by QR and the SVD of R; sparse ones through the Gram
matrix of the features, so that they stay sparse. ``CaseBasis``: linear, d > n, through the Gram
matrix of the cases. ``KernelBasis``: the same on a kernel matrix.

Directions count as zero, and are left out, where the singular value is at most
max(n, d) ε σ₁ (ε = 2⁻⁵²) by SVD, and where its square is at most max(n, d) ε σ₁² through a Gram
matrix, which squares the condition number; or where it is within the rounding of the centring.
"""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from scipy import linalg, sparse

from labelrank_core.methods.kernels import Kernel
from labelrank_core.methods.linear._spectrum import Spectrum
from labelrank_core.rankings import FloatArray

_EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class CentredCases:
    """Cases minus the mean of the training cases, by feature or, with a kernel, training case."""

    values: Any
    # Sparse values are centred implicitly by this mean; dense ones, without it, are already.
    mean: FloatArray | None = None

    def __len__(self) -> int:
        return int(self.values.shape[0])

    def dot(self, weights: FloatArray) -> FloatArray:
        """Multiply the centred cases by weights of shape (n_inputs, n_labels)."""
        product = self.values @ weights
        return product if self.mean is None else product - self.mean @ weights

    def row(self, case: int) -> FloatArray:
        """Return one centred case, dense."""
        if not sparse.issparse(self.values):
            return self.values[case]
        row = self.values[[case]].toarray()[0]
        return row if self.mean is None else row - self.mean


class Basis(Protocol):
    """Turns weights in the basis of the singular vectors into those of features or cases."""

    @property
    def mean(self) -> FloatArray:
        """The mean subtracted from cases, or from their kernel with the training cases."""

    def centred(self, X: Any) -> CentredCases:
        """Prepare cases to be multiplied by weights."""

    def weights(self, coefficients: FloatArray) -> FloatArray:
        """Return weights of the features (or, with a kernel, of the training cases)."""


def mean_of(X: Any, centre: bool) -> FloatArray:
    """Return the mean of every column; zeros without centring."""
    if not centre:
        return np.zeros(X.shape[1])
    return np.asarray(X.mean(axis=0), dtype=np.float64).ravel()


def subtract_mean(X: Any, mean: FloatArray) -> CentredCases:
    """Centre cases, sparse ones implicitly."""
    return CentredCases(X, mean) if sparse.issparse(X) else CentredCases(X - mean)


@dataclass(frozen=True, eq=False)
class FeatureBasis:
    """Right singular vectors of the cases, Q of shape (n_features, t)."""

    vectors: FloatArray
    mean: FloatArray

    def centred(self, X: Any) -> CentredCases:
        """Subtract the mean."""
        return subtract_mean(X, self.mean)

    def weights(self, coefficients: FloatArray) -> FloatArray:
        """Return weights of the features."""
        return self.vectors @ coefficients


@dataclass(frozen=True, eq=False)
class CaseBasis:
    """Right singular vectors as combinations P Σ⁻¹ of the cases: Q = Xᵀ P Σ⁻¹, never formed."""

    combinations: FloatArray
    cases: CentredCases
    mean: FloatArray

    def centred(self, X: Any) -> CentredCases:
        """Subtract the mean."""
        return subtract_mean(X, self.mean)

    def weights(self, coefficients: FloatArray) -> FloatArray:
        """Return weights of the features."""
        combined = self.combinations @ coefficients
        product = np.asarray(self.cases.values.T @ combined)
        if self.cases.mean is None:
            return product
        return product - np.outer(self.cases.mean, combined.sum(axis=0))


@dataclass(frozen=True, eq=False)
class KernelBasis:
    """Singular vectors in a kernel's feature space, as combinations P Σ⁻¹ of the training cases."""

    combinations: FloatArray
    kernel: Kernel
    # None where the kernel is precomputed.
    cases: Any
    # Of the columns of the training kernel; zeros without centring.
    mean: FloatArray
    centre: bool

    def centred(self, X: Any) -> CentredCases:
        """Return the centred kernel of the cases with the training cases."""
        values = self.kernel(X, self.cases)
        if not self.centre:
            return CentredCases(values)
        row_means = values.mean(axis=1, keepdims=True)
        return CentredCases(values - row_means - (self.mean - self.mean.mean()))

    def weights(self, coefficients: FloatArray) -> FloatArray:
        """Return weights of the training cases."""
        return self.combinations @ coefficients


def features_spectrum(
    X: Any, targets: FloatArray, mean: FloatArray
) -> tuple[Spectrum, FeatureBasis]:
    """Factorise cases with d ≤ n, not yet centred, and project centred targets."""
    n_samples = X.shape[0]
    cases = subtract_mean(X, mean)
    rounding = 8 * _EPS * np.sqrt(n_samples) * np.linalg.norm(mean)
    if sparse.issparse(X):
        gram = (X.T @ X).toarray() - n_samples * np.outer(mean, mean)
        singular, vectors = eigen(gram, n_samples, rounding**2 / _EPS)
    else:
        triangle = np.linalg.qr(cases.values, mode="r")
        _, singular, rows = np.linalg.svd(triangle, full_matrices=False)
        keep = singular > max(n_samples * _EPS * singular[0], rounding)
        singular, vectors = singular[keep], rows[keep].T
    projected = vectors.T @ np.asarray(cases.values.T @ targets)
    return Spectrum(singular, projected / singular[:, None], n_samples), FeatureBasis(vectors, mean)


def eigen(gram: FloatArray, size: int, rounding: float) -> tuple[FloatArray, FloatArray]:
    """Return singular values above the cutoff, largest first, and vectors, from a Gram matrix."""
    # `size` is the larger side of the factorised matrix.
    values, vectors = linalg.eigh(gram, driver="evd", check_finite=False)
    values, vectors = values[::-1], vectors[:, ::-1]
    keep = values > max(size * _EPS * values[0], rounding, 0.0)
    return np.sqrt(values[keep]), vectors[:, keep]


def centre_gram(gram: FloatArray) -> FloatArray:
    """Return the Gram matrix of the centred cases."""
    means = gram.mean(axis=0)
    centred = gram - means
    centred -= (means - means.mean())[:, None]
    return centred


def cases_spectrum(
    gram: FloatArray, targets: FloatArray, size: int, rounding: float
) -> tuple[Spectrum, FloatArray]:
    """Factorise through the Gram matrix of the centred cases; return the spectrum and P Σ⁻¹."""
    singular, vectors = eigen(gram, size, rounding)
    return Spectrum(singular, vectors.T @ targets, len(gram)), vectors / singular
