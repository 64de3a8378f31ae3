"""Files whose targets are pairs of labels, which positions cannot hold."""

from collections import Counter

import numpy as np
import pandas as pd

from labelrank_core.data.findings import DatasetError, Severity, refusal, shorten
from labelrank_core.data.frames import encoded_frame
from labelrank_core.data.pair_preferences import PairPreferences
from labelrank_core.data.ranking_words import are_orderings
from labelrank_core.io.cells import Cells, Coded, Column
from labelrank_core.io.read import read_files
from labelrank_core.io.sources import File, open_sources
from labelrank_core.io.vocabulary import Role


def read_pair_preferences(
    file: File, *, column: str | None = None
) -> tuple[pd.DataFrame, PairPreferences]:
    r"""Read features, and chains of labels such as ``b>a|c>d``, of which each row may have several.

    Parameters
    ----------
    file : path, binary file or (name, bytes)
        WEKA-LR's xarff, in which ``|`` separates independent chains, or a table of any other format
        that `read_dataset` reads, with such chains as text.
    column : str or None, default=None
        The column with the chains; None: the one that the format declares, else the only one that
        looks like rankings in words.

    Returns
    -------
    X : DataFrame of shape (n_samples, n_features)
        The other columns as numbers, as `Dataset.from_frame` encodes them.
    preferences : PairPreferences
        The pairs of each row, with the labels that the format declares, else those in the chains.

    Raises
    ------
    DatasetError
        If the file cannot be read, or no column has chains.
    ValueError
        If a cell has no chains, or a feature has none.

    Examples
    --------
    >>> file = ("drinks.csv", b"age,likes\n20,tea>milk|juice>cola\n31,cola>tea")
    >>> X, preferences = read_pair_preferences(file)
    >>> X["age"].tolist(), preferences.label_names
    ([20.0, 31.0], ('cola', 'juice', 'milk', 'tea'))
    """
    cells = _read(file)
    errors = [
        finding
        for finding in (*cells.findings, *cells.ragged)
        if finding.severity is Severity.ERROR
    ]
    if errors or cells.columns is None:
        raise DatasetError(errors or cells.findings)
    texts = {name: _values(values) for name, values in cells.columns.items()}
    column_name = _chains_column(cells, texts) if column is None else column
    if column_name not in texts:
        raise ValueError(f"Expected a column in {list(texts)}, got {column_name!r}.")
    labels = list(cells.labels) if column_name in cells.roles and cells.labels else None
    preferences = PairPreferences.from_words(texts.pop(column_name).tolist(), labels)
    frame = pd.DataFrame({name: _numbers_or_text(values) for name, values in texts.items()})
    X, schema, _ = encoded_frame(frame)
    return pd.DataFrame(X, columns=list(schema.feature_names)), preferences


def _read(file: File) -> Cells:
    return read_files(open_sources(file))


def _values(column: Column) -> pd.Series:
    if isinstance(column, Coded):
        return pd.Series(pd.Categorical.from_codes(column.codes, list(column.categories)))
    is_numeric = not isinstance(column, list) and np.asarray(column).dtype.kind in "biuf"
    return pd.Series(np.asarray(column) if is_numeric else np.asarray(column, dtype=object))


def _chains_column(cells: Cells, texts: dict[str, pd.Series]) -> str:
    declared = [name for name, role in cells.roles.items() if role is Role.RANKING]
    if len(declared) == 1:
        return declared[0]
    likely = [
        name
        for name, values in texts.items()
        if not pd.api.types.is_numeric_dtype(values)
        and are_orderings(Counter(values.dropna().astype(str).str.replace("|", ">")))
    ]
    if len(likely) == 1:
        return likely[0]
    outcome = f"found {len(likely)}: {', '.join(map(shorten, likely))}" if likely else "found none"
    message = f"expected one column of chains such as b>a|c>d, {outcome}."
    raise refusal("one-ranking", message, "Name it in the argument column.")


def _numbers_or_text(values: pd.Series) -> pd.Series:
    """Return texts as numbers if all of them are."""
    if pd.api.types.is_numeric_dtype(values) or isinstance(values.dtype, pd.CategoricalDtype):
        return values
    numbers = pd.to_numeric(values, errors="coerce")
    return values.astype(object) if numbers.isna().any() else numbers
