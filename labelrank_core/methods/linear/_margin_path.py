"""Predictions of label sets by one margin per label."""

from functools import cached_property
from typing import Any

import numpy as np

from labelrank_core.explain.evidence import Explanation, ScoreParts
from labelrank_core.methods.base import LabelSetPoint
from labelrank_core.methods.linear._margin_explain import explain_case
from labelrank_core.methods.linear._solution import probabilities
from labelrank_core.methods.pairs import DECIMALS, linear_crossings
from labelrank_core.rankings import FloatArray


class MarginPath:
    """Checked cases to predict by margins."""

    def __init__(self, model: Any, X: Any) -> None:
        self.model = model
        self.X = X

    def at(self) -> "MarginPoint":
        """Predict the cases."""
        return MarginPoint(self)


class MarginPoint(LabelSetPoint):
    """Predictions by margins, computed when first needed."""

    def __init__(self, path: MarginPath) -> None:
        self.path = path

    @cached_property
    def scores(self) -> FloatArray:
        """The margin of every label, shape (n_cases, n_labels)."""
        found: FloatArray = self.path.model._margins(self.path.X).round(DECIMALS)
        return found

    @cached_property
    def confidence(self) -> FloatArray:
        """Estimated share of the label decisions that are right, shape (n_cases,)."""
        return probabilities(np.abs(self.scores)).mean(axis=1)

    def breakpoints(
        self, x: FloatArray, feature: int, ends: tuple[float, float]
    ) -> FloatArray | None:
        """List where two margins are equal or one is 0; None for other kernels."""
        model = self.path.model
        if model.kernel != "linear":
            return None
        # The last: zero line.
        margins = np.append(model._margins(x[None])[0], 0.0)
        slopes = np.append(model.coef_[:, feature], 0.0)
        first, second = np.triu_indices(len(slopes), 1)
        return linear_crossings(
            margins[first] - margins[second],
            slopes[first] - slopes[second],
            float(x[feature]),
            ends,
        )

    def parts(self, case: int) -> ScoreParts:
        """Split the margins of one case into contributions of its features or training cases."""
        found: ScoreParts = self.path.model._parts(self.path.X[case : case + 1])
        return found

    def explain(self, case: int) -> Explanation:
        """Explain the prediction of one of the path's cases."""
        return explain_case(self, case)
