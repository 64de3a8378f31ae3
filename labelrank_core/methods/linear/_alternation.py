"""Alternating structure optimisation with the hinge loss: machines given a subspace, and back."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from labelrank_core.methods.convergence import warn_not_converged
from labelrank_core.methods.machines import Machines, learn_kernel
from labelrank_core.methods.pair_ranker import common_scale
from labelrank_core.rankings import FloatArray

# What weights within the subspace cost, as a share of those outside. At 0 the machines of libsvm
# need not have a solution.
INSIDE = 1e-2
# Directions shorter than this share of the longest are rounding.
_RANK = 1e-6
# Cases with more numbers than this share are multiplied as dense ones.
_DENSE = 0.25


@dataclass(frozen=True, eq=False)
class SharedMachines(Machines):
    """Machines learned alternately with a subspace near their weights.

    Parameters
    ----------
    objective : float
        Summed over columns: mean loss plus penalty.
    n_rounds : int
        How often machines and subspace were learned.
    """

    objective: float
    n_rounds: int


def learn_sharing(
    X: Any, signs: FloatArray, penalty: float, n_components: int, *, tol: float, max_iter: int
) -> SharedMachines:
    """Learn all columns of signs, taking turns with their subspace, until the objective rests."""
    rows, scale = _of_size_one(X)
    gram = rows @ rows.T
    gram = gram.toarray() if sparse.issparse(gram) else gram
    # In an order of their own, so that labels in another order give the same sums.
    order = np.lexsort(signs)
    signs, back = signs[:, order], np.argsort(order)
    inside, reached = np.zeros((len(gram), 0)), [np.inf]
    for _ in range(max_iter):
        machines = _machines(gram, signs, penalty, inside)
        inside, outside, within = _leading(gram, machines.weights, n_components)
        losses = np.maximum(0.0, 1 - signs * (gram @ machines.weights + machines.intercept))
        objective = float(losses.mean(axis=0).sum() + penalty * (outside + INSIDE * within))
        reached.append(objective)
        if objective >= (1 - tol) * reached[-2]:
            break
    else:
        warn_not_converged(
            f"The last of max_iter={max_iter} rounds still lowered the objective by a share of "
            f"more than tol={tol}. Raise max_iter or tol."
        )
    weights = np.asarray(rows.T @ machines.weights[:, back]) / scale
    intercept, is_constant = machines.intercept[back], machines.is_constant[back]
    return SharedMachines(weights, intercept, is_constant, reached[-1], len(reached) - 1)


def leading_directions(weights: FloatArray, n_components: int) -> FloatArray:
    """Return the directions that hold most of the weights, as columns; fewer if there are fewer."""
    directions, lengths, _ = np.linalg.svd(weights, full_matrices=False)
    real = lengths > _RANK * lengths[:1]
    return directions[:, real][:, :n_components]


def _machines(gram: FloatArray, signs: FloatArray, penalty: float, inside: FloatArray) -> Machines:
    """Learn every label, given the subspace; all weights are sums over training cases.

    Weights that cost a share c are weights of features that are 1/√c as long.
    """
    longer = 1 / INSIDE - 1
    along = gram @ inside
    lengthened = along @ (longer * along.T)
    lengthened += gram
    # libsvm minimises ‖u‖² / 2 + C Σ loss.
    machines = learn_kernel(lengthened, signs, 1 / (2 * penalty * len(gram)))
    weights = machines.weights + longer * (inside @ (along.T @ machines.weights))
    return Machines(weights, machines.intercept, machines.is_constant)


def _leading(
    gram: FloatArray, weights: FloatArray, n_components: int
) -> tuple[FloatArray, float, float]:
    """Return the leading directions, and the squared weights outside of and within them.

    The same as `leading_directions`, but of weights that are sums over training cases.
    """
    squares, mixtures = np.linalg.eigh(weights.T @ gram @ weights)
    squares, mixtures = np.maximum(squares[::-1], 0), mixtures[:, ::-1]
    real = np.flatnonzero(squares > _RANK**2 * squares[0])[:n_components]
    directions = weights @ (mixtures[:, real] / np.sqrt(squares[real]))
    within = float(squares[real].sum())
    return directions, float(squares.sum()) - within, within


def _of_size_one(X: Any) -> tuple[Any, float]:
    """Divide cases by one number, so that their mean squared distance from the mean case is 1.

    Return them and the number. Sparse and dense cases with the same values get the same form, so
    that they give the same sums.
    """
    values = X.data if sparse.issparse(X) else X
    scale = common_scale(values)
    if np.count_nonzero(values) <= _DENSE * X.shape[0] * X.shape[1]:
        rows = sparse.csr_matrix(X / scale)
    else:
        rows = (X.toarray() if sparse.issparse(X) else X) / scale
    squares = rows.multiply(rows) if sparse.issparse(rows) else rows * rows
    total, mean = squares.sum() / X.shape[0], np.ravel(rows.mean(axis=0))
    spread = total - mean @ mean
    if spread <= _RANK**2 * total:
        return rows, scale
    return rows / np.sqrt(spread), scale * float(np.sqrt(spread))
