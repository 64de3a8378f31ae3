"""Cases that a method was surer of than it should have been."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.stats import rankdata

from labelrank_core.confidence._curves import DECIMALS, counted
from labelrank_core.rankings import FloatArray


def confident_mistakes(
    confidence: ArrayLike, accuracy: ArrayLike, *, n_cases: int = 10
) -> pd.DataFrame:
    """List the cases whose place by confidence is furthest above their place by accuracy.

    Only cases less accurate than the mean are listed, and only where the first place is above the
    second. A place is the share of the other cases with
    a lower value, those with the same value counted half. Of equal differences the surer case comes
    first, then the earlier one. Cases whose accuracy or confidence is NaN are left out.

    Parameters
    ----------
    confidence : array-like of shape (n_samples,)
        Higher = more certain.
    accuracy : array-like of shape (n_samples,)
        Accuracy of each prediction, higher = better.
    n_cases : int, default=10
        The most cases to list.

    Returns
    -------
    DataFrame
        One row a case, the worst first: ``case`` (its place in the arrays), ``confidence``,
        ``accuracy``, ``surer_than`` and ``righter_than`` (the two shares).

    Raises
    ------
    ValueError
        If the two are not one-dimensional and of one length.

    Examples
    --------
    >>> confident_mistakes([0.9, 0.8, 0.7, 0.6], [0.1, 1.0, 0.9, 0.0])
       case  confidence  accuracy  surer_than  righter_than
    0     0         0.9       0.1         1.0      0.333333
    """
    certain, right, places = counted(confidence, accuracy)
    right = np.round(right, DECIMALS)
    sure_rank, right_rank = _doubled_ranks(certain), _doubled_ranks(right)
    below = right < (right.mean() if len(right) else 0.0) - 10.0**-DECIMALS
    wrong = np.flatnonzero(below & (sure_rank > right_rank))
    order = np.lexsort((wrong, -certain[wrong], (right_rank - sure_rank)[wrong]))
    worst = wrong[order][:n_cases]
    others = 2 * max(len(right) - 1, 1)
    return pd.DataFrame(
        {
            "case": places[worst],
            "confidence": certain[worst],
            "accuracy": right[worst],
            "surer_than": sure_rank[worst] / others,
            "righter_than": right_rank[worst] / others,
        }
    )


def _doubled_ranks(values: FloatArray) -> np.ndarray:
    """Return twice the number of lower values, equal ones counted half, in whole numbers."""
    return np.rint(2 * (rankdata(values) - 1)).astype(np.int64)
