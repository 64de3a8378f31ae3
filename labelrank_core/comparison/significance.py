r"""Several methods on several data sets: average ranks, and the significance tests that use them.

>>> import numpy as np
>>> scores = np.array([[0.9, 0.8, 0.7], [0.6, 0.5, 0.5], [0.8, 0.9, 0.1], [0.7, 0.6, 0.2]])
>>> ranks = average_ranks(scores)
>>> ranks.means
array([1.25 , 1.875, 2.875])
>>> test = friedman(ranks)
>>> round(test.f, 2), round(test.p, 3), test.p_from
(6.14, 0.065, 'exact')

References
----------
.. [demsar2006] J. Demšar: Statistical comparisons of classifiers over multiple data sets. JMLR 7,
   2006.
.. [nadeau2003] C. Nadeau, Y. Bengio: Inference for the generalization error. Machine Learning 52,
   2003.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from math import factorial
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import stats

from labelrank_core.rankings import (
    ROUNDING,
    FloatArray,
    IntArray,
    equal_up_to_rounding,
    without_rounding,
)

PostHoc = Literal["nemenyi", "bonferroni-dunn"]

ENOUGH_DATA_SETS = 5
# With few data sets the F distribution makes p too small: over random tables its median was a
# quarter of the exact p for three methods on three data sets, and 0.8 to 0.9 of it on ten.
_MOST_PERMUTED = 10
_MOST_STATES, _N_SAMPLES = 100_000, 20_000
_MOST_SIGNS_TRIED = 13
_COLUMNS_AT_ONCE = 64


@dataclass(frozen=True, eq=False)
class AverageRanks:
    """Ranks of methods (columns) on data sets (rows): 1 = best, equal methods share their ranks."""

    ranks: FloatArray

    @property
    def n_data_sets(self) -> int:
        """Number of data sets."""
        return len(self.ranks)

    @property
    def n_methods(self) -> int:
        """Number of methods."""
        return self.ranks.shape[1]

    @cached_property
    def means(self) -> FloatArray:
        """Average rank of each method, shape (n_methods,)."""
        return self.ranks.mean(axis=0)


def average_ranks(scores: ArrayLike, *, greater_is_better: bool = True) -> AverageRanks:
    """Rank methods on every data set.

    Parameters
    ----------
    scores : array-like of shape (n_data_sets, n_methods)
        Finite values, of one or more data sets and two or more methods.
    greater_is_better : bool, default=True
        Whether higher values are better.

    Returns
    -------
    AverageRanks
        Ranks, 1 = best; values that are equal up to rounding share the mean of their ranks.

    Raises
    ------
    ValueError
        If the scores are not such a table.

    Examples
    --------
    >>> average_ranks([[0.9, 0.8, 0.8], [0.7, 0.9, 0.1]]).ranks
    array([[1. , 2.5, 2.5],
           [2. , 1. , 3. ]])
    """
    values = np.asarray(scores, dtype=np.float64)
    if values.ndim != 2 or values.shape[0] < 1 or values.shape[1] < 2:
        raise ValueError(f"Expected scores of data sets and 2 or more methods, got {values.shape}.")
    if not np.isfinite(values).all():
        raise ValueError("Expected finite scores: a method without a score has no rank.")
    values = without_rounding(-values if greater_is_better else values)
    return AverageRanks(stats.rankdata(values, axis=1))


@dataclass(frozen=True)
class Friedman:
    """Friedman's test of whether the methods differ at all, with the F of Iman and Davenport."""

    chi2: float
    chi2_corrected: float
    f: float
    p: float
    p_from: Literal["exact", "sampled", "f"]
    n_data_sets: int
    n_methods: int

    @property
    def degrees(self) -> tuple[int, int]:
        """Degrees of freedom of F."""
        return self.n_methods - 1, (self.n_methods - 1) * (self.n_data_sets - 1)

    @property
    def caution(self) -> str:
        """A caution about few data sets; empty where there are enough."""
        if self.n_data_sets >= ENOUGH_DATA_SETS:
            return ""
        caution = (
            f"{self.n_data_sets} data sets are few, so the result may not hold for others. Use "
            f"{ENOUGH_DATA_SETS} or more."
        )
        # All data sets rank the methods in the same way in k! of (k!)^N cases.
        least = factorial(self.n_methods) ** (1 - self.n_data_sets)
        if least > 0.01:
            caution += (
                " Even if all of them ranked the methods alike, chance would do the same with "
                f"probability {least:.2g}."
            )
        return caution


