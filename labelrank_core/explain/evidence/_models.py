"""Evidence of statistical models of rankings: Plackett-Luce choices, Mallows distances."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from labelrank_core.rankings import FloatArray, IntArray, format_ranking, strict_order


@dataclass(frozen=True, eq=False)
class ChoiceChances:
    """The predicted ranking as a sequence of choices, from the top.

    Parameters
    ----------
    strengths : ndarray of shape (n_labels,)
        Plackett-Luce strengths: a label is chosen among those left with a probability
        proportional to its strength.
    positions : ndarray of shape (n_labels,)
        The predicted order.
    """

    strengths: FloatArray
    positions: IntArray

    @property
    def order(self) -> IntArray:
        """Labels in the predicted order."""
        return np.array(strict_order(self.positions))

    @property
    def chances(self) -> FloatArray:
        """Probability of each label at each choice, (n_labels - 1, n_labels); NaN once taken.

        Columns are in the predicted order, and the labels ahead have been taken before.
        """
        ordered = self.strengths[self.order]
        remaining = np.triu(np.tile(ordered, (len(ordered), 1)))[:-1]
        chances = remaining / remaining.sum(axis=1, keepdims=True)
        chances[np.tril_indices(len(ordered) - 1, -1, len(ordered))] = np.nan
        return chances

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate each choice: the label predicted there, and the probability of each left."""
        names = [label_names[int(label)] for label in self.order]
        table = pd.DataFrame(self.chances, columns=names)
        table.insert(0, "predicted", names[:-1], allow_duplicates=True)
        table.insert(0, "choice", np.arange(1, len(names)), allow_duplicates=True)
        return table


@dataclass(frozen=True, eq=False)
class MallowsFit:
    """The distances of some rankings from their centre, observed and expected by the Mallows model.

    Parameters
    ----------
    centre : ndarray of shape (n_labels,)
        The positions of the most probable ranking.
    theta : float
        How fast probability falls with the distance from the centre: 0 = all rankings are equally
        probable, infinite = only the centre is possible.
    observed : ndarray of int, shape (n_distances,)
        How many rankings reverse 0, 1, 2, ... pairs of labels of the centre.
    expected : ndarray of shape (n_distances,)
        How many the model expects.
    """

    centre: IntArray
    theta: float
    observed: IntArray
    expected: FloatArray

    @property
    def mean_distance(self) -> float:
        """The mean number of reversed pairs."""
        return float(self.observed @ np.arange(len(self.observed)) / self.observed.sum())

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate observed and expected rankings by their distance from the centre."""
        distances = np.arange(len(self.observed))
        return pd.DataFrame(
            {
                "reversed pairs": distances,
                "rankings": self.observed,
                "expected": self.expected,
                "centre": format_ranking(self.centre, label_names),
            }
        )
