"""Parquet files: tables of numbers fast, all others in a child program."""

import json
import os
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from labelrank_core.data.findings import DatasetError, Finding, Severity, count_of, shorten
from labelrank_core.io.formats.delimited import MAX_CELLS, MAX_COLUMNS
from labelrank_core.io.formats.header import column_names
from labelrank_core.io.formats.optional import needed
from labelrank_core.io.formats.regular import MAX_NUMBERS
from labelrank_core.io.formats.text import MAX_LINES
from labelrank_core.io.sources import PARQUET_MARK, Source
from labelrank_core.io.table import RawTable

_CELLS_AT_ONCE = 12_000_000
_MAX_THREADS = 4
# So many rows of some columns stay in the processor's cache while columns become rows.
_ROWS_AT_ONCE = 8192
_INDEX_COLUMN = re.compile(r"__index_level_\d+__")
_FIRST_LINE = 2  # a spreadsheet would have the names in line 1


def recognises_parquet(source: Source) -> bool:
    """Tell whether a file is a Parquet file."""
    return source.data.startswith(PARQUET_MARK)


def recognises_numbers(source: Source) -> bool:
    """Tell whether a file is a Parquet file of nothing but numbers, which are safe to read here.

    A few bytes can stand for any amount of text, but not for more numbers than cells are allowed.
    """
    if not recognises_parquet(source):
        return False
    try:
        arrow = needed("pyarrow")
        schema = _open(source, MAX_NUMBERS).schema_arrow
    except DatasetError:
        return False
    return all(_is_number(arrow, field.type) for field in schema)


def read_numbers(source: Source, companions: Sequence[Source]) -> RawTable:  # noqa: ARG001
    """Read a Parquet file of nothing but numbers, a few columns at a time."""
    arrow = needed("pyarrow")
    file = _open(source, MAX_NUMBERS)
    named = list(file.schema_arrow.names)
    names, findings = column_names(named, 1)
    n_rows = file.metadata.num_rows
    # The pool of Arrow keeps pages that it had before: new ones can cost more than the reading.
    memory = arrow.allocate_buffer(8 * n_rows * len(names))
    numbers = np.frombuffer(memory, dtype=np.float64).reshape(n_rows, len(names))
    n_together = max(1, _CELLS_AT_ONCE // max(1, n_rows))
    n_threads = min(os.cpu_count() or 1, _MAX_THREADS)
    parts = np.array_split(numbers, n_threads)
    complete = True
    try:
        with ThreadPoolExecutor(n_threads) as threads:
            for first in range(0, len(named), n_together):
                table = file.read(columns=named[first : first + n_together])
                if table.num_rows != n_rows:
                    raise _damaged(source)
                columns = [_as_numbers(arrow, column) for column in table.columns]
                laid = [np.array_split(column, n_threads) for column in columns]
                out = [part[:, first : first + n_together] for part in parts]
                finite = list(threads.map(_lay_out, out, zip(*laid, strict=True)))
                complete &= all(finite)
    except (arrow.ArrowException, OSError, ValueError) as error:
        raise _damaged(source) from error
    # From here on nobody can write there.
    numbers = np.frombuffer(memory.slice(), dtype=np.float64).reshape(n_rows, len(names))
    raw = _table(source, pd.DataFrame(numbers, columns=names, copy=False), findings)
    return replace(raw, complete=complete)


def _lay_out(out: NDArray[np.float64], columns: Sequence[NDArray[np.float64]]) -> bool:
    """Lay columns out as rows; return whether all numbers are finite."""
    finite = True
    for start in range(0, len(out), _ROWS_AT_ONCE):
        rows = slice(start, start + _ROWS_AT_ONCE)
        for j, column in enumerate(columns):
            out[rows, j] = column[rows]
        finite &= bool(np.isfinite(out[rows]).all())
    return finite


def read_parquet(source: Source, companions: Sequence[Source]) -> RawTable:
    """Read a Parquet file with columns of any type.

    Dates and times become text, dictionaries categories, lists of text or whole numbers JSON, such
    as ``["a", "b"]``. Other nested columns and bytes are left out. What the parser raises on
    damaged files is not caught: this runs in a child program.
    """
    if recognises_numbers(source):
        return read_numbers(source, companions)
    arrow = needed("pyarrow")
    table = _open(source, MAX_CELLS).read()
    columns = [_values(arrow, column) for column in table.columns]
    out = [column is None or bool(_INDEX_COLUMN.fullmatch(name))
           for name, column in zip(table.column_names, columns, strict=True)]  # fmt: skip
    names = [name for name, left in zip(table.column_names, out, strict=True) if not left]
    kept = [column for column, left in zip(columns, out, strict=True) if not left]
    left_out = [name for name, left in zip(table.column_names, out, strict=True) if left]
    names, findings = column_names(names, 1)
    if left_out:
        findings.append(_left_out(left_out))
    frame = pd.DataFrame(dict(zip(names, kept, strict=True)), index=range(table.num_rows))
    return _table(source, frame, findings)


def _open(source: Source, most: int) -> Any:
    """Return the file, not yet read, if its table has no more cells than that."""
    arrow = needed("pyarrow")
    parquet = needed("pyarrow.parquet")
    try:
        content = source.path or arrow.BufferReader(source.data)
        file = parquet.ParquetFile(content)
        n_rows, n_columns = file.metadata.num_rows, len(file.schema_arrow)
    except (arrow.ArrowException, OSError, ValueError) as error:
        raise _damaged(source) from error
    if n_rows < 0:
        raise _damaged(source)
    if n_columns > MAX_COLUMNS or n_rows > MAX_LINES or n_rows * n_columns > most:
        message = f"the table has {n_rows} rows and {n_columns} columns, more than can be read."
        hint = "Leave out columns that are not needed, or take a sample of the rows."
        raise DatasetError([Finding("too-large", Severity.ERROR, message, hint)])
    return file


def _damaged(source: Source) -> DatasetError:
    message = f"the file '{shorten(source.name)}' (Parquet) is damaged."
    return DatasetError([Finding("unreadable-file", Severity.ERROR, message, "Write it again.")])


def _table(source: Source, frame: pd.DataFrame, findings: list[Finding]) -> RawTable:
    if frame.empty:
        message = f"found {count_of(len(frame), 'row')} and {count_of(frame.shape[1], 'column')}."
        hint = "Write a column for every feature and label, and a row for every case."
        raise DatasetError([*findings, Finding("no-rows", Severity.ERROR, message, hint)])
    frame.index = pd.RangeIndex(_FIRST_LINE, _FIRST_LINE + len(frame), name="line")
    return RawTable(source.stem, frame, findings=tuple(findings), format="Parquet")


def _left_out(names: Sequence[str]) -> Finding:
    listed = ", ".join(f"'{shorten(name)}'" for name in names[:5])
    more = ", ..." if len(names) > 5 else ""
    message = f"{count_of(len(names), 'column')} not read: {listed}{more}."
    hint = "Nested values, bytes and the index of a data frame are no columns of a table."
    return Finding("left-aside", Severity.WARNING, message, hint)


def _is_number(arrow: Any, kind: Any) -> bool:
    types = arrow.types
    return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind))


