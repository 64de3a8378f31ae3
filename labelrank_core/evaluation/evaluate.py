"""The measures of given predictions, and of models trained on the training set of a split."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import clone

from labelrank_core.data.dataset import Dataset, Task
from labelrank_core.data.pair_preferences import PairPreferences
from labelrank_core.data.splits import Split
from labelrank_core.explain.capabilities import Ranker
from labelrank_core.explain.predictions import (
    Predictions,
    is_multilabel,
    last_step,
    timed_predictions,
)
from labelrank_core.explain.raw_columns import on_raw_columns
from labelrank_core.methods.convergence import collect_messages
from labelrank_core.methods.few_labels import FewLabelsWarning
from labelrank_core.metrics import (
    METRICS,
    Measure,
    hamming_loss,
    mean_of_cases,
    measures_for,
)
from labelrank_core.rankings import (
    FloatArray,
    IntArray,
    calibrated_positions,
    has_ties,
    strict_positions,
)


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The quality of one model on the test set of one split.

    Parameters
    ----------
    method : str
        Name of the model.
    rows : ndarray of int of shape (n_samples,)
        Test rows of the data set.
    values : mapping of str to ndarray of shape (n_samples,)
        One value per case by key of the measure, for measures that single cases have.
    totals : mapping of str to float
        Values of all measures: means over cases, or for others the value of all cases together.
    predictions : Predictions
        The predictions for the test rows.
    seconds_fit, seconds_predict : float
        Time of ``fit``, and of one ``predict`` of all test rows.
    """

    method: str
    rows: IntArray
    values: Mapping[str, FloatArray]
    totals: Mapping[str, float]
    predictions: Predictions
    seconds_fit: float
    seconds_predict: float

    def frame(self) -> pd.DataFrame:
        """Tabulate the measures, one row each.

        ``method, measure, title, value, n_cases, greater_is_better, seconds_fit,
        seconds_predict``; ``n_cases`` counts the cases that have a value, or all for a measure that
        single cases do not have.
        """
        table = _frame(self.totals, self.values, len(self.rows))
        table.insert(0, "method", self.method)
        table["seconds_fit"] = self.seconds_fit
        table["seconds_predict"] = self.seconds_predict
        return table

    def cases(self) -> pd.DataFrame:
        """Tabulate the test cases: ``row`` (its number in the data set), one column per measure."""
        return pd.DataFrame({"row": self.rows, **self.values})


def evaluate_predictions(
    dataset: Dataset,
    rows: ArrayLike,
    *,
    positions: ArrayLike | None = None,
    relevance: ArrayLike | None = None,
    scores: ArrayLike | None = None,
    raw_scores: ArrayLike | None = None,
    probabilities: ArrayLike | None = None,
    measures: Sequence[str] | None = None,
) -> pd.DataFrame:
    """Tabulate all measures that fit the task and the predictions given.

    Parameters
    ----------
    dataset : Dataset
        The data with the truth.
    rows : array-like of int of shape (n_samples,)
        Row numbers the predictions are for.
    positions, relevance, scores, raw_scores, probabilities : array-like or None
        Predictions of shape (n_samples, n_labels), without the virtual label. Measures of missing
        predictions are left out, but positions and scores stand in for each other, and scores for
        raw scores.
    measures : sequence of str or None
        Keys of `METRICS` in the order wanted; None: all that fit, of both levels.

    Returns
    -------
    DataFrame
        One row per measure: ``measure, title, value, n_cases, greater_is_better``.

    Raises
    ------
    ValueError
        If a measure does not exist or does not fit, or shapes differ.

    Examples
    --------
    >>> from labelrank_core import Task
    >>> data = Dataset(X=[[0.0], [1.0]], Y=[[1, 0], [0, 1]], task=Task.MULTILABEL,
    ...                feature_names=["x"], label_names=["a", "b"], name="tiny")
    >>> evaluate_predictions(data, [1], relevance=[[1, 1]])[["measure", "value"]][:4].round(2)
                     measure  value
    0           hamming_loss   0.50
    1  subset_accuracy_score   0.00
    2         macro_f1_score   0.50
    3         micro_f1_score   0.67
    """
    predictions = {
        "positions": positions,
        "relevance": relevance,
        "scores": scores,
        "raw_scores": raw_scores,
        "probabilities": probabilities,
    }
    arrays = {name: np.asarray(part) for name, part in predictions.items() if part is not None}
    rows = np.asarray(rows)
    values, totals = _measured(dataset, rows, Predictions(**arrays), measures)
    return _frame(totals, values, len(rows))


