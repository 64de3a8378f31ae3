"""The setting in use beside the best one measured."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

from labelrank_core.evaluation.sensitivity import Sensitivity
from labelrank_core.evaluation.sensitivity.figures import Figure
from labelrank_core.evaluation.sensitivity.result import Best
from labelrank_core.methods import ModelChoice
from labelrank_core.metrics import Measure
from pages.sensitivity import names


def with_spread(mean: float, sd: float) -> str:
    """Write a mean over folds with its standard deviation, which a single fold has not."""
    return f"{mean:.3f}" if isnan(sd) else f"{mean:.3f} ± {sd:.3f}"


@dataclass(frozen=True)
class SettingComparison:
    """The setting in use, the best one, and those that are not clearly worse than the best."""

    figure: Figure
    settings: Sequence[tuple[Any, ...]]
    setting_in_use: tuple[Any, ...]
    best: Best
    good_settings: Sequence[tuple[Any, ...]]
    worst_mean: float

    @classmethod
    def of(
        cls, sensitivity: Sensitivity, choice: ModelChoice, figure: Figure, measure: Measure
    ) -> "SettingComparison | None":
        """Compare the setting of a choice with the others; None where labels are deleted."""
        setting_in_use = figure.own(choice)
        if setting_in_use is None:
            return None
        best = sensitivity.best(measure.key, current=setting_in_use)
        return cls(
            figure,
            sensitivity.settings,
            setting_in_use,
            best,
            sensitivity.as_good(measure.key, than=best.setting),
            sensitivity.worst_mean(measure.key),
        )

    @property
    def keeps_setting(self) -> bool:
        """Whether the setting in use is not clearly worse than the best one."""
        return self.setting_in_use in self.good_settings

    @property
    def best_text(self) -> str:
        """The values of the best setting."""
        return names.setting(self.figure, self.best.setting)

    @property
    def headline(self) -> str:
        """The advice to keep the setting in use or to try the best one."""
        is_one, n_settings = len(self.figure.parameters) == 1, len(self.settings)
        in_use = names.setting(self.figure, self.setting_in_use) if is_one else "the setting in use"
        if not self.keeps_setting:
            return f"Try {self.best_text}: it is better than {in_use}"
        if len(self.good_settings) == n_settings:
            return f"Keep {in_use}: all {n_settings} settings are as good"
        if self.best.setting == self.setting_in_use:
            return (
                f"Keep {in_use}: it is the best of {n_settings} settings, {self.best.mean:.3f} "
                f"against {self.worst_mean:.3f} at worst"
            )
        return f"Keep {in_use}: no other setting is clearly better"

    @property
    def verdict(self) -> str:
        """The distance to the best setting, and the number of settings as near to it."""
        best = self.best
        if best.setting == self.setting_in_use:
            return f"That is the best value of all settings.{self._good_settings_text}"
        sentence = f"The best ({self.best_text}) is {best.gain:.3f} better"
        if isnan(best.margin):
            return f"{sentence} on this one split.{self._good_settings_text}"
        chance = "more than chance explains" if best.matters else "which can be chance"
        return f"{sentence}, {chance}.{self._good_settings_text}"

    @property
    def _good_settings_text(self) -> str:
        """The settings that are as good as the best one, in a sentence."""
        good, n_settings = self.good_settings, len(self.settings)
        if len(good) in {1, n_settings}:
            return ""
        is_single_fold = isnan(self.best.margin)
        indices = [self.settings.index(setting) for setting in good]
        is_range = len(self.figure.parameters) == 1 and indices[-1] - indices[0] == len(indices) - 1
        if is_range and all(isinstance(setting[0], int | float) for setting in good):
            first, last = (names.setting(self.figure, setting) for setting in (good[0], good[-1]))
            if is_single_fold:
                return f" Every value tried from {first} to {last} equals it."
            return f" No value tried from {first} to {last} is clearly worse."
        is_one = len(good) == 2
        if is_single_fold:
            equal = "equals it" if is_one else "equal it"
        else:
            equal = f"{'is' if is_one else 'are'} not clearly worse"
        return f" {len(good) - 1} of the other {n_settings - 1} settings {equal}."
