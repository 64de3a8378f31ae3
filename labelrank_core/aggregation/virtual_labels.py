"""Bucket orders with p virtual labels, linear in p and never expanded [brinker2007]."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from labelrank_core.aggregation import doubled_ranks
from labelrank_core.rankings import (
    IntArray,
    calibrate,
    check_rankings,
    relevance_from_calibrated,
)


@dataclass(frozen=True, eq=False)
class CalibratedTargets:
    """Targets with a zero line, ready to be summed; the virtual label has the last column.

    Parameters
    ----------
    ranks : ndarray of int, shape (n_samples, n_labels + 1)
        Twice the generalised ranks with one virtual label.
    slopes : ndarray of int, shape (n_samples, n_labels + 1)
        Twice the places a label moves back for each further virtual label: 0 ahead of the line,
        1 on it, as the virtual labels themselves, 2 behind it.
    relevance : ndarray of int, shape (n_samples, n_labels)
        1 = strictly ahead of the line.
    binary : bool
        Whether the targets were a 0/1 matrix.
    """

    ranks: NDArray[Any]
    slopes: NDArray[Any]
    relevance: NDArray[Any]
    binary: bool

    @classmethod
    def from_targets(cls, Y: ArrayLike) -> Self:
        """Read a 0/1 matrix or calibrated rankings.

        Parameters
        ----------
        Y : array-like of shape (n_samples, n_labels) or (n_samples, n_labels + 1)
            A matrix of nothing but 0 and 1, or positions with the virtual label's last. A matrix
            of nothing but 1 is a 0/1 matrix: see `Dataset.zero_line_targets`.

        Returns
        -------
        CalibratedTargets
            The tables.

        Raises
        ------
        ValueError
            If Y is neither, or has fewer than two labels.
        """
        values, binary = _checked(Y)
        calibrated = calibrate(values) if binary else values
        behind = np.sign(calibrated - calibrated[:, -1:])
        return cls(
            ranks=doubled_ranks(calibrated),
            slopes=1 + behind.astype(np.int32),
            relevance=relevance_from_calibrated(calibrated).astype(np.int32),
            binary=binary,
        )


def relevance_of_targets(Y: ArrayLike) -> IntArray:
    """Return which labels are relevant, from a 0/1 matrix or calibrated rankings.

    Parameters
    ----------
    Y : array-like of shape (n_samples, n_labels) or (n_samples, n_labels + 1)
        As for `CalibratedTargets.from_targets`.

    Returns
    -------
    ndarray of shape (n_samples, n_labels)
        1 = relevant.

    Raises
    ------
    ValueError
        If Y is neither, or has fewer than two labels.
    """
    values, binary = _checked(Y)
    return values.astype(np.int64, copy=False) if binary else relevance_from_calibrated(values)


def _checked(Y: ArrayLike) -> tuple[NDArray[Any], bool]:
    """Return a 0/1 matrix and True, or calibrated rankings and False."""
    values = np.asarray(Y)
    if values.ndim == 2 and values.size and ((values == 0) | (values == 1)).all():
        if values.shape[1] < 2:
            raise ValueError(f"Expected at least two labels in Y, got {values.shape[1]}.")
        return values, True
    rankings = check_rankings(values)
    if rankings.shape[1] < 3:
        raise ValueError("Expected at least two labels and the virtual label in Y.")
    return rankings, False
