"""Capabilities that only some points have, as types that `isinstance` tells apart."""

from typing import Protocol, runtime_checkable

from labelrank_core.rankings import FloatArray


@runtime_checkable
class SupportsPairs(Protocol):
    """A point with the support for each label over each other."""

    def pair_support(self, cases: slice = slice(None)) -> FloatArray:
        """Return the support for each label to be ahead of each other, (n_cases, m, m)."""


@runtime_checkable
class HasVoteBar(Protocol):
    """A point that decides on labels by the share of votes they have."""

    def bar(self, case: int) -> float:
        """Return the share of votes that a label must exceed to be relevant."""
