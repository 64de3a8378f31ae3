"""Effect sizes of the differences of methods; more data sets alone do not make them larger.

References
----------
.. [kerby2014] D. S. Kerby: The simple difference formula: an approach to teaching nonparametric
   correlation. Comprehensive Psychology 3, 2014.
.. [kendall1939] M. G. Kendall, B. Babington Smith: The problem of m rankings. Annals of
   Mathematical Statistics 10, 1939.
.. [cohen1988] J. Cohen: Statistical power analysis for the behavioral sciences. 1988, section 2.3.
"""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.stats import rankdata

from labelrank_core.comparison.significance import AverageRanks, friedman
from labelrank_core.rankings import FloatArray, equal_up_to_rounding, without_rounding


def kendall_w(ranks: AverageRanks) -> float:
    """Return Kendall's coefficient of concordance, the agreement of data sets on the ranks.

    Friedman's statistic, corrected for ties, divided by its largest value N (k - 1);
    [kendall1939]_.

    Parameters
    ----------
    ranks : AverageRanks
        Of two or more data sets.

    Returns
    -------
    float
        0 = no agreement, 1 = all data sets rank the methods alike; NaN where the methods tie on all
        data sets.

    Raises
    ------
    ValueError
        If there is one data set.

    Examples
    --------
    >>> from labelrank_core.comparison.significance import average_ranks
    >>> round(kendall_w(average_ranks([[3, 2, 1], [3, 2, 1], [2, 3, 1]])), 3)
    0.778
    """
    return friedman(ranks).chi2_corrected / (ranks.n_data_sets * (ranks.n_methods - 1))


def effect_sizes(
    scores: ArrayLike, names: Sequence[str], *, greater_is_better: bool = True
) -> pd.DataFrame:
    """Tabulate the effect sizes of each pair of methods over data sets, first minus second.

    Parameters
    ----------
    scores : array-like of shape (n_data_sets, n_methods)
        Finite values.
    names : sequence of str
        The methods.
    greater_is_better : bool, default=True
        Whether higher values are better; the sign of all effects follows.

    Returns
    -------
    DataFrame
        One row per pair, positive effects (superiority above 1/2) where the first is better:

        - ``median difference``, in units of the measure;
        - ``superiority``: share of data sets on which the first is better, ties counting half;
        - ``rank-biserial``: of the signed ranks of the differences, the sum of those in favour of
          the first minus that of those against it, divided by both; in [-1, 1], the effect size of
          Wilcoxon's test [kerby2014]_. Zeros are left out; 0 where all are;
        - ``d``: mean difference divided by its standard deviation (n - 1), Cohen's d of paired
          values (d_z of [cohen1988]_); NaN where that is 0 or there is one data set.

    Raises
    ------
    ValueError
        If the scores are not a table of finite values with one or more data sets.

    Examples
    --------
    >>> table = effect_sizes([[0.9, 0.8], [0.7, 0.75], [0.8, 0.6]], ["A", "B"])
    >>> table.iloc[0, 2:].astype(float).round(3).tolist()
    [0.1, 0.667, 0.667, 0.662]
    """
    values = np.asarray(scores, dtype=np.float64)
    if values.ndim != 2 or not len(values) or not np.isfinite(values).all():
        raise ValueError(f"Expected finite scores of data sets and methods, got {values.shape}.")
    rows = []
    for i, j in combinations(range(values.shape[1]), 2):
        a, b = values[:, i], values[:, j]
        differences = np.where(equal_up_to_rounding(a, b), 0.0, a - b)
        differences = differences if greater_is_better else -differences
        rows.append((names[i], names[j], *_effects(differences + 0.0)))
    columns = ["first", "second", "median difference", "superiority", "rank-biserial", "d"]
    return pd.DataFrame(rows, columns=columns)


def _effects(differences: FloatArray) -> tuple[float, float, float, float]:
    superiority = float(((differences > 0) + 0.5 * (differences == 0)).mean())
    nonzero = differences[differences != 0]
    ranks = rankdata(without_rounding(np.abs(nonzero)))
    signed = float((np.sign(nonzero) * ranks).sum())
    biserial = signed / float(ranks.sum()) if len(nonzero) else 0.0
    spread = float(differences.std(ddof=1)) if len(differences) > 1 else 0.0
    has_spread = not equal_up_to_rounding(differences, differences.mean()).all()
    d = float(differences.mean()) / spread if has_spread else float("nan")
    return float(np.median(differences)), superiority, biserial, d
