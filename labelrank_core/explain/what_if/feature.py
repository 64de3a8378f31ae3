"""A column of the data that is varied, in its own units."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from labelrank_core.data import Column, Dataset, Schema
from labelrank_core.rankings import FloatArray

# So many columns are made dense at a time.
_AT_ONCE = 256


@dataclass(frozen=True)
class Feature:
    """A column that is varied.

    Parameters
    ----------
    schema : Schema
        The columns of the data.
    index : int
        Index of the column.
    low, high : float
        The range in which it is varied; ignored for a nominal column.
    is_binary : bool, default=False
        Whether these two are all the values of a numeric column, so that none between is tried.
    """

    schema: Schema
    index: int
    low: float = 0.0
    high: float = 0.0
    is_binary: bool = False

    @property
    def column(self) -> Column:
        """The column."""
        return self.schema.columns[self.index]

    @property
    def is_nominal(self) -> bool:
        """Whether its column is nominal."""
        return self.column.kind == "nominal"

    @property
    def first(self) -> int:
        """Its first encoded feature."""
        return self.schema.starts[self.index]

    def value(self, x: FloatArray) -> float:
        """Return the value of a case; for a nominal column the index of the category."""
        if not self.is_nominal:
            return float(x[self.first])
        encoded = x[self.first : self.first + self.column.n_encoded]
        return float(encoded[0] if len(encoded) == 1 else np.argmax(encoded))

    def cases(self, x: FloatArray, values: ArrayLike) -> FloatArray:
        """Return one copy of a case for each value (number or index of a category)."""
        values = np.asarray(values, dtype=np.float64)
        X = np.tile(x, (len(values), 1))
        n_encoded = self.column.n_encoded
        if not self.is_nominal or n_encoded == 1:
            X[:, self.first] = values
        else:
            X[:, self.first : self.first + n_encoded] = values[:, None] == np.arange(n_encoded)
        return X

    def grid(self, case_value: float, n_values: int) -> FloatArray:
        """Return values to try, the case's own among them."""
        if self.is_nominal:
            return np.arange(len(self.column.categories), dtype=np.float64)
        low, high = self.ends(case_value)
        return np.unique(np.append(np.linspace(low, high, n_values), case_value))

    def is_either_end(self, case_value: float) -> bool:
        """Tell whether a case has one of the only two values of the column."""
        return self.is_binary and case_value in (self.low, self.high)

    def ends(self, case_value: float) -> tuple[float, float]:
        """Return the ends of the range, widened to the case's own value."""
        return min(self.low, case_value), max(self.high, case_value)


def features_of(dataset: Dataset, columns: Sequence[int] | None = None) -> list[Feature]:
    """List columns of a data set to vary, each within the range of its values.

    Parameters
    ----------
    dataset : Dataset
        The data.
    columns : sequence of int or None
        Indices of columns; None: all that take more than one value.

    Returns
    -------
    list of Feature
        The columns.
    """
    schema = dataset.schema
    lows, highs = _ranges(dataset.X)
    indices = range(len(schema.columns)) if columns is None else columns
    firsts = [schema.starts[j] for j in indices]
    features = [
        Feature(schema, j, float(lows[first]), float(highs[first]), is_binary)
        for j, first, is_binary in zip(
            indices, firsts, _are_binary(dataset.X, firsts, lows, highs), strict=True
        )
    ]
    if columns is not None:
        return features
    return [feature for feature in features if feature.is_nominal or feature.low < feature.high]


def _are_binary(X: Any, firsts: Sequence[int], lows: FloatArray, highs: FloatArray) -> list[bool]:
    """Tell of some columns, whose ranges are known, whether each has exactly two values."""
    by_column = X if isinstance(X, np.ndarray) else X.tocsc()
    answers: list[bool] = []
    for start in range(0, len(firsts), _AT_ONCE):
        part = firsts[start : start + _AT_ONCE]
        columns, low, high = by_column[:, part], lows[part], highs[part]
        columns = columns if isinstance(columns, np.ndarray) else columns.toarray()
        has_ends_only = ((columns == low) | (columns == high)).all(axis=0)
        answers += (has_ends_only & (low < high)).tolist()
    return answers


def _ranges(X: Any) -> tuple[FloatArray, FloatArray]:
    lows, highs = X.min(axis=0), X.max(axis=0)
    if isinstance(lows, np.ndarray):
        return lows, highs
    return lows.toarray()[0], highs.toarray()[0]
