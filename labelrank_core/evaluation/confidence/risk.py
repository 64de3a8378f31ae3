"""The risk–coverage curve: the mean loss of the cases kept, by falling confidence."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from labelrank_core.evaluation.confidence.curves import by_level, counted
from labelrank_core.rankings import ROUNDING, FloatArray


@dataclass(frozen=True, eq=False)
class RiskCoverage:
    """The risk–coverage curve of n cases, and that of the best possible order."""

    # [i - 1]: the mean of 1 - accuracy of the i most confident, or most accurate, cases.
    risk: FloatArray
    best: FloatArray

    @property
    def coverage(self) -> FloatArray:
        """Shares of the cases kept: 1 / n, 2 / n, ..., 1."""
        return np.arange(1, len(self.risk) + 1) / max(len(self.risk), 1)

    @property
    def area(self) -> float:
        """Area under the curve, AURC of [geifman2019]_: the mean of the risks at all coverages."""
        return _mean(self.risk)

    @property
    def best_area(self) -> float:
        """The area of the best possible order, known only in hindsight."""
        return _mean(self.best)

    @property
    def random_area(self) -> float:
        """The expected area of a random order: the mean loss of all cases."""
        return float(self.risk[-1]) if len(self.risk) else float("nan")

    @property
    def excess(self) -> float:
        """The area above the best possible one, E-AURC of [geifman2019]_; 0 is best."""
        return self.area - self.best_area

    @property
    def gain(self) -> float:
        """The share of the way from a random order (0) to the best one (1); NaN if equal."""
        possible = self.random_area - self.best_area
        return (self.random_area - self.area) / possible if possible > ROUNDING else float("nan")

    def frame(self, *, max_rows: int = 200) -> pd.DataFrame:
        """Tabulate the curves: ``share_kept, risk, best, random``, at most `max_rows` coverages."""
        n = len(self.risk)
        rows = np.unique(np.linspace(0, n - 1, min(n, max_rows)).round().astype(int))
        return pd.DataFrame(
            {
                "share_kept": self.coverage[rows],
                "risk": self.risk[rows],
                "best": self.best[rows],
                "random": np.full(len(rows), self.random_area),
            }
        )


def risk_coverage(confidence: ArrayLike, accuracy: ArrayLike) -> RiskCoverage:
    """Compute the risk–coverage curve and its area, beside the best possible and a random order.

    Risk is the mean of 1 - accuracy: between 0 and 1 for an accuracy in [0, 1], between 0 and 2 for
    a correlation. Where confidences tie (to 12 decimals), it is the expected curve over all ways to
    break the ties. Cases whose accuracy or confidence is NaN are left out.

    The curve is that of [elyaniv2010]_, the area and its excess are AURC and E-AURC of
    [geifman2019]_, there for errors of 0 and 1; `RiskCoverage.gain` is a scale of our own.

    >>> curve = risk_coverage([0.9, 0.8, 0.7], [1.0, 0.0, 1.0])
    >>> curve.frame().round(2)
       share_kept  risk  best  random
    0        0.33  0.00  0.00    0.33
    1        0.67  0.50  0.00    0.33
    2        1.00  0.33  0.33    0.33
    >>> round(curve.area, 3), round(curve.excess, 3), round(curve.gain, 2)
    (0.278, 0.167, 0.25)
    """
    _, n_cases, sums = by_level(confidence, accuracy)
    _, accurate, _ = counted(confidence, accuracy)
    expected = np.repeat((sums / n_cases)[::-1], n_cases[::-1])
    return RiskCoverage(_running_risk(expected), _running_risk(np.sort(accurate)[::-1]))


def _running_risk(accuracy: FloatArray) -> FloatArray:
    return np.cumsum(1 - accuracy) / np.arange(1, len(accuracy) + 1)


def _mean(values: FloatArray) -> float:
    return float(values.mean()) if len(values) else float("nan")
