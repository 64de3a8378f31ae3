"""Leave-one-out: predictions from neighbours without each of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from labelrank_core.rankings import FloatArray, IntArray, format_ranking, strict_order

BoolArray = NDArray[np.bool_]


class _Decided:
    """Which neighbours a prediction depends on."""

    running: Any
    without: Any
    replaced: Any

    @property
    def prediction(self) -> Any:
        """The prediction from all neighbours, shape (n_labels,)."""
        return self.running[-1]

    @property
    def deciding(self) -> IntArray:
        """The neighbours, from 0, without any one of which the prediction would differ."""
        return np.flatnonzero((self.without != self.prediction).any(axis=1))

    @property
    def changed_by_next(self) -> IntArray:
        """Those in whose place the next nearest case would change it; none if none was searched."""
        if self.replaced is None:
            return np.zeros(0, dtype=np.int64)
        return np.flatnonzero((self.replaced != self.prediction).any(axis=1))


@dataclass(frozen=True, eq=False)
class LeaveOneOut(_Decided):
    """The consensus as neighbours enter one by one, and without each of them.

    Parameters
    ----------
    rows : ndarray of shape (n_neighbors,)
        Row numbers in the training data, nearest first.
    rankings : ndarray of shape (n_neighbors, n_labels)
        Their rankings.
    running : ndarray of int, shape (n_neighbors, n_labels)
        The consensus of the first neighbour, of the first two, ...; the last is the prediction.
    without : ndarray of int, shape (n_neighbors, n_labels)
        The consensus without each of the neighbours.
    keys : ndarray of int, shape (n_labels,)
        The keys that order the labels in the prediction, lowest first; equal for tied labels.
    keys_without : ndarray of int, shape (n_neighbors, n_labels)
        The keys of `without`.
    replaced : ndarray of int, shape (n_neighbors, n_labels), or None
        The consensus with the next nearest case instead of each of the neighbours; None: no
        further case was searched for.
    next_row : int or None
        The row number of that case.
    keys_replaced : ndarray of int, shape (n_neighbors, n_labels), or None
        The keys of `replaced`.
    """

    rows: IntArray
    rankings: FloatArray
    running: IntArray
    without: IntArray
    keys: IntArray
    keys_without: IntArray
    replaced: IntArray | None = None
    next_row: int | None = None
    keys_replaced: IntArray | None = None

    def discordant_pairs(self, ranking: IntArray) -> list[tuple[int, int]]:
        """List the pairs that another ranking reverses, the label ahead in the prediction first."""
        if np.array_equal(ranking, self.prediction):
            return []
        order = strict_order(self.prediction)
        return [
            (int(first), int(second))
            for i, first in enumerate(order)
            for second in order[i + 1 :]
            if ranking[first] > ranking[second]
        ]

    def in_words(self, label_names: Sequence[str]) -> list[str]:
        """Write the consensus of the nearest case, of the nearest two, and so on."""
        return [format_ranking(row, label_names) for row in self.running]

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate the neighbours with the consensus so far and the one without them."""
        decided = [
            [f"{label_names[a]} before {label_names[b]}" for a, b in self.discordant_pairs(ranking)]
            for ranking in self.without
        ]
        return pd.DataFrame(
            {
                "training row": self.rows,
                "ranking": [format_ranking(row, label_names) for row in self.rankings],
                "consensus so far": self.in_words(label_names),
                "without this one": [format_ranking(row, label_names) for row in self.without],
                "pairs it decides": ["; ".join(pairs) for pairs in decided],
                **self._replaced(label_names),
            }
        )

    def _replaced(self, label_names: Sequence[str]) -> dict[str, list[str]]:
        if self.replaced is None:
            return {}
        column = [format_ranking(row, label_names) for row in self.replaced]
        return {"with the next case instead": column}


@dataclass(frozen=True, eq=False)
class LeaveOneOutSets(_Decided):
    """The relevant labels as neighbours enter one by one, and without each of them.

    Parameters
    ----------
    rows : ndarray of shape (n_neighbors,)
        Row numbers in the training data, nearest first.
    relevance : ndarray of bool, shape (n_neighbors, n_labels)
        Their labels.
    running : ndarray of bool, shape (n_neighbors, n_labels)
        The labels predicted from the first neighbour, from the first two, ...; the last is the
        prediction.
    without : ndarray of bool, shape (n_neighbors, n_labels)
        The labels predicted without each of the neighbours.
    replaced : ndarray of bool, shape (n_neighbors, n_labels), or None
        The labels predicted with the next nearest case instead of each of the neighbours; None:
        no further case was searched for.
    next_row : int or None
        The row number of that case.
    """

    rows: IntArray
    relevance: BoolArray
    running: BoolArray
    without: BoolArray
    replaced: BoolArray | None = None
    next_row: int | None = None

    def changed_by(self, relevant: BoolArray) -> tuple[list[int], list[int]]:
        """List the labels that another set adds, and those it lacks."""
        entering, leaving = relevant & ~self.prediction, self.prediction & ~relevant
        return np.flatnonzero(entering).tolist(), np.flatnonzero(leaving).tolist()

    def in_words(self, label_names: Sequence[str]) -> list[str]:
        """Write the labels predicted from the nearest case, from the nearest two, and so on."""
        return [", ".join(np.array(label_names)[row]) or "none" for row in self.running]

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate the neighbours with the labels predicted so far and without them."""
        names = np.array(label_names, dtype=object)

        def sets(matrix: BoolArray) -> list[str]:
            return [", ".join(names[row]) for row in matrix]

        table = pd.DataFrame(
            {
                "training row": self.rows,
                "labels": sets(self.relevance),
                "relevant so far": sets(self.running),
                "without this one": sets(self.without),
            }
        )
        if self.replaced is not None:
            table["with the next case instead"] = sets(self.replaced)
        return table
