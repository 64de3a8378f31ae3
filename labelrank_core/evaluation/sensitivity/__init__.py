"""How much a method's quality changes as its parameters, or the gaps in its data, do."""

from labelrank_core.evaluation.sensitivity._figures import Figure, figures_for, within
from labelrank_core.evaluation.sensitivity._result import SHARE_DELETED, Best, Sensitivity
from labelrank_core.evaluation.sensitivity._sweep import (
    fitting_measures,
    missing_labels,
    seconds_to_sweep,
    sweep_parameters,
)

__all__ = [
    "SHARE_DELETED",
    "Best",
    "Figure",
    "Sensitivity",
    "figures_for",
    "fitting_measures",
    "missing_labels",
    "seconds_to_sweep",
    "sweep_parameters",
    "within",
]
