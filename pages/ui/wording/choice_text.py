"""Data, a method and its parameters in a few words."""

import re
from typing import Any

import numpy as np

from labelrank_core import Task
from labelrank_core.methods import ModelChoice
from labelrank_core.methods.params import Knob

TASK_TITLES = {
    Task.LABEL_RANKING: "label ranking",
    Task.MULTILABEL: "multi-label ranking",
    Task.CALIBRATED_RANKING: "ranking with a zero line",
    Task.PAIR_PREFERENCES: "label ranking from pairs",
}


def number_text(value: float) -> str:
    """Write a number of any size as a person would: 0.0001, 100."""
    return np.format_float_positional(value, trim="-")


def value_text(knob: Knob, value: Any) -> str:
    """Write a value of a parameter as its widget does."""
    if value is None:
        return knob.none
    return dict(knob.choices)[value] if knob.choices else number_text(value)


def setting_text(knob: Knob, value: Any, label: str = "") -> str:
    """Write a parameter and its value: "Similar cases (k) 5", "Depth of the trees: no limit"."""
    return f"{label or knob.label}{': ' if value is None else ' '}{value_text(knob, value)}"


def method_text(choice: ModelChoice) -> str:
    """Write a method and its main parameters in a few words."""
    labels = [
        setting_text(knob, choice.values[knob.name])
        for knob in choice.algorithm.knobs
        if knob.basic and knob.matters(choice.values)
    ]
    return ", ".join([choice.algorithm.title, *labels])


def change_text(old_choice: ModelChoice, new_choice: ModelChoice) -> str:
    """Write which settings of a method differ: "Similar cases (k) 5 → 2"."""
    changes = [
        f"now {value_text(knob, new).partition(', ')[2]}"
        if knob.for_ties
        else f"{knob.label} {value_text(knob, old)} → {value_text(knob, new)}"
        for knob in new_choice.algorithm.knobs
        if (old := old_choice.values[knob.name]) != (new := new_choice.values[knob.name])
    ]
    if old_choice.scaled != new_choice.scaled:
        changes.append("with scaling" if new_choice.scaled else "without scaling")
    # Labels begin as they are: some are symbols.
    return re.sub("^now", "Now", ", ".join(changes))


def symbols_text(choice: ModelChoice) -> str:
    """Name a method with the symbols of its settings that are no defaults: 'k-NN, k = 3'."""
    symbols = {knob.name: knob.symbol or knob.name for knob in choice.algorithm.knobs}
    settings = [f"{symbols.get(name, name)} = {value}" for name, value in choice.params]
    return ", ".join([choice.algorithm.long_title, *settings])
