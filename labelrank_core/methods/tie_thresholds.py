"""Pairs of labels with three outcomes: one label ahead, the other, or a tie [rao1967]_.

A difference of log strengths d and a threshold of at least 0 give label i the probability
1 / (1 + exp(threshold - d)) of being strictly ahead of j, and j that of 1 / (1 + exp(threshold
+ d)); what is left is that of a tie. A label is likelier ahead than not where it leads by more than
the threshold.

References
----------
.. [rao1967] P. Rao, L. Kupper: Ties in paired-comparison experiments: a generalization of the
   Bradley-Terry model. Journal of the American Statistical Association 62, 1967.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from labelrank_core.rankings import FloatArray

# Above it no outcome but a tie has a probability to speak of.
LARGEST_THRESHOLD = 50.0
# Halvings, after which a threshold is known to its last digits.
_N_HALVINGS = 56


def likeliest_thresholds(
    differences: FloatArray, ahead: NDArray[Any], tied: NDArray[Any]
) -> FloatArray:
    """Find each query's threshold with the greatest likelihood; 0 where nothing is tied.

    All arguments are ``[q, i, j]``: the log strength of i less that of j, how often i was strictly
    ahead of j, and how often the two were tied; diagonals do not count. The largest threshold is
    `LARGEST_THRESHOLD`.
    """
    is_pair = ~np.eye(differences.shape[1], dtype=bool)
    ahead, tied = ahead * is_pair, tied * is_pair
    low = np.zeros(len(differences))
    high = np.full(len(differences), LARGEST_THRESHOLD)
    for _ in range(_N_HALVINGS):
        middle = (low + high) / 2
        chances = expit(differences - middle[:, None, None])
        # Minus the slope of the log likelihood, in which each tie stands twice: it rises.
        from_ahead = (ahead * (1 - chances)).sum(axis=(1, 2))
        from_ties = (tied * (chances + 1 / np.expm1(2 * middle)[:, None, None])).sum(axis=(1, 2))
        too_high = from_ahead > from_ties
        low, high = np.where(too_high, low, middle), np.where(too_high, middle, high)
    return np.where(tied.any(axis=(1, 2)), high, 0.0)
