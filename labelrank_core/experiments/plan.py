"""The expected duration of an experiment, and the values to try for tuned parameters."""

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from labelrank_core.data.dataset import Dataset
from labelrank_core.experiments.config import Protocol
from labelrank_core.experiments.units import Unit
from labelrank_core.methods import ALGORITHMS, Algorithm, ModelChoice, Size

_START_SECONDS = 4.0
_UNIT_SECONDS = 0.1
_SETTING_SECONDS = 8e-3


def tuning_grid(algorithm: Algorithm, n_cases: int) -> tuple[tuple[str, tuple[Any, ...]], ...]:
    """Return the values to try for a method's main parameters, as `Method` takes them."""
    return tuple(
        (knob.name, knob.possible(knob.tuned, max(1, n_cases)) or (max(1, n_cases),))
        for knob in algorithm.knobs
        if knob.tuned
    )


def smallest_part(protocol: Protocol, datasets: Sequence[Dataset]) -> int:
    """Return the size of the smallest training set, tuning folds included."""
    sizes = [len_train * (1 - 1 / protocol.tuning_folds) for len_train in (
        _n_train(protocol, dataset) * min(protocol.train_shares) for dataset in datasets
    )]  # fmt: skip
    return max(1, int(min(sizes)))


def ratio_of_tests(protocol: Protocol, dataset: Dataset, train_share: float = 1.0) -> float:
    """Return n_test / n_train, for the correction of intervals."""
    n_train = _n_train(protocol, dataset)
    return (dataset.n_samples - n_train) / max(1.0, n_train * train_share)


def n_tests(protocol: Protocol, dataset: Dataset) -> int:
    """Return the number of test cases of one split of a data set."""
    return round(dataset.n_samples - _n_train(protocol, dataset))


def _n_train(protocol: Protocol, dataset: Dataset) -> float:
    if protocol.kind == "published" and dataset.split is not None:
        return float((~dataset.split).sum())
    if protocol.kind == "holdout" and protocol.train_rows:
        return float(min(protocol.train_rows, dataset.n_samples - 1))
    if protocol.kind == "holdout":
        return dataset.n_samples * (1 - protocol.test_share)
    return dataset.n_samples * (1 - 1 / protocol.n_folds)


_SAME_AS = {"probabilistic": "similar cases"}


def quickest_methods(dataset: Dataset, n: int = 3) -> list[str]:
    """List the keys of the quickest methods that learn a data set, each of another family.

    Methods that rank by the same similar cases count as one family: they often predict the same.
    """
    n_test = max(1, dataset.n_samples // 5)
    size = Size.of(dataset, max(1, dataset.n_samples - n_test), n_test)
    quickest: dict[str, str] = {}
    learning = (algorithm for algorithm in ALGORITHMS.values() if algorithm.learns(dataset))
    for algorithm in sorted(learning, key=lambda a: ModelChoice(a.key).seconds(size)):
        family = _SAME_AS.get(algorithm.family, algorithm.family)
        quickest.setdefault(family, algorithm.key)
    return list(quickest.values())[:n]


def expected_seconds(
    units: Sequence[Unit], datasets: Mapping[str, Dataset], n_workers: int
) -> float:
    """Estimate the seconds of trainings and program start, within a factor of about three."""
    return _START_SECONDS + training_seconds(units, datasets) / n_workers


def training_seconds(units: Sequence[Unit], datasets: Mapping[str, Dataset]) -> float:
    """Estimate the seconds of trainings one after the other, within a factor of about three."""
    seconds_of: dict[Any, float] = {}
    total = 0.0
    for unit in units:
        key = unit.fingerprint, unit.method, unit.train_share
        if key not in seconds_of:
            seconds_of[key] = _unit_seconds(unit, datasets[unit.fingerprint])
        total += seconds_of[key]
    return total


def _unit_seconds(unit: Unit, dataset: Dataset) -> float:
    n_train = int(_n_train(unit.protocol, dataset))
    n_learned, n_test = max(1, int(n_train * unit.train_share)), dataset.n_samples - n_train
    choice = unit.method.choice
    seconds = _UNIT_SECONDS + 2 * choice.seconds(Size.of(dataset, n_learned, n_test))
    if not unit.method.tune:
        return seconds
    grid, on_path = dict(unit.method.tune), choice.algorithm.path_knobs
    n_fits = prod(len(values) for name, values in grid.items() if name not in on_path)
    n_settings = prod(len(values) for values in grid.values())
    # Every setting is measured, and consensus or thresholds cost more with more labels.
    setting = _SETTING_SECONDS + 2e-6 * n_learned * dataset.n_labels / unit.protocol.tuning_folds
    within = choice.seconds(Size.of(dataset, n_learned, n_learned // 5))
    inner = n_fits * (_UNIT_SECONDS + 2 * within)
    return seconds + unit.protocol.tuning_folds * (inner + n_settings * setting)


def duration(seconds: float) -> str:
    """Write a duration in the unit that fits."""
    for size, unit in ((86_400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= 1.5 * size:
            return f"about {seconds / size:.0f} {unit}s"
    return f"about {max(1, round(seconds))} second{'s' * (round(seconds) > 1)}"
