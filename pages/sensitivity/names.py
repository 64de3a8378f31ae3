"""Names of figures, of parameters and of their values."""

from collections.abc import Sequence
from typing import Any

from labelrank_core.evaluation.sensitivity.figures import Figure
from labelrank_core.metrics import Measure
from pages.ui.wording import choice_text, text


def title(figure: Figure) -> str:
    """Return the name of a figure by the parameters it varies."""
    if figure.kind == "missing":
        return f"{text.capitalised(figure.deleted)} deleted (p₀)"
    if len(figure.knobs) == 1:
        return figure.knobs[0].label
    return " × ".join(knob.symbol for knob in figure.knobs)


def measure_title(measure: Measure) -> str:
    """Return the title of the axis of a measure: its range, and which end is better."""
    return f"{measure.title} ({text.value_range(*measure.value_range)}, {measure.better} is better)"


def setting(figure: Figure, values: Sequence[Any]) -> str:
    """Return the values of a figure's parameters as text."""
    return ", ".join(
        f"{knob.symbol} = {choice_text.value_text(knob, value)}"
        if knob.symbol != knob.label
        else f"{text.lowered(knob.label)} {choice_text.value_text(knob, value)}"
        for knob, value in zip(figure.knobs, values, strict=True)
    )