def evaluate_model(
    model: Ranker,
    dataset: Dataset,
    split: Split,
    *,
    measures: Sequence[str] | None = None,
    method: str | None = None,
    train_rankings: ArrayLike | PairPreferences | None = None,
) -> Evaluation:
    """Train a copy of a model on the training set and measure it on the test set.

    Parameters
    ----------
    model : estimator or Pipeline
        Left as it is: a clone is trained. One with a ColumnTransformer that chooses columns by
        name gets the columns of the data as a frame, categories in nominal ones; others get the
        encoded features.
    dataset : Dataset
        The data.
    split : Split
        Training and test set.
    measures : sequence of str or None
        Keys of `METRICS`; None: all that fit what the model predicts.
    method : str or None
        Name in the tables; None: that of the (last) estimator's type.
    train_rankings : array-like of shape (n_train, n_labels), PairPreferences or None
        Training rankings of a label ranker instead of those of the training set, for example
        after `delete_labels`, or preferences between pairs, for example after
        `PairPreferences.without_pairs`; None: those of the data.

    Returns
    -------
    Evaluation
        Values, predictions and times.

    Raises
    ------
    ValueError
        If the model does not fit the data set's task, or it learns label sets and there are
        `train_rankings`.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from labelrank_core import Task
    >>> data = Dataset(X=[[0.0], [1.0], [2.0]], Y=[[1, 0], [0, 1], [0, 1]], task=Task.MULTILABEL,
    ...                feature_names=["x"], label_names=["a", "b"], name="tiny")
    >>> split = Split(np.array([0, 1]), np.array([2]), "random", 0, 0.3)
    >>> evaluation = evaluate_model(KNeighborsClassifier(1), data, split)
    >>> evaluation.frame()[["measure", "value"]].head(4)
                     measure  value
    0           hamming_loss    0.0
    1  subset_accuracy_score    1.0
    2         macro_f1_score    0.5
    3         micro_f1_score    1.0
    """
    fitted = train_model(model, dataset, split.train, rankings=train_rankings)
    return evaluate_fitted(*fitted, dataset, split.test, measures=measures, method=method)


def train_model(
    model: Ranker,
    dataset: Dataset,
    rows: IntArray,
    *,
    rankings: ArrayLike | PairPreferences | None = None,
) -> tuple[Any, float]:
    """Train a copy of a model on some rows; return it and the seconds that took."""
    model = on_raw_columns(clone(model), dataset.schema)
    targets = _training_targets(model, dataset, rows, rankings)
    start = perf_counter()
    model.fit(dataset.X[rows], targets)
    return model, perf_counter() - start


def train_recorded(
    model: Ranker, dataset: Dataset, rows: IntArray
) -> tuple[Any, float, tuple[str, ...]]:
    """Train as `train_model`; also return the messages of methods that have not converged."""
    # The model may serve any setting of its path: `few_labels` tells of the one in use.
    with collect_messages() as messages, warnings.catch_warnings():
        warnings.simplefilter("ignore", FewLabelsWarning)
        model, seconds = train_model(model, dataset, rows)
    return model, seconds, tuple(messages)


def evaluate_fitted(
    model: Ranker,
    seconds_fit: float,
    dataset: Dataset,
    rows: IntArray,
    *,
    setting: Mapping[str, Any] | None = None,
    measures: Sequence[str] | None = None,
    method: str | None = None,
) -> Evaluation:
    """Measure a fitted model on rows it has not seen, at its own or another setting of its path."""
    predictions, seconds_predict = timed_predictions(model, dataset.X[rows], dataset.task, setting)
    values, totals = _measured(dataset, rows, predictions, measures)
    return Evaluation(
        method=method or type(last_step(model)).__name__,
        rows=rows,
        values=values,
        totals=totals,
        predictions=predictions,
        seconds_fit=seconds_fit,
        seconds_predict=seconds_predict,
    )


