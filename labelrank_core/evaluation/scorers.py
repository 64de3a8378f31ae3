"""The measures as scikit-learn's scorers: for `cross_val_score`, `GridSearchCV` and others."""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any

import numpy as np

from labelrank_core.aggregation.virtual_labels import dense_targets
from labelrank_core.data.dataset import Dataset, Task
from labelrank_core.data.frames import as_pandas, named_targets
from labelrank_core.data.pair_preferences import PairPreferences
from labelrank_core.evaluation.evaluate import evaluate_predictions
from labelrank_core.explain.capabilities import Ranker, SupportsLabelOrder
from labelrank_core.explain.cases import label_names_of
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
        """Measure the predictions of a model, bare or in a pipeline, for some cases.

        Parameters
        ----------
        estimator : estimator
            Fitted; one of this package, or a multi-label classifier of scikit-learn.
        X : array-like, sparse matrix or frame of shape (n_cases, n_features)
            Cases.
        Y : array-like, sparse matrix, frame or sequence of str
            The truth: targets like those that the model learns; named labels in any order.

        Returns
        -------
        float
            The value, negated for losses and errors; NaN where no case has one.

        Raises
        ------
        ValueError
            If the model does not predict what the measure needs.
        """
        truth = named_targets(Y, label_names_of(last_step(estimator)))[0]
        truth = truth.signs if isinstance(truth, PairPreferences) else dense_targets(truth)
        task = Task.PAIR_PREFERENCES if isinstance(Y, PairPreferences) else _task(estimator, truth)
        predictions = predict_cases(estimator, as_pandas(X), task=task)
        n_labels = _n_labels(truth, task)
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
            positions=predictions.positions,
            relevance=predictions.relevance,
            scores=predictions.scores,
            raw_scores=predictions.raw_scores,
            probabilities=predictions.probabilities,
            measures=[self.key],
        )
        value = float(table["value"].iloc[0])
        return value if self.measure.greater_is_better else -value


def _n_labels(truth: Any, task: Task) -> int:
    if task is Task.PAIR_PREFERENCES:
        return PairPreferences(truth).n_labels
    return int(truth.shape[1] - (task is Task.CALIBRATED_RANKING))


def _task(model: Ranker, truth: Any) -> Task:
    """Return the task that a model is scored on."""
    if np.isin(truth, (0, 1)).all():
        return Task.MULTILABEL
    is_calibrated = isinstance(last_step(model), SupportsLabelOrder)
    return Task.CALIBRATED_RANKING if is_calibrated else Task.LABEL_RANKING


class _Scorers(dict[str, Scorer]):
    """Scorers by name; of a name that is none, the error lists those that are like it."""

    def __missing__(self, name: str) -> Scorer:
        key = str(name).removeprefix("neg_")
        exact = [scorer.name for scorer in self.values() if scorer.key == key]
        like = exact or get_close_matches(str(name), self) or sorted(self)
        raise KeyError(f"no scorer {name!r}; there is {', '.join(like)}")


# A scorer for every measure, by names like scikit-learn's: the measure's key without ``_score``,
# with ``neg_`` for losses, errors and distances: "kendall_tau", "neg_hamming_loss".
scorers: Mapping[str, Scorer] = MappingProxyType(
    _Scorers({scorer.name: scorer for scorer in map(Scorer, METRICS)})
)


def scorers_for(task: Task | str, *, probabilities: bool = False) -> dict[str, Scorer]:
    """Return the scorers of all measures that fit a task.

    Parameters
    ----------
    task : Task or str
        The kind of targets, such as ``data.task``.
    probabilities : bool, default=False
        Whether measures of probabilities are among them, which fail for methods that predict none.

    Returns
    -------
    dict of str to Scorer
        By name, in the order of the registry; scikit-learn's ``scoring`` takes the whole.

    Examples
    --------
    >>> list(scorers_for("label_ranking"))[:3]
    ['kendall_tau', 'spearman_rho', 'footrule']
    """
    kind = Task(task)
    return {
        name: scorer
        for name, scorer in scorers.items()
        if scorer.measure.fits(kind) and (probabilities or scorer.measure.input != "probabilities")
    }
