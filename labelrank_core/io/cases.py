"""Files of cases whose labels are not known, read with the features of a data set."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import csr_matrix, hstack

from labelrank_core.data.bounds import LARGEST_FEATURE, are_large
from labelrank_core.data.findings import (
    DatasetError,
    Finding,
    Severity,
    at_lines,
    group_findings,
    listed,
    refusal,
    shorten,
    too_large,
)
from labelrank_core.data.schema import Column, Schema
from labelrank_core.io.limits import max_encoded
from labelrank_core.io.read import read_files
from labelrank_core.io.sources import File, open_sources
from labelrank_core.io.table import BoolArray, RawTable, table_of
from labelrank_core.rankings import FloatArray, IntArray


def read_cases(
    files: File | Sequence[File],
    schema: Schema,
    *,
    sparse: bool = False,
    max_bytes: int | None = None,
) -> tuple[pd.DataFrame, Any]:
    r"""Read cases to predict: all columns as the file has them, and the features of a data set.

    Parameters
    ----------
    files : path, binary file object, (name, bytes) or a sequence of these
        As for `inspect_files`.
    schema : Schema
        That of the data set a model was fitted to. Its columns are found by name; others, such as
        identifiers or labels, are kept in the table and not used. In libsvm files without names a
        feature that no case has is 0.
    sparse : bool, default=False
        Whether to return features as a CSR matrix, as `Dataset.is_sparse` says of a data set.
    max_bytes : int or None
        The most bytes of all files together; None: 1 GB.

    Returns
    -------
    table : DataFrame
        All columns of the file but features that stay sparse; the index holds the lines.
    X : ndarray or csr_matrix of shape (n_rows, n_features)
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
    if raw.frame is None or raw.file.ragged:
        raise DatasetError(group_findings([*raw.file.findings, *raw.file.ragged]))
    if not sparse and raw.n_rows * schema.starts[-1] > max_encoded(raw.file.n_bytes):
        message = f"{raw.n_rows} rows of {schema.starts[-1]} features are more than can be kept."
        raise DatasetError([too_large(message, "Predict the rows in several files.")])
    index_of = {raw.title(j): j for j in range(len(raw.names))}
    in_table = [column for column in schema.columns if column.name in index_of]
    sparse_columns = [column for column in schema.columns if column.name not in index_of]
    sparse_features = _features_beside(raw, sparse_columns)
    values = {
        column.name: raw.numbers[:, index_of[column.name]]
        if column.kind == "numeric"
        else raw.map_texts(index_of[column.name], str.strip, object)
        for column in in_table
    }
    findings = []
    for column in in_table:
        cells_of_column = values[column.name]
        numeric = column.kind == "numeric"
        wrong = (
            ~_are_usable(cells_of_column)
            if numeric
            else ~raw.map_texts(index_of[column.name], partial(_holds, column.categories), bool)
        )
        rows = np.flatnonzero(wrong)
        if len(rows):
            got = raw.cell(int(rows[0]), index_of[column.name])
            expected = (
                _number(cells_of_column[rows[0]])
                if numeric
                else f"one of {listed(column.categories)}"
            )
            findings.append(_wrong_value(expected, got, column.name, raw, raw.lines[rows]))
    cells = sparse_features.tocoo()
    wrong = ~_are_usable(cells.data)
    if wrong.any():
        # The first feature that is wrong anywhere.
        wrong &= cells.col == cells.col[wrong].min()
        got, name = f"{cells.data[wrong][0]:g}", sparse_columns[cells.col[wrong][0]].name
        expected = _number(cells.data[wrong][0])
        lines = np.sort(raw.lines[cells.row[wrong]])
        findings.append(_wrong_value(expected, got, name, raw, lines))
    if findings:
        raise DatasetError(findings)
    X = Schema(tuple(in_table)).encode(pd.DataFrame(values, index=range(raw.n_rows)))
    if not sparse_columns:
        return raw.frame, csr_matrix(X) if sparse else X
    is_beside = np.repeat([c.name not in index_of for c in schema.columns], np.diff(schema.starts))
    # A stable sort tells where each feature of the table, and then of the others, belongs.
    order = np.argsort(np.argsort(is_beside, kind="stable"))
    both = hstack([csr_matrix(X), sparse_features], format="csr")[:, order]
    return raw.frame, both if sparse else both.toarray()


def _holds(categories: Sequence[str], text: str) -> bool:
    return text.strip() in categories


def _are_usable(values: FloatArray) -> BoolArray:
    """Tell which numbers are finite and not too large to compute with."""
    return np.isfinite(values) & ~are_large(values)


def _number(value: float) -> str:
    """Describe the number expected in place of one that is not usable."""
    return f"a number up to {LARGEST_FEATURE:g} in size" if np.isfinite(value) else "a number"


def _features_beside(raw: RawTable, columns: Sequence[Column]) -> csr_matrix:
    """Return features that a file keeps beside its table, which are numbers."""
    sparse, names = raw.sparse, [column.name for column in columns]
    available = {column.name for column in columns if column.kind == "numeric"}
    available &= set(sparse.names if sparse else ())
    absent = [name for name in names if name not in available]
    if absent and not (sparse and sparse.is_open and available):
        message = f"the file has no column {listed(absent)}."
        raise refusal("missing-columns", message, "Give it every feature of the data set by name.")
    if sparse is None:
        return csr_matrix((raw.n_rows, 0))
    ordered = [*names, *sorted(set(sparse.names).difference(names))]
    return sparse.with_features(ordered).matrix[:, : len(names)]


def _wrong_value(expected: str, got: str, column: str, raw: RawTable, lines: IntArray) -> Finding:
    message = f"expected {expected}, got '{shorten(got)}'."
    hint = "Correct the value, or leave the row out."
    finding = Finding(
        "wrong-value", Severity.ERROR, message, hint, column=column, unit=raw.line_unit
    )
    return at_lines(finding, lines.tolist())
