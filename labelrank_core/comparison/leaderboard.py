r"""The folds of an experiment as a leaderboard: which method is best on which data set.

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
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any, Literal

import numpy as np
import pandas as pd
from scipy import stats

from labelrank_core.comparison.methods import MethodComparison, compare_methods
from labelrank_core.comparison.score_tables import latex_table, wide_table
from labelrank_core.comparison.significance import paired_difference, wilcoxon_pairs
from labelrank_core.metrics import METRICS, Measure
from labelrank_core.rankings import equal_up_to_rounding, without_rounding

Axis = Literal["missing", "train_share"]
_FOLD = ["data", "repeat", "fold"]
_PAIRS = ["method", "control", "mean", "sd", "low", "high", "t", "p", "n_folds", "verdict"]


@dataclass(frozen=True, eq=False, repr=False)
class Leaderboard:
    """Methods on data sets by one measure, over the folds that all methods of a data set have.

    It prints as its frame.

    `variants` are untuned methods that are one of the settings a tuned method chooses from, so that
    both may be the same.
    """

    measure: Measure
    folds: pd.DataFrame
    methods: tuple[str, ...]
    n_left_out: int
    variants: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"{self.measure.title}\n{self._table.to_string(index=False)}"

    def _repr_html_(self) -> str:
        return f"<p>{escape(self.measure.title)}</p>{self._table.to_html(index=False, border=0)}"

    @property
    def data_sets(self) -> tuple[str, ...]:
        """Data sets with at least one complete fold."""
        return tuple(self.folds["data"].drop_duplicates())

    def n_folds(self, data: str) -> int:
        """Count the folds of a data set that are compared."""
        return len(self.folds.loc[self.folds["data"] == data, ["repeat", "fold"]].drop_duplicates())

    def frame(self) -> pd.DataFrame:
        """Tabulate mean, sd (n - 1), seconds per fold and rank of each method on each data set."""
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
        data_order = {name: position for position, name in enumerate(self.data_sets)}
        order = pd.DataFrame({"data": table["data"].map(data_order), "rank": table["rank"]})
        at = order.sort_values(["data", "rank"], kind="stable").index
        return table.loc[at].reset_index(drop=True)

    def bands(self, data: str) -> pd.DataFrame:
        """Tabulate one data set with the means minus and plus one standard deviation: low, high."""
        return _with_bands(self._table[self._table["data"] == data])

    def by_method(self) -> pd.DataFrame:
        """Tabulate the methods, the best first: average rank and mean seconds over data sets."""
        means = self._table.groupby("method", sort=False)[["rank", "seconds"]].mean()
        return means.sort_values("rank", kind="stable")

    def scores(self) -> pd.DataFrame:
        """Tabulate the means of methods (columns) on the data sets (index) that all have."""
        return self._means(self.methods)

    def distinct_scores(self) -> pd.DataFrame:
        """Return `scores` for tests over data sets, without variants: their ranks are dependent."""
        return self._means([name for name in self.methods if name not in self.variants])

    def _means(self, methods: Sequence[str]) -> pd.DataFrame:
        means = self.folds.pivot_table(index="data", columns="method", values="value", sort=False)
        complete = means.reindex(columns=list(methods)).dropna()
        return complete.rename_axis(index=None, columns=None)

    def single_folds(self, data: str, method: str) -> pd.DataFrame:
        """Return the folds of one method on one data set, in order."""
        is_asked = (self.folds["data"] == data) & (self.folds["method"] == method)
        return self.folds.loc[is_asked, ["repeat", "fold", "value", "seconds"]].reset_index(
            drop=True
        )

    def against(self, data: str, control: str, test_share: float) -> pd.DataFrame:
        """Compare each other method with a control, method minus control, fold by fold."""
        ranked = self.frame()
        values = self._values(data)
        rows = [
            (method, control, *self._pair(values[method], values[control], test_share))
            for method in ranked.loc[ranked["data"] == data, "method"]
            if method != control
        ]
        return pd.DataFrame(rows, columns=_PAIRS)

    def against_everywhere(self, control: str, test_shares: Mapping[str, float]) -> pd.DataFrame:
        """Compare each other method with a control on every data set that it is measured on.

        Parameters
        ----------
        control : str
            One of the methods.
        test_shares : mapping of str to float
            Test rows per training row of each data set, which correct the intervals.

        Returns
        -------
        DataFrame
            As `against` returns it, after a column ``data``.
        """
        tables = [
            self.against(data, control, test_shares[data]).assign(data=data)
            for data in self.data_sets
            if control in self._values(data)
        ]
        columns = ["data", *_PAIRS]
        return (
            pd.concat(tables, ignore_index=True)[columns]
            if tables
            else pd.DataFrame(columns=columns)
        )

    def every_pair(self, test_share: float) -> pd.DataFrame:
        """Compare all pairs of methods on every data set, as `against` does."""
        tables = []
        for data in self.data_sets:
            compared = [m for m in self.methods if m in self._values(data)]
            for position, control in enumerate(compared[:-1]):
                table = self.against(data, control, test_share)
                table = table[table["method"].isin(compared[position + 1 :])]
                tables.append(table.assign(data=data))
        columns = ["data", *_PAIRS]
        return pd.concat(tables)[columns] if tables else pd.DataFrame(columns=columns)

    def deviations(self, scores: pd.DataFrame) -> pd.DataFrame | None:
        """Return the standard deviations of scores, shaped like them; None if some are missing."""
        table = self.frame().pivot_table(index="data", columns="method", values="sd")
        table = table.reindex(index=scores.index, columns=scores.columns)
        return None if table.isna().any(axis=None) else table

    def wide(self, *, digits: int = 3) -> pd.DataFrame:
        """Write mean ± sd over folds as text, data sets x methods; empty where one is missing."""
        means, deviations, _ = self._by_data_set()
        return wide_table(means, deviations, digits=digits)

    def to_latex(
        self,
        *,
        digits: int = 3,
        deviations: bool = True,
        ranks: bool = False,
        methods_as_rows: bool = False,
        short_names: Mapping[str, str] | None = None,
        caption: str = "",
        label: str = "",
    ) -> str:
        r"""Write the leaderboard as a LaTeX table with the rules of booktabs, the best in bold.

        Parameters
        ----------
        digits : int, default=3
            Digits after the decimal point.
        deviations : bool, default=True
            Whether the standard deviation over the folds (n - 1) follows the mean.
        ranks : bool, default=False
            Whether the rank on the data set follows in parentheses.
        methods_as_rows : bool, default=False
            Whether methods are rows and data sets columns.
        short_names : mapping of str to str or None, default=None
            Names to print instead of those of methods and data sets; TeX's characters are escaped.
        caption, label : str, default=""
            Plain text, and a key for ``\ref``; with either the table stands in ``table``.

        Returns
        -------
        str
            As `labelrank_core.comparison.score_tables.latex_table` returns it. Average ranks are
            those over data sets that all methods have.
        """
        means, spreads, data_set_ranks = self._by_data_set()
        return latex_table(
            means,
            data_set_ranks,
            deviations=spreads if deviations else None,
            show_ranks=ranks,
            methods_as_rows=methods_as_rows,
            digits=digits,
            short_names=short_names,
            caption=caption,
            label=label,
        )

    def _by_data_set(self) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
        """Return means, standard deviations and ranks of methods (columns) on data sets (index)."""
        means, deviations, ranks = (
            self._table.pivot_table(
                index="data", columns="method", values=name, dropna=False, observed=False
            )
            .reindex(index=list(self.data_sets), columns=list(self.methods))
            .rename_axis(index=None, columns=None)
            for name in ("mean", "sd", "rank")
        )
        return means, deviations, ranks

    def wilcoxon(self, data: str) -> pd.DataFrame:
        """Compare all pairs of methods over the folds or random draws of a data set.

        Wilcoxon's signed-rank test of the values of single folds, as papers that repeat random
        draws print it. Training sets of folds and draws overlap, so values are dependent and p is
        too small; `against` corrects for that. p is not adjusted for the number of pairs.

        Parameters
        ----------
        data : str
            One of `data_sets`.

        Returns
        -------
        DataFrame
            As `labelrank_core.comparison.significance.wilcoxon_pairs` returns it.
        """
        values = self._values(data)
        return wilcoxon_pairs(values.to_numpy(), list(values.columns))

    def compare(self, *, alpha: float = 0.05, control: str | None = None) -> MethodComparison:
        """Compare the methods over data sets, as `compare_methods` does, without variants."""
        return compare_methods(
            self.distinct_scores(),
            measure=self.measure.title,
            greater_is_better=self.measure.greater_is_better,
            alpha=alpha,
            control=control,
        )

    def _values(self, data: str) -> pd.DataFrame:
        folds = self.folds[self.folds["data"] == data]
        return folds.pivot_table(index=["repeat", "fold"], columns="method", values="value")

    def _pair(self, first: pd.Series, second: pd.Series, test_share: float) -> tuple[Any, ...]:
        n = len(first)
        if n < 2:
            difference = float(first.iloc[0] - second.iloc[0])
            return (difference, *[np.nan] * 5, n, "unclear")
        pair = paired_difference(first.to_numpy(), second.to_numpy(), test_share=test_share)
        verdict = "unclear"
        if pair.low > 0 or pair.high < 0:
            verdict = "better" if (pair.low > 0) == self.measure.greater_is_better else "worse"
        return pair.mean, pair.sd, pair.low, pair.high, pair.t, pair.p, n, verdict


def leaderboard(
    results: pd.DataFrame,
    measure: str,
    *,
    missing: float = 0.0,
    train_share: float = 1.0,
    variants: Collection[str] = (),
) -> Leaderboard:
    """Compare methods by one measure at one level of missing labels and share of training rows.

    Only folds that all methods have are compared, so that no method profits from easier ones; a
    method without any value on a data set is left out there.

    Parameters
    ----------
    results : DataFrame
        The folds, as `results_frame`, `results_of` and `read_results` of
        `labelrank_core.experiments` return them; the experiment may still be running.
    measure : str
        Key in `METRICS`.
    missing : float, default=0.0
        Share of the training labels that were deleted.
    train_share : float, default=1.0
        Share of the training rows that were used.
    variants : collection of str, default=()
        Untuned methods that are one of the settings a tuned method chooses from.

    Returns
    -------
    Leaderboard
        It prints as a table, the best method of each data set first.

    Raises
    ------
    ValueError
        If there is no such measure.

    Examples
    --------
    >>> import pandas as pd
    >>> results = pd.DataFrame(
    ...     [("d", "A", 0, 0.8), ("d", "A", 1, 0.6), ("d", "B", 0, 0.5), ("d", "B", 1, 0.5)],
    ...     columns=["data", "method", "fold", "value"],
    ... ).assign(measure="kendall_tau_score", missing=0.0, train_share=1.0, repeat=0)
    >>> results[["seconds_tune", "seconds_fit", "seconds_predict"]] = 0.0
    >>> leaderboard(results, "kendall_tau_score").scores().round(3).to_dict("records")
    [{'A': 0.7, 'B': 0.5}]
    """
    if measure not in METRICS:
        raise ValueError(f"Expected a measure ({', '.join(METRICS)}), got {measure!r}.")
    at = (results["missing"] == missing) & (results["train_share"] == train_share)
    level = results[at & (results["measure"] == measure)].drop_duplicates([*_FOLD, "method"])
    measured = level[np.isfinite(level["value"].astype(float))]
    # Results from elsewhere may not say how long they took.
    seconds = measured[["seconds_tune", "seconds_fit", "seconds_predict"]].sum(axis=1, skipna=False)
    folds = measured.assign(seconds=seconds)[[*_FOLD, "method", "value", "seconds"]]
    n_methods = folds.groupby("data")["method"].transform("nunique")
    n_measured = folds.groupby(_FOLD)["method"].transform("nunique")
    complete = folds[n_methods == n_measured].reset_index(drop=True)
    n_all, n_kept = (len(table[_FOLD].drop_duplicates()) for table in (level, complete))
    methods = tuple(complete["method"].drop_duplicates())
    known_methods = tuple(name for name in methods if name in variants)
    return Leaderboard(METRICS[measure], complete, methods, n_all - n_kept, known_methods)


def worst_cases(
    cases: Sequence[tuple[int, Mapping[str, Any]]], measure: str, *, n: int = 10
) -> pd.DataFrame:
    """List the rows with the worst mean over the folds that test them; perfect ones are left out.

    Parameters
    ----------
    cases : sequence of (int, mapping)
        Fold numbers with ``row`` and the values of these rows by measure, as
        `labelrank_core.experiments.store.Store.cases` returns them.
    measure : str
        Key in `METRICS`.
    n : int, default=10
        How many rows to list at most.

    Returns
    -------
    DataFrame
        ``row``, the mean ``value``, ``n_tests`` and the ``folds``, worst first; of equal ones the
        lower row.

    Examples
    --------
    >>> import numpy as np
    >>> cases = [(0, {"row": np.array([4, 7]), "hamming_loss": np.array([0.5, 0.0])})]
    >>> worst_cases(cases, "hamming_loss")
       row  value  n_tests folds
    0    4    0.5        1     0
    """
    tables = [
        pd.DataFrame({"row": values["row"].astype(int), "value": values[measure], "fold": number})
        for number, values in cases
        if measure in values
    ]
    if not tables:
        return pd.DataFrame(columns=["row", "value", "n_tests", "folds"])
    by_row = pd.concat(tables).dropna().groupby("row", as_index=False)
    table = by_row.agg(
        value=("value", "mean"),
        n_tests=("value", "size"),
        folds=("fold", lambda folds: ", ".join(map(str, sorted(folds)))),
    )
    higher = METRICS[measure].greater_is_better
    perfect = METRICS[measure].value_range[1 if higher else 0]
    wrong = table[~equal_up_to_rounding(table["value"].astype(float), perfect)]
    return wrong.sort_values("value", ascending=higher, kind="stable").head(n)


def levels(results: pd.DataFrame, axis: Axis) -> Sequence[float]:
    """List the levels of missing labels or of shares of training rows.

    Parameters
    ----------
    results : DataFrame
        As for `leaderboard`.
    axis : {"missing", "train_share"}
        Which of the two.

    Returns
    -------
    list of float
        Ascending.

    Examples
    --------
    >>> import pandas as pd
    >>> levels(pd.DataFrame({"missing": [0.3, 0.0, 0.3]}), "missing")
    [0.0, 0.3]
    """
    return sorted(float(value) for value in results[axis].unique())


def curve(results: pd.DataFrame, measure: str, axis: Axis, *, other: float) -> pd.DataFrame:
    """Tabulate every method at each level of missing labels or of shares of training rows.

    Parameters
    ----------
    results : DataFrame
        As for `leaderboard`.
    measure : str
        Key in `METRICS`.
    axis : {"missing", "train_share"}
        Whose levels.
    other : float
        The level of the other one.

    Returns
    -------
    DataFrame
        ``data, method, level, mean, low, high, n_folds``: the mean minus and plus one standard
        deviation over folds, the mean itself where there is a single fold.

    Raises
    ------
    ValueError
        If there is no such measure.

    Examples
    --------
    >>> import pandas as pd
    >>> results = pd.DataFrame(
    ...     [("d", "A", 0, 0.8, 0.0), ("d", "A", 1, 0.6, 0.0), ("d", "A", 0, 0.5, 0.3)],
    ...     columns=["data", "method", "fold", "value", "missing"],
    ... ).assign(measure="kendall_tau_score", train_share=1.0, repeat=0)
    >>> results[["seconds_tune", "seconds_fit", "seconds_predict"]] = 0.0
    >>> curve(results, "kendall_tau_score", "missing", other=1.0).round(2)
      data method  level  mean   low  high  n_folds
    0    d      A    0.0   0.7  0.56  0.84        2
    1    d      A    0.3   0.5  0.50  0.50        1
    """
    fixed = "train_share" if axis == "missing" else "missing"
    tables = []
    for level in levels(results[results[fixed] == other], axis):
        at: dict[str, float] = {axis: level, fixed: other}
        board = leaderboard(results, measure, missing=at["missing"], train_share=at["train_share"])
        tables.append(board.frame().assign(level=level))
    columns = ["data", "method", "level", "mean", "low", "high", "n_folds"]
    if not tables:
        return pd.DataFrame(columns=columns)
    table = _with_bands(pd.concat(tables, ignore_index=True))
    single_fold = table["sd"].isna()
    ends = {end: table[end].mask(single_fold, table["mean"]) for end in ("low", "high")}
    return table.assign(**ends)[columns]


def _with_bands(table: pd.DataFrame) -> pd.DataFrame:
    return table.assign(low=table["mean"] - table["sd"], high=table["mean"] + table["sd"])
