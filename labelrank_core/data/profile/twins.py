"""Rows with equal features: copies, and contradictions that bound every method's quality."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from labelrank_core.data.dataset import Dataset, Task
from labelrank_core.data.profile._groups import Groups, equal_rows
from labelrank_core.data.profile.rankings import bucket_sizes
from labelrank_core.rankings import FloatArray, IntArray

_CHUNK_CELLS = 1 << 17
# A tau below this is bounded by more than rounding.
_PERFECT = 1 - 1e-9


@dataclass(frozen=True, eq=False)
class Twins:
    """Rows with equal features, and the bounds they set for every method.

    Parameters
    ----------
    dataset : Dataset
        The data.
    """

    dataset: Dataset

    @cached_property
    def groups(self) -> Groups:
        """Rows with equal features."""
        return equal_rows(self.dataset.X)

    @cached_property
    def _both(self) -> Groups:
        """Rows with equal features and targets."""
        targets = equal_rows(self.dataset.Y).of_row
        return equal_rows(np.column_stack([self.groups.of_row, targets]))

    @cached_property
    def contradicting(self) -> NDArray[np.bool_]:
        """Rows for which another row has equal features and a different target."""
        group_of_kind = self.groups.of_row[self._both.first]
        kinds = np.bincount(group_of_kind, minlength=len(self.groups.counts))
        return kinds[self.groups.of_row] > 1

    @cached_property
    def repeating(self) -> NDArray[np.bool_]:
        """Rows that repeat an earlier one, features and target."""
        repeats = np.ones(self.dataset.n_samples, dtype=bool)
        repeats[self._both.first] = False
        return repeats

    @property
    def n_contradicting_groups(self) -> int:
        """Number of groups of rows with equal features and more than one target."""
        return len(np.unique(self.groups.of_row[self.contradicting]))

    @cached_property
    def best_kendall_tau(self) -> float:
        """An upper bound of the mean Kendall's tau on these rows for every deterministic method.

        A method that sees only the features predicts one ranking for all rows of a group. A row
        whose ranking orders P pairs gives each of them the weight 1/P, as `kendall_tau_score`
        does. If rows of weight a order a pair as predicted and rows of weight b do not, the pair
        gains a - b: at most abs(a - b), summed over the pairs. The bound is reached if these
        weighted majorities form no cycle in any group; in general the best ranking is NP-hard to
        find. NaN if no row orders a pair.
        """
        positions = self.dataset.rankings
        pairs = n_ordered_pairs(positions)
        counted = pairs > 0
        if not counted.any():
            return float("nan")
        split = np.flatnonzero(self.contradicting & counted)
        gained = _gain_of_majorities(positions[split], self.groups.of_row[split], 1 / pairs[split])
        return float((gained + counted.sum() - len(split)) / counted.sum())

    @cached_property
    def best_pair_tau(self) -> float:
        """An upper bound of the mean tau of known pairs, as `best_kendall_tau` of rankings.

        A row that knows P pairs gives each the weight 1/P. Of every pair the best of three answers
        counts, ahead, behind and tied, whether or not a ranking has them all. NaN if no row knows
        a pair.
        """
        signs = self.dataset.preferences.signs
        known = (~np.isnan(signs)).sum(axis=1)
        if not known.any():
            return float("nan")
        split = np.flatnonzero(self.contradicting & (known > 0))
        if not len(split):
            return 1.0
        order, starts = _by_group(self.groups.of_row[split])
        rows = split[order]
        gains = [
            np.add.reduceat(
                np.nan_to_num(1 - np.abs(signs[rows] - answer)) / known[rows, None], starts
            )
            for answer in (1, 0, -1)
        ]
        gained = float(np.maximum.reduce(gains).sum())
        return (gained + (known > 0).sum() - len(split)) / float((known > 0).sum())

    @cached_property
    def least_hamming_loss(self) -> float:
        """The lowest Hamming loss on these rows that a deterministic method can have.

        A method predicts a label for all rows of a group or for none: at best it is wrong for the
        minority. Predicting the majority in every group reaches this bound.
        """
        relevance = self.dataset.relevance
        split = np.flatnonzero(self.contradicting)
        order, starts = _by_group(self.groups.of_row[split])
        if not len(split):
            return 0.0
        having = np.add.reduceat(relevance[split[order]], starts, axis=0)
        sizes = np.diff(starts, append=len(split))[:, None]
        return float(np.minimum(having, sizes - having).sum() / relevance.size)

    def frame(self, n_shown: int | None = None) -> pd.DataFrame:
        """Tabulate the rows of the largest contradicting groups, or of all, counted from 1."""
        rows = np.flatnonzero(self.contradicting)
        groups, numbers = np.unique(self.groups.of_row[rows], return_inverse=True)
        if n_shown is not None and n_shown < len(groups):
            rows, numbers = rows[numbers < n_shown], numbers[numbers < n_shown]
        order = np.argsort(numbers, kind="stable")
        return pd.DataFrame(
            {
                "group": numbers[order] + 1,
                "row": rows[order] + 1,
                "target": self.dataset.targets_in_words(rows[order]),
            }
        )

    def bounds(self) -> dict[str, float]:
        """Return the bounds that apply to these targets, by the name of the measure."""
        task = self.dataset.task
        bounds = {}
        if task.has_rankings:
            bounds["kendall_tau_score"] = self.best_kendall_tau
        if task is Task.PAIR_PREFERENCES:
            bounds["pair_tau_score"] = self.best_pair_tau
        if task.has_zero_line:
            bounds["hamming_loss"] = self.least_hamming_loss
        return bounds

    def limiting_bounds(self) -> dict[str, float]:
        """Return the bounds that keep every method from being perfect.

        None where targets differ but do not contradict each other: they rank or compare other
        labels.
        """
        return {
            key: value
            for key, value in self.bounds().items()
            if (value > 0 if key == "hamming_loss" else value < _PERFECT)
        }


def n_ordered_pairs(positions: FloatArray) -> IntArray:
    """Count the pairs of labels that every ranking orders strictly."""
    sizes = bucket_sizes(positions)[:, 1:]
    return (sizes.sum(axis=1) ** 2 - (sizes**2).sum(axis=1)) // 2


def _by_group(of_row: IntArray) -> tuple[IntArray, IntArray]:
    """Return the order that puts groups together, and where in it each begins."""
    order = np.argsort(of_row, kind="stable")
    return order, np.flatnonzero(np.diff(of_row[order], prepend=-1))


def _gain_of_majorities(positions: FloatArray, of_row: IntArray, weights: Any) -> float:
    """Sum abs(weight for - weight against) over the pairs of labels of every group."""
    order, starts = _by_group(of_row)
    n_labels = positions.shape[1]
    step = max(1, _CHUNK_CELLS // n_labels)
    gain = 0.0
    while len(starts):
        # Whole groups, as many as fit.
        n_groups = max(1, int(np.searchsorted(starts, starts[0] + step)))
        end = starts[n_groups] if n_groups < len(starts) else len(order)
        rows = order[starts[0] : end]
        part, row_weights = positions[rows], weights[rows, None]
        for label in range(n_labels - 1):
            first, later = part[:, [label]], part[:, label + 1 :]
            signs = (first < later).view(np.int8) - (first > later).view(np.int8)
            sums = np.add.reduceat(signs * row_weights, starts[:n_groups] - starts[0])
            gain += float(np.abs(sums).sum())
        starts = starts[n_groups:]
    return gain
