"""A test whether pairs of labels are right as often as a model says they are.

The pairs of one case depend on each other: a label that is predicted too far ahead turns several of
them. So the sums of the cases are compared, not single pairs. One test is of the mean, another is
Spiegelhalter's [spiegelhalter1986]_ of the Brier score, which also sees a model that is right on
average but too sure where it is sure.

References
----------
.. [spiegelhalter1986] D. J. Spiegelhalter: Probabilistic prediction in patient management and
   clinical trials. Statistics in Medicine 5, 1986.
.. [cameron2015] A. C. Cameron, D. L. Miller: A practitioner's guide to cluster-robust inference.
   Journal of Human Resources 50, 2015.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from labelrank_core.evaluation.pair_probabilities import PairProbabilities
from labelrank_core.rankings import FloatArray

_CONFIDENCE = 0.95


@dataclass(frozen=True)
class PairCalibration:
    """The distance of the probabilities of pairs from the share that is right, and that of chance.

    Parameters
    ----------
    n_cases, n_pairs : int
        Cases with a pair, and their pairs.
    probability, right : float
        The mean probability, and the share that is right.
    low, high : float
        Where the share that is right lies in 95 % of draws of as many cases, if the model is right
        as often as it says; NaN for a single case.
    p : float
        Of the test that the mean probability is the share right; NaN for a single case.
    brier_p : float
        Of Spiegelhalter's test; NaN for a single case.
    """

    n_cases: int
    n_pairs: int
    probability: float
    right: float
    low: float
    high: float
    p: float
    brier_p: float


def pair_calibration(pairs: PairProbabilities) -> PairCalibration:
    """Test whether pairs, at least one, are right as often as a model says.

    Of each pair with probability p and outcome y the difference y - p has mean 0 in a calibrated
    model, for Spiegelhalter's test weighted by 1 - 2p. Their sums over cases are divided by their
    standard error and compared with the t distribution of n_cases - 1 degrees of freedom. The
    variance is that of the sums [cameron2015]_, or the one that the probabilities themselves give
    to independent pairs where that is larger, as where no pair is wrong.

    >>> cases = np.arange(40) // 2
    >>> sure = PairProbabilities(np.full(40, 0.95), np.tile([1.0, 0.0, 1.0, 1.0], 10), cases)
    >>> pair_calibration(sure).p < 0.01
    True
    """
    p = pairs.probability
    n_cases = len(np.unique(pairs.cases_or_pairs))
    mean, right = float(p.mean()), float(pairs.outcome.mean())
    margin, p_value = _tested(pairs, np.ones_like(p))
    return PairCalibration(
        n_cases=n_cases,
        n_pairs=len(p),
        probability=mean,
        right=right,
        low=max(0.0, mean - margin) if margin == margin else margin,
        high=min(1.0, mean + margin) if margin == margin else margin,
        p=p_value,
        brier_p=_tested(pairs, 1 - 2 * p)[1],
    )


def reliability_with_chance(pairs: PairProbabilities, n_bins: int = 10) -> pd.DataFrame:
    """Tabulate pairs in bins as `PairProbabilities.reliability`, with the range of chance.

    ``chance_low`` and ``chance_high``: between them the shares right of all bins lie in 95 % of
    draws of as many cases, if the model is right as often as it says (Bonferroni); NaN where one
    case has all pairs.
    """
    table, bins = pairs.reliability(n_bins), pairs.bins(n_bins)
    confidence = 1 - (1 - _CONFIDENCE) / len(table)
    margins = np.array(
        [_tested(pairs.chosen(bins == i), confidence=confidence)[0] for i in np.unique(bins)]
    )
    return table.assign(
        chance_low=np.maximum(0.0, table["probability"] - margins),
        chance_high=np.minimum(1.0, table["probability"] + margins),
    )


def _tested(
    pairs: PairProbabilities, weights: FloatArray | None = None, confidence: float = _CONFIDENCE
) -> tuple[float, float]:
    """Return the margin of the mean weighted difference, and the p of its being 0."""
    p, n = pairs.probability, len(pairs.probability)
    weights = np.ones(n) if weights is None else weights
    case_numbers = np.unique(pairs.cases_or_pairs, return_inverse=True)[1]
    sums = np.bincount(case_numbers, weights * (pairs.outcome - p))
    n_cases = len(sums)
    if n_cases < 2:
        return float("nan"), float("nan")
    # A pair without preference has nothing to be wrong about.
    is_preferred = pairs.outcome != 0.5
    variance = max(
        n_cases * float(sums.var(ddof=1)), float((weights**2 * p * (1 - p))[is_preferred].sum())
    )
    error = np.sqrt(variance)
    margin = float(stats.t.ppf((1 + confidence) / 2, n_cases - 1) * error / n)
    total = abs(float(sums.sum()))
    if total <= 1e-9:
        return margin, 1.0
    if not variance:
        return margin, 0.0
    return margin, float(2 * stats.t.sf(total / error, n_cases - 1))