def friedman(ranks: AverageRanks) -> Friedman:
    """Test whether the methods differ at all, by Friedman's test [demsar2006]_.

    Parameters
    ----------
    ranks : AverageRanks
        Of two or more data sets.

    Returns
    -------
    Friedman
        The statistic, also corrected for ties, the F of Iman and Davenport, and p: that of all
        permutations within data sets up to ten data sets, of 20 000 where they are too many, beyond
        that of the F distribution. ``caution`` says what to keep in mind of few data sets.

    Raises
    ------
    ValueError
        If there is one data set.

    Examples
    --------
    >>> test = friedman(average_ranks([[3, 2, 1], [3, 2, 1], [2, 3, 1]]))
    >>> round(test.chi2, 3), round(test.p, 3), test.p_from
    (4.667, 0.194, 'exact')
    """
    n, k = ranks.ranks.shape
    if n < 2:
        raise ValueError("Expected at least two data sets for Friedman's test, got 1.")
    chi2 = friedman_chi2(ranks.means, n)
    # For each data set the sum of t^3 - t over its groups of t tied methods.
    ties = sum(
        float((counts**3 - counts).sum())
        for row in ranks.ranks
        for counts in [np.unique(row, return_counts=True)[1]]
    )
    correction = 1 - ties / (n * k * (k * k - 1))
    corrected = chi2 / correction if correction > 0 else np.nan
    f = f_of_chi2(chi2, n, k)
    if n > _MOST_PERMUTED:
        p = 0.0 if np.isinf(f) else float(stats.f.sf(f, k - 1, (k - 1) * (n - 1)))
        return Friedman(chi2, corrected, f, p, "f", n, k)
    # Twice the ranks' distances from their mean are whole numbers, so that sums are exact.
    doubled = np.rint(2 * ranks.ranks).astype(np.int64) - (k + 1)
    exact = _exact_p(doubled)
    if exact is not None:
        return Friedman(chi2, corrected, f, exact, "exact", n, k)
    return Friedman(chi2, corrected, f, _sampled_p(doubled), "sampled", n, k)


def _exact_p(rows: IntArray) -> float | None:
    """Return the share of permutations within rows with as large a statistic; None if too many."""
    # The statistic is the sum of the squared column sums, whatever the order of the columns, so
    # sorted vectors of sums, with their probabilities, say all that matters of the rows so far.
    k = rows.shape[1]
    if factorial(k) > _MOST_STATES:
        return None
    states, weights = np.sort(rows[:1], axis=1), np.ones(1, dtype=np.float64)
    for row in rows[1:]:
        orders = np.array(sorted(set(permutations(row.tolist()))))
        if len(states) * len(orders) > _MOST_STATES:
            return None
        sums = (states[:, None, :] + orders).reshape(-1, k)
        shares = np.repeat(weights / len(orders), len(orders))
        states, same = np.unique(np.sort(sums, axis=1), axis=0, return_inverse=True)
        weights = np.bincount(same.ravel(), weights=shares).astype(np.float64)
    as_large = _statistic(states) >= _statistic(rows.sum(axis=0))
    return float(weights[as_large].sum())


def _sampled_p(rows: IntArray) -> float:
    rng = np.random.default_rng(0)
    sums = np.zeros((_N_SAMPLES, rows.shape[1]), dtype=np.int64)
    for row in rows:
        sums += rng.permuted(np.broadcast_to(row, sums.shape), axis=1)
    n_as_large = int((_statistic(sums) >= _statistic(rows.sum(axis=0))).sum())
    # The observed ranks count as one of the permutations, so that p is never 0.
    return (1 + n_as_large) / (1 + _N_SAMPLES)


def _statistic(sums: IntArray) -> IntArray:
    return np.square(sums).sum(axis=-1)


def friedman_chi2(means: ArrayLike, n_data_sets: int) -> float:
    """Compute Friedman's statistic from average ranks, not corrected for ties [demsar2006]_.

    Parameters
    ----------
    means : array-like of shape (n_methods,)
        Average ranks.
    n_data_sets : int
        Number of data sets they are averages over.

    Returns
    -------
    float
        Chi-square distributed with n_methods - 1 degrees of freedom where there are many data sets.

    Examples
    --------
    >>> round(friedman_chi2([3.143, 2.0, 2.893, 1.964], 14), 2)
    9.28
    """
    values = np.asarray(means, dtype=np.float64)
    k = len(values)
    squares = float(np.square(values).sum())
    return 12 * n_data_sets / (k * (k + 1)) * (squares - k * (k + 1) ** 2 / 4)


