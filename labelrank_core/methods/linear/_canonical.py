"""Canonical correlation analysis of features and labels, in the basis of a factorisation.

With the centred cases X = P Σ Qᵀ, G = PᵀY and V = Σ²/n, the directions w = Q (V + γ I)^(-1/2) a
that maximise the correlation with the labels, wᵀ(XᵀX/n + γ I)w = 1, are given by the left singular
vectors a of (V + γ I)^(-1/2) Σ G (YᵀY)^(-1/2) / √n; its singular values are the correlations.
"""

from typing import Any

import numpy as np

from labelrank_core.methods.linear._basis import Kernel
from labelrank_core.methods.linear._decomposition import Decomposition, decompose
from labelrank_core.methods.linear._spectrum import Spectrum
from labelrank_core.rankings import FloatArray

# Combinations of labels with less of the largest variance count as constant, and directions with
# less of the largest correlation as uncorrelated.
_NOTHING = 1e-10


def factorise(X: Any, signs: FloatArray, n_folds: int) -> Decomposition:
    """Factorise the centred cases, of all and without each fold."""
    return decompose(X, signs, kernel=Kernel("linear", {}), centre=True, n_folds=n_folds)


def label_gram(signs: FloatArray) -> FloatArray:
    """Return YᵀY of the centred labels."""
    centred = signs - signs.mean(axis=0)
    return centred.T @ centred


def canonical_directions(
    spectrum: Spectrum, gram: FloatArray, penalty: float
) -> tuple[FloatArray, FloatArray]:
    """Return the directions in the basis, (t, r), best correlated first, and the correlations."""
    values, vectors = np.linalg.eigh(gram)
    keep = values > max(_NOTHING * values[-1], 0.0)
    whitened = vectors[:, keep] / np.sqrt(values[keep])
    scale = 1 / np.sqrt(spectrum.singular**2 / spectrum.n_samples + penalty)
    weighted = (scale * spectrum.singular)[:, None] * (spectrum.targets @ whitened)
    rotation, triangle = np.linalg.qr(weighted / np.sqrt(spectrum.n_samples))
    inner, correlations, _ = np.linalg.svd(triangle, full_matrices=False)
    is_correlated = correlations > _NOTHING * correlations.max(initial=0.0)
    directions = scale[:, None] * (rotation @ inner[:, is_correlated])
    return directions, correlations[is_correlated]


def ridge_on(spectrum: Spectrum, directions: FloatArray, penalty: float) -> FloatArray:
    """Regress the centred labels on the cases' coordinates along the directions, (r, n_labels)."""
    variances = spectrum.singular**2 / spectrum.n_samples
    gram = directions.T @ (variances[:, None] * directions)
    projected = directions.T @ (spectrum.singular[:, None] * spectrum.targets)
    shrunk = gram + penalty * np.eye(len(gram))
    return np.asarray(np.linalg.solve(shrunk, projected / spectrum.n_samples), dtype=np.float64)
