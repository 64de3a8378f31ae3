"""Results from elsewhere: of an estimator of one's own on the same folds, or from a CSV file."""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, clone

from labelrank_core.data.dataset import Dataset
from labelrank_core.data.findings import Severity, listed
from labelrank_core.evaluation.evaluate import evaluate_model
from labelrank_core.experiments.config import Protocol
from labelrank_core.experiments.units import (
    COLUMNS,
    parts_of,
    split_of,
    train_rankings,
    unique_names,
)
from labelrank_core.io.cells import as_text, is_missing
from labelrank_core.io.read import read_files
from labelrank_core.io.sources import open_sources
from labelrank_core.io.spreadsheets import defused_table, restored_table
from labelrank_core.methods.base import PathMixin
from labelrank_core.metrics import METRICS
from labelrank_core.rankings import IntArray, strict_positions

_NEEDED = ("data", "method", "measure", "value")
_KEY = ("data", "method", "missing", "train_share", "repeat", "fold", "measure")
_DEFAULTS: Mapping[str, Any] = {
    "parameters": "{}",
    "missing": 0.0,
    "train_share": 1.0,
    "repeat": 0,
    "fold": 0,
    "seconds_tune": 0.0,
    "seconds_fit": np.nan,
    "seconds_predict": np.nan,
}


class ResultsError(ValueError):
    """A table of results that cannot join others; the message names the place and the cause."""


def results_of(
    model: Any, data: Sequence[Dataset], protocol: Protocol | None = None, *, name: str
) -> pd.DataFrame:
    """Train and test an estimator of one's own on the folds that an experiment has.

    Parameters
    ----------
    model : estimator
        Any with scikit-learn's ``fit`` and ``predict``. On rankings, ``predict`` returns one
        number per label, the smallest for the most preferred one: positions, or what a regression
        on positions predicts; ties are broken by label index. On label sets it returns 0/1. One
        with a ColumnTransformer that chooses columns by name learns the columns of the data, in a
        frame; others learn the encoded features.
    data : sequence of Dataset
        The data sets.
    protocol : Protocol or None, default=None
        How the experiment trains and tests; None: ten folds.
    name : str
        What to call it in tables.

    Returns
    -------
    DataFrame
        As `results_frame` returns it; `join_results` puts both together.

    Raises
    ------
    ValueError
        If the estimator does not learn a data set.

    Examples
    --------
    >>> from sklearn.linear_model import Ridge
    >>> from labelrank_core import load_sample
    >>> results = results_of(Ridge(), [load_sample("iris")], Protocol(n_folds=5), name="ridge")
    >>> means = results.groupby("measure")["value"].mean()
    >>> bool(0.5 < means["kendall_tau_score"] < 1)
    True
    """
    protocol = protocol or Protocol()
    levels = [(missing, share) for missing in protocol.missing for share in protocol.train_shares]
    tables = [
        _measured(model, dataset, protocol.of_data_set(i), repeat_and_fold, *level).assign(
            data=data_name, method=name
        )
        for i, (data_name, dataset) in enumerate(zip(unique_names(data), data, strict=True))
        for level in levels
        for repeat_and_fold in parts_of(protocol.of_data_set(i))
    ]
    results = pd.concat(tables, ignore_index=True).assign(parameters="{}", seconds_tune=0.0)
    return results[list(COLUMNS)]


def _measured(
    model: Any,
    dataset: Dataset,
    protocol: Protocol,
    repeat_and_fold: tuple[int, int],
    missing: float,
    share: float,
) -> pd.DataFrame:
    split = split_of(protocol, dataset, *repeat_and_fold, share)
    rankings = train_rankings(protocol, dataset, repeat_and_fold, split.train, missing)
    learns_sets = dataset.task.has_zero_line
    estimator = model if learns_sets or isinstance(model, PathMixin) else _Ordered(model)
    table = evaluate_model(estimator, dataset, split, train_rankings=rankings).frame()
    repeat, fold = repeat_and_fold
    return table.assign(missing=missing, train_share=share, repeat=repeat, fold=fold)


class _Ordered(BaseEstimator):
    """An estimator whose predicted numbers order the labels, the smallest first."""

    def __init__(self, estimator: Any) -> None:
        self.estimator = estimator

    def fit(self, X: Any, Y: Any) -> "_Ordered":
        """Fit a copy."""
        self.fitted_ = clone(self.estimator).fit(X, Y)
        return self

    def predict(self, X: Any) -> IntArray:
        """Order the labels by the predicted numbers."""
        return strict_positions(np.asarray(self.fitted_.predict(X), dtype=np.float64))


