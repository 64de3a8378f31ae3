"""Measuring a method at many settings with few fits per fold, and with labels deleted."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from threading import Lock
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from labelrank_core.data.dataset import Dataset
from labelrank_core.data.splits import Fold, delete_known
from labelrank_core.evaluation.evaluate import evaluate_model, prediction_for
from labelrank_core.evaluation.sensitivity.figures import SHARE_DELETED
from labelrank_core.evaluation.sensitivity.result import Sensitivity
from labelrank_core.explain.capabilities import Point
from labelrank_core.explain.predictions import Predictions, path_cases
from labelrank_core.methods import ModelChoice, Size, tie_labels
from labelrank_core.metrics import METRICS, Measure, measures_for
from labelrank_core.rankings import FloatArray

# A point's matrices are so small that several threads take several times as long. The limit holds
# for the whole process; of two that overlap, the later one would not restore it.
_ONE_AT_A_TIME = Lock()

Report = Callable[[int, int], object]


def sweep_parameters(
    dataset: Dataset,
    choice: ModelChoice,
    *,
    grid: Mapping[str, Sequence[Any]],
    folds: Sequence[Fold],
    measures: Sequence[str],
    on_fold: Report | None = None,
) -> Sensitivity:
    """Measure a method at every setting of some parameters with as few fits as it allows.

    Parameters of the method's path need one fit per fold; every value of another parameter needs a
    fit of its own. For the path the model is fitted with the largest number of neighbours or trees
    and the greatest depth of the grid; every setting is then a point of it, with the predictions
    of a fresh fit (at a smaller depth: of the same trees, truncated).

    Parameters
    ----------
    dataset : Dataset
        The data.
    choice : ModelChoice
        The method; parameters that are not varied keep the values chosen.
    grid : mapping of str to sequence
        Values of each parameter to vary; every combination is measured.
    folds : sequence of Fold
        Training and test sets, at least one; a single split is one fold.
    measures : sequence of str
        Keys of `METRICS`; nothing else is computed.
    on_fold : callable or None
        Called after each fold with the number of folds done and of all.

    Returns
    -------
    Sensitivity
        Settings in the order of the grid, the last parameter varying fastest.

    Raises
    ------
    ValueError
        If the catalog does not offer a parameter, a measure does not fit, or the estimator refuses
        a value.

    Examples
    --------
    >>> from labelrank_core import load_sample
    >>> from labelrank_core.data.splits import cross_validation
    >>> data = load_sample("iris")
    >>> curve = sweep_parameters(data, ModelChoice("knn"), grid={"n_neighbors": [1, 5]},
    ...                          folds=cross_validation(data, n_folds=2),
    ...                          measures=["kendall_tau_score"])
    >>> curve.frame().columns.tolist()
    ['repeat', 'fold', 'n_neighbors', 'measure', 'value']
    >>> curve.values.shape
    (2, 2, 1)
    """
    resolved_measures = _measures(dataset, choice, measures)
    offered = [knob.name for knob in choice.algorithm.knobs]
    for name in grid:
        if name not in offered:
            raise ValueError(f"Expected parameters among {', '.join(offered)}, got {name}.")
    settings = tuple(product(*grid.values()))
    values = np.empty((len(folds), len(settings), len(resolved_measures)))
    for i, fold in enumerate(folds):
        train, test = fold.split.train, fold.split.test
        truths = [measure.truth(dataset, test) for measure in resolved_measures]
        for fitted, points in _fits(choice, grid):
            model = fitted.build(is_sparse=dataset.is_sparse)
            model.fit(dataset.X[train], choice.algorithm.targets(dataset, train))
            # No more neighbours are searched for than the grid needs.
            path = path_cases(model, dataset.X[test], **fitted.path_limits)
            with _ONE_AT_A_TIME, threadpool_limits(1):
                for j, setting in points.items():
                    point = path.at(**setting)
                    for m, (measure, truth) in enumerate(
                        zip(resolved_measures, truths, strict=True)
                    ):
                        predicted = prediction_for(measure, _taken_by(measure, choice, point))
                        values[i, j, m] = measure.mean(truth, predicted)
        if on_fold is not None:
            on_fold(i + 1, len(folds))
    return _sensitivity(tuple(grid), settings, folds, measures, values)


# What label rankers predict.
_OF_RANKERS = ("positions", "pairs", "ranking", "scores")


def missing_labels(
    dataset: Dataset,
    choice: ModelChoice,
    *,
    shares: Sequence[float],
    folds: Sequence[Fold],
    measures: Sequence[str],
    seed: int = 0,
    on_fold: Report | None = None,
) -> Sensitivity:
    """Measure a label ranker that learns from rankings with labels deleted at random.

    Of data with pairs of labels, known pairs are deleted.

    Fig. 2 of [LRRF]_: each label is deleted from each training ranking with the same probability
    p0, and the remaining ones are ranked from 1 on; the test rankings stay complete. Training
    cases without any label left are kept; `Algorithm.incomplete` says how a method treats them.
    Labels deleted at a lower p0 are deleted at every higher one, too. Costs one fit per level and
    fold.

    Parameters
    ----------
    dataset : Dataset
        The data.
    choice : ModelChoice
        A method that learns rankings alone.
    shares : sequence of float
        Probabilities p0, at least 0 and below 1.
    folds : sequence of Fold
        Training and test sets.
    measures : sequence of str
        Keys of `METRICS`.
    seed : int, default=0
        Together with the fold's repetition and number it decides which labels are deleted.
    on_fold : callable or None
        Called after each fold with the number of folds done and of all.

    Returns
    -------
    Sensitivity
        With the one parameter `SHARE_DELETED`.

    Raises
    ------
    ValueError
        If the method learns a zero line, a share is out of range or a measure does not fit.

    References
    ----------
    .. [LRRF] Y. Zhou, G. Qiu: Random forest for label ranking. Expert Systems with Applications
       112, 2018.

    Examples
    --------
    >>> from labelrank_core import load_sample
    >>> from labelrank_core.data.splits import cross_validation
    >>> data = load_sample("iris")
    >>> curve = missing_labels(data, ModelChoice("knn"), shares=[0, 0.6],
    ...                        folds=cross_validation(data, n_folds=2),
    ...                        measures=["kendall_tau_score"])
    >>> complete, deleted = curve.bands()["mean"]
    >>> bool(complete > deleted)
    True
    """
    if not choice.algorithm.incomplete:
        raise ValueError(
            "Expected a label ranker that learns from incomplete rankings, got "
            f"{choice.algorithm.title}."
        )
    _measures(dataset, choice, measures)
    model = choice.build(is_sparse=dataset.is_sparse)
    values = np.empty((len(folds), len(shares), len(measures)))
    for i, fold in enumerate(folds):
        orders = dataset.orders[fold.split.train]
        for j, share in enumerate(shares):
            incomplete = delete_known(orders, share, seed=(seed, fold.repeat, fold.number))
            evaluation = evaluate_model(
                model, dataset, fold.split, measures=measures, train_rankings=incomplete
            )
            values[i, j] = evaluation.frame()["value"]
        if on_fold is not None:
            on_fold(i + 1, len(folds))
    settings = tuple((share,) for share in shares)
    return _sensitivity((SHARE_DELETED,), settings, folds, measures, values)


def fitting_measures(dataset: Dataset, choice: ModelChoice) -> tuple[Measure, ...]:
    """List the measures of a method's predictions, those that thresholds are tuned for first."""
    # Then those of label sets: parameters change the sets before they change the order.
    measures = measures_for(dataset.task, ties=tie_labels(dataset, choice))
    if not choice.algorithm.has_probabilities:
        measures = tuple(m for m in measures if m.input != "probabilities")
    if choice.algorithm.learns_rankings:
        return tuple(measure for measure in measures if measure.input in _OF_RANKERS)
    values = choice.values
    served = {dict(knob.serves).get(values[knob.name]) for knob in choice.algorithm.knobs}
    return tuple(
        sorted(
            measures, key=lambda measure: (measure.key not in served, measure.input != "relevance")
        )
    )


