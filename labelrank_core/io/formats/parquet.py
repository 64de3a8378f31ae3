"""Parquet files, read and written by pyarrow."""

import io
import json
import re
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from labelrank_core.data.findings import (
    DatasetError,
    Finding,
    Severity,
    count_of,
    listed,
    refusal,
    shorten,
    too_large,
    too_much_text,
)
from labelrank_core.io.cells import (
    MAX_CELLS,
    MAX_COLUMNS,
    MAX_LINES,
    MAX_NUMBERS,
    Cells,
    Coded,
    Column,
)
from labelrank_core.io.formats.base import Export, Format, Writer, import_package, one_file
from labelrank_core.io.header import column_names
from labelrank_core.io.limits import max_answer
from labelrank_core.io.sources import Source

_MARK = b"PAR1"
_INDEX_COLUMN = re.compile(r"__index_level_\d++__")
_FIRST_LINE = 2  # a spreadsheet would have the names in line 1


def recognises(source: Source) -> bool:
    """Tell whether a file begins like a Parquet file."""
    return source.data.startswith(_MARK)


def read(source: Source, _: Sequence[Source] = ()) -> Cells:
    """Read columns of any type.

    Dates and times become text, dictionaries categories, lists of text or whole numbers JSON, such
    as ``["a", "b"]``. Other nested columns and bytes are left out.
    """
    arrow, parquet = import_package("pyarrow"), import_package("pyarrow.parquet")
    try:
        file = parquet.ParquetFile(arrow.BufferReader(source.data))
        names, n_rows = file.schema_arrow.names, file.metadata.num_rows
        _check_size(arrow, file.schema_arrow, n_rows)
        table = file.read()
        if table.num_rows != n_rows:
            raise ValueError("rows are missing")
        _check_text(arrow, table, max_answer(len(source.data)))
        read_columns = [_column(arrow, column) for column in table.columns]
    except (DatasetError, MemoryError):
        raise
    except (arrow.ArrowException, OSError, ValueError, IndexError) as error:
        message = f"the file '{shorten(source.name)}' (Parquet) is damaged."
        raise refusal("unreadable-file", message, "Write it again.") from error
    named_columns = list(zip(names, read_columns, strict=True))
    ignored = [
        name for name, column in named_columns if column is None or _INDEX_COLUMN.fullmatch(name)
    ]
    usable = [
        (name, c)
        for name, c in named_columns
        if c is not None and not _INDEX_COLUMN.fullmatch(name)
    ]
    names, findings = column_names([name for name, _ in usable], 1)
    if ignored:
        message = f"{count_of(len(ignored), 'column')} not read: {listed(ignored)}."
        hint = "Nested values, bytes and the index of a data frame cannot be columns of a table."
        findings.append(Finding("left-aside", Severity.WARNING, message, hint))
    if not n_rows or not names:
        message = f"found {count_of(n_rows, 'row')} and {count_of(len(names), 'column')}."
        hint = "Write a column for every feature and label, and a row for every case."
        raise DatasetError([*findings, Finding("no-rows", Severity.ERROR, message, hint)])
    columns = dict(zip(names, (column for _, column in usable), strict=True))
    lines = np.arange(_FIRST_LINE, _FIRST_LINE + n_rows)
    return Cells(source.stem, columns, lines, "Parquet", findings=findings)


def _check_size(arrow: Any, schema: Any, n_rows: int) -> None:
    """Refuse a table that would fill the memory before anything of it is unpacked."""
    only_numbers = all(_is_number(arrow, field.type) for field in schema)
    max_cells, n_columns = MAX_NUMBERS if only_numbers else MAX_CELLS, len(schema)
    if n_rows < 0:
        raise ValueError("a negative number of rows")
    if n_columns > MAX_COLUMNS or n_rows > MAX_LINES or n_rows * n_columns > max_cells:
        size = f"{n_rows} rows and {n_columns} columns, more than can be read"
        raise DatasetError([too_large(f"the table has {size}.")])


