"""Convex blends of predictions between 0 and 1, by their squared error on observed cells.

Predictions have the shape (n_candidates, n_cases, n_cells), NaN where a candidate made none; the
truth has the shape (n_cases, n_cells), NaN where nothing was observed. Every case with something
observed counts the same, whatever the number of its cells.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls

from labelrank_core.rankings import FloatArray, IntArray

# Losses that are equal in exact arithmetic tie; the earlier candidate wins.
_DECIMALS = 12
# How much more the sum of the weights counts than the error, so that it is 1.
_SUM_COUNTS = 1e4


def case_losses(predicted: FloatArray, truth: FloatArray) -> FloatArray:
    """Return each case's mean squared error (Brier score); NaN where nothing was observed."""
    errors = (predicted - truth) ** 2
    is_observed = ~np.isnan(errors)
    n_cells = is_observed.sum(axis=-1)
    sums = np.where(is_observed, errors, 0.0).sum(axis=-1)
    return np.divide(sums, n_cells, out=np.full(sums.shape, np.nan), where=n_cells > 0)


def standard_error(differences: FloatArray) -> float:
    """Return the standard error of a mean; infinite for fewer than two numbers."""
    n = len(differences)
    return float(differences.std(ddof=1) / np.sqrt(n)) if n > 1 else np.inf


@dataclass(frozen=True, eq=False)
class Errors:
    """The squared error of every convex blend, as a quadratic form of its weights."""

    gram: FloatArray
    linear: FloatArray
    constant: float

    @classmethod
    def of(cls, predicted: FloatArray, truth: FloatArray) -> Self:
        """Add up products of predictions over all observed cells."""
        is_observed = ~np.isnan(predicted[0] - truth)
        n_cells = is_observed.sum(axis=1, keepdims=True)
        n_cases = max(1, int((n_cells > 0).sum()))
        weights = (is_observed / np.maximum(n_cells, 1) / n_cases)[is_observed]
        observed_predictions, observed = predicted[:, is_observed], truth[is_observed]
        weighted = observed_predictions * weights
        return cls(
            weighted @ observed_predictions.T, weighted @ observed, float(weights @ observed**2)
        )

    def of_blend(self, members: list[int], weights: FloatArray) -> float:
        """Return the error of a blend of some candidates."""
        gram = self.gram[np.ix_(members, members)]
        error = weights @ gram @ weights - 2 * weights @ self.linear[members] + self.constant
        return round(float(error), _DECIMALS)

    def best_weights(self, members: list[int]) -> FloatArray:
        """Return the weights, at least 0 with sum 1, of the blend with the least error."""
        values, vectors = np.linalg.eigh(self.gram[np.ix_(members, members)])
        roots = np.sqrt(np.maximum(values, max(values[-1], 1e-12) * 1e-12))
        heavy = _SUM_COUNTS * roots[-1]
        design = np.vstack([roots[:, None] * vectors.T, np.full(len(members), heavy)])
        target = np.append((vectors.T @ self.linear[members]) / roots, heavy)
        solution = nnls(design, target)[0]
        return np.asarray(solution / solution.sum())


@dataclass(frozen=True, eq=False)
class Blend:
    """Nested blends of one, two, ... candidates: each adds the one that helps most.

    Parameters
    ----------
    order : ndarray of int, shape (n_members,)
        The candidates in the order in which they join; the first is the best single one.
    weights : ndarray of shape (n_members, n_members)
        ``[k - 1, j]``: the weight of the j-th of them in the blend of the first k.
    gains : ndarray of shape (n_members,)
        ``[k - 1]``: by how much the blend of k has less error than the best single candidate.
    errors : ndarray of shape (n_members,)
        The standard errors of the gains.
    losses : ndarray of shape (n_candidates,)
        The error of every candidate alone.
    """

    order: IntArray
    weights: FloatArray
    gains: FloatArray
    errors: FloatArray
    losses: FloatArray

    @classmethod
    def grown(cls, predicted: FloatArray, truth: FloatArray, n_members: int) -> Self:
        """Add up to `n_members` candidates one after the other."""
        errors = Errors.of(predicted, truth)
        n_members = min(n_members, len(predicted))
        order: list[int] = []
        weights = np.zeros((n_members, n_members))
        gains, spreads = np.zeros((2, n_members))
        alone = np.empty(0)
        for k in range(n_members):
            candidates = [i for i in range(len(predicted)) if i not in order]
            candidate_weights = [errors.best_weights([*order, i]) for i in candidates]
            losses = [
                errors.of_blend([*order, i], blend_weights)
                for i, blend_weights in zip(candidates, candidate_weights, strict=True)
            ]
            best = int(np.argmin(losses))
            order.append(candidates[best])
            weights[k, : k + 1] = candidate_weights[best]
            losses_of_cases = case_losses(blended(predicted[order], weights[k, : k + 1]), truth)
            alone = alone if k else losses_of_cases
            differences = (alone - losses_of_cases)[~np.isnan(losses_of_cases)]
            if k and len(differences):
                gains[k], spreads[k] = differences.mean(), standard_error(differences)
        single = [errors.of_blend([i], np.ones(1)) for i in range(len(predicted))]
        return cls(np.array(order), weights, gains, spreads, np.array(single))

    def pays(self, n_members: int) -> bool:
        """Tell whether a blend gains more than one standard error over the best single one."""
        k = min(n_members, len(self.order)) - 1
        return bool(self.gains[k] > self.errors[k])

    def of(self, n_members: int) -> FloatArray:
        """Return the weights in the blend of at most so many; of the best alone if none gains."""
        k = min(n_members, len(self.order)) - 1
        if not self.pays(n_members):
            return np.eye(1, len(self.order))[0]
        return self.weights[k]


def blended(predicted: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the weighted sum of predictions."""
    # One after the other: a product of matrices rounds by the number of cases.
    total = np.zeros(predicted.shape[1:])
    for prediction, weight in zip(predicted, weights, strict=True):
        total += weight * prediction
    return total


def clearly_behind(predicted: FloatArray, truth: FloatArray) -> NDArray[np.bool_]:
    """Tell which candidates have no weight and err more than the best by two standard errors."""
    losses = case_losses(predicted, truth)
    losses = losses[:, ~np.isnan(losses[0])]
    if not losses.size:  # no case ranks two labels
        return np.zeros(len(predicted), dtype=bool)
    means = losses.mean(axis=1).round(_DECIMALS)
    best = int(np.argmin(means))
    has_weight = Errors.of(predicted, truth).best_weights(list(range(len(predicted)))) > 1e-3
    spreads = np.array(
        [standard_error(candidate_losses - losses[best]) for candidate_losses in losses]
    )
    return ~has_weight & (means - means[best] > 2 * spreads)
