"""Names of figures, of parameters and of their values."""

import re
from collections.abc import Sequence
from typing import Any

from labelrank_core.aggregation import CONSENSUS_RULES
from labelrank_core.evaluation.sensitivity.figures import Figure
from labelrank_core.methods.params import Knob
from labelrank_core.metrics import Measure
from pages.ui.render import drawing
from pages.ui.wording import choice_text, measure_text, text


def title(figure: Figure) -> str:
    """Return the name of a figure by the parameters it varies."""
    if figure.kind == "missing":
        return f"Missing {figure.deleted}"
    if len(figure.knobs) == 1:
        return figure.knobs[0].label
    first, *others = (knob.symbol for knob in figure.knobs)
    return " and ".join([first, *map(text.lowered, others)])


def measure_title(measure: Measure) -> str:
    """Return the title of the axis of a measure, with its meaning."""
    return drawing.with_nouns(f"{measure.title}: {measure_text.meaning(measure)}")


def setting(figure: Figure, values: Sequence[Any]) -> str:
    """Return the values of a figure's parameters as text."""
    return ", ".join(_value(knob, value) for knob, value in zip(figure.knobs, values, strict=True))


def _value(knob: Knob, value: Any) -> str:
    """Write a value with its parameter; one that is a name, such as a rule's, needs none."""
    if knob.choices:
        return choice_text.value_text(knob, value)
    if knob.symbol == knob.label:
        return f"{text.lowered(knob.label)} {choice_text.value_text(knob, value)}"
    return f"{knob.symbol} = {choice_text.value_text(knob, value)}"


def definition(figure: Figure, values: Sequence[Any]) -> str:
    """Return what the parameter of a figure's lines is, and what the rules among `values` are."""
    knob = figure.knobs[1]
    definitions = {knob.label: text.lowered(re.split("[.:]", knob.help)[0])}
    for rule in (CONSENSUS_RULES[value] for value in values if value in CONSENSUS_RULES):
        # Other names say it themselves: 'Borda (mean rank)', 'median rank'.
        if rule.name in rule.summary.partition("(")[2]:
            definitions[rule.name] = rule.summary.partition(" (")[0]
    return " ".join(f"{name}: {meaning}." for name, meaning in definitions.items())
