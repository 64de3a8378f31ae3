"""Changes of a method's quality with its parameters and with missing labels."""

from labelrank_core.evaluation.sensitivity.result import Sensitivity
from labelrank_core.evaluation.sensitivity.sweep import missing_labels, sweep_parameters

__all__ = ["Sensitivity", "missing_labels", "sweep_parameters"]
