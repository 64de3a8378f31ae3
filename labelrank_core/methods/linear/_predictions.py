"""Predictions of a fitted shared-subspace model at its own setting."""

from typing import Any

from labelrank_core.methods.base import LabelSetsMixin, PathMixin
from labelrank_core.rankings import FloatArray


class SharedSubspacePredictions(PathMixin, LabelSetsMixin):
    """Prediction methods, all of them from the point of the path at the model's setting."""

    def decision_function(self, X: Any) -> FloatArray:
        """Return each label's score minus its threshold."""
        return self.point(X).scores

    def predict_confidence(self, X: Any) -> FloatArray:
        """Return the share of each case's label decisions that the scores expect to be right.

        Least squares on +1 and -1 estimates 2 p - 1, so a raw score f stands for the probability
        (1 + f) / 2, clipped to [0, 1], that the label is relevant. The confidence is the mean over
        labels of the probability of the decision made. It estimates 1 - Hamming loss of the case.
        The paper defines no confidence.
        """
        return self.point(X).confidence
