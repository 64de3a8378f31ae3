"""Cases that are predicted badly although with high confidence."""

from math import ceil

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.stats import rankdata

from labelrank_core.evaluation.confidence.curves import DECIMALS, counted

# Of more cases only the surest are listed.
N_LISTED = 10


def confident_mistakes(
    confidence: ArrayLike, accuracy: ArrayLike, *, share: float = 0.1, n_cases: int = N_LISTED
) -> pd.DataFrame:
    """List the cases predicted worst, those of highest confidence first.

    Predicted worst are the least accurate ``ceil(share * n)`` of n cases at most, equally accurate
    ones taken together, and none as accurate as the mean. Of equal confidence the least accurate
    comes first, then the earlier one. Cases whose accuracy or confidence is NaN are left out.
    ``surer_than`` is the share of the other cases with less confidence, ``less_sure_than`` of those
    with more.

    >>> confident_mistakes([0.9, 0.8, 0.7, 0.6], [0.2, 1.0, 0.9, 0.1], share=0.5)
       case  confidence  accuracy  surer_than  less_sure_than
    0     0         0.9       0.2         1.0             0.0
    1     3         0.6       0.1         0.0             1.0
    """
    if not 0 < share <= 1:
        raise ValueError(f"Expected a share above 0 and at most 1, got {share}.")
    certain, right, cases = counted(confidence, accuracy)
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
            "case": cases[worst],
            "confidence": certain[worst],
            "accuracy": right[worst],
            "surer_than": (rankdata(certain, method="min")[worst] - 1) / max(n - 1, 1),
            "less_sure_than": (n - rankdata(certain, method="max")[worst]) / max(n - 1, 1),
        }
    )
