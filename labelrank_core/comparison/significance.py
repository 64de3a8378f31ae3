r"""Several methods on several data sets: average ranks, and the tests that go with them.

>>> import numpy as np
>>> scores = np.array([[0.9, 0.8, 0.7], [0.6, 0.5, 0.5], [0.8, 0.9, 0.1], [0.7, 0.6, 0.2]])
>>> ranks = average_ranks(scores)
>>> ranks.means
array([1.25 , 1.875, 2.875])
>>> round(friedman(ranks).f, 2)
6.14

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
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import stats

from labelrank_core.rankings import (
    ROUNDING,
    FloatArray,
    equal_up_to_rounding,
    without_rounding,
)

PostHoc = Literal["nemenyi", "bonferroni-dunn"]


@dataclass(frozen=True, eq=False)
class AverageRanks:
    """How methods rank on data sets.

    Parameters
    ----------
    ranks : ndarray of shape (n_data_sets, n_methods)
        1 = best on the data set; equal methods have the mean of their places.
    """

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
        """The average rank of each method, shape (n_methods,)."""
        return self.ranks.mean(axis=0)


def average_ranks(scores: ArrayLike, *, greater_is_better: bool = True) -> AverageRanks:
    """Rank the methods on every data set.

    Parameters
    ----------
    scores : array-like of shape (n_data_sets, n_methods)
        One number a method and data set; equal ones share their places.
    greater_is_better : bool, default=True
        Whether the largest is the best.

    Returns
    -------
    AverageRanks
        The ranks and their means.

    Raises
    ------
    ValueError
        If there are not at least two methods and one data set, or a score is not a finite number.
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
    """Friedman's test of whether all methods are alike, with the F of Iman and Davenport.

    Parameters
    ----------
    chi2 : float
        Friedman's statistic as in section 3.2.2 of [demsar2006]_, not corrected for ties.
    chi2_corrected : float
        The same corrected for ties, as SciPy computes it; NaN where all methods tie everywhere.
    f : float
        (N - 1) chi2 / (N (k - 1) - chi2), from `chi2`; infinite where all data sets agree.
    p : float
        Probability of an F that large if the methods were alike.
    n_data_sets, n_methods : int
        N and k.
    """

    chi2: float
    chi2_corrected: float
    f: float
    p: float
    n_data_sets: int
    n_methods: int

    @property
    def degrees(self) -> tuple[int, int]:
        """The degrees of freedom of F."""
        return self.n_methods - 1, (self.n_methods - 1) * (self.n_data_sets - 1)


def friedman(ranks: AverageRanks) -> Friedman:
    """Test whether all methods are alike.

    Parameters
    ----------
    ranks : AverageRanks
        On at least two data sets.

    Returns
    -------
    Friedman
        Statistics and probability.

    Raises
    ------
    ValueError
        If there is only one data set.
    """
    n, k = ranks.ranks.shape
    if n < 2:
        raise ValueError("Expected at least two data sets for Friedman's test, got 1.")
    chi2 = friedman_chi2(ranks.means, n)
    # Of each data set the sum of t^3 - t over its groups of t equal methods.
    ties = sum(
        float((counts**3 - counts).sum())
        for row in ranks.ranks
        for counts in [np.unique(row, return_counts=True)[1]]
    )
    correction = 1 - ties / (n * k * (k * k - 1))
    f = f_of_chi2(chi2, n, k)
    degrees = k - 1, (k - 1) * (n - 1)
    p = 0.0 if np.isinf(f) else float(stats.f.sf(f, *degrees))
    return Friedman(chi2, chi2 / correction if correction > 0 else np.nan, f, p, n, k)


def friedman_chi2(means: ArrayLike, n_data_sets: int) -> float:
    """Compute Friedman's statistic from average ranks, as printed tables give them.

    Parameters
    ----------
    means : array-like of shape (n_methods,)
        Average ranks.
    n_data_sets : int
        N.

    Returns
    -------
    float
        12 N / (k (k + 1)) (sum of squares - k (k + 1)^2 / 4), not corrected for ties.
    """
    values = np.asarray(means, dtype=np.float64)
    k = len(values)
    squares = float(np.square(values).sum())
    return 12 * n_data_sets / (k * (k + 1)) * (squares - k * (k + 1) ** 2 / 4)


def f_of_chi2(chi2: float, n_data_sets: int, n_methods: int) -> float:
    """Turn Friedman's statistic into the F of Iman and Davenport.

    Parameters
    ----------
    chi2 : float
        Friedman's statistic.
    n_data_sets, n_methods : int
        N and k.

    Returns
    -------
    float
        Infinite where all data sets rank the methods alike.
    """
    rest = n_data_sets * (n_methods - 1) - chi2
    return (n_data_sets - 1) * chi2 / rest if rest > ROUNDING else float("inf")


