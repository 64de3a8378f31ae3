"""What is measured of methods, kept: evaluations, decisions, confidence, sensitivity, results."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from labelrank_core import Dataset
from labelrank_core.data.splits import Fold, Split, smallest_training, with_fewer_tests
from labelrank_core.evaluation.abstention import AbstentionCurve, evaluate_abstention
from labelrank_core.evaluation.confidence.band import accuracy_band
from labelrank_core.evaluation.decisions.tuned import Decisions, tuned_rules
from labelrank_core.evaluation.evaluate import Evaluation, evaluate_model
from labelrank_core.evaluation.sensitivity import Sensitivity, missing_labels, sweep_parameters
from labelrank_core.evaluation.sensitivity.figures import SHARE_DELETED, Figure
from labelrank_core.evaluation.sensitivity.sweep import seconds_to_sweep
from labelrank_core.experiments import Unit, units_of
from labelrank_core.experiments.store import Store
from labelrank_core.methods import BASELINES, ModelChoice
from labelrank_core.methods.base import TooLargeError
from pages.ui import compute

_QUICK_PAIRS = 200_000_000
_FIGURE_SECONDS = 30.0
# Of comparing one pair of labels in some fifty votes for one case, at every threshold.
_PAIR_SECONDS = 7e-7


def quick_split(split: Split) -> Split:
    """Shorten the test part of large data to what can be measured at once."""
    return with_fewer_tests(split, max(100, _QUICK_PAIRS // len(split.train)))


def evaluations(dataset: Dataset, choice: ModelChoice, split: Split) -> list[Evaluation]:
    """Measure a method and the baselines on the test part."""
    sparse = dataset.is_sparse
    models = {choice.algorithm.title: choice.build(is_sparse=sparse)}
    models |= {baseline.title: baseline.build(choice, is_sparse=sparse) for baseline in BASELINES}
    key = (dataset.fingerprint, choice, compute.split_parts(split))
    seconds = choice.seconds(compute.size_of(dataset, len(split.train), len(split.test)))

    def measured(title: str) -> Evaluation:
        return compute.kept(
            compute.digest("evaluation", key, title),
            lambda: compute.done(
                compute.digest("job", key, title),
                f"Measuring {title}",
                seconds if title == choice.algorithm.title else 0.0,
                partial(evaluate_model, method=title),
                models[title],
                dataset,
                split,
            ),
        )

    own, *baselines = models
    with compute.limits(choice):
        measurements = [measured(own)]
    for title in baselines:
        with suppress(TooLargeError):
            measurements.append(measured(title))
    return measurements


def decisions(dataset: Dataset, choice: ModelChoice, split: Split) -> Decisions:
    """Tune rules for what should be good on unseen training cases, and score the test part."""
    key = compute.digest("decisions", dataset.fingerprint, choice, compute.split_parts(split))
    n_train = len(split.train)
    n_tests = max(n_train // 5, len(split.test))
    # Five folds, each fitted on four fifths of the rows, then the whole; sorting and measuring.
    seconds = 6 * choice.seconds(compute.size_of(dataset, n_train, n_tests))
    seconds += 1e-5 * (n_train + n_tests) * dataset.n_labels
    with compute.limits(choice):
        return compute.kept(
            key,
            lambda: compute.done(
                key,
                "Scoring training cases by models that have not seen them",
                seconds,
                tuned_rules,
                choice,
                dataset,
                split,
            ),
        )


def confidence_band(
    dataset: Dataset,
    choice: ModelChoice,
    split: Split,
    confidence: NDArray[np.float64],
    accuracy: NDArray[np.float64],
    levels: Sequence[float],
) -> pd.DataFrame:
    """Resample the test cases to bound their mean accuracy at some levels of confidence."""
    return compute.kept(
        compute.digest("band", dataset.fingerprint, choice, compute.split_parts(split)),
        lambda: accuracy_band(confidence, accuracy, levels=levels),
    )


def abstention(dataset: Dataset, choice: ModelChoice, split: Split) -> AbstentionCurve:
    """Withhold label pairs of the test part at every threshold."""
    key = (dataset.fingerprint, choice, compute.split_parts(split))
    seconds = choice.seconds(compute.size_of(dataset, len(split.train), len(split.test)))
    seconds += _PAIR_SECONDS * len(split.test) * dataset.n_labels**2
    with compute.limits(choice):
        return compute.kept(
            compute.digest("abstention", key),
            lambda: compute.done(
                compute.digest("withholding", key),
                "Withholding label pairs",
                seconds,
                evaluate_abstention,
                choice.build(is_sparse=dataset.is_sparse),
                dataset,
                split,
            ),
        )


def quick_folds(
    dataset: Dataset, choice: ModelChoice, figure: Figure, folds: Sequence[Fold]
) -> list[Fold]:
    """Shorten the test parts of folds where a figure would take long."""
    share = _FIGURE_SECONDS / _seconds(
        dataset, choice, figure.grid(smallest_training(folds)), folds
    )
    if share >= 1:
        return list(folds)
    return [
        Fold(
            fold.repeat,
            fold.number,
            with_fewer_tests(fold.split, max(100, int(share * len(fold.split.test)))),
        )
        for fold in folds
    ]


def sensitivity(
    dataset: Dataset, choice: ModelChoice, figure: Figure, folds: Sequence[Fold], measure: str
) -> Sensitivity:
    """Measure a method at all values of a figure and at its own setting."""
    grid = figure.grid(smallest_training(folds))
    found = _swept(dataset, choice, grid, folds, measure)
    own = figure.own(choice)
    if own is None or own in found.settings:
        return found
    line = dict(zip(figure.parameters, ((value,) for value in own), strict=True))
    across = figure.parameters[0]
    line[across] = tuple(sorted({*grid[across], own[0]}))
    return found.joined(_swept(dataset, choice, line, folds, measure))


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
        [(fold.repeat, fold.number, compute.split_parts(fold.split)) for fold in folds],
        measure,
    )
    missing = SHARE_DELETED in grid
    function = (
        partial(missing_labels, shares=grid[SHARE_DELETED])
        if missing
        else partial(sweep_parameters, grid=grid)
    )
    with compute.limits(choice):
        return compute.kept(
            key,
            lambda: compute.done(
                key,
                f"{choice.algorithm.title}, fold by fold",
                _seconds(dataset, choice, grid, folds),
                partial(function, folds=folds, measures=(measure,)),
                dataset,
                choice,
                reports="on_fold",
            ),
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


def trainings(store: Store, run: str) -> tuple[dict[str, Dataset], list[Unit]]:
    """Load the data sets of an experiment, by fingerprint, and list its trainings."""

    def load() -> tuple[dict[str, Dataset], list[Unit]]:
        experiment, folder = store.experiment(run)
        datasets = store.datasets(experiment, folder)
        return {each.fingerprint: each for each in datasets}, units_of(experiment, datasets)

    return compute.kept(compute.digest("trainings", str(store.home), run), load)


def results(store: Store, run: str, n_done: int) -> pd.DataFrame:
    """Read the results of an experiment, of which so many are known to be there."""
    units = trainings(store, run)[1]
    return compute.kept(
        compute.digest("results", str(store.home), run, n_done), lambda: store.frame(units)
    )