def seconds_to_sweep(
    dataset: Dataset,
    choice: ModelChoice,
    *,
    grid: Mapping[str, Sequence[Any]],
    folds: Sequence[Fold],
) -> float:
    """Estimate the seconds of `sweep_parameters` with one measure, to a factor of about three."""
    setting_seconds = choice.algorithm.setting_seconds
    seconds = 0.0
    for fold in folds:
        size = Size.of(dataset, len(fold.split.train), len(fold.split.test))
        for fitted, points in _fits(choice, grid):
            params = fitted.values
            seconds += fitted.seconds(size)
            seconds += sum(
                setting_seconds(size, {**params, **setting}) for setting in points.values()
            )
    return seconds


def _fits(
    choice: ModelChoice, grid: Mapping[str, Sequence[Any]]
) -> list[tuple[ModelChoice, dict[int, dict[str, Any]]]]:
    """List the fits that a grid needs; to each, by their number, the settings on its path."""
    on_path = choice.algorithm.path_knobs
    points: dict[tuple[Any, ...], dict[int, dict[str, Any]]] = {}
    for j, values in enumerate(product(*grid.values())):
        setting = dict(zip(grid, values, strict=True))
        fixed = tuple(value for name, value in setting.items() if name not in on_path)
        moved = {name: value for name, value in setting.items() if name in on_path}
        points.setdefault(fixed, {})[j] = moved
    names = [name for name in grid if name not in on_path]
    fitted = _for_all(choice, grid)
    return [
        (fitted.with_params(**dict(zip(names, fixed, strict=True))), moved)
        for fixed, moved in points.items()
    ]


