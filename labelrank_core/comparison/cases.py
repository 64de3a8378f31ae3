"""Whether a method is better than another on the same test cases, one value per case."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from labelrank_core.comparison.significance import paired_difference
from labelrank_core.metrics import Measure
from labelrank_core.rankings import FloatArray, equal_up_to_rounding

Verdict = Literal["better", "worse", "unclear"]

# A sign test of five differences has a p of at least 2 / 32, more than 5 %: fewer than six cases
# that differ can decide nothing.
FEWEST = 6


@dataclass(frozen=True)
class CaseDifference:
    """The difference of two trained models on cases like those tested, with its interval."""

    # The mean over cases, positive where the first is better; its 95 % interval.
    gain: float
    low: float
    high: float
    n_different: int
    verdict: Verdict


def case_difference(first: FloatArray, second: FloatArray, measure: Measure) -> CaseDifference:
    """Compare the values of two methods on the same cases by a paired t test.

    Parameters
    ----------
    first, second : ndarray of shape (n_cases,)
        One value of the measure per case; NaN = no value. Cases without a value of both are left
        out.
    measure : Measure
        Says whether higher values are better.

    Returns
    -------
    CaseDifference
        The mean gain of the first, positive where it is better, its 95 % interval, NaN for fewer
        than two cases or where all differences are equal and not 0, and the number of cases that
        differ beyond rounding. The verdict is "unclear" where fewer than `FEWEST` differ or the
        interval holds 0.

    Raises
    ------
    ValueError
        If there are not as many values of both.

    Examples
    --------
    >>> from labelrank_core.metrics import METRICS
    >>> first = np.array([0.9, 0.8, 1.0, 0.7, 0.9, 0.8])
    >>> second = first - [0.1, 0.2, 0.1, 0.2, 0.1, 0.2]
    >>> difference = case_difference(first, second, METRICS["kendall_tau_score"])
    >>> round(difference.gain, 2), difference.n_different, difference.verdict
    (0.15, 6, 'better')
    """
    counted = ~(np.isnan(first) | np.isnan(second))
    a, b = first[counted], second[counted]
    sign = 1 if measure.greater_is_better else -1
    n_different = int(np.count_nonzero(~equal_up_to_rounding(a, b)))
    if len(a) < 2:
        gain = float(sign * (a - b).mean()) if len(a) else float("nan")
        return CaseDifference(gain, float("nan"), float("nan"), n_different, "unclear")
    pair = paired_difference(sign * a, sign * b, test_share=0.0)
    # Differences that are all equal have no interval, but enough of them are clear.
    low, high = (pair.mean, pair.mean) if np.isnan(pair.low) else (pair.low, pair.high)
    verdict: Verdict = "unclear"
    if n_different >= FEWEST and (low > 0 or high < 0):
        verdict = "better" if low > 0 else "worse"
    return CaseDifference(pair.mean, pair.low, pair.high, n_different, verdict)
