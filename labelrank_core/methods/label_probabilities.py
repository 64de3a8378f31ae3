"""Base classes of methods that predict a probability for every label, relevant above 0.5."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from labelrank_core.explain.evidence import Explanation, Step
from labelrank_core.methods.base import LabelSetPoint, LabelSetsMixin, PathMixin, checked_cases
from labelrank_core.methods.score_steps import (
    PROBABILITIES,
    confidence_step,
    edge_values,
    scores_step,
    summary,
)
from labelrank_core.metrics.thresholds import DECIMALS
from labelrank_core.rankings import FloatArray


class LabelProbabilitiesMixin(PathMixin, LabelSetsMixin):
    """Predictions of estimators whose points are `LabelProbabilitiesPoint`."""

    def _checked(self, X: Any, *, reset: bool) -> Any:
        return checked_cases(self, X, reset=reset)

    def predict_proba(self, X: Any) -> FloatArray:
        """Return the probability that each label is relevant.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases, n_labels)
            Above 0.5 exactly where `predict` is 1.
        """
        return self.point(X).probabilities

    def decision_function(self, X: Any) -> FloatArray:
        """Return each label's probability minus 0.5.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases, n_labels)
            Between -0.5 and 0.5; above 0 = relevant.
        """
        return self.point(X).scores

    def predict_confidence(self, X: Any) -> FloatArray:
        """Return the share of the label decisions expected to be right, by the probabilities.

        The mean over labels of the probability of the decision made. It estimates 1 - Hamming loss
        of the case. Not from the papers on these methods.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases,)
            Between 0.5 and 1.
        """
        return self.point(X).confidence


def probability_values(point: Any, case: int) -> dict[str, Any]:
    """Return the values of texts about the first label and the last relevant one."""
    values = edge_values(point, case)
    values["score"] = float(point.probabilities[case, values["edge"].index])
    values["top_score"] = float(point.probabilities[case, values["top"].index])
    return values


class LabelProbabilitiesPoint(LabelSetPoint):
    """Label sets by `probabilities`, of shape (n_cases, n_labels), rounded to 12 decimals."""

    @cached_property
    def probabilities(self) -> FloatArray:
        """The probability that each label is relevant, shape (n_cases, n_labels)."""
        raise NotImplementedError

    @cached_property
    def scores(self) -> FloatArray:
        """Probabilities minus one half, shape (n_cases, n_labels)."""
        return np.round(self.probabilities - 0.5, DECIMALS)

    @cached_property
    def confidence(self) -> FloatArray:
        """Share of the label decisions expected to be right, shape (n_cases,)."""
        return 0.5 + np.abs(self.scores).mean(axis=1)

    def explain_probabilities(
        self,
        case: int,
        values: dict[str, Any],
        *,
        stands_for: str,
        made_of: str = "",
        first_steps: Sequence[Step] = (),
        middle_steps: Sequence[Step] = (),
        last_steps: Sequence[Step] = (),
    ) -> Explanation:
        """Explain one case by the probabilities that decide and the confidence.

        `values` are `probability_values` and what `made_of`, the words on what the last label's
        probability is made of, needs; `stands_for` says what a probability is. Further steps stand
        before the probabilities, between them and the confidence, and after it.
        """
        sure = confidence_step(
            PROBABILITIES,
            self.confidence[case],
            np.zeros(self.scores.shape[1]),
            lambda scores: scores + 0.5,
            stands_for,
        )
        decide = scores_step(PROBABILITIES, self, case, values)
        return Explanation(
            prediction=self.prediction[case],
            positions=self.positions[case],
            summary=summary(PROBABILITIES, values, made_of),
            steps=(*first_steps, decide, *middle_steps, sure, *last_steps),
        )