def _check_text(arrow: Any, table: Any, max_characters: int) -> None:
    """Refuse text that comes to more than may be read before there is an object for each cell."""
    texts = (arrow.string(), arrow.large_string())
    if sum(column.nbytes for column in table.columns if column.type in texts) > 4 * max_characters:
        raise DatasetError([too_much_text(max_characters)])


def _is_number(arrow: Any, kind: Any) -> bool:
    types = arrow.types
    return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind))


def _column(arrow: Any, column: Any) -> Column | None:
    """Return a column as numbers, text or categories; None for any other type."""
    types, kind = arrow.types, column.type
    if types.is_dictionary(kind):
        return _categories(arrow, column)
    if _is_number(arrow, kind) or types.is_decimal(kind):
        floats = column.cast(arrow.float64(), safe=False)
        return np.asarray(floats.to_numpy(zero_copy_only=False))
    if types.is_temporal(kind):
        column = column.cast(arrow.string())
    elif types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        return _lists(arrow, column)
    elif kind not in (arrow.string(), arrow.large_string(), arrow.string_view(), arrow.null()):
        return None
    return [value or "" for value in column.to_pylist()]


def _categories(arrow: Any, column: Any) -> Column | None:
    """Return a dictionary of text as categories, any other as its values."""
    combined = column.unify_dictionaries().combine_chunks()
    categories = combined.dictionary.to_pylist()
    if not all(isinstance(category, str) for category in categories) or len(set(categories)) < len(
        categories
    ):
        return _column(arrow, column.cast(column.type.value_type))
    codes = combined.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    if len(codes) and not -1 <= codes.min() <= codes.max() < len(categories):
        raise ValueError("a category that is not in the dictionary")
    return Coded(codes.astype(np.int32), categories)


def _lists(arrow: Any, column: Any) -> list[str] | None:
    """Return lists of text or whole numbers as JSON, None for lists of anything else."""
    inner = column.type.value_type
    if arrow.types.is_dictionary(inner):
        inner = inner.value_type
    texts = (arrow.string(), arrow.large_string(), arrow.null())
    if inner not in texts and not arrow.types.is_integer(inner):
        return None
    lists = column.to_pylist()
    return ["" if one is None else json.dumps(one, ensure_ascii=False) for one in lists]


def _losses(data: Export) -> list[Finding]:
    if refused := data.no_pairs():
        return refused
    names = data.odd_text(unicode_only=True)
    return [*data.no_package("pyarrow"), *names, *data.too_large_to_read()]


def _content(data: Export) -> list[bytes]:
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    content = _table(data, arrow, parquet)
    # Numbers that are packed too well would not be read.
    if 8 * len(data.heads()) * data.dataset.n_samples > max_answer(len(content)):
        content = _table(data, arrow, parquet, compression="none", use_dictionary=False)
    return [content]


def _table(data: Export, arrow: Any, parquet: Any, **options: Any) -> bytes:
    buffer, writer = io.BytesIO(), None
    for rows in data.blocks():
        n_features = len(data.dataset.schema.columns)
        arrays = [_array(arrow, c, j < n_features) for j, c in enumerate(data.columns(rows))]
        table = arrow.table(arrays, names=data.heads())
        writer = writer or parquet.ParquetWriter(buffer, table.schema, **options)
        writer.write_table(table)
    if writer is not None:
        writer.close()
    return buffer.getvalue()


def _array(arrow: Any, column: Column, is_feature: bool) -> Any:
    if not isinstance(column, Coded):
        kind = arrow.float64() if is_feature else arrow.int32()
        return arrow.array(column, kind, from_pandas=True)
    categories = arrow.array(list(column.categories), arrow.string())
    return arrow.DictionaryArray.from_arrays(arrow.array(column.codes, arrow.int32()), categories)


FORMAT = Format(
    "Parquet file",
    recognises,
    read,
    writers=(
        Writer(
            "parquet",
            "Parquet",
            "A typed, compressed table with a column per label.",
            _losses,
            partial(one_file, ".parquet", _content),
        ),
    ),
)
