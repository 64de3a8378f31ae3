"""Rankings in whole numbers, complete or incomplete, as every consensus rule needs them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from labelrank_core.aggregation.win_shares import PairTable, pair_shares
from labelrank_core.rankings import FloatArray, IntArray, generalised_ranks

# Expected ranks of incomplete rankings are rounded to this fraction of a place.
_FINE_UNIT = 1 << 14


@dataclass(frozen=True, eq=False)
class RankTable:
    """Rankings as twice their generalised ranks, shape (n_rankings, n_labels); 0 = not ranked."""

    doubled: NDArray[np.int32]
    complete: bool

    @classmethod
    def from_rankings(cls, positions: FloatArray) -> Self:
        """Read checked positions; labels may tie, NaN = not ranked."""
        ranks = generalised_ranks(positions)
        missing = np.isnan(ranks)
        if not missing.any():
            return cls(np.rint(2 * ranks).astype(np.int32), complete=True)
        missing |= (~missing).sum(axis=1, keepdims=True) < 2
        return cls(np.rint(2 * np.where(missing, 0, ranks)).astype(np.int32), complete=False)

    @property
    def n_labels(self) -> int:
        """Number of labels."""
        return self.doubled.shape[1]

    @property
    def unit(self) -> int:
        """The difference in `expected` that is one place."""
        return 2 if self.complete else _FINE_UNIT

    @property
    def middle(self) -> int:
        """The expected rank of a label that no ranking holds, (n_labels + 1) / 2."""
        return (self.n_labels + 1) * self.unit // 2

    @cached_property
    def expected(self) -> NDArray[Any]:
        """The rank of every label among all labels, in units of 1 / `unit`; 0 = not ranked."""
        return self.doubled if self.complete else self.expected_in(self.unit)

    def expected_in(self, unit: int) -> IntArray:
        """Return the expected ranks in whole units of 1 / unit."""
        # With labels left out at random, rank r among m' labels is expected to be r (m + 1) /
        # (m' + 1) among all m. Definition 2 of [zhou2018] scores it m + 1 - that rank.
        ranked = (self.doubled > 0).sum(axis=1, keepdims=True)
        factor = 0.5 * unit * (self.n_labels + 1)
        return np.rint(self.doubled * factor / (ranked + 1)).astype(np.int64)

    @cached_property
    def kinds(self) -> IntArray:
        """Which of the distinct rankings each row is; -1 for rows that rank nothing."""
        kinds = np.unique(self.doubled, axis=0, return_inverse=True)[1].reshape(-1)
        return np.where(self.doubled.any(axis=1), kinds, -1)

    @cached_property
    def pairs(self) -> PairTable:
        """The same rankings, for comparing labels pair by pair."""
        return PairTable.from_rankings(self.ranks(np.arange(len(self.doubled))))

    def win_shares(
        self, rows: IntArray, weights: IntArray | None, sizes: Sequence[int] = ()
    ) -> FloatArray:
        """Return the win share of label i over label j for every query, ``[q, i, j]``, 0 to 1."""
        shares = np.full((len(rows), self.n_labels, self.n_labels), 0.5)
        first, second = np.triu_indices(self.n_labels, 1)
        shares[:, first, second] = pair_shares(self.pairs, rows, weights, sizes).T
        shares[:, second, first] = 1 - shares[:, first, second]
        return shares

    def ranks(self, rows: IntArray) -> FloatArray:
        """Return the generalised ranks of some rankings; NaN = not ranked."""
        doubled = self.doubled[rows]
        return np.where(doubled > 0, doubled / 2, np.nan)