def f_of_chi2(chi2: float, n_data_sets: int, n_methods: int) -> float:
    """Turn Friedman's statistic into the F of Iman and Davenport [demsar2006]_.

    Parameters
    ----------
    chi2 : float
        Friedman's statistic.
    n_data_sets, n_methods : int
        Numbers of both.

    Returns
    -------
    float
        F with n_methods - 1 and (n_methods - 1) (n_data_sets - 1) degrees of freedom; infinite if
        all data sets rank the methods alike.

    Examples
    --------
    >>> round(f_of_chi2(9.28, 14, 4), 2)
    3.69
    """
    residual = n_data_sets * (n_methods - 1) - chi2
    return (n_data_sets - 1) * chi2 / residual if residual > ROUNDING else float("inf")


def critical_difference(
    n_data_sets: int, n_methods: int, *, alpha: float = 0.05, test: PostHoc = "nemenyi"
) -> float:
    r"""Return the difference of two average ranks above which they differ significantly.

    .. math:: q \sqrt{\frac{k (k + 1)}{6 N}}

    for k methods on N data sets, as in [demsar2006]_.

    Parameters
    ----------
    n_data_sets, n_methods : int
        Numbers of both.
    alpha : float, default=0.05
        The family-wise level, between 0 and 1.
    test : {"nemenyi", "bonferroni-dunn"}, default="nemenyi"
        Nemenyi compares all pairs: q is that of the studentised range, divided by the root of 2.
        Bonferroni-Dunn compares with one control: q is that of the normal distribution at
        alpha / (2 (k - 1)).

    Returns
    -------
    float
        A difference of average ranks.

    Raises
    ------
    ValueError
        If the level is not between 0 and 1, or there is no such test.

    Examples
    --------
    >>> round(critical_difference(14, 4), 2)
    1.25
    >>> round(critical_difference(14, 4, test="bonferroni-dunn"), 2)
    1.17
    """
    if not 0 < alpha < 1:
        raise ValueError(f"Expected alpha between 0 and 1, got {alpha}.")
    if test == "nemenyi":
        q = float(stats.studentized_range.ppf(1 - alpha, n_methods, np.inf)) / np.sqrt(2)
    elif test == "bonferroni-dunn":
        q = float(stats.norm.ppf(1 - alpha / (2 * (n_methods - 1))))
    else:
        raise ValueError(f"Expected test 'nemenyi' or 'bonferroni-dunn', got {test!r}.")
    return float(q * np.sqrt(n_methods * (n_methods + 1) / (6 * n_data_sets)))


