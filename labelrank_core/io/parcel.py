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
from labelrank_core.io.cells import ROWS_AT_ONCE, Cells, Coded, Column, SparseCells
from labelrank_core.io.sources import Source
from labelrank_core.io.vocabulary import Role, TargetForm

# What the cells of a table may come to when each is written out. A compressed file says the same
# long word for a million cells in a few bytes, and somebody will want to show them.
MAX_TEXT = 500_000_000

_AS_JSON = ("name", "format", "encoding", "roles", "form", "labels", "titles", "nominal", "doubt",
            "files", "ragged_files", "ragged_lines")  # fmt: skip
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
    about["split"] = cells.split is not None
    about["sparse"] = cells.sparse and [cells.sparse.names, cells.sparse.is_open]
    about["columns"] = None if cells.columns is None else list(cells.columns)
    _write_json(stream, about)
    columns = list((cells.columns or {}).values())
    for column in columns:
        _write_column(stream, column)
    _write_array(stream, cells.lines)
    # Row by row, as they are used, and without a matrix of all on the way.
    numbers = [column for column in columns if isinstance(column, np.ndarray)]
    for start in range(0, len(cells.lines) if numbers else 0, ROWS_AT_ONCE):
        part = slice(start, start + ROWS_AT_ONCE)
        rows = np.stack([column[part] for column in numbers], axis=1, dtype=np.float64)
        stream.write(rows.tobytes())
    if cells.split is not None:
        _write_array(stream, cells.split)
    if cells.sparse is not None:
        for array in (cells.sparse.values, cells.sparse.indices, cells.sparse.starts):
            _write_array(stream, array)


def unpack_cells(stream: BinaryIO) -> Cells:
    """Return what `pack_cells` has written."""
    stream.seek(0)
    about = _read_json(stream)
    fields: dict[str, Any] = {key: about[key] for key in _AS_JSON}
    fields |= {key: [_finding(one) for one in about[key]] for key in _FINDINGS}
    fields["roles"] = {name: Role(role) for name, role in about["roles"].items()}
    fields["form"] = about["form"] and TargetForm(about["form"])
    others = [_read_column(stream) for _ in about["columns"] or ()]
    fields["lines"] = _read_array(stream)
    shape = (len(fields["lines"]), others.count(None))
    own = iter(np.fromfile(stream, np.float64, shape[0] * shape[1]).reshape(shape).T)
    if about["columns"] is not None:
        columns = [next(own) if column is None else column for column in others]
        fields["columns"] = dict(zip(about["columns"], columns, strict=True))
    if about["split"]:
        fields["split"] = _read_array(stream)
    if about["sparse"] is not None:
        values, indices, starts = (_read_array(stream) for _ in range(3))
        names, is_open = about["sparse"]
        fields["sparse"] = SparseCells(tuple(names), values, indices, starts, is_open)
    return Cells(**fields)


def _write_column(stream: BinaryIO, column: Column) -> None:
    """Write text, words and the codes of categories, or that there are numbers."""
    if isinstance(column, list):
        _write_json(stream, ["text", column])
    elif isinstance(column, Coded):
        _write_json(stream, ["coded", column.words])
        _write_array(stream, column.codes)
    else:
        _write_json(stream, ["numbers", []])


def _read_column(stream: BinaryIO) -> Column | None:
    kind, words = _read_json(stream)
    if kind == "text":
        return list(words)
    return Coded(_read_array(stream), words) if kind == "coded" else None


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
