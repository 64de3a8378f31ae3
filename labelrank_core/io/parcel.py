"""Files and cells on the way to a child program and back: JSON and plain arrays."""

import io
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from labelrank_core.data.findings import Finding, Severity, too_large
from labelrank_core.io.cells import Cells, Coded, Column, Dialect, SparseCells
from labelrank_core.io.sources import Source
from labelrank_core.io.vocabulary import Role, TargetForm

# What the cells of a table may come to when each is written out. A compressed file says the same
# long word for a million cells in a few bytes, and somebody will want to show them.
MAX_TEXT = 500_000_000

# So many rows of some columns stay in the processor's cache while columns become rows.
_ROWS_AT_ONCE = 8192
_AS_JSON = ("name", "format", "roles", "form", "labels", "titles", "nominal", "doubt", "files",
            "ragged_files", "ragged_lines")  # fmt: skip
_FINDINGS = ("findings", "ragged")


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


def pack_cells(cells: Cells, stream: BinaryIO) -> None:
    """Write cells, or that they hold too much text."""
    if sum(map(_text_size, (cells.columns or {}).values())) > MAX_TEXT:
        message = f"the cells hold more than {MAX_TEXT // 1_000_000} million characters together."
        hint = "Leave out columns of long text, or take a sample of the rows."
        cells = Cells(cells.name, findings=[too_large(message, hint)])
    about: dict[str, Any] = {key: getattr(cells, key) for key in _AS_JSON}
    about |= {key: [asdict(finding) for finding in getattr(cells, key)] for key in _FINDINGS}
    about["dialect"] = cells.dialect and asdict(cells.dialect)
    about["split"] = cells.split is not None
    about["sparse"] = cells.sparse and list(cells.sparse.names)
    columns = (cells.columns or {}).items()
    about["columns"] = None if cells.columns is None else [[name, _kind(c)] for name, c in columns]
    _write_json(stream, about)
    for _, column in columns:
        if isinstance(column, list):
            _write_json(stream, column)
        elif isinstance(column, Coded):
            _write_json(stream, list(column.words))
            _write_array(stream, column.codes)
    _write_rows(stream, [c for _, c in columns if isinstance(c, np.ndarray)], len(cells.lines))
    _write_array(stream, cells.lines)
    if cells.split is not None:
        _write_array(stream, cells.split)
    if cells.sparse is not None:
        for array in (cells.sparse.values, cells.sparse.indices, cells.sparse.starts):
            _write_array(stream, array)


def unpack_cells(stream: BinaryIO) -> Cells:
    """Return what `pack_cells` was given; columns of numbers lie side by side in one array."""
    about = _read_json(stream)
    kinds, dialect, form = about["columns"], about["dialect"], about["form"]
    columns: dict[str, Any] = {}
    for name, kind in kinds or ():
        columns[name] = None if kind == "numbers" else _read_json(stream)
        if kind == "coded":
            columns[name] = Coded(_read_array(stream), columns[name])
    numbers = iter(_read_array(stream).T)
    columns |= {name: next(numbers) for name, kind in kinds or () if kind == "numbers"}
    told: dict[str, Any] = {key: about[key] for key in _AS_JSON}
    told |= {key: [_finding(one) for one in about[key]] for key in _FINDINGS}
    told["roles"] = {name: Role(role) for name, role in about["roles"].items()}
    told["form"] = None if form is None else TargetForm(form)
    told["dialect"] = None if dialect is None else Dialect(**dialect)
    told["columns"] = None if kinds is None else columns
    told["lines"] = _read_array(stream)
    if about["split"]:
        told["split"] = _read_array(stream)
    if about["sparse"] is not None:
        told["sparse"] = SparseCells(
            tuple(about["sparse"]), *(_read_array(stream) for _ in range(3))
        )
    return Cells(**told)


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


def _write_rows(stream: BinaryIO, columns: list[NDArray[Any]], n_rows: int) -> None:
    """Write columns of numbers row by row, without a second copy of them all."""
    shape = (n_rows, len(columns))
    about = {"descr": "<f8", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(stream, about)
    for start in range(0, n_rows if columns else 0, _ROWS_AT_ONCE):
        rows = [column[start : start + _ROWS_AT_ONCE] for column in columns]
        stream.write(np.stack(rows, axis=1).astype("<f8", copy=False).data)
