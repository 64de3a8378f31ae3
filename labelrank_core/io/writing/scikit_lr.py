"""Data sets in the layout of the CSV files that scikit-lr publishes its data in.

The first line holds the numbers of rows, features and labels and then all names; the rows hold
numbers only.
"""

import csv
import io
from functools import partial

import numpy as np

from labelrank_core.data.dataset import Dataset
from labelrank_core.io.marks import may_run
from labelrank_core.io.writing import losses
from labelrank_core.io.writing.columns import number_texts, row_blocks
from labelrank_core.io.writing.file_names import Files, file_stem
from labelrank_core.io.writing.losses import Losses


def scikit_lr_losses(dataset: Dataset) -> Losses:
    """Say what this layout does not hold."""
    refused = losses.no_rankings(dataset)
    if not refused and np.isnan(dataset.Y).any():
        n_partial = int(np.isnan(dataset.Y).any(axis=1).sum())
        message = f"every label needs a position, and {n_partial} rows leave labels out."
        refused = losses.refused("partial-rankings", message)
    names = [*dataset.label_names, *dataset.feature_names]
    return [
        *refused,
        *losses.odd_text(dataset),
        *losses.refused_names(
            names, lambda name: "\r" not in name, "holds a carriage return", what="column or label"
        ),
        *losses.refused_names(
            names,
            lambda name: not may_run(name),
            "begins like a formula, which a spreadsheet would run",
            what="column or label",
        ),
        *losses.no_categories(dataset),
        *losses.no_split(dataset),
        *losses.written_dense(dataset),
    ]


def write_scikit_lr(dataset: Dataset) -> Files:
    """Write numbers of rows, features and labels, names, and positions."""
    return [(f"{file_stem(dataset.name)}.csv", partial(_table, dataset))]


def _table(dataset: Dataset) -> bytes:
    head = io.StringIO()
    sizes = (dataset.n_samples, dataset.n_features, dataset.n_labels)
    names = (*dataset.feature_names, *dataset.label_names)
    csv.writer(head, lineterminator="\n").writerow([*sizes, *names])
    buffer = io.BytesIO()
    buffer.write(head.getvalue().encode())
    for rows in row_blocks(dataset.n_samples, dataset.n_features + dataset.n_labels):
        X = dataset.X[rows]
        values = np.hstack(
            [X if isinstance(X, np.ndarray) else X.toarray(), dataset.rankings[rows]]
        )
        columns = map(number_texts, values.T)
        buffer.write(("\n".join(map(",".join, zip(*columns, strict=True))) + "\n").encode())
    return buffer.getvalue()
