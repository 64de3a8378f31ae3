"""Empirical recall or precision of label sets with a guarantee: for each case and for groups."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from labelrank_core.evaluation.guarantees.label_sets import RECALL, precision_of_sets
from labelrank_core.rankings import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class RealisedSets:
    """Test cases with a relevant label.

    Parameters
    ----------
    probabilities : ndarray of shape (n_cases, n_labels)
        Of every label to be relevant.
    truth : boolean ndarray of shape (n_cases, n_labels)
        Which are relevant; at least one in every row.
    """

    probabilities: FloatArray
    truth: NDArray[np.bool_]

    def at(self, threshold: float, risk: str) -> tuple[FloatArray, IntArray]:
        """Return each case's recall or precision, and the size of its set above a threshold."""
        sets = self.probabilities > threshold
        size = sets.sum(axis=1)
        if risk == RECALL:
            return (sets & self.truth).sum(axis=1) / self.truth.sum(axis=1), size
        return precision_of_sets(sets, self.truth), size

    def groups(
        self, threshold: float, risk: str, groups: Sequence[tuple[str, NDArray[np.bool_]]]
    ) -> pd.DataFrame:
        """Tabulate their means for groups of the cases, each with its name, without empty ones."""
        share, size = self.at(threshold, risk)
        rows = [
            (name, int(members.sum()), share[members].mean(), size[members].mean())
            for name, members in groups
            if members.any()
        ]
        return pd.DataFrame(rows, columns=["group", "cases", "realised", "size"])

    @property
    def lowest(self) -> FloatArray:
        """The distance from 1 of the least probable relevant label of every case."""
        return 1 - np.where(self.truth, self.probabilities, 1.0).min(axis=1)