def critical_difference(
    n_data_sets: int, n_methods: int, *, alpha: float = 0.05, test: PostHoc = "nemenyi"
) -> float:
    """Return by how much two average ranks must differ to be told apart.

    Parameters
    ----------
    n_data_sets, n_methods : int
        N and k.
    alpha : float, default=0.05
        Level of the whole family of comparisons, between 0 and 1.
    test : {"nemenyi", "bonferroni-dunn"}, default="nemenyi"
        All pairs of methods, or all methods against one control.

    Returns
    -------
    float
        q sqrt(k (k + 1) / (6 N)); q from the studentised range divided by the root of 2, or from
        the normal distribution at alpha / (2 (k - 1)).

    Raises
    ------
    ValueError
        If alpha is not between 0 and 1, or the test unknown.
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
    """List the largest groups of methods whose average ranks cannot be told apart.

    Parameters
    ----------
    means : array-like of shape (n_methods,)
        Average ranks.
    difference : float
        The critical difference: ranks that differ by it or less are alike.

    Returns
    -------
    list of tuple of int
        Groups of two or more methods, best first; none is part of another.
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


def holm(ranks: AverageRanks, control: int) -> pd.DataFrame:
    """Compare all methods with one of them, step by step from the clearest difference.

    Parameters
    ----------
    ranks : AverageRanks
        The ranks.
    control : int
        The method to compare with.

    Returns
    -------
    DataFrame
        One row for every other method, the most different first: its index, the difference of the
        average ranks, z, the probability p of such a z, and p as Holm adjusts it.
    """
    n, k = ranks.ranks.shape
    others = np.delete(np.arange(k), control)
    differences = ranks.means[others] - ranks.means[control]
    z = differences / np.sqrt(k * (k + 1) / (6 * n))
    p = 2 * stats.norm.sf(np.abs(z))
    order = np.argsort(p, kind="stable")
    steps = np.arange(k - 1, 0, -1)
    adjusted = np.minimum(1, np.maximum.accumulate(steps * p[order]))
    return pd.DataFrame(
        {
            "method": others[order],
            "difference": differences[order],
            "z": z[order],
            "p": p[order],
            "adjusted p": adjusted,
        }
    )


@dataclass(frozen=True)
class PairedDifference:
    """The mean difference of two methods over the same folds.

    Parameters
    ----------
    mean, sd : float
        Of the differences, first minus second.
    t, p : float
        The corrected t of [nadeau2003]_ and its two-sided probability.
    low, high : float
        The 95 % confidence interval of the mean.

    Differences that are all equal have no spread to judge their mean by: t, p and the interval are
    NaN, unless all are 0, which gives t = 0, p = 1 and an interval of 0.
    """

    mean: float
    sd: float
    t: float
    p: float
    low: float
    high: float


def paired_difference(
    first: ArrayLike, second: ArrayLike, *, test_share: float
) -> PairedDifference:
    """Compare two methods on the folds of a repeated cross-validation.

    Folds share training cases, so that differences are not independent: their variance is
    multiplied by 1 / n + n_test / n_train instead of 1 / n, eq. in section 3 of [nadeau2003]_.

    Parameters
    ----------
    first, second : array-like of shape (n_folds,)
        Scores on the same folds, at least two.
    test_share : float
        Test cases divided by training cases: 1 / 9 for ten folds.

    Returns
    -------
    PairedDifference
        Mean, corrected t and interval.

    Raises
    ------
    ValueError
        If the folds are not the same number, fewer than two, or the share is not above 0.
    """
    a, b = (np.asarray(each, dtype=np.float64) for each in (first, second))
    if a.shape != b.shape or a.ndim != 1 or len(a) < 2:
        raise ValueError(f"Expected two or more folds of both, got {a.shape} and {b.shape}.")
    if not test_share > 0:
        raise ValueError(f"Expected a test share above 0, got {test_share}.")
    differences = np.where(equal_up_to_rounding(a, b), 0.0, a - b)
    n, mean, sd = len(a), float(differences.mean()), float(differences.std(ddof=1))
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
    """Compare every pair of methods over the data sets by Wilcoxon's signed ranks.

    Parameters
    ----------
    scores : array-like of shape (n_data_sets, n_methods)
        One number a method and data set.
    names : sequence of str
        Names of the methods.

    Returns
    -------
    DataFrame
        One row a pair: names, how often the first has more, less, the same, and the two-sided
        probability as `scipy.stats.wilcoxon` gives it (data sets where both are equal are left
        out); NaN where they are equal on all.
    """
    values = np.asarray(scores, dtype=np.float64)
    rows = []
    for i in range(values.shape[1]):
        for j in range(i + 1, values.shape[1]):
            first, second = values[:, i], values[:, j]
            differences = np.where(equal_up_to_rounding(first, second), 0.0, first - second)
            # Equal sizes share their rank, and a size of 0.1 is 0.9 - 0.8 as well as 0.8 - 0.7.
            differences = np.sign(differences) * without_rounding(np.abs(differences))
            some = bool(differences.any())
            p = float(stats.wilcoxon(differences).pvalue) if some else np.nan
            more, less = int((differences > 0).sum()), int((differences < 0).sum())
            same = len(differences) - more - less
            rows.append((names[i], names[j], more, less, same, p))
    columns = ["first", "second", "first has more", "second has more", "same", "p"]
    return pd.DataFrame(rows, columns=columns)
