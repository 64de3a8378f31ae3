"""Round numbers along an axis."""

import numpy as np

from labelrank_core.rankings import FloatArray


def round_numbers(low: float, high: float, n_ticks: int) -> FloatArray:
    """Return the multiples of 1, 2 or 5 times a power of ten between two ends, about `n_ticks`."""
    step = 10.0 ** np.floor(np.log10((high - low) / 2 or 1.0))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= n_ticks)
    # Adding 0 turns -0 into 0.
    return np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step + 0.0
