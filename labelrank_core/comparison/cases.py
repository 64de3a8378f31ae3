"""Whether a method is better than another on the same test cases, one value per case."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from labelrank_core.comparison.significance import paired_difference
from labelrank_core.metrics import Measure
from labelrank_core.rankings import FloatArray, equal_up_to_rounding

Verdict = Literal["better", "worse", "unclear"]

# Were the signs of the differences tossed, five would all fall the same way in 2 of 32 tosses,
# which is more than 5 %: fewer than six cases that differ can decide nothing.
FEWEST = 6


@dataclass(frozen=True)
class CaseDifference:
    """How much better one method is than another: mean over cases, 95 % interval, verdict.

    The gain is positive where the first method is better, whichever way the measure goes. Interval
    and verdict speak of these two trained models and of other cases like those tested.
    """

    gain: float
    low: float
    high: float
    n_different: int
    verdict: Verdict


def case_difference(first: FloatArray, second: FloatArray, measure: Measure) -> CaseDifference:
    """Compare the values of two methods on the same cases; NaN = the case has none.

    The interval is that of the paired t test over cases. The first method is better or worse where
    it excludes 0 and at least six cases differ. Differences that are all equal have no interval
    (NaN), but six or more of them are clear.

    >>> from labelrank_core.metrics import METRICS
    >>> tau = METRICS["kendall_tau_score"]
    >>> case_difference(np.array([1.0, 0.5, 1.0]), np.array([0.5, 0.5, 0.5]), tau).verdict
    'unclear'
    """
    counted = ~(np.isnan(first) | np.isnan(second))
    a, b = first[counted], second[counted]
    sign = 1 if measure.greater_is_better else -1
    n_different = int(np.count_nonzero(~equal_up_to_rounding(a, b)))
    if len(a) < 2:
        gain = float(sign * (a - b).mean()) if len(a) else float("nan")
        return CaseDifference(gain, float("nan"), float("nan"), n_different, "unclear")
    pair = paired_difference(sign * a, sign * b, test_share=0.0)
    low, high = (pair.mean, pair.mean) if np.isnan(pair.low) else (pair.low, pair.high)
    verdict: Verdict = "unclear"
    if n_different >= FEWEST and (low > 0 or high < 0):
        verdict = "better" if low > 0 else "worse"
    return CaseDifference(pair.mean, pair.low, pair.high, n_different, verdict)
