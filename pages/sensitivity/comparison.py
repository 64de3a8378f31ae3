"""The setting in use beside the best one measured."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from math import isnan
from typing import Any

from labelrank_core.evaluation.sensitivity import Sensitivity
from labelrank_core.evaluation.sensitivity.figures import Figure
from labelrank_core.evaluation.sensitivity.result import Best
from labelrank_core.methods import ModelChoice
from labelrank_core.metrics import Measure
from pages.sensitivity import names
from pages.ui.wording import choice_text, measure_text, text
from pages.ui.wording.measure_text import Counted

# More separate runs of good values are not listed.
_MOST_RUNS = 3


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
    counted: Counted | None = None

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
            measure_text.counted_of(measure, is_strict=not choice.predicts_ties),
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
        good_values = self._good_values
        if good_values:
            return f"Keep {in_use}: {good_values} are {self._as_good}"
        if self.best.setting != self.setting_in_use:
            return f"Keep {in_use}: no other setting is clearly better"
        n_others = len(self.good_settings) - 1
        if not n_others:
            return f"Keep {in_use}: it is the best of {n_settings} settings"
        are = "is" if n_others == 1 else "are"
        return (
            f"Keep {in_use}: it is the best, and {n_others} of the other {n_settings - 1} settings "
            f"{are} {self._as_good}"
        )

    @property
    def verdict(self) -> str:
        """The distance to the best setting, in a sentence; empty for the best one.

        It counts pairs or labels where the measure does.
        """
        best = self.best
        if best.setting == self.setting_in_use:
            return ""
        sentence = f"The best ({self.best_text}) is {best.gain:.3f} better"
        if self.counted is not None:
            more = self.counted.more(best.gain)
            sentence = (
                f"With {self.best_text}, the best, {more} more of 100 {self.counted.unit} are right"
            )
        if isnan(best.margin):
            return f"{sentence} on this one split."
        chance = "more than chance explains" if best.matters else "which can be chance"
        return f"{sentence}, {chance}."

    @property
    def _as_good(self) -> str:
        """How the good settings compare with the best: those of a single fold equal it."""
        return "as good" if isnan(self.best.margin) else "about as good"

    @property
    def _good_values(self) -> str:
        """The good values of the only parameter in words, of many runs the one in use alone.

        Empty where no value beside the one in use is good.
        """
        settings, in_use = self.settings, self.settings.index(self.setting_in_use)
        if len(self.figure.parameters) > 1:
            return ""
        are_good = [s in self.good_settings and isinstance(s[0], int | float) for s in settings]
        runs = [
            list(run) for good, run in groupby(range(len(settings)), are_good.__getitem__) if good
        ]
        around = next((run for run in runs if in_use in run), [])
        values = [choice_text.value_text(self.figure.knobs[0], s[0]) for s in settings]
        if len(around) < 2:
            return ""
        if len(runs) == 1 or len(runs) > _MOST_RUNS:
            return f"all values from {values[around[0]]} to {values[around[-1]]}"
        return text.listed_runs(values, are_good)
