"""What fitted models predict, whatever their kind, with or without a pipeline around them.

Models are estimators in scikit-learn's manner, bare or the last step of a pipeline. One that has
``predict_ranking`` is a *multi-label ranker*: its targets are the data set's own (0/1, or
calibrated rankings with the virtual label last), its ``predict`` returns 0/1, and it may have
``decision_function``. One that has not is, on data with rankings, a *label ranker*, with positions
for targets and predictions; on 0/1 data, a multi-label classifier.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from labelrank_core.data.dataset import Task
from labelrank_core.rankings import FloatArray, format_ranking

_METHODS = {
    "positions": "predict_ranking",
    "scores": "decision_function",
    "raw_scores": "raw_scores",
    "confidence": "predict_confidence",
}


@dataclass(frozen=True, eq=False)
class Predictions:
    """What a model predicts for some cases; None for what it does not.

    Predicted rankings; the predicted 0/1 matrix; the scores that decide (higher = better, a label
    is relevant above 0); how sure the model is, in [0, 1]; and scores before thresholds are
    subtracted (None: as `scores`, no label having a threshold of its own), which can order the
    labels otherwise than `positions` do.
    """

    positions: NDArray[Any] | None = None
    relevance: NDArray[Any] | None = None
    scores: NDArray[Any] | None = None
    confidence: FloatArray | None = None
    raw_scores: NDArray[Any] | None = None

    def texts(self, label_names: Sequence[str], cases: Any = slice(None)) -> list[str]:
        """Write each prediction as a list of the relevant labels, or as a ranking."""
        if self.relevance is not None:
            names = np.array(label_names, dtype=object)
            return [", ".join(names[row == 1]) or "none" for row in self.relevance[cases]]
        positions = () if self.positions is None else self.positions[cases]
        return [format_ranking(row, label_names) for row in positions]


def predict_cases(model: Any, X: Any, *, task: Task) -> Predictions:
    """Collect everything a fitted model, bare or in a pipeline, predicts."""
    return timed_predictions(model, X, task)[0]


def path_cases(model: Any, X: Any, **limits: Any) -> Any:
    """Search once for some cases, so that their predictions need no further search."""
    estimator, X = bare_model(model, X)
    return estimator.path(X, **limits)


def feature_units(model: Any) -> tuple[FloatArray, FloatArray] | None:
    """Return the shift and the scale with which a model's numbers are those of the data.

    A value v that the estimator gets stands for shift + scale * v in the data, (n_features,); None
    where the pipeline does more than standardise.
    """
    n_features = last_step(model).n_features_in_
    shift, scale = np.zeros(n_features), np.ones(n_features)
    for step in _steps_before(model):
        if not isinstance(step, StandardScaler):
            return None
        if step.with_mean:
            shift = shift + scale * step.mean_
        if step.scale_ is not None:
            scale = scale * step.scale_
    return shift, scale


@dataclass(frozen=True, eq=False)
class CasePath:
    """One case searched for once: what its model says of it at any setting, and in which units."""

    x: FloatArray
    path: Any
    units: tuple[FloatArray, FloatArray] | None


def case_path(model: Any, x: FloatArray) -> CasePath:
    """Search once for one case, as it is before the pipeline's first step."""
    return CasePath(x, path_cases(model, x[None]), feature_units(model))


def last_step(model: Any) -> Any:
    """Return the estimator itself, the last step of its pipeline if it has one."""
    return model[-1] if isinstance(model, Pipeline) else model


def _steps_before(model: Any) -> list[Any]:
    """Return the steps of a pipeline before its estimator; none of a bare estimator."""
    return [step for _, step in model.steps[:-1]] if isinstance(model, Pipeline) else []


def bare_model(model: Any, X: Any) -> tuple[Any, Any]:
    """Return the estimator at the end of a pipeline and the cases as it gets them.

    A pipeline passes on ``predict`` and ``decision_function`` but no method it does not know.
    """
    if isinstance(model, Pipeline):
        return model[-1], model[:-1].transform(X) if len(model) > 1 else X
    return model, X


def is_multilabel(model: Any, task: Task) -> bool:
    """Tell whether a model predicts label sets; ValueError if the data has none to learn."""
    ranks_labels = hasattr(last_step(model), "predict_ranking")
    if task is Task.LABEL_RANKING and ranks_labels:
        raise ValueError(
            f"Expected a label ranker for plain rankings, got {type(last_step(model)).__name__}, "
            "which needs to know which labels are relevant."
        )
    return ranks_labels or task is Task.MULTILABEL


def timed_predictions(
    model: Any, X: Any, task: Task, setting: Mapping[str, Any] | None = None
) -> tuple[Predictions, float]:
    """Collect all predictions, at a setting of the path, and the seconds `predict` alone took."""
    start = perf_counter()
    estimator, X = bare_model(model, X)
    # Estimators of this package predict everything from one point, with a single search.
    point = estimator.point(X, **(setting or {})) if hasattr(estimator, "point") else None
    prediction = np.asarray(estimator.predict(X) if point is None else point.prediction)
    seconds = perf_counter() - start
    if point is not None:
        return _point_predictions(point, is_multilabel(model, task)), seconds
    others = {
        name: np.asarray(getattr(estimator, method)(X))
        for name, method in _METHODS.items()
        if hasattr(estimator, method)
    }
    if is_multilabel(model, task):
        return Predictions(relevance=prediction, **others), seconds
    return Predictions(positions=prediction, confidence=others.get("confidence")), seconds


def _point_predictions(point: Any, multilabel: bool) -> Predictions:
    if multilabel:
        return Predictions(
            point.positions, point.prediction, point.scores, point.confidence, point.raw_scores
        )
    return Predictions(positions=point.prediction, confidence=point.confidence)
