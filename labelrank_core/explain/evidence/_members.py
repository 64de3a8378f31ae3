"""Evidence of blended methods: their predictions and weights."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from labelrank_core.rankings import FloatArray, IntArray, strict_order

if TYPE_CHECKING:
    from labelrank_core.explain.evidence._explanation import Explanation


@dataclass(frozen=True, eq=False)
class MemberProbabilities:
    """Probabilities of the labels by the members of a blend.

    Parameters
    ----------
    names : tuple of str
        The members, the largest weight first.
    weights : ndarray of shape (n_members,)
        Their weights, with sum 1.
    probabilities : ndarray of shape (n_members, n_labels)
        What each of them says.
    positions : ndarray of shape (n_labels,)
        The predicted order.
    explanations : mapping of str to callable
        Makes the explanations of members that have one, by their names.
    """

    names: tuple[str, ...]
    weights: FloatArray
    probabilities: FloatArray
    positions: IntArray
    explanations: Mapping[str, Callable[[], "Explanation"]] = field(default_factory=dict)

    @property
    def blend(self) -> FloatArray:
        """The mean of the members by their weights, shape (n_labels,)."""
        return self.weights @ self.probabilities

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate every member's probability of each label, and the blend's."""
        order = strict_order(self.positions)
        table = pd.DataFrame(
            np.vstack([self.probabilities, self.blend])[:, order],
            columns=[label_names[label] for label in order],
        )
        table.insert(0, "weight", [*self.weights, 1.0], allow_duplicates=True)
        table.insert(0, "member", [*self.names, "all together"], allow_duplicates=True)
        return table


@dataclass(frozen=True, eq=False)
class MemberSupports:
    """Support of one label against the next by the members of a blend.

    Parameters
    ----------
    names : tuple of str
        The members, the largest weight first.
    weights : ndarray of shape (n_members,)
        Their weights, with sum 1.
    supports : ndarray of shape (n_members, n_labels, n_labels)
        ``[k, i, j]``: how likely member k holds label i to be ahead of label j.
    positions : ndarray of shape (n_labels,)
        The predicted order.
    explanations : mapping of str to callable
        Makes the explanations of members that have one, by their names.
    """

    names: tuple[str, ...]
    weights: FloatArray
    supports: FloatArray
    positions: IntArray
    explanations: Mapping[str, Callable[[], "Explanation"]] = field(default_factory=dict)

    @property
    def steps(self) -> list[tuple[int, int]]:
        """Each label with the one that is predicted right behind it."""
        order = strict_order(self.positions)
        return list(pairwise(order))

    def for_pair(self, ahead: int, behind: int) -> FloatArray:
        """Return each member's support of one label against another."""
        return self.supports[:, ahead, behind]

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate every member's support of each label against the next, and the blend's."""
        columns = {
            f"{label_names[a]} before {label_names[b]}": np.append(
                self.for_pair(a, b), self.weights @ self.for_pair(a, b)
            )
            for a, b in self.steps
        }
        members = {"member": [*self.names, "all together"], "weight": [*self.weights, 1.0]}
        return pd.DataFrame({**members, **columns})
