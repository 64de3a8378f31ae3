"""Frames of pandas and other libraries as tables, as if they had been read from a file."""

import json
from typing import Any

import numpy as np
import pandas as pd

from labelrank_core.data.findings import Finding, Severity, count_of, listed
from labelrank_core.data.frames import as_pandas
from labelrank_core.io.cells import FRAME, Cells, Coded, Column, SparseCells, written
from labelrank_core.io.header import column_names, read_marks

# The last is that of lazy frames, which have no rows yet: `as_pandas` says so.
_OF_FRAMES = ("__arrow_c_stream__", "__dataframe__", "collect_schema")


def is_frame(files: Any) -> bool:
    """Tell whether something is a frame of any library rather than files."""
    return isinstance(files, pd.DataFrame) or any(hasattr(files, name) for name in _OF_FRAMES)


def cells_of_frame(values: Any) -> Cells:
    """Return the cells of a frame; a row's number, counted from 0, takes the place of its line.

    Numbers and truth values are numbers, categories of text are categories, lists of text or whole
    numbers are JSON, dates are text. Sparse columns that are 0 elsewhere stay sparse. The index is
    not read. Columns of anything else are left out, with a finding.
    """
    frame = as_pandas(values)
    if isinstance(frame, pd.Series):
        frame = frame.to_frame()
    names, findings = column_names([str(name) for name in frame.columns], 0)
    lines = np.arange(len(frame))
    if not len(frame) or not names:
        message = f"found {count_of(len(frame), 'row')} and {count_of(len(names), 'column')}."
        hint = "Give a column for every feature and label, and a row for every case."
        findings.append(Finding("no-rows", Severity.ERROR, message, hint))
        return Cells("data", None, lines, FRAME, findings=findings)
    sparse_columns = [j for j, kind in enumerate(frame.dtypes) if _is_sparse(kind)]
    columns = {
        name: _column(frame.iloc[:, j])
        for j, name in enumerate(names)
        if j not in {*sparse_columns}
    }
    if aside := [name for name, column in columns.items() if column is None]:
        message = f"{count_of(len(aside), 'column')} not read: {listed(aside)}."
        hint = "Values of a column must be numbers, text, dates, or lists of text."
        findings.append(Finding("left-aside", Severity.WARNING, message, hint))
    cells = Cells(
        "data",
        {name: column for name, column in columns.items() if column is not None},
        lines,
        FRAME,
        findings=findings,
        sparse=_sparse(frame.iloc[:, sparse_columns], [names[j] for j in sparse_columns]),
    )
    return read_marks(cells)


def _is_sparse(kind: Any) -> bool:
    return isinstance(kind, pd.SparseDtype) and kind.fill_value == 0


def _sparse(frame: pd.DataFrame, names: list[str]) -> SparseCells | None:
    if not names:
        return None
    matrix = frame.sparse.to_coo().tocsr().astype(np.float64)
    return SparseCells(tuple(names), matrix.data, matrix.indices, matrix.indptr)


def _column(values: pd.Series) -> Column | None:
    """Return a column as numbers, categories or text; None for any other type."""
    kind = values.dtype
    if isinstance(kind, pd.CategoricalDtype):
        categories = kind.categories.tolist()
        if not all(isinstance(category, str) for category in categories):
            return _column(values.astype(kind.categories.dtype))
        return Coded(values.cat.codes.to_numpy(np.int32), categories)
    if pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_complex_dtype(kind):
        return values.to_numpy(dtype=np.float64, na_value=np.nan)
    try:
        return ["" if is_na(cell) else _text(cell) for cell in values.tolist()]
    except TypeError:
        return None


def is_na(cell: Any) -> bool:
    """Tell whether a cell holds None, NaN, NA or NaT."""
    return cell is None or cell is pd.NA or (np.ndim(cell) == 0 and bool(pd.isna(cell)))


def _text(cell: Any) -> str:
    if isinstance(cell, (list, tuple, np.ndarray)):
        items = [item.item() if isinstance(item, np.generic) else item for item in cell]
        if not all(isinstance(item, (str, int)) for item in items):
            raise TypeError("lists of anything but text and whole numbers")
        return json.dumps(items, ensure_ascii=False)
    if isinstance(cell, (bytes, dict, set, complex)):
        raise TypeError(f"cells of type {type(cell).__name__}")
    return written(cell)
