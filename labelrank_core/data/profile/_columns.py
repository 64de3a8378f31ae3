"""The features in the user's own columns, one at a time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse

from labelrank_core.data.dataset import Dataset
from labelrank_core.rankings import FloatArray, IntArray


def feature_columns(dataset: Dataset) -> list[str]:
    """List the names of the user's own feature columns, in the file's order."""
    return [column.name for column in dataset.schema.columns]


def feature_values(dataset: Dataset, column: int) -> pd.Series:
    """Return one of the user's own columns: numbers, or texts of a nominal one."""
    if not dataset.schema.is_numeric:
        return dataset.feature_frame().iloc[:, column]
    values = dataset.X[:, [column]]
    return pd.Series((values.toarray() if dataset.is_sparse else values).ravel())


@dataclass(frozen=True, eq=False)
class Counted:
    """The different values of a column, ascending, and the number of rows that have each."""

    values: NDArray[Any]
    counts: IntArray

    @property
    def is_number(self) -> bool:
        """Whether the column holds numbers, not text."""
        return self.values.dtype.kind in "fiub"

    def quantiles(self, shares: Sequence[float]) -> FloatArray:
        """Interpolate linearly between the sorted numbers of all rows, as NumPy does."""
        positions = np.asarray(shares) * (self.counts.sum() - 1)
        ends = self.counts.cumsum()
        lower, upper = (
            self.values[np.searchsorted(ends, indices, side="right")]
            for indices in (np.floor(positions), np.ceil(positions))
        )
        return lower + (upper - lower) * (positions % 1)


def counted_features(dataset: Dataset, rows: IntArray | None) -> Iterator[Counted]:
    """Yield the user's own columns one by one, of all rows or of some."""
    selection = slice(None) if rows is None else rows
    # A matrix that holds the columns as they are needs no table.
    if dataset.schema.is_numeric and dataset.is_sparse:
        yield from _counted_sparse(dataset.X[selection])
    elif dataset.schema.is_numeric:
        for column in range(dataset.n_features):
            yield Counted(*np.unique(dataset.X[selection, column], return_counts=True))
    else:
        frame = dataset.feature_frame(selection)
        for column in range(frame.shape[1]):
            yield _counted(frame.iloc[:, column])


def _counted(column: pd.Series) -> Counted:
    if not pd.api.types.is_numeric_dtype(column):
        column = column.astype(str)
    return Counted(*np.unique(column.to_numpy(), return_counts=True))


def _counted_sparse(matrix: Any) -> Iterator[Counted]:
    columns = sparse.csc_matrix(matrix, copy=True)
    columns.sum_duplicates()
    columns.eliminate_zeros()
    for start, end in pairwise(columns.indptr.tolist()):
        values, counts = np.unique(columns.data[start:end], return_counts=True)
        n_zeros = columns.shape[0] - (end - start)
        if n_zeros:
            index = np.searchsorted(values, 0.0)
            values, counts = np.insert(values, index, 0.0), np.insert(counts, index, n_zeros)
        yield Counted(values, counts)
