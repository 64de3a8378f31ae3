"""Cases that a method was sure of and wrong about."""

from math import ceil

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.stats import rankdata

from labelrank_core.evaluation.confidence._curves import DECIMALS, counted


def confident_mistakes(
    confidence: ArrayLike, accuracy: ArrayLike, *, share: float = 0.1, n_cases: int = 10
) -> pd.DataFrame:
    """List the surest of the cases predicted worst.

    Predicted worst are the cases of the lowest accuracy, then those of the next lowest and so on,
    as long as they are no more than ``ceil(share * n)`` of n cases; equally accurate ones are taken
    together, and none that is as accurate as the mean. Of equally sure ones the least
    accurate comes first, then the earlier one. Cases whose accuracy or confidence is NaN are left
    out; so are differences in the 12th decimal.

    Parameters
    ----------
    confidence : array-like of shape (n_samples,)
        Higher = more certain.
    accuracy : array-like of shape (n_samples,)
        Accuracy of each prediction, higher = better.
    share : float, default=0.1
        Share of the cases to choose from, above 0 and at most 1.
    n_cases : int, default=10
        The most cases to list.

    Returns
    -------
    DataFrame
        One row a case: ``case`` (its place in the arrays), ``confidence``, ``accuracy`` and
        ``surer_than``, the share of the other cases that are less sure, equally sure ones counted
        half.

    Raises
    ------
    ValueError
        If the two are not one-dimensional and of one length, or `share` is out of range.

    Examples
    --------
    >>> confident_mistakes([0.9, 0.8, 0.7, 0.6], [0.2, 1.0, 0.9, 0.1], share=0.5)
       case  confidence  accuracy  surer_than
    0     0         0.9       0.2         1.0
    1     3         0.6       0.1         0.0
    """
    if not 0 < share <= 1:
        raise ValueError(f"Expected a share above 0 and at most 1, got {share}.")
    certain, right, places = counted(confidence, accuracy)
    n = len(right)
    right = right.round(DECIMALS)
    worst = np.zeros(0, dtype=np.int64)
    if n:
        levels, counts = np.unique(right, return_counts=True)
        limit = ceil(share * n - 1e-9)
        n_levels = int(np.searchsorted(np.cumsum(counts), limit, side="right"))
        last = levels[max(n_levels - 1, 0)]
        worst = np.flatnonzero((right <= last) & (right < right.mean() - 10.0**-DECIMALS))
    worst = worst[np.lexsort((worst, right[worst], -certain[worst]))][:n_cases]
    return pd.DataFrame(
        {
            "case": places[worst],
            "confidence": certain[worst],
            "accuracy": right[worst],
            "surer_than": (rankdata(certain)[worst] - 1) / max(n - 1, 1),
        }
    )
