"""Predictions and the reasons for them, as plain data that interfaces draw."""

from labelrank_core.explain.cases import explain_prediction

__all__ = ["explain_prediction"]
