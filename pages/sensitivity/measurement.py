"""A method measured at all values of a figure, fold by fold."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from labelrank_core import Dataset
from labelrank_core.data.splits import Fold, smallest_training, with_fewer_tests
from labelrank_core.evaluation.sensitivity import Sensitivity, missing_labels, sweep_parameters
from labelrank_core.evaluation.sensitivity.figures import SHARE_DELETED, Figure
from labelrank_core.evaluation.sensitivity.sweep import seconds_to_sweep
from labelrank_core.methods import ModelChoice
from pages.ui import compute
from pages.ui.results import models
from pages.ui.results.evaluations import choose_all_tests

_FIGURE_SECONDS = 30.0
_FEWEST_TESTS = 100


def choose_tests(
    dataset: Dataset, choice: ModelChoice, figure: Figure, folds: list[Fold]
) -> list[Fold]:
    """Return all test rows where the user asks for them, else as many as take half a minute."""
    share = _FIGURE_SECONDS / _seconds(
        dataset, choice, figure.grid(smallest_training(folds)), folds
    )
    if share >= 1:
        return folds
    quick = [
        replace(
            fold,
            split=with_fewer_tests(
                fold.split, max(_FEWEST_TESTS, int(share * len(fold.split.test)))
            ),
        )
        for fold in folds
    ]
    n_all, n_quick = (
        sum(len(fold.split.test) for fold in fold_group) for fold_group in (folds, quick)
    )
    return folds if n_all == n_quick or choose_all_tests(n_all, n_quick) else quick


def figure_values(
    dataset: Dataset, choice: ModelChoice, figure: Figure, folds: Sequence[Fold], measure: str
) -> Sensitivity:
    """Measure a method at all values of a figure and at its own setting."""
    grid = figure.grid(smallest_training(folds))
    sensitivity = _swept(dataset, choice, grid, folds, measure)
    settings_in_use = figure.own(choice)
    if settings_in_use is None or settings_in_use in sensitivity.settings:
        return sensitivity
    line = dict(zip(figure.parameters, ((value,) for value in settings_in_use), strict=True))
    across = figure.parameters[0]
    line[across] = tuple(sorted({*grid[across], settings_in_use[0]}))
    return sensitivity.joined(_swept(dataset, choice, line, folds, measure))


def _swept(
    dataset: Dataset,
    choice: ModelChoice,
    grid: Mapping[str, Sequence[Any]],
    folds: Sequence[Fold],
    measure: str,
) -> Sensitivity:
    choice = choice.without(grid)
    key = compute.digest(
        "sensitivity",
        dataset.fingerprint,
        choice,
        sorted(grid.items()),
        [(fold.repeat, fold.number, fold.split.test.tobytes()) for fold in folds],
        measure,
    )
    missing = SHARE_DELETED in grid
    function = (
        partial(missing_labels, shares=grid[SHARE_DELETED])
        if missing
        else partial(sweep_parameters, grid=grid)
    )
    with models.limits(choice):
        return compute.once(
            key,
            f"{choice.algorithm.title}, fold by fold",
            partial(function, folds=folds, measures=(measure,)),
            dataset,
            choice,
            seconds=_seconds(dataset, choice, grid, folds),
            reports="on_fold",
            algorithm=choice.algorithm,
        )


def _seconds(
    dataset: Dataset,
    choice: ModelChoice,
    grid: Mapping[str, Sequence[Any]],
    folds: Sequence[Fold],
) -> float:
    if SHARE_DELETED not in grid:
        return seconds_to_sweep(dataset, choice, grid=grid, folds=folds)
    return len(grid[SHARE_DELETED]) * seconds_to_sweep(dataset, choice, grid={}, folds=folds)