def read_results(file: Any) -> pd.DataFrame:
    r"""Read results of folds from a CSV file, those of an experiment or of any other program.

    Parameters
    ----------
    file : path or binary file
        CSV with a header. Needed are ``data, method, measure, value``; ``repeat`` and ``fold``
        count from 0; ``missing, train_share, parameters, seconds_tune, seconds_fit,
        seconds_predict`` may be left out. Measures are keys of `METRICS`.

    Returns
    -------
    DataFrame
        As `results_frame` returns it.

    Raises
    ------
    ResultsError
        If it is not such a table; the message says where.

    Examples
    --------
    >>> from io import BytesIO
    >>> read_results(
    ...     BytesIO(b"data,method,measure,value\niris,mine,kendall_tau_score,0.9\n")
    ... )[["data", "method", "value", "fold"]]
       data method  value  fold
    0  iris   mine    0.9     0
    """
    cells = read_files(open_sources(file))
    findings = (*cells.findings, *cells.ragged)
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    if errors or cells.columns is None:
        reason = str(errors[0]) if errors else "it holds no table."
        raise ResultsError(f"Expected a CSV file of results. {reason}")
    lacking = [name for name in _NEEDED if name not in cells.columns]
    if lacking:
        raise ResultsError(
            f"Expected columns {', '.join(_NEEDED)}, found no {', '.join(lacking)} among "
            f"{listed(list(cells.columns), limit=12, quote='')}."
        )
    texts = {name: as_text(cells.columns[name]) for name in COLUMNS if name in cells.columns}
    return _checked(restored_table(pd.DataFrame(texts)))


def write_results(table: pd.DataFrame, path: str | PathLike[str]) -> None:
    """Write results as CSV for `read_results`, without text that a spreadsheet would run.

    Parameters
    ----------
    table : DataFrame
        Results as `results_frame`, `results_of` or `read_results` return them.
    path : path
        The file, which is replaced if it is there.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    defused_table(table).to_csv(path, index=False)


def join_results(*tables: pd.DataFrame) -> pd.DataFrame:
    """Put results together for one leaderboard.

    Parameters
    ----------
    *tables : DataFrame
        Results as `results_frame`, `results_of` or `read_results` return them.

    Returns
    -------
    DataFrame
        All rows, in their order.

    Raises
    ------
    ResultsError
        If two have a value for the same method, data set, fold and measure.

    Examples
    --------
    >>> from labelrank_core import KNeighborsLabelRanker, LogLinearRanker, load_sample, results_of
    >>> iris, protocol = [load_sample("iris")], Protocol(n_folds=2)
    >>> near = results_of(KNeighborsLabelRanker(), iris, protocol, name="k-NN")
    >>> lines = results_of(LogLinearRanker(), iris, protocol, name="lines")
    >>> join_results(near, lines)["method"].unique().tolist()
    ['k-NN', 'lines']
    """
    joined = pd.concat(tables, ignore_index=True)
    repeated = joined.duplicated(list(_KEY))
    if repeated.any():
        row = joined[repeated].iloc[0]
        raise ResultsError(
            f"Method {row['method']!r} is there twice on {row['data']!r}, repetition "
            f"{row['repeat']}, fold {row['fold']}. Give one of them another name."
        )
    return joined


def _checked(table: pd.DataFrame) -> pd.DataFrame:
    """Check the values of a table, and fill in columns that may be left out."""
    if table.empty:
        raise ResultsError("Expected at least one row of results.")
    table = table.assign(**{name: _DEFAULTS[name] for name in COLUMNS if name not in table})
    for name in ("missing", "train_share", "repeat", "fold", "value", *COLUMNS[-3:]):
        table[name] = _numbers(table, name)
    for name in ("data", "method", "measure", "parameters"):
        table[name] = table[name].astype(str)
    for name in ("repeat", "fold"):
        table[name] = table[name].astype(np.int64)
    unknown = ~table["measure"].isin(list(METRICS))
    if unknown.any():
        row = int(np.argmax(unknown))
        raise ResultsError(
            f"Row {row + 2}, column measure: found {table['measure'].iloc[row]!r}; known are "
            f"{', '.join(METRICS)}."
        )
    return join_results(table[list(COLUMNS)])


def _numbers(table: pd.DataFrame, name: str) -> pd.Series:
    numbers = pd.to_numeric(table[name], errors="coerce")
    may_lack = name == "value" or name.startswith("seconds")
    wrong = numbers.isna() & ~(may_lack & table[name].map(str).map(is_missing))
    if name in ("repeat", "fold"):
        wrong |= (numbers < 0) | (numbers % 1 != 0)
    wrong |= np.isinf(numbers)
    if wrong.any():
        row = int(np.argmax(wrong))
        cell = str(table[name].iloc[row])
        raise ResultsError(f"Row {row + 2}, column {name}: expected a number, found {cell!r}.")
    return numbers.astype(np.float64)
