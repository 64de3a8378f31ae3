"""The Bayesian signed-rank test of two methods with a region of practical equivalence.

References
----------
.. [benavoli2017] A. Benavoli, G. Corani, J. Demšar, M. Zaffalon: Time for a change: a tutorial for
   comparing multiple classifiers through Bayesian analysis. JMLR 18, 2017, section 4.2.2.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from labelrank_core.rankings import ROUNDING, FloatArray, equal_up_to_rounding

PriorPlace = Literal["rope", "first", "second"]
_CELLS_AT_ONCE = 1 << 22


@dataclass(frozen=True)
class SignedRankPosterior:
    """Posterior probabilities that a method is better, that both are equivalent, or the other.

    `standard_error` is the largest of their Monte Carlo standard errors.
    """

    first: float
    equivalent: float
    second: float
    rope: float
    n_data_sets: int
    n_draws: int

    @property
    def standard_error(self) -> float:
        """The largest standard error of the three, by the number of draws."""
        shares = np.array([self.first, self.equivalent, self.second])
        return float(np.sqrt(shares * (1 - shares) / self.n_draws).max())


def bayesian_signed_rank(
    first: ArrayLike,
    second: ArrayLike,
    *,
    rope: float = 0.01,
    greater_is_better: bool = True,
    prior_strength: float = 1.0,
    prior_place: PriorPlace = "rope",
    n_draws: int = 50_000,
    seed: int = 0,
) -> SignedRankPosterior:
    """Compare two methods over data sets by the Bayesian signed-rank test.

    The Dirichlet process of [benavoli2017]_ with a prior observation of weight `prior_strength`:
    weights w of the differences z are drawn from a Dirichlet distribution, and sum up w_i w_j for
    the pairs (i, j) whose mean (z_i + z_j) / 2 is above the region, within or below it. The
    probabilities are the shares of draws in which each of the three sums is the largest.

    Parameters
    ----------
    first, second : array-like of shape (n_data_sets,)
        Values of both methods, paired by data set.
    rope : float, default=0.01
        Half the width of the region of practical equivalence, in units of the values; 0: none, and
        means of exactly 0 count half for either method. A mean at the border of the region counts
        half for it and half for the method.
    greater_is_better : bool, default=True
        Whether higher values are better.
    prior_strength : float, default=1
        Weight of the prior observation, above 0; that of a data set is 1.
    prior_place : {"rope", "first", "second"}, default="rope"
        Where the prior observation lies: at no difference, or clearly on the side of a method.
    n_draws : int, default=50000
        Draws of the weights, at least 1.
    seed : int, default=0
        Seed of the draws.

    Returns
    -------
    SignedRankPosterior
        Its probabilities sum to 1; draws with equal sums are shared.

    Raises
    ------
    ValueError
        If the values are not finite and of one length, or a parameter is out of its range.

    Examples
    --------
    >>> a, b = [0.91, 0.84, 0.77, 0.95, 0.88], [0.85, 0.80, 0.75, 0.90, 0.85]
    >>> posterior = bayesian_signed_rank(a, b)
    >>> posterior.first > 0.95, posterior.second < 0.001
    (True, True)
    """
    a, b = (np.asarray(values, dtype=np.float64) for values in (first, second))
    if a.shape != b.shape or a.ndim != 1 or not len(a) or not np.isfinite([a, b]).all():
        raise ValueError(
            f"Expected finite values of both on one or more data sets, got {a.shape} and {b.shape}."
        )
    if not (rope >= 0 and prior_strength > 0 and n_draws >= 1):
        raise ValueError(
            "Expected a rope of at least 0, a prior_strength above 0 and one or more draws, got "
            f"{rope}, {prior_strength} and {n_draws}."
        )
    if prior_place not in ("rope", "first", "second"):
        raise ValueError(f"Expected prior_place 'rope', 'first' or 'second', got {prior_place!r}.")
    differences = np.where(equal_up_to_rounding(a, b), 0.0, a - b)
    differences = differences if greater_is_better else -differences
    beyond = 2 * np.abs(differences).max() + 4 * rope + 1
    prior = {"rope": 0.0, "first": beyond, "second": -beyond}[prior_place]
    z = np.concatenate([[prior], differences])
    sums = z[:, None] + z[None, :]
    first_better, second_better = (_beyond(sign * sums, 2 * rope) for sign in (1, -1))
    weights = np.concatenate([[prior_strength], np.ones(len(a))])
    higher, within, lower = _shares_of_draws(
        first_better, second_better, weights, n_draws, seed
    ).tolist()
    return SignedRankPosterior(higher, within, lower, rope, len(a), n_draws)


def _beyond(sums: FloatArray, border: float) -> FloatArray:
    """Count 1 for sums above a border and 1/2 for those on it."""
    on = np.abs(sums - border) <= ROUNDING
    return np.where(on, 0.5, (sums > border).astype(np.float64))


def _shares_of_draws(
    first_better: FloatArray,
    second_better: FloatArray,
    weights: FloatArray,
    n_draws: int,
    seed: int,
) -> FloatArray:
    rng = np.random.default_rng(seed)
    step = max(1, _CELLS_AT_ONCE // len(weights))
    counts = np.zeros(3)
    for start in range(0, n_draws, step):
        w = rng.dirichlet(weights, min(step, n_draws - start))
        higher, lower = (
            np.einsum("ij,ij->i", w @ side, w) for side in (first_better, second_better)
        )
        three = np.column_stack([higher, 1 - higher - lower, lower])
        largest = three >= three.max(axis=1, keepdims=True) - ROUNDING
        counts += (largest / largest.sum(axis=1, keepdims=True)).sum(axis=0)
    return counts / n_draws


def bayesian_pairs(
    scores: ArrayLike,
    names: Sequence[str],
    *,
    rope: float = 0.01,
    greater_is_better: bool = True,
    seed: int = 0,
) -> pd.DataFrame:
    """Compare all pairs of methods over data sets by `bayesian_signed_rank`.

    Parameters
    ----------
    scores : array-like of shape (n_data_sets, n_methods)
        Finite values.
    names : sequence of str
        The methods, in the order of the columns.
    rope : float, default=0.01
        Differences up to this size count as equivalent, at least 0.
    greater_is_better : bool, default=True
        Whether higher values are better.
    seed : int, default=0
        The same seed gives the same draws.

    Returns
    -------
    DataFrame
        ``first, second, first better, equivalent, second better``, one row per pair.

    Raises
    ------
    ValueError
        If the scores are not finite, or the region is none.

    Examples
    --------
    >>> table = bayesian_pairs([[0.9, 0.8], [0.7, 0.5], [0.9, 0.6]] * 3, ["A", "B"])
    >>> bool(table["first better"].iloc[0] > 0.99)
    True
    """
    values = np.asarray(scores, dtype=np.float64)
    rows = []
    for i, j in combinations(range(values.shape[1]), 2):
        posterior = bayesian_signed_rank(
            values[:, i], values[:, j], rope=rope, greater_is_better=greater_is_better, seed=seed
        )
        shares = (posterior.first, posterior.equivalent, posterior.second)
        rows.append((names[i], names[j], *shares))
    columns = ["first", "second", "first better", "equivalent", "second better"]
    return pd.DataFrame(rows, columns=columns)
