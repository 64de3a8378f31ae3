"""Evidence of the zero line as the number of virtual labels moves it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from labelrank_core.rankings import FloatArray, IntArray


@dataclass(frozen=True)
class Crossing:
    """A label that becomes relevant or irrelevant at some number of virtual labels.

    Parameters
    ----------
    gap : int
        The number p; the label is on the other side with p - 1.
    label : int
        Index of the label.
    enters : bool
        Whether it becomes relevant.
    """

    gap: int
    label: int
    enters: bool


@dataclass(frozen=True, eq=False)
class GapDial:
    """Every label against the zero line for every number of virtual labels.

    Parameters
    ----------
    gaps : ndarray of int, shape (n_gaps,)
        The numbers of virtual labels, 1, 2, ...
    leads : ndarray of shape (n_gaps, n_labels)
        How far each label's mean rank is ahead of the virtual labels' mean rank; above 0 =
        relevant.
    bars : ndarray of shape (n_gaps,) or None
        For 0/1 targets: the share of the neighbours that a label must exceed.
    shares : ndarray of shape (n_labels,) or None
        The share of the neighbours that have each label, which does not depend on the gap.
    gap_in_use : int
        The number in use.
    """

    gaps: IntArray
    leads: FloatArray
    bars: FloatArray | None
    shares: FloatArray | None
    gap_in_use: int

    @property
    def crossings(self) -> list[Crossing]:
        """The labels that become relevant or irrelevant, by rising gap."""
        relevant = self.leads > 0
        steps, labels = np.nonzero(relevant[1:] != relevant[:-1])
        return [
            Crossing(int(self.gaps[step + 1]), int(label), bool(relevant[step + 1, label]))
            for step, label in zip(steps, labels, strict=True)
        ]

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate the zero line, where it is a share, and the relevant labels for every gap."""
        names = np.array(label_names, dtype=object)
        bars = {} if self.bars is None else {"zero line": self.bars}
        return pd.DataFrame(
            {
                "p": self.gaps,
                **bars,
                "number of relevant labels": (self.leads > 0).sum(axis=1),
                "relevant labels": [", ".join(names[row > 0]) for row in self.leads],
                "in use": self.gaps == self.gap_in_use,
            }
        )
