"""How far a method's confidence can be trusted, and what rejecting doubtful cases gains."""

from labelrank_core.evaluation.confidence._band import accuracy_band
from labelrank_core.evaluation.confidence._curves import (
    RejectionSummary,
    accuracy_after_rejecting,
    accuracy_by_confidence,
)
from labelrank_core.evaluation.confidence._mistakes import confident_mistakes
from labelrank_core.evaluation.confidence._risk import RiskCoverage, risk_coverage

__all__ = [
    "RejectionSummary",
    "RiskCoverage",
    "accuracy_after_rejecting",
    "accuracy_band",
    "accuracy_by_confidence",
    "confident_mistakes",
    "risk_coverage",
]
