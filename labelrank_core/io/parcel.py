"""Files and tables on the way to a child program and back: JSON and plain arrays."""

import io
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse

from labelrank_core.data.findings import Finding, Severity
from labelrank_core.io.sources import Source
from labelrank_core.io.table import Dialect, RawTable, SparseFeatures
from labelrank_core.io.vocabulary import Role, TargetForm

# What the cells of a table may come to when each is written out. A compressed file says the same
# long word for a million cells in a few bytes, and somebody will want to show them.
MAX_TEXT = 500_000_000


def pack_files(files: Sequence[Source]) -> bytes:
    """Return files as bytes; those with a path are not read."""
    stream = io.BytesIO()
    about = [[file.name, None if file.path is None else str(file.path)] for file in files]
    _write_json(stream, about)
    for file in files:
        _write_array(stream, np.frombuffer(file.data, dtype=np.uint8))
    return stream.getvalue()


def unpack_files(data: bytes) -> list[Source]:
    """Return what `pack_files` was given."""
    stream = io.BytesIO(data)
    return [
        Source(name, _read_array(stream).tobytes(), path=None if path is None else Path(path))
        for name, path in _read_json(stream)
    ]


def pack_table(raw: RawTable, stream: BinaryIO) -> None:
    """Write a table, or that its text is too much."""
    about: dict[str, Any] = {
        "name": raw.name,
        "dialect": None if raw.dialect is None else asdict(raw.dialect),
        "format": raw.format,
        "findings": [asdict(issue) for issue in raw.findings],
        "ragged": [asdict(issue) for issue in raw.ragged],
        "ragged_lines": [int(line) for line in raw.ragged_lines],
        "declared_roles": dict(raw.declared_roles),
        "declared_form": raw.declared_form,
        "declared_labels": list(raw.declared_labels),
        "doubt": raw.doubt,
        "files": list(raw.files),
        "ragged_files": [str(file) for file in raw.ragged_files],
        "titles": dict(raw.titles),
        "nominal": sorted(raw.nominal),
        "complete": raw.complete,
    }
    arrays: list[NDArray[Any]] = []
    if raw.frame is not None:
        if _text_size(raw) > MAX_TEXT:
            return pack_table(RawTable(raw.name, None, findings=(_too_much_text(),)), stream)
        numbers = [j for j in range(raw.frame.shape[1]) if _is_float(raw.frame.dtypes.iloc[j])]
        about["columns"] = [_packed_column(raw, j, arrays) for j in range(raw.frame.shape[1])]
        arrays.append(raw.lines)
        # All numbers as one array, which is what they become.
        arrays.append(raw.frame.iloc[:, numbers].to_numpy(dtype=np.float64))
    if raw.split is not None:
        about["split"] = True
        arrays.append(raw.split)
    if raw.sparse is not None:
        matrix = raw.sparse.matrix
        about["sparse"] = {"names": list(raw.sparse.names), "shape": list(matrix.shape)}
        arrays += [matrix.data, matrix.indices, matrix.indptr]
    _write_json(stream, about)
    for array in arrays:
        _write_array(stream, array)
    return None


def unpack_table(stream: BinaryIO) -> RawTable:
    """Return what `pack_table` was given."""
    about = _read_json(stream)
    form = about["declared_form"]
    return RawTable(
        name=about["name"],
        frame=_frame(about["columns"], stream) if "columns" in about else None,
        dialect=None if about["dialect"] is None else Dialect(**about["dialect"]),
        findings=_issues(about["findings"]),
        ragged=_issues(about["ragged"]),
        ragged_lines=tuple(about["ragged_lines"]),
        format=about["format"],
        declared_roles={name: Role(role) for name, role in about["declared_roles"].items()},
        declared_form=None if form is None else TargetForm(form),
        declared_labels=tuple(about["declared_labels"]),
        doubt=about["doubt"],
        split=_read_array(stream) if "split" in about else None,
        sparse=_sparse(about["sparse"], stream) if "sparse" in about else None,
        files=tuple(about["files"]),
        ragged_files=tuple(about["ragged_files"]),
        titles=about["titles"],
        nominal=frozenset(about["nominal"]),
        complete=about["complete"],
    )


