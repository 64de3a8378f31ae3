"""Evidence of linear scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
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
    kept_share : float
        The share of the directions' squared lengths that the two dimensions keep.
    """

    case: FloatArray
    directions: FloatArray
    shared: FloatArray
    n_components: int
    kept_share: float

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
    """The parts of a linear score: baseline + sums over the inputs.

    Each part of `weights` is a sum over inputs: the value of an input times its weight.

    Parameters
    ----------
    baseline : ndarray of shape (n_labels,)
        The score of the mean case, or of a case similar to none.
    thresholds : ndarray of shape (n_labels,)
        The threshold that the score of a relevant label exceeds.
    inputs : ndarray of shape (n_inputs,)
        The case itself: its features minus their means; or its (centred) similarity (kernel) to
        each training row.
    weights : mapping of str to ndarray of shape (n_inputs, n_labels)
        The weights of the inputs in each part, by its name, such as "own part".
    further_parts : mapping of str to ndarray of shape (n_labels,), default={}
        Parts that something else contributes, by name.
    input_kind : {"feature", "training row"}, default="feature"
        What the inputs are; by index, from 0.
    """

    baseline: FloatArray
    thresholds: FloatArray
    inputs: FloatArray
    weights: Mapping[str, FloatArray]
    further_parts: Mapping[str, FloatArray] = field(default_factory=dict)
    input_kind: Literal["feature", "training row"] = "feature"

    @cached_property
    def parts(self) -> dict[str, FloatArray]:
        """The parts besides the baseline, by name, (n_labels,) each."""
        parts = {name: self.inputs @ weights for name, weights in self.weights.items()}
        return {**parts, **self.further_parts}

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
        """Tabulate the contributions of the inputs to a label's score, the largest first.

        All beyond the `n_largest` make one row, with index -1 and value NaN. Inputs of the same
        group, such as the encoded features of one nominal column, count as one; its index is the
        number of the group, from 0, its value NaN.
        """
        parts = {name: self.inputs * weights[:, label] for name, weights in self.weights.items()}
        table = largest_contributions(
            self.input_kind, self.inputs, parts, n_largest=n_largest, groups=groups
        )
        table["sum"] = table[list(parts)].sum(axis=1)
        return table
