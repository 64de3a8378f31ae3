r"""Who is best on what: the folds of an experiment as a leaderboard.

>>> import pandas as pd
>>> results = pd.DataFrame({
...     "data": "iris", "method": ["A", "A", "B", "B"], "missing": 0.0, "train_share": 1.0,
...     "repeat": 0, "fold": [0, 1, 0, 1], "measure": "kendall_tau_score",
...     "value": [0.9, 0.7, 0.6, 0.6], "seconds_tune": 0.0, "seconds_fit": 0.5,
...     "seconds_predict": 0.5})
>>> board = leaderboard(results, "kendall_tau_score")
>>> board.frame()[["method", "mean", "sd", "rank"]].round(3)
  method  mean     sd  rank
0      A   0.8  0.141   1.0
1      B   0.6  0.000   2.0

References
----------
.. [nadeau2003] C. Nadeau, Y. Bengio: Inference for the generalization error. Machine Learning 52,
   2003.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import pandas as pd
from scipy import stats

from labelrank_core.comparison.significance import paired_difference
from labelrank_core.metrics import METRICS, Measure
from labelrank_core.rankings import without_rounding

_FOLD = ["data", "repeat", "fold"]
_PAIRS = ["method", "control", "mean", "sd", "low", "high", "t", "p", "n_folds", "verdict"]


@dataclass(frozen=True, eq=False)
class Leaderboard:
    """One measure of methods on data sets, over the folds that all methods of a data set have.

    Parameters
    ----------
    measure : Measure
        What is compared.
    folds : DataFrame
        ``data, method, repeat, fold, value, seconds``: only folds in which every method that has
        been measured on the data set has a value.
    methods : tuple of str
        In the order of the results.
    n_left_out : int
        Folds that some method lacks: it failed, has no value there, or is still to come.
    """

    measure: Measure
    folds: pd.DataFrame
    methods: tuple[str, ...]
    n_left_out: int

    @property
    def data_sets(self) -> tuple[str, ...]:
        """Data sets with at least one complete fold."""
        return tuple(self.folds["data"].drop_duplicates())

    def n_folds(self, data: str) -> int:
        """Count the folds of a data set that are compared."""
        return len(self.folds.loc[self.folds["data"] == data, ["repeat", "fold"]].drop_duplicates())

    def frame(self) -> pd.DataFrame:
        """Tabulate every method on every data set.

        Returns
        -------
        DataFrame
            ``data, method, mean, sd, n_folds, seconds, rank``, best first on each data set: mean
            and standard deviation (n - 1; NaN for one fold) over folds, mean seconds of a fold
            (tuning, learning, predicting), and the rank of the mean, 1 = best, equal ones share.
        """
        return self._table.copy()

    @cached_property
    def _table(self) -> pd.DataFrame:
        grouped = self.folds.groupby(["data", "method"], sort=False)
        table = grouped.agg(
            mean=("value", "mean"),
            sd=("value", "std"),
            n_folds=("value", "size"),
            seconds=("seconds", "mean"),
        ).reset_index()
        sign = -1 if self.measure.greater_is_better else 1
        table["rank"] = table.groupby("data", sort=False)["mean"].transform(
            lambda means: stats.rankdata(without_rounding(sign * means.to_numpy()))
        )
        places = {name: place for place, name in enumerate(self.data_sets)}
        order = pd.DataFrame({"data": table["data"].map(places), "rank": table["rank"]})
        at = order.sort_values(["data", "rank"], kind="stable").index
        return table.loc[at].reset_index(drop=True)

    def scores(self) -> pd.DataFrame:
        """Return the means of data sets on which all methods are measured.

        Returns
        -------
        DataFrame
            One row a data set (the index), one column a method; what tests over data sets take.
        """
        means = self.folds.pivot_table(index="data", columns="method", values="value", sort=False)
        whole = means.reindex(columns=list(self.methods)).dropna()
        return whole.rename_axis(index=None, columns=None)

    def average_ranks(self) -> pd.Series:
        """Return the mean rank of each method over the data sets of `scores`, best first."""
        signed = self.scores() * (-1 if self.measure.greater_is_better else 1)
        keys = without_rounding(signed.to_numpy()) if len(signed) else np.empty((0, 0))
        ranks = stats.rankdata(keys, axis=1) if len(signed) else keys
        means = ranks.mean(axis=0) if len(signed) else np.full(len(self.methods), np.nan)
        return pd.Series(means, index=list(self.methods)).sort_values(kind="stable")

    def single_folds(self, data: str, method: str) -> pd.DataFrame:
        """Return the folds of one method on one data set, in order."""
        own = (self.folds["data"] == data) & (self.folds["method"] == method)
        return self.folds.loc[own, ["repeat", "fold", "value", "seconds"]].reset_index(drop=True)

    def against(self, data: str, control: str, test_share: float) -> pd.DataFrame:
        """Compare all other methods with one of them, fold by fold.

        Parameters
        ----------
        data : str
            The data set.
        control : str
            The method to compare with.
        test_share : float
            Test rows divided by training rows of a fold, for the correction of [nadeau2003]_.

        Returns
        -------
        DataFrame
            ``method, control, mean, sd, low, high, t, p, n_folds, verdict``, in the order of
            `frame`: of the differences method minus control, as
            `paired_difference` gives them. The verdict is ``better`` or ``worse`` where the 95 %
            interval leaves out 0, else ``unclear``. Of one fold only the
            difference is known, the rest is NaN.
        """
        ranked = self.frame()
        values = self._values(data)
        rows = [
            (method, control, *self._pair(values[method], values[control], test_share))
            for method in ranked.loc[ranked["data"] == data, "method"]
            if method != control
        ]
        return pd.DataFrame(rows, columns=_PAIRS)

    def every_pair(self, test_share: float) -> pd.DataFrame:
        """Compare every two methods on every data set, as `against` does, with its ``data``."""
        tables = []
        for data in self.data_sets:
            known = [m for m in self.methods if m in self._values(data)]
            for place, control in enumerate(known[:-1]):
                table = self.against(data, control, test_share)
                table = table[table["method"].isin(known[place + 1 :])]
                tables.append(table.assign(data=data))
        columns = ["data", *_PAIRS]
        return pd.concat(tables)[columns] if tables else pd.DataFrame(columns=columns)

    def deviations(self) -> pd.DataFrame | None:
        """Return the standard deviations of what `scores` holds.

        Returns
        -------
        DataFrame or None
            One row a data set, one column a method; None where some are missing.
        """
        scores = self.scores()
        table = self.frame().pivot_table(index="data", columns="method", values="sd")
        table = table.reindex(index=scores.index, columns=scores.columns)
        return None if table.isna().any(axis=None) else table

    def _values(self, data: str) -> pd.DataFrame:
        own = self.folds[self.folds["data"] == data]
        return own.pivot_table(index=["repeat", "fold"], columns="method", values="value")

    def _pair(self, first: pd.Series, second: pd.Series, test_share: float) -> tuple[Any, ...]:
        n = len(first)
        if n < 2:
            lone = float(first.iloc[0] - second.iloc[0])
            return (lone, *[np.nan] * 5, n, "unclear")
        pair = paired_difference(first.to_numpy(), second.to_numpy(), test_share=test_share)
        verdict = "unclear"
        if pair.low > 0 or pair.high < 0:
            verdict = "better" if (pair.low > 0) == self.measure.greater_is_better else "worse"
        return pair.mean, pair.sd, pair.low, pair.high, pair.t, pair.p, n, verdict


def leaderboard(
    results: pd.DataFrame, measure: str, *, missing: float = 0.0, train_share: float = 1.0
) -> Leaderboard:
    """Compare methods by one measure at one level of missing labels and share of training rows.

    Parameters
    ----------
    results : DataFrame
        As `labelrank_core.experiments.results_frame` returns it, of an experiment that may still
        run.
    measure : str
        Key of `METRICS`.
    missing, train_share : float
        The level.

    Returns
    -------
    Leaderboard
        Only folds that are complete are compared, so that no method profits from easier ones. A
        method without any value on a data set is no part of it there.
    """
    at = (results["missing"] == missing) & (results["train_share"] == train_share)
    level = results[at & (results["measure"] == measure)].drop_duplicates([*_FOLD, "method"])
    measured = level[np.isfinite(level["value"].astype(float))]
    seconds = measured[["seconds_tune", "seconds_fit", "seconds_predict"]].sum(axis=1)
    folds = measured.assign(seconds=seconds)[[*_FOLD, "method", "value", "seconds"]]
    needed = folds.groupby("data")["method"].transform("nunique")
    there = folds.groupby(_FOLD)["method"].transform("nunique")
    complete = folds[needed == there].reset_index(drop=True)
    n_all, n_kept = (len(each[_FOLD].drop_duplicates()) for each in (level, complete))
    methods = tuple(complete["method"].drop_duplicates())
    return Leaderboard(METRICS[measure], complete, methods, n_all - n_kept)


def worst_cases(
    cases: Sequence[tuple[int, Mapping[str, Any]]], measure: str, *, n: int = 10
) -> pd.DataFrame:
    """List the rows of a data set that a method gets most wrong.

    Parameters
    ----------
    cases : sequence of (int, mapping of str to ndarray)
        A number of the fold, and ``row`` with the values of its cases by measure, as
        `labelrank_core.experiments.store.Store.cases` returns them.
    measure : str
        Key of `METRICS`.
    n : int, default=10
        How many.

    Returns
    -------
    DataFrame
        ``row, value, n_tests, folds``, the worst first, then in the order of the rows: row of the
        data set from 0, its mean over the folds that test it, in how many and in which. Empty for
        a measure that single cases do not have.
    """
    tables = [
        pd.DataFrame({"row": each["row"].astype(int), "value": each[measure], "fold": number})
        for number, each in cases
        if measure in each
    ]
    if not tables:
        return pd.DataFrame(columns=["row", "value", "n_tests", "folds"])
    whole = pd.concat(tables).dropna().groupby("row", as_index=False)
    table = whole.agg(
        value=("value", "mean"),
        n_tests=("value", "size"),
        folds=("fold", lambda folds: ", ".join(map(str, sorted(folds)))),
    )
    ascending = METRICS[measure].greater_is_better
    return table.sort_values("value", ascending=ascending, kind="stable").head(n)


def levels(results: pd.DataFrame, axis: Literal["missing", "train_share"]) -> Sequence[float]:
    """List the levels of missing labels or of shares of training rows, ascending."""
    return sorted(float(value) for value in results[axis].unique())


def curve(
    results: pd.DataFrame, measure: str, axis: Literal["missing", "train_share"], *, other: float
) -> pd.DataFrame:
    """Follow every method over levels of missing labels, or over shares of training rows.

    Parameters
    ----------
    results : DataFrame
        As for `leaderboard`.
    measure : str
        Key of `METRICS`.
    axis : {"missing", "train_share"}
        What changes.
    other : float
        The one level of what does not.

    Returns
    -------
    DataFrame
        ``data, method, level, mean, low, high, n_folds``: the mean over complete folds, and one
        standard deviation below and above it (the mean itself for one fold).
    """
    fixed = "train_share" if axis == "missing" else "missing"
    tables = []
    for level in levels(results[results[fixed] == other], axis):
        at = {axis: level, fixed: other}
        tables.append(leaderboard(results, measure, **at).frame().assign(level=level))
    columns = ["data", "method", "level", "mean", "low", "high", "n_folds"]
    if not tables:
        return pd.DataFrame(columns=columns)
    table = pd.concat(tables, ignore_index=True)
    sd = table["sd"].fillna(0.0)
    return table.assign(low=table["mean"] - sd, high=table["mean"] + sd)[columns]
