"""Conditions on rows: the subsets of a data set that a click on its profile selects."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labelrank_core.data.dataset import Dataset
from labelrank_core.data.profile._columns import feature_columns, feature_values
from labelrank_core.data.profile.twins import Twins
from labelrank_core.rankings import IntArray, format_ranking

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class RankedAt:
    """Rows that rank a label at a position, 1 = best."""

    label: int
    position: int


@dataclass(frozen=True)
class NotRanked:
    """Rows that do not rank a label."""

    label: int


@dataclass(frozen=True)
class Tied:
    """Rows that tie a label with another one."""

    label: int


@dataclass(frozen=True)
class Prefers:
    """Rows that rank one label strictly ahead of another."""

    first: int
    second: int


@dataclass(frozen=True)
class SameRanking:
    """Rows with the same ranking of the labels as a row."""

    row: int


@dataclass(frozen=True)
class HasLabels:
    """Rows for which all of some labels are relevant."""

    labels: tuple[int, ...]


@dataclass(frozen=True)
class SameLabels:
    """Rows with the same label set as a row."""

    row: int


@dataclass(frozen=True)
class LabelCount:
    """Rows with a number of relevant labels."""

    n_labels: int


@dataclass(frozen=True)
class FeatureIs:
    """Rows in which one of the user's own columns has a value."""

    column: int
    value: float | str


@dataclass(frozen=True)
class FeatureWithin:
    """Rows in which one of the user's own columns is in the interval [low, high)."""

    column: int
    low: float
    high: float


@dataclass(frozen=True)
class Contradicts:
    """Rows for which another row has equal features and a different target."""


@dataclass(frozen=True)
class Repeats:
    """Rows that repeat an earlier one, features and target."""


Condition = (
    RankedAt
    | NotRanked
    | Tied
    | Prefers
    | SameRanking
    | HasLabels
    | SameLabels
    | LabelCount
    | FeatureIs
    | FeatureWithin
    | Contradicts
    | Repeats
)


def rows_where(dataset: Dataset, condition: Condition) -> Mask:
    """Tell which rows meet a condition."""
    match condition:
        case RankedAt(label, position):
            return dataset.rankings[:, label] == position
        case NotRanked(label):
            return np.isnan(dataset.rankings[:, label])
        case Tied(label):
            return (dataset.rankings == dataset.rankings[:, [label]]).sum(axis=1) > 1
        case Prefers(first, second):
            return dataset.rankings[:, first] < dataset.rankings[:, second]
        case SameRanking(row):
            ranked = np.nan_to_num(dataset.rankings)
            return (ranked == ranked[row]).all(axis=1)
        case HasLabels(labels):
            return np.all(dataset.relevance[:, list(labels)], axis=1)
        case SameLabels(row):
            return (dataset.relevance == dataset.relevance[row]).all(axis=1)
        case LabelCount(n_labels):
            return dataset.relevance.sum(axis=1) == n_labels
        case FeatureIs(column, value):
            return (feature_values(dataset, column) == value).to_numpy(dtype=bool)
        case FeatureWithin(column, low, high):
            return feature_values(dataset, column).between(low, high, inclusive="left").to_numpy()
        case Contradicts():
            return Twins(dataset).contradicting
        case Repeats():
            return Twins(dataset).repeating


def matching_rows(dataset: Dataset, conditions: Iterable[Condition]) -> IntArray:
    """List the rows that meet all conditions, ascending; without conditions all rows."""
    matches = np.ones(dataset.n_samples, dtype=bool)
    for condition in conditions:
        matches &= rows_where(dataset, condition)
    return np.flatnonzero(matches)


def condition_text(dataset: Dataset, condition: Condition) -> str:
    """Describe a condition in a few words, with the user's names as they are."""
    labels = dataset.label_names
    match condition:
        case RankedAt(label, position):
            return f"{labels[label]} at position {position}"
        case NotRanked(label):
            return f"{labels[label]} not ranked"
        case Tied(label):
            return f"{labels[label]} tied"
        case Prefers(first, second):
            return f"{labels[first]} before {labels[second]}"
        case SameRanking(row):
            return format_ranking(dataset.rankings[row], labels) or "no label ranked"
        case HasLabels(of):
            return f"has {' and '.join(labels[label] for label in of)}"
        case SameLabels(row):
            relevant = np.flatnonzero(dataset.relevance[row]).tolist()
            return (
                f"only {', '.join(labels[label] for label in relevant)}" if relevant else "no label"
            )
        case LabelCount(1):
            return "1 label"
        case LabelCount(n_labels):
            return f"{n_labels} labels"
        case FeatureIs(column, value):
            text = value if isinstance(value, str) else f"{value:g}"
            return f"{feature_columns(dataset)[column]} = {text}"
        case FeatureWithin(column, low, high):
            return f"{feature_columns(dataset)[column]} {low:g} to below {high:g}"
        case Contradicts():
            return "equal features, different targets"
        case Repeats():
            return "repeats an earlier row"
