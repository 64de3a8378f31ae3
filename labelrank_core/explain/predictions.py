"""Predictions of fitted models of any kind, bare or in a pipeline.

A model with ``predict_ranking`` is a *multi-label ranker*: its targets are the data set's own (0/1,
or calibrated rankings with the virtual label last), its ``predict`` returns 0/1, and it may have
``decision_function``. Any other model is a *label ranker* on data with rankings, with positions as
targets and predictions, and a multi-label classifier on 0/1 data.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from labelrank_core.data.dataset import Task
from labelrank_core.explain.capabilities import (
    Path,
    Point,
    Ranker,
    SupportsLabelOrder,
    SupportsPoint,
    method_of,
)
from labelrank_core.rankings import (
    FloatArray,
    IntArray,
    dense_positions,
    format_ranking,
    strict_positions,
)

_METHODS = {
    "positions": "predict_ranking",
    "scores": "decision_function",
    "raw_scores": "raw_scores",
    "confidence": "predict_confidence",
}
_OF_LABEL_SETS = ("predict_ranking", "predict_proba", "decision_function")


@dataclass(frozen=True, eq=False)
class Predictions:
    """The predictions of a model for some cases; None for those that it lacks."""

    positions: NDArray[Any] | None = None
    relevance: NDArray[Any] | None = None
    # Higher = better; a label is relevant above 0.
    scores: NDArray[Any] | None = None
    confidence: FloatArray | None = None
    # Before the labels' thresholds are subtracted, so their order may differ from `positions`;
    # None: the same as `scores`.
    raw_scores: NDArray[Any] | None = None
    # That each label is relevant; None: of a method without probabilities.
    probabilities: FloatArray | None = None

    def texts(self, label_names: Sequence[str], cases: Any = slice(None)) -> list[str]:
        """Write each prediction as a list of the relevant labels, or as a ranking."""
        if self.relevance is not None:
            names = np.array(label_names, dtype=object)
            return [", ".join(names[row == 1]) or "none" for row in self.relevance[cases]]
        positions = () if self.positions is None else self.positions[cases]
        return [format_ranking(row, label_names) for row in positions]


def predict_cases(model: Ranker, X: Any, *, task: Task) -> Predictions:
    """Collect everything a fitted model, bare or in a pipeline, predicts."""
    return timed_predictions(model, X, task)[0]


def path_cases(model: Ranker, X: Any, **limits: Any) -> Path:
    """Return the path of a model for some cases: every setting without a further search."""
    estimator, X = bare_model(model, X)
    path: Path = estimator.path(X, **limits)
    return path


def point_cases(model: Ranker, X: Any, **setting: Any) -> "Point | PredictedPoint":
    """Return the predictions of a model for some cases at one setting of its path.

    Of a model without a path, such as a guarantee, they are what `predict` returns with the setting
    as its parameters.
    """
    estimator, X = bare_model(model, X)
    if isinstance(estimator, SupportsPoint):
        return estimator.point(X, **setting)
    return PredictedPoint.of(estimator, X, setting)


@dataclass(frozen=True, eq=False)
class PredictedPoint:
    """The predictions of a model without a path, as far as what-if asks for them."""

    # Strict, also where ties are predicted.
    positions: IntArray
    # Positions, or the relevant labels as 0/1.
    prediction: NDArray[Any]
    predicts_ties: bool

    @classmethod
    def of(cls, estimator: Any, X: Any, setting: Mapping[str, Any]) -> "PredictedPoint":
        """Let an estimator predict: positions, any numbers that order labels, or label sets."""
        prediction = np.asarray(estimator.predict(X, **setting))
        keys = _label_set_keys(estimator, X)
        if keys is None and np.isin(prediction, (0, 1)).all():
            keys = -prediction
        if keys is not None:
            return cls(strict_positions(keys), prediction, predicts_ties=False)
        positions, buckets = strict_positions(prediction), dense_positions(prediction)
        return cls(positions, buckets.astype(np.int64), bool((positions != buckets).any()))

    def breakpoints(self, x: FloatArray, feature: int, ends: tuple[float, float]) -> None:
        """Return None: the values at which the prediction changes are not known."""


def predicts_label_sets(estimator: Any) -> bool:
    """Tell whether an estimator has a method that only classifiers of label sets have."""
    return method_of(estimator, *_OF_LABEL_SETS) is not None


def _label_set_keys(estimator: Any, X: Any) -> NDArray[Any] | None:
    """Return sort keys of the labels from a classifier of label sets, lowest first; else None."""
    if isinstance(estimator, SupportsLabelOrder):
        return np.asarray(estimator.predict_ranking(X))
    if method_of(estimator, "predict_proba"):
        return -label_probabilities(estimator, X)
    scores = method_of(estimator, "decision_function")
    return None if scores is None else -np.asarray(scores(X))


def predictions_of_path(model: Ranker, path: Path, task: Task, **setting: Any) -> Predictions:
    """Collect all predictions of the cases of a path at one setting of it."""
    return _point_predictions(path.at(**setting), is_multilabel(model, task))


def feature_units(model: Ranker) -> tuple[FloatArray, FloatArray] | None:
    """Return shift and scale of each feature: the estimator's value v is shift + scale * v."""
    # None where the pipeline does more than standardise.
    steps = steps_before(model)
    if not all(isinstance(step, StandardScaler) for step in steps):
        return None
    n_features = last_step(model).n_features_in_
    shift, scale = np.zeros(n_features), np.ones(n_features)
    for step in steps:
        if step.with_mean:
            shift = shift + scale * step.mean_
        if step.scale_ is not None:
            scale = scale * step.scale_
    return shift, scale


