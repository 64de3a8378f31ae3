"""Evidence of linear scores."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from labelrank_core.explain.evidence._contributions import largest_contributions
from labelrank_core.rankings import FloatArray


@dataclass(frozen=True, eq=False)
class SubspaceView:
    """The shared subspace in the two dimensions that keep most of the labels' directions.

    The shared part of a label's score is the inner product of the case and the label's direction
    in the subspace; the view shows both in its two main dimensions.

    Parameters
    ----------
    case : ndarray of shape (2,)
        The case's coordinates.
    directions : ndarray of shape (n_labels, 2)
        The labels' directions.
    shared : ndarray of shape (n_labels,)
        The shared parts, from all dimensions.
    n_components : int
        The number of dimensions of the subspace.
    kept : float
        The share of the directions' squared lengths that the two dimensions keep.
    """

    case: FloatArray
    directions: FloatArray
    shared: FloatArray
    n_components: int
    kept: float

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate the labels' directions and shared parts, the largest first."""
        table = pd.DataFrame(
            {
                "label": list(label_names),
                "dimension 1": self.directions[:, 0],
                "dimension 2": self.directions[:, 1],
                "shared part in the view": self.directions @ self.case,
                "shared part": self.shared,
            }
        )
        return table.sort_values("shared part", ascending=False, kind="stable", ignore_index=True)


@dataclass(frozen=True, eq=False)
class ScoreParts:
    """The parts of a linear score: baseline + the label's own part + the part labels share.

    Every part but the baseline is a sum over carriers: the value of a carrier times its weight.

    Parameters
    ----------
    baseline : ndarray of shape (n_labels,)
        The score of the mean case.
    own, shared : ndarray of shape (n_labels,)
        The contributions of the label's own weights and of the shared subspace.
    thresholds : ndarray of shape (n_labels,)
        The threshold that the score of a relevant label exceeds.
    carriers : ndarray of shape (n_carriers,)
        The case itself: its features minus their means; or its centred similarity (kernel) to
        each training row.
    own_weights, shared_weights : ndarray of shape (n_carriers, n_labels)
        Weights of the carriers in either part.
    carrier : {"feature", "training row"}
        What the carriers are; by index, from 0.
    """

    baseline: FloatArray
    own: FloatArray
    shared: FloatArray
    thresholds: FloatArray
    carriers: FloatArray
    own_weights: FloatArray
    shared_weights: FloatArray
    carrier: Literal["feature", "training row"] = "feature"

    @property
    def scores(self) -> FloatArray:
        """The sum of the three parts, (n_labels,)."""
        return self.baseline + self.own + self.shared

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate parts, score and threshold of each label, the farthest above it first."""
        table = pd.DataFrame(
            {
                "label": list(label_names),
                "baseline": self.baseline,
                "own part": self.own,
                "shared part": self.shared,
                "score": self.scores,
                "threshold": self.thresholds,
            }
        )
        lead = np.argsort(self.thresholds - self.scores, kind="stable")
        return table.iloc[lead].reset_index(drop=True)

    def contributions(
        self, label: int, *, n_largest: int = 10, groups: ArrayLike | None = None
    ) -> pd.DataFrame:
        """Tabulate the contributions to a label's score, the largest first; they sum to the parts.

        All beyond the `n_largest` make one row, with carrier -1 and value NaN. Carriers of the same
        group, such as the encoded features of one nominal column, count as one; its index is the
        number of the group, from 0, its value NaN.
        """
        parts = {
            "own part": self.carriers * self.own_weights[:, label],
            "shared part": self.carriers * self.shared_weights[:, label],
        }
        table = largest_contributions(
            self.carrier, self.carriers, parts, n_largest=n_largest, groups=groups
        )
        table["sum"] = table["own part"] + table["shared part"]
        return table
