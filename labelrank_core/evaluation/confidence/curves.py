"""Accuracy by confidence (Fig. 2 of [LR06]_), and the gain of rejecting doubtful cases.

References
----------
.. [LR06] K. Brinker, E. Hüllermeier: Case-based label ranking. ECML 2006.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from labelrank_core.rankings import FloatArray, IntArray

# Confidences that differ only by rounding are one level.
DECIMALS = 12


@dataclass(frozen=True)
class RejectionSummary:
    """Mean accuracy before and after rejecting a share of the cases, the least confident ones."""

    share: float
    share_kept: float
    # The lowest confidence kept.
    threshold: float
    accuracy_before: float
    accuracy_after: float


def accuracy_by_confidence(
    confidence: ArrayLike, accuracy: ArrayLike, *, max_levels: int = 40
) -> pd.DataFrame:
    """Tabulate mean accuracy at every level of confidence and at that level or above.

    Fig. 2 (a) and (b) of [LR06]_, by rising confidence. Confidences equal to 12 decimals are one
    level. More than `max_levels` levels are joined into at most that many bins with about equally
    many cases; a level is never divided between bins, so the order of the cases does not matter.
    Cases whose accuracy or confidence is NaN are left out.

    >>> table = accuracy_by_confidence([0.9, 0.5, 0.9], [1.0, 0.0, 0.5])
    >>> table[["confidence", "n_cases", "accuracy_at", "accuracy_at_least"]]
       confidence  n_cases  accuracy_at  accuracy_at_least
    0         0.5        1         0.00               0.50
    1         0.9        2         0.75               0.75
    """
    if max_levels < 1:
        raise ValueError(f"Expected max_levels of at least 1, got {max_levels}.")
    levels, n_cases, sums = by_level(confidence, accuracy)
    weighted = levels * n_cases
    binned = len(levels) > max_levels
    lowest = levels
    if binned:
        starts = _bin_starts(n_cases, max_levels)
        lowest = levels[starts]
        weighted, n_cases, sums = (
            np.add.reduceat(values, starts) for values in (weighted, n_cases, sums)
        )
    n_at_least = from_here_on(n_cases)
    return pd.DataFrame(
        {
            "confidence": weighted / n_cases if binned else levels,
            "confidence_from": lowest,
            "n_cases": n_cases,
            "accuracy_at": sums / n_cases,
            "accuracy_at_least": from_here_on(sums) / n_at_least,
            "share_kept": n_at_least / n_cases.sum(),
            "binned": np.full(len(n_cases), binned),
        }
    )


def accuracy_after_rejecting(
    confidence: ArrayLike, accuracy: ArrayLike, *, share: float
) -> RejectionSummary:
    """Return the mean accuracy that remains when the least confident cases are rejected.

    Of n cases ``floor(share * n)`` are rejected, a share of at least 0 and below 1. Where the
    boundary falls between cases of equal confidence (to 12 decimals), the result is the expected
    value of rejecting some of them at random. Cases whose accuracy or confidence is NaN are left
    out; NaN without any other case.

    >>> summary = accuracy_after_rejecting([0.9, 0.5, 0.9, 0.7], [1.0, 0.0, 0.5, 0.5], share=0.25)
    >>> summary.accuracy_before, round(summary.accuracy_after, 3)
    (0.5, 0.667)
    """
    if not 0 <= share < 1:
        raise ValueError(f"Expected a share of at least 0 and below 1, got {share}.")
    levels, n_cases, sums = by_level(confidence, accuracy)
    total = int(n_cases.sum())
    if total == 0:
        return RejectionSummary(share, *[float("nan")] * 4)
    # The tiny addend makes 0.29 * 100 = 28.999... reject 29.
    n_rejected = min(int(share * total + 1e-9), total - 1)
    counts = np.cumsum(n_cases)
    boundary = int(np.searchsorted(counts, n_rejected, side="right"))
    n_kept_there = counts[boundary] - n_rejected
    sum_above = sums[boundary + 1 :].sum()
    remaining = sum_above + sums[boundary] * (n_kept_there / n_cases[boundary])
    return RejectionSummary(
        share=share,
        share_kept=(total - n_rejected) / total,
        threshold=float(levels[boundary]),
        accuracy_before=float(sums.sum() / total),
        accuracy_after=float(remaining / (total - n_rejected)),
    )


def counted(confidence: ArrayLike, accuracy: ArrayLike) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return rounded confidence and accuracy of the cases that have both, and their indices."""
    certain = np.asarray(confidence, dtype=np.float64)
    accurate = np.asarray(accuracy, dtype=np.float64)
    if certain.ndim != 1 or certain.shape != accurate.shape:
        raise ValueError(
            "Expected confidence and accuracy of one shape (n_samples,), "
            f"got {certain.shape} and {accurate.shape}."
        )
    indices = np.flatnonzero(~(np.isnan(certain) | np.isnan(accurate)))
    return np.round(certain[indices], DECIMALS), accurate[indices], indices


def by_level(confidence: ArrayLike, accuracy: ArrayLike) -> tuple[FloatArray, IntArray, FloatArray]:
    """Return the rising levels of confidence, the cases of each and the sum of their accuracy."""
    certain, right, _ = counted(confidence, accuracy)
    levels, level_of, n_cases = np.unique(certain, return_inverse=True, return_counts=True)
    sums = np.zeros(len(levels))
    np.add.at(sums, level_of, right)
    return levels, n_cases.astype(np.int64), sums


def _bin_starts(n_cases: IntArray, n_bins: int) -> IntArray:
    """Put every level in the equal-count bin of its middle case; return the bins' first levels."""
    middle = np.cumsum(n_cases) - n_cases / 2
    bins = (middle * n_bins / n_cases.sum()).astype(np.int64)
    return np.flatnonzero(np.diff(bins, prepend=-1))


def from_here_on(values: Any) -> Any:
    """Sum values from each place to the end of the last axis."""
    return np.cumsum(values[..., ::-1], axis=-1)[..., ::-1]
