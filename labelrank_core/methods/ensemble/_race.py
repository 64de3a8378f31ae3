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
class Candidate:
    """An unfitted estimator and its name."""

    name: str
    estimator: Any


@dataclass(frozen=True, eq=False)
class Race:
    """What candidates predict for training cases that they did not learn from.

    Parameters
    ----------
    candidates : list of Candidate
        Those that ran all folds.
    predicted : ndarray of shape (n_candidates, n_samples, n_cells)
        Their predictions; NaN in folds that nobody ran.
    left_out : dict of str to str
        Why others did not run all folds, by name.
    """

    candidates: list[Candidate]
    predicted: FloatArray
    left_out: dict[str, str]


def run_race(
    candidates: Sequence[Candidate],
    X: Any,
    Y: Any,
    truth: FloatArray,
    *,
    folds: Sequence[tuple[IntArray, IntArray]],
    predict: Callable[[Any, Any], FloatArray],
    time_budget: float | None = None,
    metadata: Mapping[str, Mapping[str, Any]] | None = None,
) -> Race:
    """Let candidates run fold by fold, without those that cannot learn or are clearly behind.

    Once `time_budget` seconds have passed, no further fold begins, and in the first fold no
    further candidate. ValueError if no candidate can learn the data. `metadata` has what the fit
    of each candidate gets, by its name.
    """
    start = perf_counter()

    def late() -> bool:
        return time_budget is not None and perf_counter() - start > time_budget

    found: dict[int, FloatArray] = {}
    left_out: dict[str, str] = {}
    running = list(range(len(candidates)))
    for done, (train, test) in enumerate(folds):
        if done and late():
            break
        for i in list(running):
            if not done and found and late():
                left_out[candidates[i].name] = "the time limit was reached"
                running.remove(i)
                continue
            own = found.setdefault(i, np.full(truth.shape, np.nan))
            try:
                fit_params = (metadata or {}).get(candidates[i].name, {})
                known = metadata_of_rows(fit_params, train, len(truth))
                model = clone(candidates[i].estimator).fit(rows_of(X, train), Y[train], **known)
                own[test] = predict(model, rows_of(X, test))
            except ValueError as error:
                left_out[candidates[i].name] = str(error)
                running.remove(i)
                del found[i]
                if not running:
                    raise
        if done + 1 == _FOLDS_BEFORE_DROPPING < len(folds):
            behind = clearly_behind(np.stack([found[i] for i in running]), truth)
            for i in [i for i, is_behind in zip(running, behind, strict=True) if is_behind]:
                left_out[candidates[i].name] = "clearly behind after two folds"
                running.remove(i)
    predicted = np.stack([found[i] for i in running])
    return Race([candidates[i] for i in running], predicted, left_out)
