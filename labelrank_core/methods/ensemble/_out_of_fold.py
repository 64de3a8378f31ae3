"""Candidates learn from some of the training cases and predict the others, fold by fold."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.base import clone

from labelrank_core._sklearn import rows_of
from labelrank_core.methods.ensemble._blend import clearly_behind
from labelrank_core.methods.routing import metadata_of_rows
from labelrank_core.rankings import FloatArray, IntArray

# After so many folds, candidates that are clearly behind run no further.
_FOLDS_BEFORE_DROPPING = 2


@dataclass(frozen=True)
class NamedEstimator:
    """An unfitted estimator and its name."""

    name: str
    estimator: Any


@dataclass(frozen=True, eq=False)
class OutOfFoldPredictions:
    """Predictions of candidates for training cases that they did not learn from.

    Parameters
    ----------
    candidates : list of NamedEstimator
        Those that ran all folds.
    predicted : ndarray of shape (n_candidates, n_samples, n_cells)
        Their predictions; NaN in folds that nobody ran.
    left_out : dict of str to str
        Why others did not run all folds, by name.
    """

    candidates: list[NamedEstimator]
    predicted: FloatArray
    left_out: dict[str, str]


def predict_out_of_fold(
    candidates: Sequence[NamedEstimator],
    X: Any,
    Y: Any,
    truth: FloatArray,
    *,
    folds: Sequence[tuple[IntArray, IntArray]],
    predict: Callable[[Any, Any], FloatArray],
    time_budget: float | None = None,
    metadata: Mapping[str, Mapping[str, Any]] | None = None,
) -> OutOfFoldPredictions:
    """Fit candidates fold by fold, without those that cannot learn or are clearly behind.

    Once `time_budget` seconds have passed, no further fold begins, and in the first fold no
    further candidate. ValueError if no candidate can learn the data. `metadata` has what the fit
    of each candidate gets, by its name.
    """
    start = perf_counter()

    def late() -> bool:
        return time_budget is not None and perf_counter() - start > time_budget

    predictions: dict[int, FloatArray] = {}
    left_out: dict[str, str] = {}
    running = list(range(len(candidates)))
    for fold, (train, test) in enumerate(folds):
        if fold and late():
            break
        for i in list(running):
            if not fold and predictions and late():
                left_out[candidates[i].name] = "the time limit was reached"
                running.remove(i)
                continue
            candidate_predictions = predictions.setdefault(i, np.full(truth.shape, np.nan))
            try:
                fit_params = (metadata or {}).get(candidates[i].name, {})
                train_params = metadata_of_rows(fit_params, train, len(truth))
                model = clone(candidates[i].estimator).fit(
                    rows_of(X, train), Y[train], **train_params
                )
                candidate_predictions[test] = predict(model, rows_of(X, test))
            except ValueError as error:
                left_out[candidates[i].name] = str(error)
                running.remove(i)
                del predictions[i]
                if not running:
                    raise
        if fold + 1 == _FOLDS_BEFORE_DROPPING < len(folds):
            behind = clearly_behind(np.stack([predictions[i] for i in running]), truth)
            for i in [i for i, is_behind in zip(running, behind, strict=True) if is_behind]:
                left_out[candidates[i].name] = "clearly behind after two folds"
                running.remove(i)
    return OutOfFoldPredictions(
        [candidates[i] for i in running], np.stack([predictions[i] for i in running]), left_out
    )
