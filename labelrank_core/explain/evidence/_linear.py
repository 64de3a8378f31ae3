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
    Where nothing is shared, or all of it, the other part is None and left out of every table.

    Parameters
    ----------
    baseline : ndarray of shape (n_labels,)
        The score of the mean case, or of a case similar to none.
    thresholds : ndarray of shape (n_labels,)
        The threshold that the score of a relevant label exceeds.
    carriers : ndarray of shape (n_carriers,)
        The case itself: its features minus their means; or its (centred) similarity (kernel) to
        each training row.
    own : ndarray of shape (n_labels,) or None, default=None
        The contributions of the label's own weights.
    own_weights : ndarray of shape (n_carriers, n_labels) or None, default=None
        Those weights of the carriers.
    shared : ndarray of shape (n_labels,) or None, default=None
        The contributions of the shared subspace.
    shared_weights : ndarray of shape (n_carriers, n_labels) or None, default=None
        Its weights of the carriers.
    carrier : {"feature", "training row"}, default="feature"
        What the carriers are; by index, from 0.
    """

    baseline: FloatArray
    thresholds: FloatArray
    carriers: FloatArray
    own: FloatArray | None = None
    own_weights: FloatArray | None = None
    shared: FloatArray | None = None
    shared_weights: FloatArray | None = None
    carrier: Literal["feature", "training row"] = "feature"

    @property
    def parts(self) -> dict[str, FloatArray]:
        """The parts there are besides the baseline, by name, (n_labels,) each."""
        both = {"own part": self.own, "shared part": self.shared}
        return {name: part for name, part in both.items() if part is not None}

    @property
    def scores(self) -> FloatArray:
        """The sum of baseline and parts, (n_labels,)."""
        return self.baseline + sum(self.parts.values())

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate parts, score and threshold of each label, the farthest above it first."""
        table = pd.DataFrame(
            {
                "label": list(label_names),
                "baseline": self.baseline,
                **self.parts,
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
        both = {"own part": self.own_weights, "shared part": self.shared_weights}
        parts = {
            name: self.carriers * weights[:, label]
            for name, weights in both.items()
            if weights is not None
        }
        table = largest_contributions(
            self.carrier, self.carriers, parts, n_largest=n_largest, groups=groups
        )
        table["sum"] = table[list(parts)].sum(axis=1)
        return table
