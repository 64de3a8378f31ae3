"""Calibrated rankings with p virtual labels; ranks are linear in p [brinker2007]."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from labelrank_core.aggregation.sums import doubled_ranks
from labelrank_core.rankings import (
    FloatArray,
    IntArray,
    calibrate,
    check_rankings,
    numeric_array,
    relevance_from_calibrated,
)


@dataclass(frozen=True, eq=False)
class CalibratedTargets:
    """Targets ready to be summed, as doubled ranks; the virtual label has the last column."""

    ranks: NDArray[Any]
    # What each further virtual label adds to them.
    slopes: NDArray[Any]
    relevance: NDArray[Any]
    binary: bool

    @classmethod
    def from_targets(cls, Y: ArrayLike) -> Self:
        """Read a 0/1 matrix or calibrated rankings (positions with the virtual label's last)."""
        values, binary = _checked(Y)
        calibrated = calibrate(values) if binary else values
        behind = np.sign(calibrated - calibrated[:, -1:])
        return cls(
            ranks=doubled_ranks(calibrated),
            slopes=1 + behind.astype(np.int32),
            relevance=relevance_from_calibrated(calibrated).astype(np.int32),
            binary=binary,
        )

    @cached_property
    def rank_sums(self) -> IntArray:
        """The ranks summed over all targets, (n_labels + 1,)."""
        return self.ranks.sum(axis=0, dtype=np.int64)

    @cached_property
    def slope_sums(self) -> IntArray:
        """The slopes summed over all targets, (n_labels + 1,)."""
        return self.slopes.sum(axis=0, dtype=np.int64)


def ranks_with(ranks: NDArray[Any], slopes: NDArray[Any], n_virtual_labels: Any) -> NDArray[Any]:
    """Return (sums of) doubled ranks with p virtual labels from those with one."""
    return ranks + (n_virtual_labels - 1) * slopes


def leads_of(ranks: NDArray[Any]) -> NDArray[Any]:
    """Return each label's lead over the virtual labels, from (sums of) doubled ranks."""
    # Theorem 1 of [brinker2007]: labels are ordered by mean rank, and relevant above 0.
    return ranks[..., -1:] - ranks[..., :-1]


def dense_targets(Y: Any) -> NDArray[Any]:
    """Return targets as an array; a sparse matrix holds 0/1, as scikit-learn's label indicators."""
    return numeric_array(Y.toarray() if sparse.issparse(Y) else Y, "Y")


def relevance_of_targets(Y: ArrayLike) -> IntArray:
    """Return a new 0/1 matrix of the relevant labels; targets as for `CalibratedTargets`."""
    values, binary = _checked(Y)
    return values.astype(np.int64) if binary else relevance_from_calibrated(values)


def calibrated_of_targets(Y: ArrayLike) -> FloatArray:
    """Return new calibrated rankings; targets as for `CalibratedTargets`."""
    values, binary = _checked(Y)
    return calibrate(values) if binary else np.array(values, dtype=np.float64)


def _checked(Y: ArrayLike) -> tuple[NDArray[Any], bool]:
    """Return a 0/1 matrix and True, or calibrated rankings and False."""
    values = dense_targets(Y)
    # A matrix of nothing but 1 is a 0/1 matrix: see `Dataset.zero_line_targets`.
    if values.ndim == 2 and values.size and ((values == 0) | (values == 1)).all():
        if values.shape[1] < 2:
            raise ValueError(f"Expected at least two labels in Y, got {values.shape[1]}.")
        return values, True
    missing = np.isnan(values) if values.ndim == 2 and values.dtype.kind == "f" else None
    if missing is not None and missing.any() and np.isin(values[~missing], (0, 1)).all():
        row = int(np.flatnonzero(missing.any(axis=1))[0])
        raise ValueError(
            f"Expected 0 or 1 in every cell of Y, got a missing one in row {row}: {values[row]}. "
            "Leave out such rows, or say 0 where a label is not relevant."
        )
    rankings = check_rankings(values)
    if rankings.shape[1] < 3:
        raise ValueError("Expected at least two labels and the virtual label in Y.")
    return rankings, False
