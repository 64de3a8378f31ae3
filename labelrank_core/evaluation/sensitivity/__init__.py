"""How much a method's quality changes as its parameters, or the gaps in its data, do."""

from labelrank_core.evaluation.sensitivity.result import Sensitivity
from labelrank_core.evaluation.sensitivity.sweep import missing_labels, sweep_parameters

__all__ = ["Sensitivity", "missing_labels", "sweep_parameters"]
