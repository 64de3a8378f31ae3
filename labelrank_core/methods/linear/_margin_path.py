"""Predictions of label sets by one margin per label."""

from functools import cached_property
from typing import Any

import numpy as np

from labelrank_core.explain.evidence import Explanation, ScoreParts, Step, Text
from labelrank_core.methods.base import LabelSetPoint
from labelrank_core.methods.base_classifiers import BaseClassifiers
from labelrank_core.methods.linear._solution import probabilities
from labelrank_core.methods.machines import Margins
from labelrank_core.methods.pairs import DECIMALS
from labelrank_core.methods.score_steps import (
    MARGINS,
    confidence_step,
    crossings,
    edge_values,
    scores_step,
    summary,
    values_of,
)
from labelrank_core.rankings import FloatArray


class MarginPath:
    """Checked cases to predict by margins."""

    def __init__(self, model: Any, X: Any, margins: Margins | BaseClassifiers) -> None:
        self.model, self.X, self.margins = model, X, margins

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
        margins = self.path.margins
        return margins.of(self.path.X).round(DECIMALS)

    @cached_property
    def confidence(self) -> FloatArray:
        """Estimated share of the label decisions that are right, shape (n_cases,)."""
        return probabilities(np.abs(self.scores)).mean(axis=1)

    def breakpoints(
        self, x: FloatArray, feature: int, ends: tuple[float, float]
    ) -> FloatArray | None:
        """List where two margins are equal or one is 0; None unless they are linear."""
        margins = self.path.margins
        if not isinstance(margins, Margins) or margins.kernel is not None:
            return None
        slopes = margins.machines.weights[feature]
        return crossings(margins.of(x[None])[0], slopes, float(x[feature]), ends)

    def explain(self, case: int) -> Explanation:
        """Explain one case: the parts of each margin, the zero line and the confidence."""
        margins = self.path.margins
        first_steps: tuple[Step, ...] = ()
        values = edge_values(self, case)
        if isinstance(margins, Margins):
            parts = margins.parts(self.path.X[case : case + 1])
            values = self._values(case, parts)
            first_steps = (self._parts_step(parts, values),)
        line = self.thresholds
        return Explanation(
            prediction=self.prediction[case],
            positions=self.positions[case],
            summary=summary(MARGINS, values),
            steps=(
                *first_steps,
                scores_step(MARGINS, self, case, values),
                confidence_step(MARGINS, self.confidence[case], line, probabilities, _STANDS_FOR),
            ),
        )

    def _parts_step(self, parts: ScoreParts, values: dict[str, Any]) -> Step:
        made_of = _PARTS[parts.input_kind]
        if not values["n_support"]:
            made_of = _ALL_HAVE_IT if values["score"] > 0 else _NONE_HAS_IT
        return Step("What each margin is made of", Text(made_of, values), parts)

    def _values(self, case: int, parts: ScoreParts) -> dict[str, Any]:
        values = values_of(self, case, parts)
        weights = parts.weights["own part"][:, values["edge"].index]
        return {**values, "n": len(weights), "n_support": int(np.count_nonzero(weights))}


_PARTS = {
    "feature": "The margin of {edge} is {score}: {baseline} for the mean case, plus each "
    "feature's difference from its mean times its weight.",
    "training row": "The margin of {edge} is {score}: {baseline} for a case similar to none, plus "
    "each training case's similarity times its weight. Only {n_support} of the {n} training cases "
    "have a weight: the support cases.",
}
_ALL_HAVE_IT = "All training cases have {edge}, so its margin is {score} for every case."
_NONE_HAS_IT = "No training case has {edge}, so its margin is {score} for every case."
_STANDS_FOR = (
    "a margin f stands for the probability (1 + f) / 2, at most 1, that the label is relevant"
)
