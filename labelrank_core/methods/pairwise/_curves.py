"""Curves over single features: splines whose weights are learned like those of features."""

from dataclasses import dataclass

import numpy as np
from scipy.interpolate import BSpline

from labelrank_core.explain.evidence import PairParts
from labelrank_core.rankings import FloatArray, IntArray

_DEGREE = 3
# Standard deviations of columns that do not vary, but for rounding.
_CONSTANT = 1e-9


@dataclass(frozen=True, eq=False)
class SplineBasis:
    """Cubic splines over every feature, each column with mean 0 and standard deviation 1.

    A value that is frequent enough to be several quantiles may have a step of its own. Beyond the
    smallest and the largest training value a curve is flat.
    """

    # Of each feature; the first and the last of them repeated.
    knots: tuple[FloatArray, ...]
    # The columns that vary, of all features' splines side by side.
    varying: IntArray
    means: FloatArray
    sizes: FloatArray

    @classmethod
    def over(cls, X: FloatArray, n_knots: int) -> "SplineBasis":
        """Place knots at quantiles of the training cases."""
        quantiles = np.quantile(X, np.linspace(0, 1, n_knots), axis=0)
        knots = tuple(np.pad(values, _DEGREE, mode="edge") for values in quantiles.T)
        splines = _splines(X, knots)
        means, sizes = splines.mean(axis=0), splines.std(axis=0)
        varying = np.flatnonzero(sizes > _CONSTANT)
        return cls(knots, varying, means[varying], sizes[varying])

    @property
    def features(self) -> IntArray:
        """The feature of every column."""
        return self.varying // (len(self.knots[0]) - _DEGREE - 1)

    def columns(self, X: FloatArray) -> FloatArray:
        """Return the splines of some cases, (n_cases, n_columns)."""
        return (_splines(X, self.knots)[:, self.varying] - self.means) / self.sizes


def _splines(X: FloatArray, knots: tuple[FloatArray, ...]) -> FloatArray:
    parts = [
        _of_feature(column, feature_knots) for column, feature_knots in zip(X.T, knots, strict=True)
    ]
    return np.hstack(parts)


def _of_feature(column: FloatArray, knots: FloatArray) -> FloatArray:
    if knots[0] == knots[-1]:
        return np.zeros((len(column), len(knots) - _DEGREE - 1))
    inside = np.clip(column, knots[0], knots[-1])
    return np.asarray(BSpline.design_matrix(inside, knots, _DEGREE).toarray())


@dataclass(frozen=True, eq=False)
class CurvedPairs:
    """Margins that are sums of curves over the features, with weights (n_columns, n_pairs)."""

    basis: SplineBasis
    weights: FloatArray
    intercept: FloatArray
    mean: FloatArray

    def margins(self, X: FloatArray) -> FloatArray:
        """Return the margins of some cases, (n_cases, n_pairs)."""
        return self.basis.columns(X) @ self.weights + self.intercept

    def parts(self, x: FloatArray, positions: IntArray, title: str) -> PairParts:
        """Split the margins of one case: by each feature's difference from its mean.

        The weight of a feature is the mean slope of its curve from its mean to the case.
        """
        at_case, at_mean = self.basis.columns(np.stack([x, self.mean]))
        adds = np.zeros((len(x), self.weights.shape[1]))
        np.add.at(adds, self.basis.features, (at_case - at_mean)[:, None] * self.weights)
        differences = x - self.mean
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            slopes = np.nan_to_num(adds / differences[:, None], posinf=0.0, neginf=0.0)
        baseline = at_mean @ self.weights + self.intercept
        return PairParts(title, baseline, differences, slopes, positions)