def _training_targets(
    model: Ranker, dataset: Dataset, rows: IntArray, rankings: ArrayLike | PairPreferences | None
) -> Any:
    """Return the targets of some rows as a model learns them, or the rankings given instead."""
    if is_multilabel(model, dataset.task):
        if rankings is not None:
            raise ValueError("Expected a label ranker: others do not learn from rankings alone.")
        return dataset.zero_line_targets(rows)
    if isinstance(rankings, PairPreferences):
        return rankings
    if rankings is not None:
        return np.asarray(rankings)
    return dataset.rankings[rows] if dataset.task.has_rankings else PairPreferences(dataset.Y[rows])


@dataclass(frozen=True, eq=False)
class CaseAccuracy:
    """The accuracy of each prediction: one value per case, higher = better, NaN = no truth.

    `loss_title` is what 1 minus a value is called, `unit` what a value is the share of, in the
    plural, and `measure` the key of the measure that it is made of.
    """

    title: str
    values: FloatArray
    loss_title: str
    unit: str
    measure: str


def case_accuracy(
    dataset: Dataset,
    rows: ArrayLike,
    *,
    positions: ArrayLike | None = None,
    relevance: ArrayLike | None = None,
) -> CaseAccuracy:
    """Measure each case for confidence curves: the share of its labels right, or of its pairs.

    Of the pairs of labels that the truth orders, one that the prediction ties is half right.
    """
    rows = np.asarray(rows)
    if relevance is not None:
        losses = hamming_loss(dataset.relevance[rows], relevance, average=None)
        return CaseAccuracy(
            "share of labels right", 1 - losses, "Hamming loss", "labels", "hamming_loss"
        )
    if positions is None:
        raise ValueError("Expected predicted positions or relevance, got neither.")
    has_pairs = dataset.task is Task.PAIR_PREFERENCES
    measure = METRICS["pair_tau_score" if has_pairs else "kendall_tau_score"]
    tau = measure.per_case(measure.truth(dataset, rows), positions)
    return CaseAccuracy(
        "share of pairs right",
        (1 + tau) / 2,
        "share of pairs wrong",
        "pairs of labels",
        measure.key,
    )


def _measured(
    dataset: Dataset, rows: IntArray, predictions: Predictions, keys: Sequence[str] | None
) -> tuple[dict[str, FloatArray], dict[str, float]]:
    """Return the values of single cases, and those of all cases together."""
    positions = predictions.positions
    ties = dataset.has_ties or (positions is not None and has_ties(positions))
    fitting = {
        measure.key: measure
        for measure in measures_for(dataset.task, ties=ties)
        if prediction_for(measure, predictions) is not None
    }
    wrong = [key for key in keys or () if key not in fitting]
    if wrong:
        raise ValueError(
            f"Expected measures of these predictions ({', '.join(fitting)}), got {wrong[0]!r}."
        )
    values, totals = {}, {}
    for key in fitting if keys is None else keys:
        measure = fitting[key]
        pair = measure.truth(dataset, rows), prediction_for(measure, predictions)
        if measure.has_cases:
            values[key] = measure.per_case(*pair)
            totals[key] = mean_of_cases(values[key])
        else:
            totals[key] = measure.mean(*pair)
    return values, totals


def prediction_for(measure: Measure, predictions: Predictions) -> Any:
    """Return the predictions that a measure needs, or None if they are missing."""
    positions, scores = predictions.positions, predictions.scores
    if measure.input == "pairs":
        return positions
    if measure.input == "calibrated":
        if positions is None or predictions.relevance is None:
            return None
        return calibrated_positions(positions, predictions.relevance)
    if measure.input == "ranking" and positions is None and scores is not None:
        positions = strict_positions(-scores)
    if measure.input == "raw_scores" and predictions.raw_scores is None:
        return scores
    # Without scores, a label is compared between cases by its positions.
    if measure.input == "ranking" or (measure.input == "scores" and scores is None):
        return None if positions is None else -positions
    return getattr(predictions, measure.input)


def _frame(
    totals: Mapping[str, float], values: Mapping[str, FloatArray], n_samples: int
) -> pd.DataFrame:
    measures = [METRICS[key] for key in totals]
    return pd.DataFrame(
        {
            "measure": pd.Series(list(totals), dtype="str"),
            "title": pd.Series([measure.title for measure in measures], dtype="str"),
            "value": list(totals.values()),
            "n_cases": [
                int(np.count_nonzero(~np.isnan(values[key]))) if key in values else n_samples
                for key in totals
            ],
            "greater_is_better": [measure.greater_is_better for measure in measures],
        }
    )
