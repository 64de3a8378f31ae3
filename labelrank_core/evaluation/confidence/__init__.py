"""How far a method's confidence can be trusted, and what rejecting doubtful cases gains."""

from labelrank_core.evaluation.confidence.curves import accuracy_by_confidence
from labelrank_core.evaluation.confidence.risk import risk_coverage

__all__ = ["accuracy_by_confidence", "risk_coverage"]
