"""Factorisations of the training cases, of all and without each fold, for every setting."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from labelrank_core.methods.kernels import Kernel
from labelrank_core.methods.linear._basis import (
    Basis,
    CaseBasis,
    KernelBasis,
    cases_spectrum,
    centre_gram,
    features_spectrum,
    mean_of,
    subtract_mean,
)
from labelrank_core.methods.linear._spectrum import Spectrum
from labelrank_core.rankings import FloatArray, IntArray

_EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class FoldSpectrum:
    """The rows held out, and the factorisation of the other training cases."""

    rows: IntArray
    spectrum: Spectrum
    # The rows held out, centred by the others, in their basis, (n_held_out, t).
    coordinates: FloatArray
    # The mean target of the others.
    baseline: FloatArray

    def scores(self, alphas: FloatArray, beta: float, n_components: int) -> FloatArray:
        """Score the rows held out at several alphas, (n_alphas, n_held_out, n_labels)."""
        weights = self.spectrum.weights_along(alphas, beta, n_components)
        n_alphas, t, n_labels = weights.shape
        side_by_side = weights.transpose(1, 0, 2).reshape(t, n_alphas * n_labels)
        scores = (self.coordinates @ side_by_side).reshape(-1, n_alphas, n_labels)
        return self.baseline + scores.transpose(1, 0, 2)


@dataclass(frozen=True, eq=False)
class Decomposition:
    """Factors that a fit computes once for every (α, β, r)."""

    basis: Basis
    spectrum: Spectrum
    # The mean target; zeros without intercept.
    baseline: FloatArray
    # The sum of the squared centred targets.
    targets_norm: float
    # Each holds out other training rows; none where no thresholds are tuned.
    folds: tuple[FoldSpectrum, ...]

    def out_of_fold_scores(self, alphas: FloatArray, beta: float, n_components: int) -> FloatArray:
        """Score every training row by the fold without it, (n_alphas, n_samples, n_labels)."""
        scores = np.empty((len(alphas), self.spectrum.n_samples, len(self.baseline)))
        for fold in self.folds:
            scores[:, fold.rows] = fold.scores(alphas, beta, n_components)
        return scores


def fold_rows(n_samples: int, n_folds: int) -> list[IntArray]:
    """Assign the rows to the folds in turn; no folds for a single row."""
    n_folds = min(n_folds, n_samples)
    return [np.arange(fold, n_samples, n_folds) for fold in range(n_folds)] if n_folds > 1 else []


def decompose(
    X: Any, targets: FloatArray, *, kernel: Kernel, centre: bool, n_folds: int
) -> Decomposition:
    """Factorise the training cases and, for each fold, the cases without it."""
    # Centring cases and targets fits an intercept.
    rows = fold_rows(len(targets), n_folds)
    if kernel.name == "linear" and X.shape[1] <= X.shape[0]:
        return _by_features(X, targets, centre, rows)
    if kernel.name == "linear":
        return _by_cases(X, targets, centre, rows)
    return _by_kernel(X, targets, kernel, centre, rows)


def _by_features(X: Any, targets: FloatArray, centre: bool, rows: list[IntArray]) -> Decomposition:
    def factorise(X: Any, targets: FloatArray) -> tuple[Any, ...]:
        baseline = mean_of(targets, centre)
        return *features_spectrum(X, targets - baseline, mean_of(X, centre)), baseline

    folds = []
    for held_out in rows:
        train = np.delete(np.arange(len(targets)), held_out)
        spectrum, basis, baseline = factorise(X[train], targets[train])
        coordinates = basis.centred(X[held_out]).dot(basis.vectors)
        folds.append(FoldSpectrum(held_out, spectrum, coordinates, baseline))
    spectrum, basis, baseline = factorise(X, targets)
    norm = float(((targets - baseline) ** 2).sum())
    return Decomposition(basis, spectrum, baseline, norm, tuple(folds))


def _by_cases(X: Any, targets: FloatArray, centre: bool, rows: list[IntArray]) -> Decomposition:
    mean = mean_of(X, centre)
    # A copy, because the model keeps it and a caller may change X.
    cases = subtract_mean(X.copy() if sparse.issparse(X) else X, mean)
    length = len(targets) * float(mean @ mean)
    if sparse.issparse(X):
        gram, rounding = (X @ X.T).toarray(), 64 * _EPS * length
        gram = centre_gram(gram) if centre else gram
    else:
        gram, rounding = cases.values @ cases.values.T, (8 * _EPS) ** 2 * length
    size = max(X.shape)
    return _by_gram(
        gram, targets, centre, rows, size, rounding, lambda c: CaseBasis(c, cases, mean)
    )


def _by_kernel(
    X: Any, targets: FloatArray, kernel: Kernel, centre: bool, rows: list[IntArray]
) -> Decomposition:
    gram = kernel(X)
    means = gram.mean(axis=0) if centre else np.zeros(len(gram))
    rounding = 64 * _EPS * abs(float(means.sum()))
    cases = None if kernel.name == "precomputed" else X.copy()
    return _by_gram(
        centre_gram(gram) if centre else gram,
        targets,
        centre,
        rows,
        len(gram),
        rounding,
        lambda c: KernelBasis(c, kernel, cases, means, centre),
    )


def _by_gram(
    gram: FloatArray,
    targets: FloatArray,
    centre: bool,
    rows: list[IntArray],
    size: int,
    rounding: float,
    make_basis: Any,
) -> Decomposition:
    folds = []
    for held_out in rows:
        train = np.delete(np.arange(len(targets)), held_out)
        among = gram[np.ix_(train, train)]
        across = gram[np.ix_(held_out, train)]
        if centre:
            means = among.mean(axis=0)
            across = across - across.mean(axis=1, keepdims=True) - (means - means.mean())
            among = centre_gram(among)
        baseline = mean_of(targets[train], centre)
        spectrum, combinations = cases_spectrum(among, targets[train] - baseline, size, rounding)
        folds.append(FoldSpectrum(held_out, spectrum, across @ combinations, baseline))
    baseline = mean_of(targets, centre)
    spectrum, combinations = cases_spectrum(gram, targets - baseline, size, rounding)
    norm = float(((targets - baseline) ** 2).sum())
    return Decomposition(make_basis(combinations), spectrum, baseline, norm, tuple(folds))
