"""The single trainings of an experiment, each with its own key and reproducible alone."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from math import ceil
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from labelrank_core.data.dataset import Dataset
from labelrank_core.data.pair_preferences import PairPreferences
from labelrank_core.data.splits import (
    Split,
    covering_split,
    delete_known,
    holdout_split,
    repetition,
)
from labelrank_core.evaluation.evaluate import Evaluation, evaluate_model
from labelrank_core.evaluation.tuning import tune
from labelrank_core.experiments.config import ConfigError, Experiment, Method, Protocol
from labelrank_core.methods import tie_labels
from labelrank_core.metrics import measures_for
from labelrank_core.rankings import FloatArray, IntArray
from labelrank_core.version import __version__

# Of a table of results, one row per training and measure.
COLUMNS = (
    *("data", "method", "parameters", "missing", "train_share", "repeat", "fold"),
    *("measure", "value", "seconds_tune", "seconds_fit", "seconds_predict"),
)


@dataclass(frozen=True)
class Unit:
    """One training and its test.

    Parameters
    ----------
    fingerprint, data_name : str
        The data set.
    method : Method
        The method to train.
    protocol : Protocol
        Where its rows come from.
    repeat, fold : int
        Which repetition and fold, from 0.
    missing : float
        Probability p0 with which training labels are deleted.
    train_share : float
        Share of the training set to learn from.
    """

    fingerprint: str
    data_name: str
    method: Method
    protocol: Protocol
    repeat: int
    fold: int
    missing: float = 0.0
    train_share: float = 1.0

    @cached_property
    def facts(self) -> dict[str, Any]:
        """Everything the result depends on, and nothing else."""
        protocol, method = self.protocol, self.method.as_dict()
        method.pop("title", None)
        facts: dict[str, Any] = {
            "version": __version__,
            "data": self.fingerprint,
            "method": method,
            "kind": protocol.kind,
            "seed": protocol.seed,
            "repeat": self.repeat,
            "fold": self.fold,
            "missing": self.missing,
            "train_share": self.train_share,
        }
        if protocol.kind == "cross_validation":
            facts |= {"n_folds": protocol.n_folds, "stratify": protocol.stratify}
        if protocol.kind == "given":
            numbers = repr(protocol.folds[0][self.repeat])
            facts["folds"] = blake2b(numbers.encode(), digest_size=16).hexdigest()
        if protocol.kind == "holdout":
            rows, share = protocol.train_rows, protocol.test_share
            facts |= {"train_rows": rows} if rows else {"test_share": share}
        if self.method.tune:
            facts |= {"inner": protocol.tuning_folds, "tuned_for": protocol.tuning_measure}
        return facts

    @cached_property
    def key(self) -> str:
        """Digest of the facts."""
        facts = json.dumps(self.facts, sort_keys=True)
        return blake2b(facts.encode(), digest_size=16).hexdigest()


@dataclass(frozen=True, eq=False)
class UnitResult:
    """The results of one unit.

    Parameters
    ----------
    values : mapping of str to float
        Value of every measure that fits, by its key.
    chosen : mapping of str to value
        Parameters chosen by tuning.
    seconds_tune, seconds_fit, seconds_predict : float
        Seconds.
    cases : mapping of str to ndarray
        ``row`` (test rows of the data set) and the values of the single cases by measure.
    """

    values: Mapping[str, float]
    chosen: Mapping[str, Any]
    seconds_tune: float
    seconds_fit: float
    seconds_predict: float
    cases: Mapping[str, FloatArray]


def units_of(experiment: Experiment, datasets: Sequence[Dataset]) -> list[Unit]:
    """List the trainings of an experiment, without methods that cannot learn a data set.

    Parameters
    ----------
    experiment : Experiment
        What to run.
    datasets : sequence of Dataset
        Its data sets, in its order.

    Returns
    -------
    list of Unit
        All methods of a fold together, fold after fold.

    Raises
    ------
    ConfigError
        If a data set lacks the published split of the protocol, has fewer rows than folds or
        appears twice, or if a method fits no data set or a data set no method.

    Examples
    --------
    >>> from labelrank_core import load_sample
    >>> from labelrank_core.experiments import read_config
    >>> experiment = read_config(
    ...     '{"data": ["iris"], "methods": [{"key": "knn"}], "protocol": {"n_folds": 5}}'
    ... )
    >>> units = units_of(experiment, [load_sample("iris")])
    >>> [(unit.method.name, unit.fold) for unit in units[:2]], len(units)
    ([('k-NN label ranking', 0), ('k-NN label ranking', 1)], 5)
    """
    units = []
    for i, (name, dataset) in enumerate(zip(unique_names(datasets), datasets, strict=True)):
        protocol = experiment.protocol.of_data_set(i)
        if protocol.kind == "given":
            _check_folds(protocol, dataset)
        if protocol.kind == "published" and dataset.split is None:
            raise ConfigError(f"protocol.kind: {dataset.name!r} has no published split.")
        if protocol.kind == "cross_validation" and dataset.n_samples < protocol.n_folds:
            raise ConfigError(
                f"protocol.n_folds: {dataset.name!r} has only {dataset.n_samples} rows."
            )
        units += [
            Unit(dataset.fingerprint, name, method, protocol, *part, missing, share)
            for missing in protocol.missing
            for share in protocol.train_shares
            for part in parts_of(protocol)
            for method in experiment.methods
            if method.choice.algorithm.learns(dataset)
            and (missing == 0 or method.choice.algorithm.incomplete)
        ]
    method_names = {unit.method.name for unit in units}
    for i, method in enumerate(experiment.methods):
        if method.name not in method_names:
            raise ConfigError(f"methods[{i}]: {method.name} can learn from none of these data.")
    fingerprints = {unit.fingerprint for unit in units}
    for i, dataset in enumerate(datasets):
        if dataset.fingerprint not in fingerprints:
            raise ConfigError(f"data[{i}]: no method here can learn from {dataset.name!r}.")
    return units


def _check_folds(protocol: Protocol, dataset: Dataset) -> None:
    for number, numbers in enumerate(protocol.folds[0], 1):
        if len(numbers) != dataset.n_samples:
            misses_first = len(numbers) == dataset.n_samples - 1
            hint = " The first line of a fold file is a header." if misses_first else ""
            raise ConfigError(
                f"protocol.folds: expected {dataset.n_samples} fold numbers for {dataset.name!r}, "
                f"one per row, got {len(numbers)} in repetition {number}.{hint}"
            )
        if len(set(numbers)) < 2:
            raise ConfigError(
                f"protocol.folds: expected two or more folds for {dataset.name!r}, or rows with -1 "
                f"that always train, got {numbers[0]} for all rows in repetition {number}."
            )


def unique_names(datasets: Sequence[Dataset]) -> list[str]:
    """Name data sets for tables; further ones of the same name get a number.

    Parameters
    ----------
    datasets : sequence of Dataset
        The data sets.

    Returns
    -------
    list of str
        One name for each, all different.

    Raises
    ------
    ConfigError
        If a data set appears twice.

    Examples
    --------
    >>> from labelrank_core import load_sample
    >>> iris = load_sample("iris")
    >>> unique_names([iris, iris.part(np.arange(100))])
    ['iris', 'iris (2)']
    """
    names: list[str] = []
    fingerprints = [dataset.fingerprint for dataset in datasets]
    for i, dataset in enumerate(datasets):
        if dataset.fingerprint in fingerprints[:i]:
            raise ConfigError(f"data[{i}]: {dataset.name!r} is there twice.")
        name, number = dataset.name, 1
        while name in names:
            number += 1
            name = f"{dataset.name} ({number})"
        names.append(name)
    return names


def parts_of(protocol: Protocol) -> list[tuple[int, int]]:
    """List the repetitions and folds of a protocol.

    Parameters
    ----------
    protocol : Protocol
        One of given folds has those of a single data set, as `Protocol.of_data_set` returns it.

    Returns
    -------
    list of (int, int)
        Repetition and fold, both from 0, fold after fold. A random or published split is one fold.

    Examples
    --------
    >>> parts_of(Protocol(n_folds=2, n_repeats=2))
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    """
    if protocol.kind == "given":
        return [
            (repeat, fold)
            for repeat, numbers in enumerate(protocol.folds[0])
            for fold in range(len(set(numbers) - {-1}))
        ]
    repeats = 1 if protocol.kind == "published" else protocol.n_repeats
    folds = protocol.n_folds if protocol.kind == "cross_validation" else 1
    return [(repeat, fold) for repeat in range(repeats) for fold in range(folds)]


def run_unit(unit: Unit, dataset: Dataset) -> UnitResult:
    """Train and test once; the result does not depend on other trainings.

    Parameters
    ----------
    unit : Unit
        What to do.
    dataset : Dataset
        Its data set.

    Returns
    -------
    UnitResult
        Values of every measure that fits, seconds, tuned parameters and the values of the single
        test cases; NaN where a measure has no value.

    Raises
    ------
    ValueError
        If the method cannot learn the training set, or nothing can be tuned on it.

    Examples
    --------
    >>> from labelrank_core import load_sample
    >>> from labelrank_core.experiments import read_config
    >>> experiment = read_config(
    ...     '{"data": ["iris"], "methods": [{"key": "knn"}], "protocol": {"n_folds": 5}}'
    ... )
    >>> iris = load_sample("iris")
    >>> result = run_unit(units_of(experiment, [iris])[0], iris)
    >>> round(result.values["kendall_tau_score"], 3), len(result.cases["row"])
    (0.956, 30)
    """
    tuned_params, seconds = {}, 0.0
    # Floating-point sums depend on the number of threads.
    with threadpool_limits(limits=1):
        if unit.method.tune:
            split, rankings = _training_set(unit, dataset)
            start = perf_counter()
            tuned_params = tune(
                _seeded(unit),
                dict(unit.method.tune),
                dataset.part(split.train, rankings=rankings),
                measure=unit.protocol.tuning_measure or _first_measure(unit, dataset),
                n_folds=unit.protocol.tuning_folds,
                seed=unit.protocol.seed,
            )
            seconds = perf_counter() - start
        return _result(evaluate_unit(unit, dataset, tuned_params), tuned_params, seconds)


def _first_measure(unit: Unit, dataset: Dataset) -> str:
    """Return the key of the measure to tune for where the protocol names none."""
    choice = unit.method.choice
    tuned = [
        choice.with_params(**{name: value}) for name, values in unit.method.tune for value in values
    ]
    return measures_for(dataset.task, ties=tie_labels(dataset, choice, *tuned))[0].key


def evaluate_unit(unit: Unit, dataset: Dataset, tuned_params: Mapping[str, Any]) -> Evaluation:
    """Train and test once with the parameters that tuning chose, and return all predictions.

    Parameters
    ----------
    unit : Unit
        What to do.
    dataset : Dataset
        Its data set.
    tuned_params : mapping of str to value
        Tuned parameters; empty without tuning.

    Returns
    -------
    Evaluation
        The same as when `run_unit` measured it, on the same machine and versions.
    """
    with threadpool_limits(limits=1):
        split, rankings = _training_set(unit, dataset)
        model = _seeded(unit).with_params(**tuned_params).build(is_sparse=dataset.is_sparse)
        return evaluate_model(model, dataset, split, train_rankings=rankings)


def _training_set(
    unit: Unit, dataset: Dataset
) -> tuple[Split, FloatArray | PairPreferences | None]:
    repeat_and_fold, protocol = (unit.repeat, unit.fold), unit.protocol
    split = split_of(protocol, dataset, *repeat_and_fold, unit.train_share)
    return split, train_rankings(protocol, dataset, repeat_and_fold, split.train, unit.missing)


def _result(evaluation: Evaluation, tuned_params: dict[str, Any], seconds: float) -> UnitResult:
    means = evaluation.frame()
    values = dict(zip(means["measure"], means["value"].astype(float), strict=True))
    table = evaluation.cases()
    cases = {str(name): table[name].to_numpy() for name in table}
    return UnitResult(
        values, tuned_params, seconds, evaluation.seconds_fit, evaluation.seconds_predict, cases
    )


def split_of(
    protocol: Protocol, dataset: Dataset, repeat: int, fold: int, train_share: float = 1.0
) -> Split:
    """Return the training and test set of one fold of a protocol.

    Parameters
    ----------
    protocol : Protocol
        Where the rows come from.
    dataset : Dataset
        The data.
    repeat, fold : int
        Which repetition and fold, from 0.
    train_share : float, default=1.0
        Share of the training set to keep.

    Returns
    -------
    Split
        The same for every method; at a smaller share a subset of the training rows of a larger one.

    Raises
    ------
    ValueError
        If the data have no published split, fewer rows than folds, or too few to hold some out.

    Examples
    --------
    >>> from labelrank_core import load_sample
    >>> split = split_of(Protocol(n_folds=5), load_sample("iris"), 0, 0, train_share=0.5)
    >>> len(split.train), len(split.test)
    (60, 30)
    """
    if protocol.kind == "published":
        split = holdout_split(dataset, kind="published")
    elif protocol.kind == "given":
        split = _given_split(protocol, repeat, fold)
    elif protocol.kind == "holdout":
        seed, share = protocol.seed + repeat, protocol.test_share
        if protocol.train_rows:
            split = covering_split(dataset, protocol.train_rows, seed=seed)
        else:
            split = holdout_split(dataset, kind="random", test_share=share, seed=seed)
    else:
        split = repetition(
            dataset,
            repeat,
            n_folds=protocol.n_folds,
            seed=protocol.seed,
            stratify=protocol.stratify,
        )[fold].split
    if train_share == 1:
        return split
    # Smaller training sets are subsets of larger ones.
    random = np.random.default_rng([protocol.seed, repeat, fold])
    order = random.permutation(split.train)
    train = np.sort(order[: ceil(train_share * len(order))])
    return Split(train, split.test, split.kind, split.seed, split.test_share)


def _given_split(protocol: Protocol, repeat: int, fold: int) -> Split:
    """Return a fold of a protocol of one data set; folds are counted in the order of numbers."""
    numbers = np.array(protocol.folds[0][repeat])
    tests = numbers == np.unique(numbers[numbers >= 0])[fold]
    train, test = np.flatnonzero(~tests), np.flatnonzero(tests)
    return Split(train, test, "fold", None, float(tests.mean()))


def train_rankings(
    protocol: Protocol,
    dataset: Dataset,
    repeat_and_fold: tuple[int, int],
    train: IntArray,
    missing: float,
) -> FloatArray | PairPreferences | None:
    """Return the training rankings of a repetition and fold with labels deleted; None: all there.

    Of data with pairs of labels, known pairs are deleted.

    Parameters
    ----------
    protocol : Protocol
        The protocol, for its seed.
    dataset : Dataset
        The data.
    repeat_and_fold : tuple of int
        Which repetition and fold, from 0.
    train : ndarray of int
        The training rows.
    missing : float
        The probability with which each label, or known pair, is deleted.

    Returns
    -------
    ndarray, PairPreferences or None
        Positions of shape (n_train, n_labels), NaN = not ranked; or the remaining pairs.

    Raises
    ------
    ValueError
        If the probability is not at least 0 and below 1.

    Examples
    --------
    >>> from labelrank_core import load_sample
    >>> rankings = train_rankings(Protocol(), load_sample("iris"), (0, 0), np.arange(100), 0.3)
    >>> rankings.shape, bool(np.isnan(rankings).any())
    ((100, 3), True)
    """
    if missing == 0:
        return None
    # With one seed for all levels, a higher one deletes what a lower one deletes, too.
    seed = [protocol.seed, *repeat_and_fold]
    return delete_known(dataset.orders, missing, seed=seed)[train]


def random_state_of(unit: Unit) -> int | None:
    """Return the seed that a training's method gets; None if it has no use for one."""
    values = dict(_seeded(unit).params)
    return None if values.get("random_state") is None else int(values["random_state"])