def _is_float(dtype: Any) -> bool:
    return bool(dtype == np.float64)


def _text_size(raw: RawTable) -> int:
    """Return how many characters the cells of text and of categories hold, written out."""
    assert raw.frame is not None
    size = 0
    for j in range(raw.frame.shape[1]):
        values = raw.frame.iloc[:, j]
        if isinstance(values.dtype, pd.CategoricalDtype):
            lengths = np.array([*map(len, raw.categories(j)), 0], dtype=np.int64)
            size += int(lengths[values.cat.codes.to_numpy()].sum())
        elif raw.is_text(j):
            size += int(values.str.len().sum())
    return size


def _too_much_text() -> Finding:
    message = f"the cells hold more than {MAX_TEXT // 1_000_000} million characters together."
    hint = "Leave out columns of long text, or take a sample of the rows."
    return Finding("too-large", Severity.ERROR, message, hint)


def _packed_column(raw: RawTable, column: int, arrays: list[NDArray[Any]]) -> dict[str, Any]:
    assert raw.frame is not None
    values = raw.frame.iloc[:, column]
    about: dict[str, Any] = {"name": raw.names[column], "kind": "array"}
    if _is_float(values.dtype):
        about["kind"] = "numbers"
    elif raw.is_text(column):
        about["kind"] = "text"
        arrays.append(np.frombuffer(json.dumps(values.tolist()).encode(), dtype=np.uint8))
    elif isinstance(values.dtype, pd.CategoricalDtype):
        about |= {"kind": "categories", "categories": list(raw.categories(column))}
        arrays.append(values.cat.codes.to_numpy())
    else:
        arrays.append(values.to_numpy())
    return about


def _frame(columns: list[dict[str, Any]], stream: BinaryIO) -> pd.DataFrame:
    read: dict[str, Any] = {}
    for column in columns:
        name, kind = column["name"], column["kind"]
        read[name] = None if kind == "numbers" else _read_array(stream)
        if kind == "text":
            read[name] = pd.array(json.loads(read[name].tobytes()), dtype="str")
        elif kind == "categories":
            words = pd.Index(column["categories"], dtype="str")
            read[name] = pd.Categorical.from_codes(read[name], words)
    index = pd.Index(_read_array(stream), name="line")
    numbers = _read_array(stream)
    numbers.setflags(write=False)
    if numbers.shape[1] == len(columns):
        return pd.DataFrame(numbers, columns=list(read), index=index, copy=False)
    places = iter(numbers.T)
    cells = {name: next(places) if part is None else part for name, part in read.items()}
    return pd.DataFrame(cells, index=index)


def _sparse(about: dict[str, Any], stream: BinaryIO) -> SparseFeatures:
    parts = tuple(_read_array(stream) for _ in range(3))
    matrix = sparse.csr_matrix(parts, shape=tuple(about["shape"]))
    return SparseFeatures(matrix, tuple(about["names"]))


def _issues(dicts: list[dict[str, Any]]) -> tuple[Finding, ...]:
    return tuple(Finding(**{**one, "severity": Severity(one["severity"])}) for one in dicts)


def _write_json(stream: BinaryIO, about: Any) -> None:
    _write_array(stream, np.frombuffer(json.dumps(about).encode(), dtype=np.uint8))


def _read_json(stream: BinaryIO) -> Any:
    return json.loads(_read_array(stream).tobytes())


def _write_array(stream: BinaryIO, array: NDArray[Any]) -> None:
    np.lib.format.write_array(stream, np.asarray(array), allow_pickle=False)


def _read_array(stream: BinaryIO) -> NDArray[Any]:
    return np.lib.format.read_array(stream, allow_pickle=False)
