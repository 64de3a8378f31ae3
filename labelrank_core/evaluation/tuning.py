"""Parameters chosen within the training set, over paths where the method has them."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from labelrank_core.data.dataset import Dataset
from labelrank_core.data.splits import cross_validation, smallest_training
from labelrank_core.evaluation.sensitivity import sweep_parameters
from labelrank_core.methods import ModelChoice
from labelrank_core.metrics import METRICS
from labelrank_core.rankings import equal_up_to_rounding


def tune(
    choice: ModelChoice,
    grid: Mapping[str, Sequence[Any]],
    training: Dataset,
    *,
    measure: str,
    n_folds: int = 5,
    seed: int = 0,
) -> dict[str, Any]:
    """Choose the parameters with the best mean over folds of the training set.

    Parameters
    ----------
    choice : ModelChoice
        The method with the parameters that stay.
    grid : mapping of str to sequence of value
        The parameters to choose and their values. Those that the method's path takes cost one fit
        per fold for all their values together.
    training : Dataset
        The training set alone.
    measure : str
        Key of `METRICS`.
    n_folds : int, default=5
        Folds, at most as many as rows.
    seed : int, default=0
        Seed of the folds.

    Returns
    -------
    dict of str to value
        The first of the best settings, parameters off the path varying slowest. Counts of
        cases that a fold does not have are left out.

    Raises
    ------
    ValueError
        If a parameter has no possible value, or no fold has a value of the measure.

    Examples
    --------
    >>> from labelrank_core import load_sample
    >>> tune(ModelChoice("knn"), {"n_neighbors": [1, 100]}, load_sample("iris"),
    ...      measure="kendall_tau_score")
    {'n_neighbors': 1}
    """
    folds = cross_validation(training, n_folds=min(n_folds, training.n_samples), seed=seed)
    grid = _possible(choice, grid, smallest_training(folds))
    on_path = choice.algorithm.path_knobs
    inner = {name: values for name, values in grid.items() if name in on_path}
    outer = {name: values for name, values in grid.items() if name not in on_path}
    results: list[tuple[dict[str, Any], float]] = []
    for fixed in product(*outer.values()):
        outer_params = dict(zip(outer, fixed, strict=True))
        swept = sweep_parameters(
            training,
            choice.with_params(**outer_params),
            grid=inner,
            folds=folds,
            measures=[measure],
        )
        for setting, mean in zip(swept.settings, swept.bands()["mean"], strict=True):
            results.append(({**outer_params, **dict(zip(inner, setting, strict=True))}, mean))
    signed = np.array([mean for _, mean in results])
    signed *= 1 if METRICS[measure].greater_is_better else -1
    if np.isnan(signed).all():
        raise ValueError(f"Expected a value of {measure} in some fold, got none: too few rows.")
    # Rounding differs between machines and must not decide: the first one wins.
    best = results[int(np.argmax(equal_up_to_rounding(signed, np.nanmax(signed))))][0]
    return {name: best[name] for name in grid}


def _possible(
    choice: ModelChoice, grid: Mapping[str, Sequence[Any]], n_cases: int
) -> dict[str, list[Any]]:
    """Leave out values that are impossible with `n_cases` training cases."""
    knobs = {knob.name: knob for knob in choice.algorithm.knobs}
    possible = {
        name: list(knobs[name].possible(values, n_cases) if name in knobs else values)
        for name, values in grid.items()
    }
    if not all(possible.values()):
        raise ValueError(f"Expected values to tune of at most {n_cases}, the training cases.")
    return possible
