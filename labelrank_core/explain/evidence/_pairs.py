"""Evidence of pairwise preferences: all pairs, and the contributions to one of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.sparse.csgraph import connected_components

from labelrank_core.explain.evidence._contributions import largest_contributions
from labelrank_core.rankings import FloatArray, IntArray, strict_order


@dataclass(frozen=True, eq=False)
class PairMatrix:
    """The predicted preference for every pair of labels, beside that of the training cases.

    Parameters
    ----------
    preferences : ndarray of shape (n_labels, n_labels)
        ``[i, j]``: how likely label i is preferred to label j, between 0 and 1; 0.5 on the
        diagonal.
    positions : ndarray of shape (n_labels,)
        The predicted order.
    observed : ndarray of shape (n_labels, n_labels)
        The share of the training cases with a preference between i and j that prefer i; NaN where
        there are none.
    """

    preferences: FloatArray
    positions: IntArray
    observed: FloatArray

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """All pairs, the label ahead in the prediction first, in the predicted order."""
        order = strict_order(self.positions)
        return [(a, b) for i, a in enumerate(order) for b in order[i + 1 :]]

    @property
    def against(self) -> list[tuple[int, int]]:
        """The pairs whose preference contradicts the predicted order."""
        return [(a, b) for a, b in self.pairs if self.preferences[a, b] < 0.5]

    @cached_property
    def cycles(self) -> list[tuple[int, ...]]:
        """The labels of each preference cycle (strongly connected component), as predicted."""
        _, group = connected_components(self.preferences > 0.5, connection="strong")
        order = strict_order(self.positions)
        components = [
            tuple(int(label) for label in order if group[label] == g)
            for g in dict.fromkeys(group[order])
        ]
        return [labels for labels in components if len(labels) > 1]

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate all pairs, the label ahead in the prediction first."""
        ahead, behind = np.array(self.pairs).T
        cycle_of = {label: i for i, labels in enumerate(self.cycles) for label in labels}
        return pd.DataFrame(
            {
                "ahead": [label_names[a] for a in ahead],
                "behind": [label_names[b] for b in behind],
                "predicted preference": self.preferences[ahead, behind],
                "share of training cases": self.observed[ahead, behind],
                "against the ranking": self.preferences[ahead, behind] < 0.5,
                "in a cycle": [
                    a in cycle_of and cycle_of[a] == cycle_of.get(b) for a, b in self.pairs
                ],
            }
        )


@dataclass(frozen=True, eq=False)
class PairParts:
    """The score of one label of a pair against the other: a sum over features or training cases.

    Pairs are those of ``numpy.triu_indices(n_labels, 1)``; a positive sum is for the first label.

    Parameters
    ----------
    title : str
        The unit of the sum, such as "log-odds".
    baseline : ndarray of shape (n_pairs,)
        The sum of the mean case; infinite where all training cases agree on a pair.
    inputs : ndarray of shape (n_inputs,)
        The case itself: its features minus their means; or its similarity to each training row.
    weights : ndarray of shape (n_inputs, n_pairs)
        The weight of each input in the sum.
    positions : ndarray of shape (n_labels,)
        The predicted order.
    input_kind : {"feature", "training row"}
        What the inputs are; by index, from 0.
    """

    title: str
    baseline: FloatArray
    inputs: FloatArray
    weights: FloatArray
    positions: IntArray
    input_kind: Literal["feature", "training row"] = "feature"

    def _pair(self, first: int, second: int) -> tuple[int, float]:
        """Return the index of a pair, and 1, or -1 if the pair is stored in reverse order."""
        low, high = sorted((first, second))
        m = len(self.positions)
        return low * m - low * (low + 1) // 2 + high - low - 1, 1.0 if first == low else -1.0

    def total(self, first: int, second: int) -> float:
        """Return the baseline plus all contributions, positive for the first label."""
        pair, sign = self._pair(first, second)
        return sign * float(self.baseline[pair] + self.inputs @ self.weights[:, pair])

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate baseline and sum of all pairs, the label ahead in the prediction first."""
        order = strict_order(self.positions)
        rows = []
        for i, first in enumerate(order):
            for second in order[i + 1 :]:
                pair, sign = self._pair(first, second)
                baseline, total = sign * self.baseline[pair], self.total(first, second)
                rows.append((label_names[first], label_names[second], baseline, total))
        return pd.DataFrame(rows, columns=["ahead", "behind", "baseline", self.title])

    def contributions(
        self, first: int, second: int, *, n_largest: int = 10, groups: ArrayLike | None = None
    ) -> pd.DataFrame:
        """Tabulate the contributions in favour of the first label, the largest first.

        All beyond the `n_largest` make one row, with index -1 and value NaN. Inputs of the same
        group, such as the encoded features of one nominal column, count as one; its index is the
        number of the group, from 0, its value NaN.
        """
        pair, sign = self._pair(first, second)
        adds = sign * self.inputs * self.weights[:, pair]
        return largest_contributions(
            self.input_kind, self.inputs, {"adds": adds}, n_largest=n_largest, groups=groups
        )
