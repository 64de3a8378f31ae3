"""Files of cases whose labels are not known, read with the features of a data set."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from labelrank_core.data.findings import (
    DatasetError,
    Finding,
    Severity,
    at_lines,
    group_findings,
    listed,
    refusal,
    shorten,
)
from labelrank_core.data.schema import Column, Schema
from labelrank_core.io.read import read_files
from labelrank_core.io.sources import File, open_sources
from labelrank_core.io.table import RawTable, table_of
from labelrank_core.rankings import FloatArray


def read_cases(
    files: File | Sequence[File], schema: Schema, *, max_bytes: int | None = None
) -> tuple[pd.DataFrame, FloatArray]:
    r"""Read cases to predict: all columns as the file has them, and the features of a data set.

    Parameters
    ----------
    files : path, binary file object, (name, bytes) or a sequence of these
        As for `inspect_files`.
    schema : Schema
        That of the data set a model was fitted to. Its columns are found by name; others, such as
        identifiers or labels, are kept in the table and not used.
    max_bytes : int or None
        The most bytes of all files together; None: 1 GB.

    Returns
    -------
    table : DataFrame
        All columns of the file; the index holds the lines.
    X : ndarray of shape (n_rows, n_features)
        The encoded features.

    Raises
    ------
    DatasetError
        If no table can be read, a column of the schema is not there, or a cell of one holds no
        number or no category that the data set knows. Nothing is filled in.

    Examples
    --------
    >>> new = ("new.csv", b"name,size\nKim,2.5\nLou,3\n")
    >>> table, X = read_cases(new, Schema((Column("size"),)))
    >>> table["name"].tolist(), X.tolist()
    (['Kim', 'Lou'], [[2.5], [3.0]])
    """
    raw = table_of(read_files(open_sources(files, max_bytes=max_bytes)))
    found = [*raw.file.findings, *raw.file.ragged]
    if raw.frame is None or raw.file.ragged:
        raise DatasetError(group_findings(found))
    places = {raw.title(j): j for j in range(len(raw.names))}
    absent = [column.name for column in schema.columns if column.name not in places]
    if absent:
        message = f"the file has no column {listed(absent)}."
        raise refusal("missing-columns", message, "Give it every feature of the data set by name.")
    wrong = [
        finding
        for column in schema.columns
        for finding in _wrong_cells(raw, places[column.name], column)
    ]
    if wrong:
        raise DatasetError(wrong)
    values = {
        column.name: raw.numbers[:, places[column.name]]
        if column.kind == "numeric"
        else _words(raw, places[column.name])
        for column in schema.columns
    }
    return raw.frame, schema.encode(pd.DataFrame(values, index=range(raw.n_rows)))


def _words(raw: RawTable, column: int) -> list[str]:
    return [str(cell).strip() for cell in raw.cells(column)]


def _wrong_cells(raw: RawTable, place: int, column: Column) -> list[Finding]:
    if column.kind == "numeric":
        wrong = ~np.isfinite(raw.numbers[:, place])
        expected = "a number"
    else:
        wrong = ~np.isin(_words(raw, place), column.categories)
        expected = f"one of {listed(column.categories)}"
    rows = np.flatnonzero(wrong)
    if not len(rows):
        return []
    message = f"expected {expected}, got '{shorten(raw.cell(int(rows[0]), place))}'."
    hint = "Correct the value, or leave the row out."
    finding = Finding("wrong-value", Severity.ERROR, message, hint, column=column.name)
    return [at_lines(finding, raw.lines[rows].tolist())]