def _seed(unit: Unit) -> list[int]:
    return [unit.protocol.seed, unit.repeat, unit.fold]


def _seeded(unit: Unit) -> Any:
    """Return the choice with a seed derived from the fold, if the method needs one and has none."""
    choice = unit.method.choice
    # None, as for methods that break ties by index without a seed, is a choice too.
    default = choice.algorithm.build().get_params().get("random_state")
    if default is None or "random_state" in dict(choice.params):
        return choice
    seed = int(np.random.SeedSequence(_seed(unit)).generate_state(1)[0] // 2)
    return choice.with_params(random_state=seed)


def results_frame(results: Sequence[tuple[Unit, UnitResult]]) -> pd.DataFrame:
    """Tabulate results.

    Parameters
    ----------
    results : sequence of (Unit, UnitResult)
        In the order wanted.

    Returns
    -------
    DataFrame
        One row per unit and measure: ``data, method, parameters, missing, train_share, repeat,
        fold, measure, value, seconds_tune, seconds_fit, seconds_predict``; ``parameters`` is JSON,
        with the tuned ones. A value is NaN where no test case has one. Without results the table
        has its columns and no row.

    Examples
    --------
    >>> from labelrank_core import load_sample
    >>> from labelrank_core.experiments import read_config
    >>> experiment = read_config(
    ...     '{"data": ["iris"], "methods": [{"key": "knn"}], "protocol": {"n_folds": 5}}'
    ... )
    >>> iris = load_sample("iris")
    >>> unit = units_of(experiment, [iris])[0]
    >>> unit_result = run_unit(unit, iris)
    >>> table = results_frame([(unit, unit_result)])
    >>> table.loc[0, ["data", "method", "measure"]].tolist()
    ['iris', 'k-NN label ranking', 'kendall_tau_score']
    >>> len(table) == len(unit_result.values)
    True
    """
    rows = []
    for unit, result in results:
        params = json.dumps({**dict(unit.method.choice.params), **result.chosen}, sort_keys=True)
        condition = (unit.missing, unit.train_share, unit.repeat, unit.fold)
        times = (result.seconds_tune, result.seconds_fit, result.seconds_predict)
        rows += [
            (unit.data_name, unit.method.name, params, *condition, measure, value, *times)
            for measure, value in result.values.items()
        ]
    return pd.DataFrame(rows, columns=list(COLUMNS))
