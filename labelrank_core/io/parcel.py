"""Files and cells on the way to a child program and back: JSON and plain arrays."""

import io
import json
import mmap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from labelrank_core.data.findings import Finding, Severity, too_much_text
from labelrank_core.io.cells import (
    ROWS_AT_ONCE,
    Cells,
    Coded,
    Column,
    SparseCells,
    Texts,
    as_text,
    columns_at_once,
    join_texts,
    row_blocks,
)
from labelrank_core.io.sources import Source
from labelrank_core.io.vocabulary import Role, TargetForm

# What the cells of a table may come to when each is written out. A compressed file says the same
# long word for a million cells in a few bytes, and somebody will want to show them.
MAX_TEXT = 500_000_000
# What no column declares as categories; no feature may have as many.
MAX_WORDS = 10_000
_ALIGNED = 64


def pack_files(files: Sequence[Source]) -> bytes:
    """Return files as bytes; those with a path are not read."""
    stream = io.BytesIO()
    _write(stream, [[file.name, file.path and str(file.path)] for file in files])
    for file in files:
        _write(stream, np.frombuffer(file.data, dtype=np.uint8))
    return stream.getvalue()


def unpack_files(data: bytes) -> list[Source]:
    """Return the files packed by `pack_files`."""
    stream = io.BytesIO(data)
    return [
        Source(name, _read(stream).tobytes(), path=path and Path(path))
        for name, path in _read_json(stream)
    ]


def pack_cells(cells: Cells, stream: BinaryIO) -> None:
    """Write cells, or that they hold too much text."""
    columns = cells.columns or {}
    if sum(map(_text_size, columns.values())) > MAX_TEXT:
        cells, columns = Cells(cells.name, findings=[too_much_text(MAX_TEXT)]), {}
    columns = {name: _plain(column) for name, column in columns.items()}
    kinds = {name: type(column).__name__ for name, column in columns.items()}
    sparse, arrays = cells.sparse, [] if cells.split is None else [cells.split]
    if sparse is not None:
        arrays += [sparse.values, sparse.indices, sparse.starts]
    about = {
        **vars(cells),
        "columns": None if cells.columns is None else kinds,
        "lines": None,
        "split": cells.split is not None,
        "sparse": sparse and [sparse.names, sparse.is_open],
    }
    _write(stream, about)
    for column in columns.values():
        if isinstance(column, Coded):
            _write(stream, column.codes)
            _write(stream, column.categories)
    texts = [column for column in columns.values() if isinstance(column, list)]
    _write_texts(stream, texts, len(cells.lines))
    for array in (cells.lines, *arrays):
        _write(stream, array)
    # Row by row, as they are used, and without a matrix of all on the way; where they are read
    # from, numbers begin at a multiple of their size.
    stream.write(bytes(-stream.tell() % _ALIGNED))
    numbers = [column for column in columns.values() if isinstance(column, np.ndarray)]
    for start in range(0, len(cells.lines) if numbers else 0, ROWS_AT_ONCE):
        part = slice(start, start + ROWS_AT_ONCE)
        rows = np.stack([column[part] for column in numbers], axis=1, dtype=np.float64)
        stream.write(rows.data)


def unpack_cells(stream: BinaryIO) -> Cells:
    """Return the cells written by `pack_cells`."""
    stream.seek(0)
    about = _read_json(stream)
    kinds: dict[str, str] = about.pop("columns")
    columns: dict[str, Any] = dict(kinds or {})
    columns.update({name: _read_coded(stream) for name in _names_of("Coded", columns)})
    in_words = _names_of("list", columns)
    columns.update(zip(in_words, _read_texts(stream, len(in_words)), strict=True))
    about["lines"] = _read(stream)
    about["split"] = _read(stream) if about["split"] else None
    if about["sparse"] is not None:
        names, is_open = about["sparse"]
        values, indices, starts = (_read(stream) for _ in range(3))
        about["sparse"] = SparseCells(tuple(names), values, indices, starts, is_open)
    numbers = _names_of("ndarray", columns)
    matrix = _mapped(stream, (len(about["lines"]), len(numbers)))
    columns.update(zip(numbers, matrix.T, strict=True))
    about["roles"] = {name: Role(role) for name, role in about["roles"].items()}
    about["form"] = about["form"] and TargetForm(about["form"])
    for key in ("findings", "ragged"):
        about[key] = [Finding(**one) for one in about[key]]
        about[key] = [replace(one, severity=Severity(one.severity)) for one in about[key]]
    return Cells(columns=None if kinds is None else columns, **about)


def _mapped(stream: BinaryIO, shape: tuple[int, int]) -> NDArray[np.float64]:
    """Return numbers where they are in a file, which is not read before they are used."""
    start = stream.tell() + -stream.tell() % _ALIGNED
    if not shape[0] * shape[1]:
        return np.empty(shape)
    content: Any = (
        stream.getvalue()
        if isinstance(stream, BytesIO)
        else mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    )
    return np.frombuffer(content, np.float64, shape[0] * shape[1], start).reshape(shape)


def _plain(column: Column) -> Column:
    """Return categories as text where they are too many to be kept as a list of words."""
    is_long = isinstance(column, Coded) and len(column.categories) > MAX_WORDS
    return as_text(column) if is_long else column


def _text_size(column: Column) -> int:
    """Return the number of characters in the cells of a column, written out."""
    if isinstance(column, Coded):
        lengths = np.array([*map(len, column.categories), 0], dtype=np.int64)
        return int(lengths[column.codes].sum())
    return sum(map(len, column)) if isinstance(column, list) else 0


def _write(stream: BinaryIO, content: Any) -> None:
    """Write an array, or anything else as JSON."""
    if not isinstance(content, np.ndarray):
        content = np.frombuffer(json.dumps(content, default=vars).encode(), dtype=np.uint8)
    np.lib.format.write_array(stream, content, allow_pickle=False)


def _names_of(kind: str, columns: Mapping[str, Any]) -> list[str]:
    """Return the names of the columns of a kind that are not read yet."""
    return [name for name, column in columns.items() if isinstance(column, str) and column == kind]


def _write_texts(stream: BinaryIO, columns: Sequence[list[str]], n_rows: int) -> None:
    """Write columns of text in blocks that are read one by one, several short ones in one."""
    _write(stream, n_rows)
    n_together = columns_at_once(n_rows)
    for start in range(0, len(columns), n_together):
        batch = columns[start : start + n_together]
        for rows in row_blocks(n_rows):
            _write(stream, [text for column in batch for text in column[rows]])


def _read_texts(stream: BinaryIO, n_columns: int) -> Iterator[Texts]:
    """Yield columns of text."""
    n_rows = _read_json(stream)
    n_together = columns_at_once(n_rows)
    for start in range(0, n_columns, n_together):
        shared = join_texts(_read_json(stream) for _ in row_blocks(n_rows))
        for j in range(min(n_together, n_columns - start)):
            yield Texts(shared, j * n_rows, (j + 1) * n_rows)


def _read_coded(stream: BinaryIO) -> Coded:
    codes = _read(stream)
    return Coded(codes, _read_json(stream))


def _read(stream: BinaryIO) -> NDArray[Any]:
    return np.lib.format.read_array(stream, allow_pickle=False)


def _read_json(stream: BinaryIO) -> Any:
    return json.loads(_read(stream).tobytes())
