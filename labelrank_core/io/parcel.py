"""Tables and files as bytes, for the way to a child program and back."""

import io
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse

from labelrank_core.data.findings import Finding, Severity
from labelrank_core.io.sources import Source
from labelrank_core.io.table import RawTable, SparseFeatures
from labelrank_core.io.vocabulary import Role, TargetForm

Parcel = dict[str, NDArray[Any]]


def pack_files(kind: str, files: Sequence[Source]) -> bytes:
    """Return files, and a word that says what they are, as bytes.

    Parameters
    ----------
    kind : str
        The word.
    files : sequence of Source
        The files.

    Returns
    -------
    bytes
        What `unpack_files` takes.
    """
    parcel = {f"file{i}": _as_array(file.whole()) for i, file in enumerate(files)}
    return _sealed({"kind": kind, "names": [file.name for file in files]}, parcel)


def unpack_files(data: bytes) -> tuple[str, list[Source]]:
    """Return what `pack_files` was given.

    Parameters
    ----------
    data : bytes
        What it returned.

    Returns
    -------
    kind : str
        The word.
    files : list of Source
        The files.
    """
    about, parcel = _opened(data)
    files = [Source(name, parcel[f"file{i}"].tobytes()) for i, name in enumerate(about["names"])]
    return about["kind"], files


def pack_table(raw: RawTable) -> bytes:
    """Return a table of one file as bytes.

    Parameters
    ----------
    raw : RawTable
        The table; without a text dialect.

    Returns
    -------
    bytes
        What `unpack_table` takes.
    """
    parcel: Parcel = {}
    about: dict[str, Any] = {
        "name": raw.name,
        "format": raw.format,
        "findings": [asdict(issue) for issue in raw.findings],
        "ragged": [asdict(issue) for issue in raw.ragged],
        "ragged_lines": [int(line) for line in raw.ragged_lines],
        "declared_roles": dict(raw.declared_roles),
        "declared_form": raw.declared_form,
        "declared_labels": list(raw.declared_labels),
    }
    if raw.frame is not None:
        about["columns"] = [_pack_column(raw, j, parcel) for j in range(raw.frame.shape[1])]
        parcel["lines"] = raw.lines
    if raw.split is not None:
        parcel["split"] = raw.split
    if raw.sparse is not None:
        matrix = raw.sparse.matrix
        about["sparse"] = {"names": list(raw.sparse.names), "shape": list(matrix.shape)}
        parcel |= {"data": matrix.data, "indices": matrix.indices, "indptr": matrix.indptr}
    return _sealed(about, parcel)


def unpack_table(data: bytes) -> RawTable:
    """Return what `pack_table` was given.

    Parameters
    ----------
    data : bytes
        What it returned.

    Returns
    -------
    RawTable
        The table.
    """
    about, parcel = _opened(data)
    form = about["declared_form"]
    return RawTable(
        name=about["name"],
        frame=_frame(about, parcel),
        findings=_issues(about["findings"]),
        ragged=_issues(about["ragged"]),
        ragged_lines=tuple(about["ragged_lines"]),
        format=about["format"],
        declared_roles={name: Role(role) for name, role in about["declared_roles"].items()},
        declared_form=None if form is None else TargetForm(form),
        declared_labels=tuple(about["declared_labels"]),
        sparse=_sparse(about, parcel),
        split=parcel.get("split"),
    )


def _pack_column(raw: RawTable, column: int, parcel: Parcel) -> dict[str, Any]:
    assert raw.frame is not None
    values, key = raw.frame.iloc[:, column], f"column{column}"
    about: dict[str, Any] = {"name": raw.names[column], "kind": "numbers"}
    if raw.is_text(column):
        about["kind"] = "text"
        parcel[key] = _as_array(json.dumps(values.tolist()).encode())
    elif isinstance(values.dtype, pd.CategoricalDtype):
        about |= {"kind": "categories", "categories": list(raw.categories(column))}
        parcel[key] = values.cat.codes.to_numpy()
    else:
        parcel[key] = values.to_numpy()
    return about


def _frame(about: dict[str, Any], parcel: Parcel) -> pd.DataFrame | None:
    if "columns" not in about:
        return None
    columns: dict[str, Any] = {}
    for j, column in enumerate(about["columns"]):
        values = parcel[f"column{j}"]
        if column["kind"] == "text":
            columns[column["name"]] = pd.array(json.loads(values.tobytes()), dtype="str")
        elif column["kind"] == "categories":
            columns[column["name"]] = pd.Categorical.from_codes(values, column["categories"])
        else:
            columns[column["name"]] = values
    return pd.DataFrame(columns, index=pd.Index(parcel["lines"], name="line"))


def _sparse(about: dict[str, Any], parcel: Parcel) -> SparseFeatures | None:
    if "sparse" not in about:
        return None
    parts = (parcel["data"], parcel["indices"], parcel["indptr"])
    matrix = sparse.csr_matrix(parts, shape=tuple(about["sparse"]["shape"]))
    return SparseFeatures(matrix, tuple(about["sparse"]["names"]))


def _issues(dicts: list[dict[str, Any]]) -> tuple[Finding, ...]:
    return tuple(Finding(**{**one, "severity": Severity(one["severity"])}) for one in dicts)


def _as_array(data: bytes) -> NDArray[np.uint8]:
    return np.frombuffer(data, dtype=np.uint8)


def _sealed(about: dict[str, Any], parcel: Parcel) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, about=_as_array(json.dumps(about).encode()), **parcel)  # type: ignore[arg-type]
    return buffer.getvalue()


def _opened(data: bytes) -> tuple[dict[str, Any], Parcel]:
    with np.load(io.BytesIO(data), allow_pickle=False) as parcel:
        arrays = {name: parcel[name] for name in parcel.files}
    return json.loads(arrays.pop("about").tobytes()), arrays
