"""Multi-label data as libsvm text: ``0,3 1:0.5 7:2``, names in comment lines."""

import io
import json
from collections.abc import Iterator
from functools import partial
from typing import Any

from scipy import sparse

from labelrank_core.data.dataset import Dataset
from labelrank_core.io.marks import FEATURE_LINE, LABEL_LINE
from labelrank_core.io.writing import losses
from labelrank_core.io.writing.columns import number_texts, row_blocks
from labelrank_core.io.writing.file_names import Files, parts
from labelrank_core.io.writing.losses import Losses
from labelrank_core.io.writing.packed import gzipped


def libsvm_losses(dataset: Dataset) -> Losses:
    """Say what libsvm text does not hold."""
    return [
        *losses.no_relevance(dataset),
        *losses.other_storage(),
        *losses.odd_text(dataset),
        *losses.no_categories(dataset),
        *losses.row_order(dataset),
    ]


def compressed_libsvm_losses(dataset: Dataset) -> Losses:
    """Say what compressed libsvm text does not hold."""
    found = libsvm_losses(dataset)
    if dataset.split is None:
        return found
    message = "the split makes two files, which are packed together without this."
    return [*losses.refused("two-files", message, "Choose libsvm that is not compressed."), *found]


def write_libsvm(dataset: Dataset) -> Files:
    """Write labels, counted from 0, and features that are not 0, counted from 1.

    The first two lines are comments, as scikit-learn reads them too, with the names.
    """
    return [(name, partial(_content, dataset, rows)) for name, rows in parts(dataset, ".svm")]


def write_compressed_libsvm(dataset: Dataset) -> Files:
    """Write what `write_libsvm` writes, compressed."""
    files = parts(dataset, ".svm.gz")
    return [(name, partial(_compressed, dataset, rows)) for name, rows in files]


def _content(dataset: Dataset, rows: Any) -> bytes:
    buffer = io.BytesIO()
    buffer.write(f"{LABEL_LINE}{json.dumps(dataset.label_names)}\n".encode())
    buffer.write(f"{FEATURE_LINE}{json.dumps(dataset.feature_names)}\n".encode())
    for block in row_blocks(len(rows), dataset.n_features + dataset.n_labels):
        features = sparse.csr_matrix(dataset.X[rows[block]])
        labels = sparse.csr_matrix(dataset.relevance[rows[block]])
        buffer.write("".join(_lines(labels, features)).encode())
    return buffer.getvalue()


def _compressed(dataset: Dataset, rows: Any) -> bytes:
    return gzipped(_content(dataset, rows))


def _lines(labels: Any, features: Any) -> Iterator[str]:
    features.eliminate_zeros()
    features.sort_indices()
    indices = (features.indices + 1).tolist()
    texts = number_texts(features.data) if features.nnz else []
    pairs = [f" {index}:{text}" for index, text in zip(indices, texts, strict=True)]
    numbers = list(map(str, labels.indices.tolist()))
    ends, label_ends = features.indptr.tolist(), labels.indptr.tolist()
    for i in range(features.shape[0]):
        of_row = ",".join(numbers[label_ends[i] : label_ends[i + 1]])
        # A row without anything is a space: an empty line would be none.
        yield (of_row + "".join(pairs[ends[i] : ends[i + 1]]) or " ") + "\n"
