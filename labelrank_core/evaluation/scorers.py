"""The measures as scikit-learn's scorers: for `cross_val_score`, `GridSearchCV` and others."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from labelrank_core.aggregation.virtual_labels import dense_targets
from labelrank_core.data.dataset import Dataset, Task
from labelrank_core.evaluation.evaluate import evaluate_predictions
from labelrank_core.explain.predictions import last_step, predict_cases
from labelrank_core.metrics import METRICS, Measure


@dataclass(frozen=True)
class Scorer:
    """Measure a fitted model on some cases; higher is better, so losses and errors are negated.

    Parameters
    ----------
    key : str
        The measure's key in `METRICS`.
    """

    key: str

    @property
    def measure(self) -> Measure:
        """The measure."""
        return METRICS[self.key]

    @property
    def name(self) -> str:
        """Its name in `scorers`, in scikit-learn's manner: ``neg_`` marks losses and errors."""
        return (
            f"{'' if self.measure.greater_is_better else 'neg_'}{self.key.removesuffix('_score')}"
        )

    def __call__(self, estimator: Any, X: Any, Y: Any) -> float:
        """Measure what a model, bare or in a pipeline, predicts for some cases.

        Parameters
        ----------
        estimator : estimator
            Fitted; one of this package, or a multi-label classifier of scikit-learn.
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.
        Y : array-like or sparse matrix
            The truth: targets like those that the model learns.

        Returns
        -------
        float
            The value, negated for losses and errors; NaN where no case has one.

        Raises
        ------
        ValueError
            If the model does not predict what the measure needs.
        """
        truth = dense_targets(Y)
        task = _task(estimator, truth)
        found = predict_cases(getattr(estimator, "best_estimator_", estimator), X, task=task)
        n_labels = truth.shape[1] - (task is Task.CALIBRATED_RANKING)
        data = Dataset(
            np.zeros((len(truth), 1)),
            truth,
            task,
            ["x"],
            [f"label {label}" for label in range(n_labels)],
            "cases to score",
        )
        table = evaluate_predictions(
            data,
            np.arange(len(truth)),
            positions=found.positions,
            relevance=found.relevance,
            scores=found.scores,
            raw_scores=found.raw_scores,
            probabilities=found.probabilities,
            measures=[self.key],
        )
        value = float(table["value"].iloc[0])
        return value if self.measure.greater_is_better else -value


def _task(estimator: Any, truth: Any) -> Task:
    """Tell what kind of targets a model is scored on."""
    if np.isin(truth, (0, 1)).all():
        return Task.MULTILABEL
    model = last_step(getattr(estimator, "best_estimator_", estimator))
    is_calibrated = hasattr(model, "predict_ranking")
    return Task.CALIBRATED_RANKING if is_calibrated else Task.LABEL_RANKING


# A scorer for every measure, by names like scikit-learn's: "kendall_tau", "neg_hamming_loss".
scorers: Mapping[str, Scorer] = MappingProxyType(
    {scorer.name: scorer for scorer in map(Scorer, METRICS)}
)