@dataclass(frozen=True, eq=False)
class CasePath:
    """One case with its path, and the units of its features in the estimator."""

    x: FloatArray
    path: Path
    units: tuple[FloatArray, FloatArray] | None


def case_path(model: Ranker, x: FloatArray) -> CasePath:
    """Return the path of one case, given before the pipeline's first step."""
    return CasePath(x, path_cases(model, x[None]), feature_units(model))


def last_step(model: Ranker) -> Any:
    """Return the estimator itself, the last step of its pipeline or of a search's best one."""
    model = _unwrapped(model)
    return last_step(model[-1]) if isinstance(model, Pipeline) else model


def _unwrapped(model: Ranker) -> Any:
    """Return the fitted model that a search or scikit-learn's FrozenEstimator keeps."""
    if isinstance(model, FrozenEstimator):
        return _unwrapped(model.estimator)
    best = getattr(model, "best_estimator_", None)
    return model if best is None else _unwrapped(best)


def steps_before(model: Ranker) -> list[Any]:
    """Return the steps of a pipeline before its estimator; none of a bare estimator."""
    model = _unwrapped(model)
    if not isinstance(model, Pipeline):
        return []
    return [*(step for _, step in model.steps[:-1]), *steps_before(model[-1])]


def with_feature_names(model: Ranker, X: Any) -> Any:
    """Return an array of cases as a frame if the model was fitted on one with as many columns."""
    names = getattr(model, "feature_names_in_", None)
    if names is None or not isinstance(X, np.ndarray) or X.shape[1] != len(names):
        return X
    return pd.DataFrame(X, columns=names, copy=False)


def bare_model(model: Ranker, X: Any) -> tuple[Any, Any]:
    """Return the estimator at the end of a pipeline and the cases as it gets them."""
    model = _unwrapped(model)
    X = with_feature_names(model, X)
    # A pipeline has ``predict`` and ``decision_function``, but not this package's other methods.
    if isinstance(model, Pipeline):
        return bare_model(model[-1], model[:-1].transform(X) if len(model) > 1 else X)
    return model, X


def is_multilabel(model: Ranker, task: Task) -> bool:
    """Tell whether a model predicts label sets; ValueError if it needs some that data lack."""
    ranks_labels = isinstance(last_step(model), SupportsLabelOrder)
    if ranks_labels and not task.has_zero_line:
        data_kind = "plain rankings" if task.has_rankings else "preferences between pairs"
        raise ValueError(
            f"Expected a label ranker for {data_kind}, got {type(last_step(model)).__name__}, "
            "which needs to know which labels are relevant."
        )
    return ranks_labels or task is Task.MULTILABEL


def timed_predictions(
    model: Ranker, X: Any, task: Task, setting: Mapping[str, Any] | None = None
) -> tuple[Predictions, float]:
    """Collect all predictions, at a setting of the path, and the seconds that `predict` took."""
    start = perf_counter()
    estimator, X = bare_model(model, X)
    # Estimators of this package predict everything from one point, with a single search.
    has_point = isinstance(estimator, SupportsPoint)
    point = estimator.point(X, **(setting or {})) if has_point else None
    prediction = np.asarray(estimator.predict(X) if point is None else point.prediction)
    seconds = perf_counter() - start
    if point is not None:
        return _point_predictions(point, is_multilabel(model, task)), seconds
    outputs = {
        output: np.asarray(method(X))
        for output, name in _METHODS.items()
        if (method := method_of(estimator, name)) is not None
    }
    if is_multilabel(model, task):
        if method_of(estimator, "predict_proba"):
            outputs["probabilities"] = label_probabilities(estimator, X)
            outputs.setdefault("scores", outputs["probabilities"] - 0.5)
        return Predictions(relevance=prediction, **outputs), seconds
    return Predictions(positions=prediction, confidence=outputs.get("confidence")), seconds


def label_probabilities(estimator: Any, X: Any) -> FloatArray:
    """Return the probability of every label for each case, of any classifier of label sets."""
    probabilities = estimator.predict_proba(X)
    if not isinstance(probabilities, list):
        return np.asarray(probabilities, dtype=np.float64)
    # scikit-learn's, one array for each label, with a column for each value in the training data.
    label_columns = [
        columns_of_label[:, list(values).index(1)]
        if 1 in values
        else np.zeros(len(columns_of_label))
        for columns_of_label, values in zip(probabilities, estimator.classes_, strict=True)
    ]
    return np.stack(label_columns, axis=1)


def _point_predictions(point: Point, multilabel: bool) -> Predictions:
    if multilabel:
        return Predictions(
            positions=point.positions,
            relevance=point.prediction,
            scores=point.scores,
            confidence=point.confidence,
            raw_scores=point.raw_scores,
            probabilities=point.probabilities,
        )
    return Predictions(positions=point.prediction, confidence=point.confidence)
