"""The uncertainty of a curve of accuracy against confidence, by resampling the cases."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from labelrank_core.evaluation.confidence.curves import DECIMALS, counted, from_here_on
from labelrank_core.rankings import FloatArray

# A bootstrap of fewer cases than this says too little about other cases.
FEWEST = 10
# Numbers drawn at a time (8 MB).
_CHUNK_CELLS = 1 << 20


def accuracy_band(
    confidence: ArrayLike,
    accuracy: ArrayLike,
    *,
    levels: ArrayLike,
    coverage: float = 0.95,
    n_resamples: int = 1000,
    seed: int = 0,
) -> pd.DataFrame:
    """Bound the mean accuracy of all cases with at least some confidence, by the bootstrap.

    The percentile bootstrap over test cases (chapter 13 of [efron1993]_), one level at a time: it
    says nothing about another training set. NaN where fewer than 10 cases have that confidence.
    Cases whose accuracy or confidence is NaN are left out; the same seed gives the same band.

    >>> band = accuracy_band([0.5] * 50 + [0.9] * 50, [0.0, 1.0] * 25 + [1.0] * 50,
    ...                      levels=[0.5, 0.9])
    >>> band.round(2)
       confidence_from  n_cases   low  high
    0              0.5      100  0.66  0.83
    1              0.9       50  1.00  1.00
    """
    certain, right, _ = counted(confidence, accuracy)
    ends = np.round(np.asarray(levels, dtype=np.float64), DECIMALS)
    if ends.ndim != 1 or (np.diff(ends) <= 0).any():
        raise ValueError(f"Expected levels that rise, got {levels!r}.")
    if not 0 < coverage < 1:
        raise ValueError(f"Expected a coverage between 0 and 1, got {coverage}.")
    if n_resamples < 1:
        raise ValueError(f"Expected n_resamples of at least 1, got {n_resamples}.")
    # Cases below all levels are drawn too, but counted in a bin that is left out.
    bins = np.searchsorted(ends, certain, side="right")
    n_cases = from_here_on(np.bincount(bins, minlength=len(ends) + 1))[1:]
    low, high = np.full((2, len(ends)), np.nan)
    enough = n_cases >= FEWEST
    if enough.any():
        means = _resampled_means(bins, right, len(ends), n_resamples, seed)[:, enough]
        tail = (1 - coverage) / 2
        low[enough], high[enough] = np.nanquantile(means, [tail, 1 - tail], axis=0)
    return pd.DataFrame({"confidence_from": ends, "n_cases": n_cases, "low": low, "high": high})


def _resampled_means(
    bins: np.ndarray, right: FloatArray, n_levels: int, n_resamples: int, seed: int
) -> FloatArray:
    """Return the mean accuracy at each level or above in each resample; NaN without a case."""
    random = np.random.default_rng(seed)
    n, width = len(bins), n_levels + 1
    step = max(1, _CHUNK_CELLS // n)
    means = np.empty((n_resamples, n_levels))
    for start in range(0, n_resamples, step):
        rows = min(step, n_resamples - start)
        sample = random.integers(n, size=(rows, n))
        cells = (bins[sample] + width * np.arange(rows)[:, None]).ravel()
        counts = np.bincount(cells, minlength=rows * width).reshape(rows, width)
        sums = np.bincount(cells, right[sample].ravel(), rows * width).reshape(rows, width)
        n_cases = from_here_on(counts)[:, 1:]
        block = means[start : start + rows]
        block[:] = np.nan
        np.divide(from_here_on(sums)[:, 1:], n_cases, out=block, where=n_cases > 0)
    return means