def cliques(means: ArrayLike, difference: float) -> list[tuple[int, ...]]:
    """List the largest groups of two or more methods that do not differ significantly.

    Parameters
    ----------
    means : array-like of shape (n_methods,)
        Average ranks.
    difference : float
        The critical difference; average ranks that lie as far apart do not differ.

    Returns
    -------
    list of tuple of int
        Columns of the methods, best average rank first; groups may overlap.

    Examples
    --------
    >>> cliques([3.1, 2.0, 1.2], 1.25)
    [(2, 1), (1, 0)]
    """
    values = np.asarray(means, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    groups: list[tuple[int, ...]] = []
    last = -1
    for start in range(len(order)):
        alike = np.flatnonzero(values[order] - values[order[start]] <= difference + ROUNDING)
        end = int(alike[-1])
        if end > start and end > last:
            groups.append(tuple(int(order[i]) for i in range(start, end + 1)))
        last = max(last, end)
    return groups


@dataclass(frozen=True, eq=False)
class CriticalDifferences:
    """Average ranks and their critical difference: to the control, or of all pairs without one."""

    names: Sequence[str]
    means: FloatArray
    difference: float
    control: int | None = None

    @property
    def order(self) -> list[int]:
        """The methods, best average rank first."""
        return [int(method) for method in np.argsort(self.means, kind="stable")]

    @cached_property
    def groups(self) -> list[tuple[int, ...]]:
        """Without a control: the largest groups of methods that do not differ significantly."""
        return cliques(self.means, self.difference) if self.control is None else []

    @property
    def around_control(self) -> tuple[float, float]:
        """The average ranks that do not differ significantly from that of the control."""
        middle = float(self.means[self.control or 0])
        return middle - self.difference, middle + self.difference

    @property
    def worse(self) -> list[str]:
        """The methods significantly worse than the control."""
        highest = self.around_control[1] + ROUNDING
        return [name for name, mean in zip(self.names, self.means, strict=True) if mean > highest]

    def frame(self) -> pd.DataFrame:
        """Tabulate the methods with their average ranks, the best first."""
        order = self.order
        names = [self.names[method] for method in order]
        return pd.DataFrame({"method": names, "average rank": self.means[order]})


def critical_differences(
    ranks: AverageRanks, names: Sequence[str], *, alpha: float = 0.05, control: int | None = None
) -> CriticalDifferences:
    """Compare all pairs of methods (Nemenyi), or all with a control (Bonferroni-Dunn).

    Parameters
    ----------
    ranks : AverageRanks
        Of two or more methods.
    names : sequence of str
        The methods, in the order of the columns.
    alpha : float, default=0.05
        The family-wise level, between 0 and 1.
    control : int or None, default=None
        The column to compare the others with; None: all pairs.

    Returns
    -------
    CriticalDifferences
        What a diagram of critical differences shows.

    Raises
    ------
    ValueError
        If the level is not between 0 and 1.

    Examples
    --------
    >>> ranks = average_ranks([[3, 2, 1]] * 9 + [[2, 3, 1]])
    >>> compared = critical_differences(ranks, ["A", "B", "C"])
    >>> round(compared.difference, 2), compared.groups
    (1.05, [(0, 1)])
    >>> critical_differences(ranks, ["A", "B", "C"], control=0).worse
    ['C']
    """
    difference = critical_difference(
        ranks.n_data_sets,
        ranks.n_methods,
        alpha=alpha,
        test="nemenyi" if control is None else "bonferroni-dunn",
    )
    return CriticalDifferences(names, ranks.means, difference, control)


def holm(ranks: AverageRanks, control: int) -> pd.DataFrame:
    """Compare all methods with a control by Holm's step-down procedure [demsar2006]_.

    Parameters
    ----------
    ranks : AverageRanks
        Of two or more methods.
    control : int
        The column to compare the others with.

    Returns
    -------
    DataFrame
        ``method`` (its column), ``difference`` of the average ranks, method minus control, ``z``,
        ``p`` and ``adjusted p``, smallest p first; of equal ones the first column.

    Examples
    --------
    >>> holm(average_ranks([[3, 2, 1]] * 9 + [[2, 3, 1]]), 0).round(3)
       method  difference      z      p  adjusted p
    0       2         1.9  4.249  0.000       0.000
    1       1         0.8  1.789  0.074       0.074
    """
    n, k = ranks.ranks.shape
    rivals = np.delete(np.arange(k), control)
    differences = ranks.means[rivals] - ranks.means[control]
    z = differences / np.sqrt(k * (k + 1) / (6 * n))
    p = 2 * stats.norm.sf(np.abs(z))
    order = np.argsort(p, kind="stable")
    steps = np.arange(k - 1, 0, -1)
    adjusted = np.minimum(1, np.maximum.accumulate(steps * p[order]))
    return pd.DataFrame(
        {
            "method": rivals[order],
            "difference": differences[order],
            "z": z[order],
            "p": p[order],
            "adjusted p": adjusted,
        }
    )


@dataclass(frozen=True)
class PairedDifference:
    """The mean difference of two methods over the same folds, with its 95 % interval."""

    mean: float
    sd: float
    t: float
    p: float
    low: float
    high: float


def paired_difference(
    first: ArrayLike, second: ArrayLike, *, test_share: float
) -> PairedDifference:
    """Compare two methods on the same folds or the same test cases, first minus second.

    The corrected t test of [nadeau2003]_ (section 3): folds share training cases, so the variance
    is multiplied by 1 / n + n_test / n_train instead of 1 / n.

    Parameters
    ----------
    first, second : array-like of shape (n,)
        Values of both methods, two or more.
    test_share : float
        n_test / n_train, 1 / 9 for ten folds; 0 for independent differences, such as those of
        single test cases.

    Returns
    -------
    PairedDifference
        Mean and standard deviation of the differences, t, p, and the ends of the 95 % interval of
        the mean; these are NaN where all differences are the same and not 0.

    Raises
    ------
    ValueError
        If there are not as many values of both, fewer than two, or the share is negative.

    Examples
    --------
    >>> difference = paired_difference([0.9, 0.8, 0.7], [0.8, 0.75, 0.7], test_share=1 / 2)
    >>> round(difference.mean, 3), round(difference.t, 3), round(difference.p, 3)
    (0.05, 1.095, 0.388)
    """
    a, b = (np.asarray(values, dtype=np.float64) for values in (first, second))
    if a.shape != b.shape or a.ndim != 1 or len(a) < 2:
        raise ValueError(f"Expected two or more values of both, got {a.shape} and {b.shape}.")
    if not test_share >= 0:
        raise ValueError(f"Expected a test share of at least 0, got {test_share}.")
    differences = np.where(equal_up_to_rounding(a, b), 0.0, a - b)
    n, mean, sd = len(a), float(differences.mean()), float(differences.std(ddof=1))
    # Differences that are all equal have no spread to judge their mean by, unless all are 0.
    if not differences.any():
        return PairedDifference(0.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    if equal_up_to_rounding(differences, mean).all():
        return PairedDifference(mean, 0.0, *[np.nan] * 4)
    error = sd * np.sqrt(1 / n + test_share)
    t = mean / error
    reach = float(stats.t.ppf(0.975, n - 1)) * error
    p = float(2 * stats.t.sf(abs(t), n - 1))
    return PairedDifference(mean, sd, float(t), p, mean - reach, mean + reach)


def wilcoxon_pairs(scores: ArrayLike, names: Sequence[str]) -> pd.DataFrame:
    """Compare all pairs of methods over data sets by Wilcoxon's signed-rank test.

    Parameters
    ----------
    scores : array-like of shape (n_data_sets, n_methods)
        Finite values.
    names : sequence of str
        The methods, in the order of the columns.

    Returns
    -------
    DataFrame
        One row per pair: ``first``, ``second``, the numbers of data sets on which ``first has
        more``, ``second has more`` and both have the ``same``, and ``p``, two-sided; NaN where they
        are the same on all data sets. Equal differences share their rank.

    Examples
    --------
    >>> wilcoxon_pairs([[0.9, 0.8], [0.7, 0.5], [0.6, 0.6], [0.8, 0.5]], ["A", "B"])
      first second  first has more  second has more  same     p
    0     A      B               3                0     1  0.25
    """
    values = np.asarray(scores, dtype=np.float64).T
    first, second = np.triu_indices(len(values), k=1)
    same = equal_up_to_rounding(values[first], values[second])
    differences = np.where(same, 0.0, values[first] - values[second])
    # Equal sizes share their rank, and a size of 0.1 is 0.9 - 0.8 as well as 0.8 - 0.7.
    differences = np.sign(differences) * without_rounding(np.abs(differences))
    return pd.DataFrame(
        {
            "first": [names[method] for method in first.tolist()],
            "second": [names[method] for method in second.tolist()],
            "first has more": (differences > 0).sum(axis=1),
            "second has more": (differences < 0).sum(axis=1),
            "same": same.sum(axis=1),
            "p": _signed_rank_p(differences),
        }
    )


def _signed_rank_p(differences: FloatArray) -> FloatArray:
    """Return the two-sided p-value of each row; NaN where all its differences are 0.

    Exact where `scipy.stats.wilcoxon` is: without ties and zeros up to 50 data sets, and up to
    `_MOST_SIGNS_TRIED` in any case; else by its normal approximation.
    """
    p = np.full(len(differences), np.nan)
    sizes = np.sort(np.abs(differences), axis=1)
    has_ties = (sizes[:, 0] == 0) | (np.diff(sizes, axis=1) == 0).any(axis=1)
    tied = has_ties & differences.any(axis=1)
    if differences.shape[1] <= _MOST_SIGNS_TRIED:
        # SciPy takes most of a second for each pair: it tries every combination of the signs.
        p[tied] = [_exact_signed_rank_p(row) for row in differences[tied]]
    elif tied.any():
        p[tied] = stats.wilcoxon(differences[tied], axis=1).pvalue
    # In a call of its own: SciPy takes one way for all rows.
    if not has_ties.all():
        p[~has_ties] = stats.wilcoxon(differences[~has_ties], axis=1).pvalue
    return p


def _exact_signed_rank_p(differences: FloatArray) -> float:
    """Return the share of all combinations of signs with a sum of ranks as far from its mean."""
    nonzero = differences[differences != 0]
    # Shared ranks are halves, so their doubles are whole numbers.
    ranks = np.rint(2 * stats.rankdata(np.abs(nonzero))).astype(np.int64)
    n_combinations = np.ones(1)  # By the sum of the ranks of positive differences.
    for rank in ranks:
        more = np.zeros(len(n_combinations) + rank)
        more[:-rank] += n_combinations
        more[rank:] += n_combinations
        n_combinations = more
    observed = ranks[nonzero > 0].sum()
    tails = n_combinations[: observed + 1].sum(), n_combinations[observed:].sum()
    return float(min(1.0, 2 * min(tails) / n_combinations.sum()))
