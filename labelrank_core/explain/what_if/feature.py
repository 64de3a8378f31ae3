"""A column of the data that is varied, in its own units."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from labelrank_core.data import Column, Dataset, Schema
from labelrank_core.rankings import FloatArray


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
    """

    schema: Schema
    index: int
    low: float = 0.0
    high: float = 0.0

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
    features = [
        Feature(schema, j, float(lows[schema.starts[j]]), float(highs[schema.starts[j]]))
        for j in indices
    ]
    if columns is not None:
        return features
    return [feature for feature in features if feature.is_nominal or feature.low < feature.high]


def _ranges(X: Any) -> tuple[FloatArray, FloatArray]:
    lows, highs = X.min(axis=0), X.max(axis=0)
    if isinstance(lows, np.ndarray):
        return lows, highs
    return lows.toarray()[0], highs.toarray()[0]
