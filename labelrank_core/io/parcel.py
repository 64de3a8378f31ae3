"""Files and cells on the way to a child program and back: JSON and plain arrays."""

import io
import json
import mmap
import struct
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

import numpy as np
from numpy.typing import NDArray

from labelrank_core.data.findings import Finding, Severity, too_large
from labelrank_core.io.cells import (
    NEW_ROWS,
    Cells,
    Coded,
    Column,
    Dialect,
    SparseCells,
    put_rows,
)
from labelrank_core.io.sources import Source
from labelrank_core.io.vocabulary import Role, TargetForm

# What the cells of a table may come to when each is written out. A compressed file says the same
# long word for a million cells in a few bytes, and somebody will want to show them.
MAX_TEXT = 500_000_000

_AS_JSON = ("name", "format", "roles", "form", "labels", "titles", "nominal", "doubt", "files",
            "ragged_files", "ragged_lines")  # fmt: skip
_FINDINGS = ("findings", "ragged")
# Ends a file: where what is said of the cells begins, behind their numbers.
_START = struct.Struct("<q")

# Where a column of numbers lies: the offset and the shape of an array, and which of its columns.
_Place: TypeAlias = tuple[int, int, int, int]


def pack_files(files: Sequence[Source]) -> bytes:
    """Return files as bytes; those with a path are not read."""
    stream = io.BytesIO()
    _write_json(stream, [[file.name, file.path and str(file.path)] for file in files])
    for file in files:
        _write_array(stream, np.frombuffer(file.data, dtype=np.uint8))
    return stream.getvalue()


def unpack_files(data: bytes) -> list[Source]:
    """Return what `pack_files` was given."""
    stream = io.BytesIO(data)
    return [
        Source(name, _read_array(stream).tobytes(), path=path and Path(path))
        for name, path in _read_json(stream)
    ]


@contextmanager
def rows_in(stream: BinaryIO) -> Iterator[list[np.memmap]]:
    """Have readers put their numbers at the end of a file; lists the arrays made there."""
    blocks: list[np.memmap] = []

    def new_rows(shape: tuple[int, int]) -> NDArray[np.float64]:
        blocks.append(_new_rows(stream, shape))
        return np.asarray(blocks[-1])

    token = NEW_ROWS.set(new_rows)
    try:
        yield blocks
    finally:
        NEW_ROWS.reset(token)


def pack_cells(cells: Cells, stream: BinaryIO, blocks: Sequence[np.memmap] = ()) -> None:
    """Write cells, or that they hold too much text; numbers in `blocks` of the file stay there."""
    if sum(map(_text_size, (cells.columns or {}).values())) > MAX_TEXT:
        message = f"the cells hold more than {MAX_TEXT // 1_000_000} million characters together."
        hint = "Leave out columns of long text, or take a sample of the rows."
        cells = Cells(cells.name, findings=[too_large(message, hint)])
    columns = cells.columns or {}
    numbers = {name: c for name, c in columns.items() if isinstance(c, np.ndarray)}
    about: dict[str, Any] = {key: getattr(cells, key) for key in _AS_JSON}
    about |= {key: [asdict(finding) for finding in getattr(cells, key)] for key in _FINDINGS}
    about["dialect"] = cells.dialect and asdict(cells.dialect)
    about["split"] = cells.split is not None
    about["sparse"] = cells.sparse and [list(cells.sparse.names), cells.sparse.is_open]
    about["numbers"] = _put(numbers, blocks, stream)
    kinds = [[name, _kind(column)] for name, column in columns.items()]
    about["columns"] = None if cells.columns is None else kinds
    start = stream.seek(0, io.SEEK_END)
    _write_json(stream, about)
    for column in columns.values():
        if isinstance(column, list):
            _write_json(stream, column)
        elif isinstance(column, Coded):
            _write_json(stream, list(column.words))
            _write_array(stream, column.codes)
    _write_array(stream, cells.lines)
    if cells.split is not None:
        _write_array(stream, cells.split)
    if cells.sparse is not None:
        for array in (cells.sparse.values, cells.sparse.indices, cells.sparse.starts):
            _write_array(stream, array)
    stream.write(_START.pack(start))


