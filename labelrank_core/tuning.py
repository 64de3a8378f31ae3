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
        The first of the best settings, in the order of the grid.

    Examples
    --------
    >>> from labelrank_core import load_sample
    >>> tune(ModelChoice("knn"), {"n_neighbors": [1, 100]}, load_sample("iris"),
    ...      measure="kendall_tau_score")
    {'n_neighbors': 1}
    """
    folds = cross_validation(training, n_folds=min(n_folds, training.n_samples), seed=seed)
    on_path = {knob.name for knob in choice.algorithm.knobs if knob.on_path}
    outer = [name for name in grid if name not in on_path]
    inner = [name for name in grid if name in on_path]
    settings, means = [], []
    for fixed in product(*(grid[name] for name in outer)):
        chosen = choice.with_params(**dict(zip(outer, fixed, strict=True)))
        path_settings = [
            dict(zip(inner, values, strict=True)) for values in product(*(grid[n] for n in inner))
        ]
        values = np.array(
            [_fold_values(chosen, training, f.split, path_settings, measure) for f in folds]
        )
        settings += [{**dict(zip(outer, fixed, strict=True)), **each} for each in path_settings]
        means += list(np.nanmean(values, axis=0))
    signed = np.array(means) * (1 if METRICS[measure].greater_is_better else -1)
    # Equal to rounding is equal: the first one wins on every machine.
    best = int(np.flatnonzero(signed >= np.nanmax(signed) - 1e-12)[0])
    return {name: settings[best][name] for name in grid}


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
