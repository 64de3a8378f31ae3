"""Measures at every setting in every fold, with bands and the best setting."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

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
    gain_sd: float

    @property
    def matters(self) -> bool:
        """Whether the mean gain exceeds its standard deviation, or 0 for a single fold."""
        least = 0.0 if np.isnan(self.gain_sd) else self.gain_sd
        return self.gain > least and not equal_up_to_rounding(self.gain, least)


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
    """

    parameters: tuple[str, ...]
    settings: tuple[tuple[Any, ...], ...]
    folds: tuple[tuple[int, int], ...]
    measures: tuple[str, ...]
    values: FloatArray

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
        gains = sign * (values[:, best_index] - values[:, current_index])
        gain, gain_sd = (float(part[0]) for part in self._mean_and_sd(gains[:, None]))
        return Best(
            self.settings[best_index],
            float(mean[best_index]),
            float(sd[best_index]),
            float(mean[current_index]),
            float(sd[current_index]),
            gain,
            gain_sd,
        )

    def as_good(self, measure: str, *, current: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        """List the settings that are not clearly worse than the best one, which is among them.

        By the rule of `Best.matters`; with a single fold, those that are equal to it.
        """
        best = self.best(measure, current=current).setting
        differences = {setting: self.best(measure, current=setting) for setting in self.settings}
        return [
            setting
            for setting, difference in differences.items()
            if setting == best or not (difference.matters or np.isnan(difference.gain))
        ]

    def bands_of_difference(self, measure: str, *, current: tuple[Any, ...]) -> pd.DataFrame:
        """Tabulate the means of a measure, with bands of the difference from the best setting.

        The columns are those of `bands`; ``low`` and ``high`` are one standard deviation of the
        difference from the best setting, fold by fold, to either side of the mean. A band reaches
        the best mean exactly where the setting is not clearly worse, as `as_good` lists them.
        """
        bands = self.bands()
        bands = bands[bands["measure"] == measure].reset_index(drop=True)
        best_index = self.settings.index(self.best(measure, current=current).setting)
        values = self.values[:, :, self.measures.index(measure)]
        _, spread = self._mean_and_sd(values - values[:, best_index, None])
        return bands.assign(low=bands["mean"] - spread, high=bands["mean"] + spread)

    def worst_mean(self, measure: str) -> float:
        """Return the worst mean over the folds that any setting has."""
        means, _ = self._mean_and_sd(self.values[:, :, self.measures.index(measure)])
        return float((np.nanmin if METRICS[measure].greater_is_better else np.nanmax)(means))

    def joined(self, other: "Sensitivity") -> "Sensitivity":
        """Add the settings of another result, of the same parameters, folds and measures."""
        for part in ("parameters", "folds", "measures"):
            if getattr(self, part) != getattr(other, part):
                raise ValueError(f"Expected the same {part} in both results.")
        new = [i for i, setting in enumerate(other.settings) if setting not in self.settings]
        return Sensitivity(
            self.parameters,
            (*self.settings, *(other.settings[i] for i in new)),
            self.folds,
            self.measures,
            np.concatenate([self.values, other.values[:, new]], axis=1),
        )

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