def _for_all(choice: ModelChoice, grid: Mapping[str, Sequence[Any]]) -> ModelChoice:
    """Return the choice whose path reaches every setting of the grid."""
    largest = {
        name: None if None in grid[name] else max(grid[name])
        for name, knob in choice.algorithm.path_knobs.items()
        if knob.up_to_fitted and name in grid
    }
    return choice.without(grid).with_params(**largest)


def _measures(dataset: Dataset, choice: ModelChoice, keys: Sequence[str]) -> list[Measure]:
    fitting = [measure.key for measure in fitting_measures(dataset, choice)]
    for key in keys:
        if key not in fitting:
            raise ValueError(f"Expected measures that fit ({', '.join(fitting)}), got {key!r}.")
    return [METRICS[key] for key in keys]


def _taken_by(measure: Measure, choice: ModelChoice, point: Point) -> Predictions:
    """Return the predictions of a point that a measure needs, so that no other is computed."""
    if choice.algorithm.learns_rankings:
        return Predictions(positions=point.prediction)
    takes = measure.input
    return Predictions(
        positions=point.positions if takes in ("positions", "ranking", "calibrated") else None,
        relevance=point.prediction if takes in ("relevance", "calibrated") else None,
        scores=point.scores if takes == "scores" else None,
        raw_scores=point.raw_scores if takes == "raw_scores" else None,
        probabilities=point.probabilities if takes == "probabilities" else None,
    )


def _sensitivity(
    parameters: tuple[str, ...],
    settings: tuple[tuple[Any, ...], ...],
    folds: Sequence[Fold],
    measures: Sequence[str],
    values: FloatArray,
) -> Sensitivity:
    """Return the result with the folds it was measured on."""
    return Sensitivity(
        parameters,
        settings,
        tuple((fold.repeat, fold.number) for fold in folds),
        tuple(measures),
        values,
        float(np.mean([len(fold.split.test) / len(fold.split.train) for fold in folds])),
    )
