"""The risk-coverage curve: what is lost on the cases kept, the surest first."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from labelrank_core.evaluation.confidence._curves import by_level, counted
from labelrank_core.rankings import FloatArray


@dataclass(frozen=True, eq=False)
class RiskCoverage:
    """The mean loss of the i surest cases, for every i, beside the best and a random order.

    Parameters
    ----------
    risk : ndarray of shape (n_cases,)
        Mean of 1 - accuracy of the 1, 2, ... surest cases.
    ideal : ndarray of shape (n_cases,)
        The same where the most accurate cases come first: no order has less.
    """

    risk: FloatArray
    ideal: FloatArray

    @property
    def coverage(self) -> FloatArray:
        """Shares of the cases kept: 1 / n, 2 / n, ..., 1."""
        return np.arange(1, len(self.risk) + 1) / max(len(self.risk), 1)

    @property
    def area(self) -> float:
        """Mean of the risks at all coverages, AURC of [geifman2019]_; lower is better."""
        return _mean(self.risk)

    @property
    def ideal_area(self) -> float:
        """The smallest area that these predictions allow, with their order known in hindsight."""
        return _mean(self.ideal)

    @property
    def random_area(self) -> float:
        """The expected area of a random order: the mean loss of all cases."""
        return float(self.risk[-1]) if len(self.risk) else float("nan")

    @property
    def excess(self) -> float:
        """The area above the ideal one, E-AURC of [geifman2019]_; 0 is best."""
        return self.area - self.ideal_area

    @property
    def gain(self) -> float:
        """The share of the way from a random order (0) to the ideal one (1).

        Below 0 where the sure cases are worse than others; NaN where all cases are equally
        accurate, so that no order gains anything.
        """
        possible = self.random_area - self.ideal_area
        return (self.random_area - self.area) / possible if possible > 1e-12 else float("nan")

    def frame(self, *, max_rows: int = 200) -> pd.DataFrame:
        """Tabulate the curves.

        Parameters
        ----------
        max_rows : int, default=200
            Of more cases so many coverages are taken, equally far apart.

        Returns
        -------
        DataFrame
            One row a coverage: ``share_kept, risk, ideal, random``.
        """
        n = len(self.risk)
        rows = np.unique(np.linspace(0, n - 1, min(n, max_rows)).round().astype(int))
        return pd.DataFrame(
            {
                "share_kept": self.coverage[rows],
                "risk": self.risk[rows],
                "ideal": self.ideal[rows],
                "random": np.full(len(rows), self.random_area),
            }
        )


def risk_coverage(confidence: ArrayLike, accuracy: ArrayLike) -> RiskCoverage:
    """Compute the risk-coverage curve and its area, with the ideal and the random order.

    Risk is the mean of 1 - accuracy: between 0 and 1 for an accuracy in [0, 1], between 0 and 2
    for a correlation. Of cases of equal confidence (to 12 decimals) each counts with their mean:
    the expected curve over all ways to break the ties, whatever the order of the rows.
    Cases whose accuracy or confidence is NaN are left out; without any other case areas are NaN.

    Parameters
    ----------
    confidence : array-like of shape (n_samples,)
        Higher = more certain.
    accuracy : array-like of shape (n_samples,)
        Accuracy of each prediction, 1 = right.

    Returns
    -------
    RiskCoverage
        Curves and areas.

    Raises
    ------
    ValueError
        If the two are not one-dimensional and of one length.

    Notes
    -----
    The curve is that of [elyaniv2010]_; the area, its excess over the ideal order and their names
    AURC and E-AURC are of [geifman2019]_, there for errors of 0 and 1. `RiskCoverage.gain` is not
    from there: it puts the area on a scale of its own.

    References
    ----------
    .. [elyaniv2010] R. El-Yaniv, Y. Wiener: On the foundations of noise-free selective
       classification. Journal of Machine Learning Research 11, 2010.
    .. [geifman2019] Y. Geifman, G. Uziel, R. El-Yaniv: Bias-reduced uncertainty estimation for
       deep neural classifiers. ICLR 2019.

    Examples
    --------
    >>> curve = risk_coverage([0.9, 0.8, 0.7], [1.0, 0.0, 1.0])
    >>> curve.frame().round(2)
       share_kept  risk  ideal  random
    0        0.33  0.00   0.00    0.33
    1        0.67  0.50   0.00    0.33
    2        1.00  0.33   0.33    0.33
    >>> round(curve.area, 3), round(curve.excess, 3), round(curve.gain, 2)
    (0.278, 0.167, 0.25)
    """
    _, n_cases, sums = by_level(confidence, accuracy)
    _, right, _ = counted(confidence, accuracy)
    expected = np.repeat((sums / n_cases)[::-1], n_cases[::-1])
    return RiskCoverage(_running_risk(expected), _running_risk(np.sort(right)[::-1]))


def _running_risk(accuracy: FloatArray) -> FloatArray:
    return np.cumsum(1 - accuracy) / np.arange(1, len(accuracy) + 1)


def _mean(values: FloatArray) -> float:
    return float(values.mean()) if len(values) else float("nan")
