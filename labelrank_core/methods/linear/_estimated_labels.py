"""Predictions of label sets by one classifier with probabilities per label."""

from functools import cached_property
from typing import Any

import numpy as np

from labelrank_core.explain.evidence import Explanation
from labelrank_core.methods.base_classifiers import BaseClassifiers
from labelrank_core.methods.label_probabilities import LabelProbabilitiesPoint, probability_values
from labelrank_core.metrics.thresholds import DECIMALS
from labelrank_core.rankings import FloatArray


class EstimatedLabelsPath:
    """Checked cases to predict by the probabilities of base classifiers."""

    def __init__(self, model: Any, X: Any, classifiers: BaseClassifiers) -> None:
        self.model, self.X, self.classifiers = model, X, classifiers

    def at(self) -> "EstimatedLabelsPoint":
        """Predict the cases."""
        return EstimatedLabelsPoint(self)


class EstimatedLabelsPoint(LabelProbabilitiesPoint):
    """Predictions by probabilities, computed when first needed."""

    def __init__(self, path: EstimatedLabelsPath) -> None:
        self.path = path

    @cached_property
    def probabilities(self) -> FloatArray:
        """The probability that each label is relevant, shape (n_cases, n_labels)."""
        return np.round(self.path.classifiers.probabilities(self.path.X), DECIMALS)

    def explain(self, case: int) -> Explanation:
        """Explain one case: the probabilities that decide and the confidence."""
        values = probability_values(self, case)
        return self.explain_probabilities(case, values, stands_for=_STANDS_FOR)


_STANDS_FOR = "the probability that a label is relevant is that of the label's own classifier"
