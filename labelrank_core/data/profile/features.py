"""The features of a data set, described in the user's own columns."""

from bisect import bisect_right
from itertools import pairwise
from math import floor, log10

import numpy as np
import pandas as pd

from labelrank_core.data.dataset import Dataset
from labelrank_core.data.profile._columns import (
    Counted,
    counted_features,
    feature_columns,
    feature_values,
)
from labelrank_core.data.profile._groups import equal_rows
from labelrank_core.data.profile.conditions import Condition, FeatureIs, FeatureWithin
from labelrank_core.rankings import IntArray

_QUANTILES = {
    "lowest": 0.0,
    "lower quartile": 0.25,
    "median": 0.5,
    "upper quartile": 0.75,
    "highest": 1.0,
}
_MOST_VALUES = 12
_MOST_CATEGORIES = 20
_ABOUT_BINS = 20


def feature_frame(dataset: Dataset, rows: IntArray | None = None) -> pd.DataFrame:
    """Describe every feature by its mode and its quantiles, of all rows or of some."""
    described = [_described(column) for column in counted_features(dataset, rows)]
    table = pd.DataFrame(described, columns=_COLUMNS)
    names = feature_columns(dataset)
    filled = {
        finding.column: finding.count for finding in dataset.findings if finding.code == "filled-in"
    }
    table.insert(0, "feature", names)
    table.insert(2, "filled in", [filled.get(name, 0) for name in names])
    return table


_COLUMNS = ["kind", "different", *_QUANTILES, "most common", "rows with it"]


def _described(column: Counted) -> dict[str, object]:
    top = int(np.argmax(column.counts)) if len(column.counts) else None
    quantiles = np.full(len(_QUANTILES), np.nan)
    if column.is_number and top is not None:
        quantiles = column.quantiles(list(_QUANTILES.values()))
    return {
        "kind": "number" if column.is_number else "text",
        "different": len(column.values),
        "most common": "" if top is None else str(column.values[top]),
        "rows with it": 0 if top is None else int(column.counts[top]),
        **dict(zip(_QUANTILES, quantiles.tolist(), strict=True)),
    }


def constant_features(dataset: Dataset) -> IntArray:
    """Find encoded features with the same value in every row."""
    lowest, highest = dataset.X.min(axis=0), dataset.X.max(axis=0)
    if dataset.is_sparse:
        lowest, highest = lowest.toarray().ravel(), highest.toarray().ravel()
    return np.flatnonzero(lowest == highest)


def repeated_features(dataset: Dataset) -> dict[int, int]:
    """Map each feature that repeats another, and is not constant, to the first one it repeats."""
    groups = equal_rows(dataset.X.T)
    first = groups.first[groups.of_row]
    repeating = np.flatnonzero(first != np.arange(len(first)))
    duplicates = np.setdiff1d(repeating, constant_features(dataset))
    return {int(column): int(first[column]) for column in duplicates}


def feature_bins(dataset: Dataset, column: int) -> list[Condition]:
    """List conditions to count rows by: each value if there are few, else round intervals."""
    values = feature_values(dataset, column)
    if not pd.api.types.is_numeric_dtype(values):
        common = values.value_counts().index[:_MOST_CATEGORIES]
        return [FeatureIs(column, str(value)) for value in common]
    different = np.unique(values.to_numpy(np.float64))
    if len(different) <= _MOST_VALUES:
        return [FeatureIs(column, float(value)) for value in different]
    edges = _round_edges(float(different[0]), float(different[-1]))
    return [FeatureWithin(column, low, high) for low, high in pairwise(edges)]


def _round_edges(low: float, high: float) -> list[float]:
    """Cut a range into about 20 parts at multiples of 1, 2 or 5 times a power of ten."""
    rough = high / _ABOUT_BINS - low / _ABOUT_BINS
    power = floor(log10(rough))
    step = next(times for times in (1, 2, 5, 10) if times * 10.0**power >= rough * 0.99)
    unit = float(f"{step}e{power}")
    multiples = range(floor(low / unit) - 1, floor(high / unit) + 3)
    # Parsed from decimal text, an edge is 0.3 and not 0.30000000000000004.
    edges = sorted({float(f"{multiple * step}e{power}") for multiple in multiples})
    return edges[bisect_right(edges, low) - 1 : bisect_right(edges, high) + 1]