def unpack_cells(stream: BinaryIO) -> Cells:
    """Return what `pack_cells` has written; its numbers are not copied out of the file."""
    stream.seek(-_START.size, io.SEEK_END)
    stream.seek(*_START.unpack(stream.read(_START.size)))
    about = _read_json(stream)
    dialect, form = about["dialect"], about["form"]
    texts = {
        name: _read_json(stream) if kind == "text" else Coded(*_read_coded(stream))
        for name, kind in about["columns"] or ()
        if kind != "numbers"
    }
    told: dict[str, Any] = {key: about[key] for key in _AS_JSON}
    told |= {key: [_finding(one) for one in about[key]] for key in _FINDINGS}
    told["roles"] = {name: Role(role) for name, role in about["roles"].items()}
    told["form"] = None if form is None else TargetForm(form)
    told["dialect"] = None if dialect is None else Dialect(**dialect)
    told["lines"] = _read_array(stream)
    if about["split"]:
        told["split"] = _read_array(stream)
    if about["sparse"] is not None:
        values, indices, starts = (_read_array(stream) for _ in range(3))
        names, is_open = about["sparse"]
        told["sparse"] = SparseCells(tuple(names), values, indices, starts, is_open)
    if about["columns"] is not None:
        # Finding the numbers moves the stream.
        found = texts | _found(about["numbers"], stream)
        told["columns"] = {name: found.get(name, np.empty(0)) for name, _ in about["columns"]}
    return Cells(**told)


def _new_rows(stream: BinaryIO, shape: tuple[int, int]) -> np.memmap:
    """Lengthen a file by an array."""
    end = stream.seek(0, io.SEEK_END)
    offset = -(-end // mmap.ALLOCATIONGRANULARITY) * mmap.ALLOCATIONGRANULARITY
    return np.memmap(stream, np.float64, "r+", offset, shape)


def _put(
    columns: Mapping[str, NDArray[Any]], blocks: Sequence[np.memmap], stream: BinaryIO
) -> dict[str, _Place]:
    """Return where columns lie in a file; those that lie in none of its arrays get one."""
    places: dict[str, _Place] = {}
    for name, column in columns.items():
        for block in blocks:
            first = block[:, 0]
            j, rest = divmod(column.ctypes.data - first.ctypes.data, block.itemsize)
            alike = (column.dtype, column.shape, column.strides) == (
                (block.dtype, first.shape, first.strides)
            )
            if alike and not rest and 0 <= j < block.shape[1]:
                places[name] = (block.offset, *block.shape, j)
    others = {name: column for name, column in columns.items() if name not in places}
    n_rows = max(map(len, others.values()), default=0)
    if n_rows:
        rows = _new_rows(stream, (n_rows, len(others)))
        put_rows(rows, list(others.values()))
        places |= {name: (rows.offset, *rows.shape, j) for j, name in enumerate(others)}
    return places


def _found(places: Mapping[str, _Place], stream: BinaryIO) -> dict[str, NDArray[np.float64]]:
    """Return the columns that `_put` has put into a file."""
    shapes = {offset: (n_rows, n_columns) for offset, n_rows, n_columns, _ in places.values()}
    blocks = {
        offset: np.asarray(np.memmap(stream, np.float64, "r", offset, shape))
        for offset, shape in shapes.items()
    }
    return {name: blocks[offset][:, j] for name, (offset, _, _, j) in places.items()}


def _read_coded(stream: BinaryIO) -> tuple[NDArray[Any], list[str]]:
    words = _read_json(stream)
    return _read_array(stream), words


def _kind(column: Column) -> str:
    if isinstance(column, Coded):
        return "coded"
    return "text" if isinstance(column, list) else "numbers"


def _text_size(column: Column) -> int:
    """Return how many characters the cells of a column hold, written out."""
    if isinstance(column, Coded):
        lengths = np.array([*map(len, column.words), 0], dtype=np.int64)
        return int(lengths[column.codes].sum())
    return sum(map(len, column)) if isinstance(column, list) else 0


def _finding(about: dict[str, Any]) -> Finding:
    return Finding(**{**about, "severity": Severity(about["severity"])})


def _write_json(stream: BinaryIO, about: Any) -> None:
    _write_array(stream, np.frombuffer(json.dumps(about).encode(), dtype=np.uint8))


def _read_json(stream: BinaryIO) -> Any:
    return json.loads(_read_array(stream).tobytes())


def _write_array(stream: BinaryIO, array: NDArray[Any]) -> None:
    np.lib.format.write_array(stream, array, allow_pickle=False)


def _read_array(stream: BinaryIO) -> NDArray[Any]:
    return np.lib.format.read_array(stream, allow_pickle=False)
