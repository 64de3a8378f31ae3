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
    """Compare the values of two methods on the same cases by a paired t test; NaN = no value."""
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