def _as_numbers(arrow: Any, column: Any) -> NDArray[Any]:
    column = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    if column.null_count or column.type != arrow.float64():
        column = column.cast(arrow.float64(), safe=False)
    return np.asarray(column.to_numpy(zero_copy_only=False), dtype=np.float64)


def _values(arrow: Any, column: Any) -> Any:
    """Return a column as numbers, text or categories, None for what is none of these."""
    types, kind = arrow.types, column.type
    if types.is_dictionary(kind):
        return _categories(arrow, column)
    if _is_number(arrow, kind) or types.is_decimal(kind):
        return _as_numbers(arrow, column)
    if types.is_temporal(kind):
        return _text(column.cast(arrow.string()).to_pylist())
    if types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind):
        return _text(column.to_pylist())
    if types.is_null(kind):
        return _text([None] * len(column))
    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        return _lists(types, column)
    return None


def _lists(types: Any, column: Any) -> Any:
    """Return lists of text or whole numbers as JSON, None for lists of anything else."""
    inner = column.type.value_type
    if types.is_dictionary(inner):
        inner = inner.value_type
    readable = (types.is_string, types.is_large_string, types.is_integer, types.is_null)
    if not any(fits(inner) for fits in readable):
        return None
    lists = column.to_pylist()
    return _text([one if one is None else json.dumps(one, ensure_ascii=False) for one in lists])


def _text(values: list[Any]) -> Any:
    return pd.array(["" if value is None else value for value in values], dtype="str")


def _categories(arrow: Any, column: Any) -> Any:
    """Return a dictionary of text as categories, any other as what it stands for."""
    whole = column.unify_dictionaries().combine_chunks()
    words = whole.dictionary.to_pylist()
    if not all(isinstance(word, str) for word in words) or len(set(words)) < len(words):
        return _values(arrow, column.cast(column.type.value_type))
    codes = whole.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    return pd.Categorical.from_codes(codes.astype(np.int64), words)
