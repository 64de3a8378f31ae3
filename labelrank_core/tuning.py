"""Parameters chosen within the training part, over paths where the method has them."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from labelrank_core.catalog import ModelChoice
from labelrank_core.dataset import Dataset
from labelrank_core.evaluation import evaluate_predictions, training_targets
from labelrank_core.metrics import METRICS
from labelrank_core.predictions import is_multilabel, path_cases, point_predictions
from labelrank_core.rankings import FloatArray
from labelrank_core.splits import Split, cross_validation


def tune(
    choice: ModelChoice,
    grid: Mapping[str, Sequence[Any]],
    training: Dataset,
    *,
    measure: str,
    n_folds: int = 5,
    seed: int = 0,
) -> dict[str, Any]:
    """Choose the parameters with the best mean over folds of the training part.

    Parameters
    ----------
    choice : ModelChoice
        The method with the parameters that stay.
    grid : mapping of str to sequence of value
        The parameters to choose and their values. Those that the method's path takes cost one fit
        a fold for all their values together.
    training : Dataset
        The training part alone.
    measure : str
        Key of `METRICS`.
    n_folds : int, default=5
        Folds, at most as many as rows.
    seed : int, default=0
        Seed of the folds.

    Returns
    -------
    dict of str to value
        The first of the best settings, in the order of the grid. More neighbours than a training
        part has cases are left out.

    Raises
    ------
    ValueError
        If no value is possible or none can be measured.

    Examples
    --------
    >>> from labelrank_core import load_sample
    >>> tune(ModelChoice("knn"), {"n_neighbors": [1, 100]}, load_sample("iris"),
    ...      measure="kendall_tau_score")
    {'n_neighbors': 1}
    """
    folds = cross_validation(training, n_folds=min(n_folds, training.n_samples), seed=seed)
    settings = _possible(choice, grid, min(len(fold.split.train) for fold in folds))
    knobs = choice.algorithm.knobs
    inner = [knob.name for knob in knobs if knob.on_path and knob.name in grid]
    means = np.empty(len(settings))
    # Settings that differ on the path alone share their fits.
    shared: dict[str, list[int]] = {}
    for i, setting in enumerate(settings):
        outer = {name: value for name, value in setting.items() if name not in inner}
        shared.setdefault(repr(outer), []).append(i)
    for group in shared.values():
        outer = {name: v for name, v in settings[group[0]].items() if name not in inner}
        on_path = [{name: settings[i][name] for name in inner} for i in group]
        fixed = choice.with_params(**outer)
        values = [_fold_values(fixed, training, f.split, on_path, measure) for f in folds]
        means[group] = _means(np.array(values))
    signed = means * (1 if METRICS[measure].greater_is_better else -1)
    if np.isnan(signed).all():
        raise ValueError(f"Expected a value of {measure} in some fold, got none: too few rows.")
    # Equal to rounding is equal: the first one wins on every machine.
    return settings[int(np.flatnonzero(signed >= np.nanmax(signed) - 1e-12)[0])]


def _possible(
    choice: ModelChoice, grid: Mapping[str, Sequence[Any]], n_cases: int
) -> list[dict[str, Any]]:
    """List the settings of a grid that so many training cases allow."""
    bounded = {knob.name for knob in choice.algorithm.knobs if knob.at_most_cases}
    columns = [
        [value for value in values if name not in bounded or value <= n_cases]
        for name, values in grid.items()
    ]
    if not all(columns):
        raise ValueError(f"Expected values to tune of at most {n_cases}, the training cases.")
    return [dict(zip(grid, values, strict=True)) for values in product(*columns)]


def _means(values: FloatArray) -> FloatArray:
    """Average the folds that have a value; NaN where none has."""
    counted = ~np.isnan(values)
    sums = np.where(counted, values, 0).sum(axis=0)
    return np.divide(
        sums, counted.sum(axis=0), out=np.full(len(sums), np.nan), where=counted.any(axis=0)
    )


def _fold_values(
    choice: ModelChoice,
    training: Dataset,
    split: Split,
    settings: Sequence[Mapping[str, Any]],
    measure: str,
) -> FloatArray:
    settings = [{**choice.path_params, **setting} for setting in settings]
    model = choice.reaching(settings, len(split.train)).build(is_sparse=training.is_sparse)
    targets = training_targets(model, training, split.train)
    path = path_cases(model.fit(training.X[split.train], targets), training.X[split.test])
    values = []
    for setting in settings:
        point = path.at(**setting)
        predicted = point_predictions(point, is_multilabel(model, training.task))
        table = evaluate_predictions(
            training,
            split.test,
            positions=predicted.positions,
            relevance=predicted.relevance,
            scores=predicted.scores,
            measures=[measure],
        )
        values.append(float(table["value"].iloc[0]))
    return np.array(values)
