"""Predictions and the reasons for them, as plain data that interfaces draw."""

from labelrank_core.explain.cases import explain

__all__ = ["explain"]
