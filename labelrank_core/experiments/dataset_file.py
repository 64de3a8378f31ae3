"""Data sets as named arrays, and those as bytes without pickles, so reading runs no code."""

import json
import zipfile
import zlib
from collections.abc import Mapping
from io import BytesIO
from typing import Any

import numpy as np
from scipy import sparse

from labelrank_core.data import Column, Dataset, Schema, Task

# The errors that reading damaged bytes raises.
DAMAGED = (zipfile.BadZipFile, zlib.error, ValueError, KeyError, TypeError, EOFError, OSError)


def packed(arrays: Mapping[str, Any]) -> bytes:
    """Return named arrays as the bytes of a compressed .npz file."""
    buffer = BytesIO()
    np.savez_compressed(buffer, **{name: np.asarray(array) for name, array in arrays.items()})  # type: ignore[arg-type]
    return buffer.getvalue()


def unpacked(content: bytes) -> dict[str, Any]:
    """Return the named arrays of `packed`; objects are refused."""
    with np.load(BytesIO(content), allow_pickle=False) as arrays:
        return dict(arrays)


def dataset_arrays(dataset: Dataset) -> dict[str, Any]:
    """Return a data set, without its findings, as named arrays."""
    facts = {
        "task": dataset.task,
        "feature_names": list(dataset.feature_names),
        "label_names": list(dataset.label_names),
        "name": dataset.name,
        "columns": [(c.name, c.kind, list(c.categories)) for c in dataset.schema.columns],
        "shape": list(dataset.X.shape),
    }
    X = dataset.X
    arrays = {"Y": dataset.Y, "facts": np.frombuffer(json.dumps(facts).encode(), dtype=np.uint8)}
    if dataset.is_sparse:
        arrays |= {"X_data": X.data, "X_indices": X.indices, "X_indptr": X.indptr}
    else:
        arrays["X"] = X
    if dataset.split is not None:
        arrays["split"] = dataset.split
    return arrays


def dataset_of(arrays: Mapping[str, Any]) -> Dataset:
    """Return the data set of `dataset_arrays`, with the same fingerprint."""
    facts = json.loads(arrays["facts"].tobytes())
    if "X" in arrays:
        X = arrays["X"]
    else:
        parts = (arrays["X_data"], arrays["X_indices"], arrays["X_indptr"])
        X = sparse.csr_matrix(parts, shape=facts["shape"])
    return Dataset(
        X=X,
        Y=arrays["Y"],
        task=Task(facts["task"]),
        feature_names=facts["feature_names"],
        label_names=facts["label_names"],
        name=facts["name"],
        split=arrays.get("split"),
        schema=Schema(tuple(Column(n, kind, tuple(c)) for n, kind, c in facts["columns"])),
    )
