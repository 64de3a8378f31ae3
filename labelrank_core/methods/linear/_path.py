"""Shared-subspace predictions for some cases at every (α, β, r) and threshold rule."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from labelrank_core.explain.evidence import Explanation
from labelrank_core.methods.base import LabelSetPoint
from labelrank_core.methods.linear._basis import CentredCases
from labelrank_core.methods.linear._explain import explain_case
from labelrank_core.methods.linear._solution import Solution, probabilities
from labelrank_core.methods.score_steps import crossings
from labelrank_core.metrics.thresholds import DECIMALS
from labelrank_core.rankings import FloatArray


class SharedSubspacePath:
    """Predictions of a fitted model for some checked cases without factorising again."""

    # `solve` takes alpha, beta, n_components and threshold; None: the model's.
    def __init__(
        self, model: Any, cases: CentredCases, solve: Callable[..., Solution], kernel: str
    ) -> None:
        self.model = model
        self.cases = cases
        self.solve = solve
        self.kernel = kernel

    def at(
        self,
        *,
        alpha: float | None = None,
        beta: float | None = None,
        n_components: int | None = None,
        threshold: str | None = None,
    ) -> "SharedSubspacePoint":
        """Predict with other penalties, another r or threshold rule; None: the model's.

        Thresholds are tuned again, as in a fresh fit. ValueError if a value is out of range, or a
        rule needs the out-of-fold scores that a model fitted with ``"zero"`` lacks.
        """
        return SharedSubspacePoint(self, self.solve(alpha, beta, n_components, threshold))


class SharedSubspacePoint(LabelSetPoint):
    """Predictions for some cases at one setting, computed when first needed."""

    def __init__(self, path: SharedSubspacePath, solution: Solution) -> None:
        self.path = path
        self.solution = solution

    @property
    def n_components(self) -> int:
        """The number of shared dimensions in use."""
        return self.solution.settings.n_components

    @property
    def thresholds(self) -> FloatArray:
        """The threshold that each label's score must exceed."""
        return self.solution.thresholds

    @cached_property
    def raw_scores(self) -> FloatArray:
        """Scores before thresholds, targets being +1 and -1, shape (n_cases, n_labels)."""
        scores = self.path.cases.dot(self.solution.weights)
        return np.round(self.solution.decomposition.baseline + scores, DECIMALS)

    @cached_property
    def scores(self) -> FloatArray:
        """Each label's score minus its threshold, shape (n_cases, n_labels)."""
        return np.round(self.raw_scores - self.solution.thresholds, DECIMALS)

    @cached_property
    def confidence(self) -> FloatArray:
        """Estimated share of the label decisions that are right, shape (n_cases,)."""
        right = probabilities(self.raw_scores)
        return np.where(self.prediction == 1, right, 1 - right).mean(axis=1)

    def breakpoints(
        self, x: FloatArray, feature: int, ends: tuple[float, float]
    ) -> FloatArray | None:
        """List where two labels change order or one meets its threshold; None for other kernels."""
        if self.path.kernel != "linear":
            return None
        centred_scores = self.path.model.path(x[None]).cases.dot(self.solution.weights)[0]
        leads = self.solution.decomposition.baseline + centred_scores - self.solution.thresholds
        return crossings(leads, self.solution.weights[feature], float(x[feature]), ends)

    def explain(self, case: int) -> Explanation:
        """Explain the prediction of one of the path's cases."""
        return explain_case(self, case)
