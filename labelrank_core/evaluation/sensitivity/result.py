"""Measures at every setting in every fold, with bands and the best setting.

References
----------
.. [nadeau2003] C. Nadeau, Y. Bengio: Inference for the generalization error. Machine Learning 52,
   2003.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from labelrank_core.metrics import METRICS
from labelrank_core.rankings import FloatArray, equal_up_to_rounding


@dataclass(frozen=True)
class Best:
    """The best setting and the one in use: means and standard deviations over folds."""

    setting: tuple[Any, ...]
    mean: float
    sd: float
    own_mean: float
    own_sd: float
    # How much better the best is, fold by fold; at least 0, whether or not higher is better.
    gain: float
    # Half the 95 % interval of the gain; NaN for a single fold.
    margin: float

    @property
    def matters(self) -> bool:
        """Whether the 95 % interval of the gain lies above 0; for a single fold, the gain."""
        return bool(_is_clear(np.array(self.gain), np.array(self.margin)))


@dataclass(frozen=True, eq=False)
class Sensitivity:
    """Measures at every setting in every fold.

    Parameters
    ----------
    parameters : tuple of str
        The varied parameters.
    settings : tuple of tuple
        Values of the parameters, setting by setting.
    folds : tuple of (int, int)
        Repetition and number of every fold.
    measures : tuple of str
        Keys of `METRICS`.
    values : ndarray of shape (n_folds, n_settings, n_measures)
        Means over the test cases that have a value; NaN where none has.
    test_share : float, default=0.0
        Test cases per training case, 1 / 4 for five folds: folds share training cases, so that the
        variance of a mean difference is multiplied by 1 / n_folds + test_share [nadeau2003]_.
    """

    parameters: tuple[str, ...]
    settings: tuple[tuple[Any, ...], ...]
    folds: tuple[tuple[int, int], ...]
    measures: tuple[str, ...]
    values: FloatArray
    test_share: float = 0.0

    def frame(self) -> pd.DataFrame:
        """Tabulate every value: ``repeat, fold``, one column per parameter, ``measure, value``."""
        n_folds, n_settings, n_measures = self.values.shape
        repeats, numbers = zip(*self.folds, strict=True)
        n_values = n_settings * n_measures
        return pd.DataFrame(
            {
                "repeat": np.repeat(repeats, n_values),
                "fold": np.repeat(numbers, n_values),
                **self._columns(n_measures, n_folds),
                "measure": pd.Series(list(self.measures) * (n_folds * n_settings), dtype="str"),
                "value": self.values.ravel(),
            }
        )

    def bands(self) -> pd.DataFrame:
        """Tabulate means and bands of one standard deviation to either side.

        One column per parameter, ``measure, mean, sd, low, high, n_folds``. The standard deviation
        of the folds' values (with n - 1) says how much another fold may differ, not how exact the
        mean is; for a single fold it is NaN.
        """
        n_folds, n_settings, n_measures = self.values.shape
        mean, sd = self._mean_and_sd(self.values)
        return pd.DataFrame(
            {
                **self._columns(n_measures, 1),
                "measure": pd.Series(list(self.measures) * n_settings, dtype="str"),
                "mean": mean.ravel(),
                "sd": sd.ravel(),
                "low": (mean - sd).ravel(),
                "high": (mean + sd).ravel(),
                "n_folds": n_folds,
            }
        )

    def has_values(self, measure: str) -> bool:
        """Tell whether any setting has a value of a measure, on any fold."""
        return not bool(np.isnan(self.values[:, :, self.measures.index(measure)]).all())

    def best(self, measure: str, *, current: tuple[Any, ...]) -> Best:
        """Find the best setting in the mean over the folds, beside the one in use.

        It is chosen on the folds that also measure it, so expect a slightly worse value on new
        data, the more so the more settings were tried. Of equally good settings the one in use
        wins, else the first.
        """
        if current not in self.settings:
            raise ValueError(f"Expected one of the settings measured, got {current}.")
        values = self.values[:, :, self.measures.index(measure)]
        sign = 1 if METRICS[measure].greater_is_better else -1
        mean, sd = self._mean_and_sd(values)
        if not self.has_values(measure):
            raise ValueError(f"No setting has a value of {measure}.")
        current_index, best_index = self.settings.index(current), int(np.nanargmax(sign * mean))
        # Rounding differs between machines and must not decide.
        if equal_up_to_rounding(mean[current_index], mean[best_index]):
            best_index = current_index
        losses, margins = self._losses(measure, self.settings[best_index])
        return Best(
            self.settings[best_index],
            float(mean[best_index]),
            float(sd[best_index]),
            float(mean[current_index]),
            float(sd[current_index]),
            float(losses[current_index]),
            float(margins[current_index]),
        )

    def as_good(self, measure: str, *, than: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        """List the settings that are not clearly worse than one, which is among them.

        By the rule of `Best.matters`; with a single fold, those that are no worse.
        """
        losses, margins = self._losses(measure, than)
        good = np.isfinite(losses) & ~((losses > 0) & _is_clear(losses, margins))
        return [setting for setting, is_good in zip(self.settings, good, strict=True) if is_good]

    def bands_of_difference(self, measure: str, *, than: tuple[Any, ...]) -> pd.DataFrame:
        """Tabulate the means of a measure, with bands of the difference from one setting.

        The columns are those of `bands`; ``low`` and ``high`` are half the 95 % interval of the
        difference, fold by fold, to either side of the mean. The band of a setting that is worse
        reaches the mean of the other one exactly where it is `as_good`.
        """
        bands = self.bands()
        bands = bands[bands["measure"] == measure].reset_index(drop=True)
        _, margins = self._losses(measure, than)
        return bands.assign(low=bands["mean"] - margins, high=bands["mean"] + margins)

    def joined(self, other: "Sensitivity") -> "Sensitivity":
        """Add the settings of another result, of the same parameters, folds and measures."""
        for part in ("parameters", "folds", "measures"):
            if getattr(self, part) != getattr(other, part):
                raise ValueError(f"Expected the same {part} in both results.")
        new = [i for i, setting in enumerate(other.settings) if setting not in self.settings]
        return replace(
            self,
            settings=(*self.settings, *(other.settings[i] for i in new)),
            values=np.concatenate([self.values, other.values[:, new]], axis=1),
        )

    def _losses(self, measure: str, than: tuple[Any, ...]) -> tuple[FloatArray, FloatArray]:
        """Return the mean loss of each setting against one, and half its 95 % interval."""
        values = self.values[:, :, self.measures.index(measure)]
        sign = 1 if METRICS[measure].greater_is_better else -1
        losses = sign * (values[:, [self.settings.index(than)]] - values)
        mean, sd = self._mean_and_sd(losses)
        n_folds = (~np.isnan(losses)).sum(axis=0)
        with np.errstate(divide="ignore"):
            error = sd * np.sqrt(1 / n_folds + self.test_share)
        return mean, stats.t.ppf(0.975, n_folds - 1) * error

    def _columns(self, n_measures: int, n_folds: int) -> dict[str, Any]:
        columns = {}
        for name, values in zip(self.parameters, zip(*self.settings, strict=True), strict=True):
            long = [value for value in values for _ in range(n_measures)] * n_folds
            # None stays None, and integers beside it stay integers.
            columns[name] = pd.Series(long, dtype=object if None in values else None)
        return columns

    @staticmethod
    def _mean_and_sd(values: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Average over the folds that have a value; NaN for none, and for the sd of one."""
        counted = ~np.isnan(values)
        number = counted.sum(axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = np.where(counted, values, 0).sum(axis=0) / number
            squares = np.where(counted, (values - mean) ** 2, 0).sum(axis=0)
            sd = np.where(number > 1, np.sqrt(squares / (number - 1)), np.nan)
        return mean, sd


def _is_clear(differences: FloatArray, margins: FloatArray) -> NDArray[np.bool_]:
    """Tell which 95 % intervals leave out 0; of a single fold, which differences are not 0."""
    sizes, least = np.abs(differences), np.where(np.isnan(margins), 0.0, margins)
    return (sizes > least) & ~np.asarray(equal_up_to_rounding(sizes, least))
