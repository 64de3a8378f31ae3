"""Data sets as Parquet, with categories as declared and numbers to the last digit."""

import io
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
import pandas as pd

from labelrank_core.data.dataset import Dataset
from labelrank_core.io.writing import losses
from labelrank_core.io.writing.columns import feature_columns, heads, row_blocks
from labelrank_core.io.writing.file_names import Files, file_stem
from labelrank_core.io.writing.losses import Losses


def parquet_losses(dataset: Dataset) -> Losses:
    """Say what a Parquet file does not hold."""
    if find_spec("pyarrow") is None:
        message = "writing this format needs the package pyarrow, which is not installed."
        return losses.refused("missing-package", message, "Install it with: pip install pyarrow")
    cannot = "has half of a character, which no text can hold"
    names = losses.all_names(dataset)
    return [
        *losses.refused_names(names, losses.is_unicode, cannot, what="column, category or label"),
        *losses.written_dense(dataset),
    ]


def write_parquet(dataset: Dataset) -> Files:
    """Write one table, a column a label."""
    return [(f"{file_stem(dataset.name)}.parquet", partial(_table, dataset))]


def _table(dataset: Dataset) -> bytes:
    arrow = import_module("pyarrow")
    names = [head.name for head in heads(dataset)]
    buffer = io.BytesIO()
    writer = None
    for rows in row_blocks(dataset.n_samples, len(names)):
        table = arrow.table(_arrays(arrow, dataset, rows), names=names)
        writer = writer or import_module("pyarrow.parquet").ParquetWriter(buffer, table.schema)
        writer.write_table(table)
    if writer is not None:
        writer.close()
    return buffer.getvalue()


def _arrays(arrow: Any, dataset: Dataset, rows: slice) -> list[Any]:
    arrays = [_array(arrow, values) for values in feature_columns(dataset, rows)]
    places = dataset.Y[rows].T
    missing = np.isnan(places)
    whole = np.where(missing, 0, places).astype(np.int32)
    arrays += [arrow.array(column, mask=mask) for column, mask in zip(whole, missing,
                                                      strict=True)]  # fmt: skip
    if dataset.split is not None:
        arrays.append(arrow.array(np.where(dataset.split[rows], "test", "train").tolist()))
    return arrays


def _array(arrow: Any, values: Any) -> Any:
    if not isinstance(values, pd.Categorical):
        return arrow.array(np.ascontiguousarray(values))
    categories = arrow.array(list(values.categories), arrow.string())
    return arrow.DictionaryArray.from_arrays(arrow.array(values.codes, arrow.int32()), categories)
