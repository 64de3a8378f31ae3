"""Results of the core, kept: every one a pure function of data, method and case.

The only module with `st.cache_*`. Keys are digests of our own fingerprints, because Streamlit
hashes no more than a sample of large arrays.
"""

import gc
import pickle
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from threading import Lock
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

import labelrank_core
from labelrank_core import Dataset, Issue, list_samples, load_sample
from labelrank_core.abstention import AbstentionCurve, evaluate_abstention
from labelrank_core.base import TooLargeError
from labelrank_core.catalog import BASELINES, ModelChoice, Size
from labelrank_core.confidence import accuracy_band
from labelrank_core.decisions import Decisions, tuned_rules
from labelrank_core.evaluation import Evaluation, evaluate_model
from labelrank_core.evidence import Explanation
from labelrank_core.experiments import Unit, units_of
from labelrank_core.predictions import feature_units, path_cases
from labelrank_core.profile import Condition, Profile, matching_rows
from labelrank_core.samples import Sample
from labelrank_core.sensitivity import (
    SHARE_DELETED,
    Figure,
    Sensitivity,
    missing_labels,
    seconds_to_sweep,
    sweep_parameters,
)
from labelrank_core.splits import Fold, Split, with_fewer_tests
from labelrank_core.standing import similar_cases
from labelrank_core.store import Store
from labelrank_core.what_if import Feature, Sweep, TopMap, sweep, top_map
from labelrank_core.writers import Format, format_losses
from pages.ui import jobs

_CACHE_BYTES = 1 << 30
_QUICK_PAIRS = 200_000_000
_MAP_VALUES = 32
_FIGURE_SECONDS = 30.0
# Of comparing one pair of labels in some fifty votes for one case, at every threshold.
_PAIR_SECONDS = 7e-7


class ByteBoundedCache:
    """Keeps the results used last, up to a number of bytes.

    Parameters
    ----------
    max_bytes : int
        Results are dropped, the longest unused first, while the sizes add up to more.
    """

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._kept: OrderedDict[str, tuple[Any, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: str, size: int | None, make: Callable[[], Any]) -> Any:
        """Return the result of a key, made now if not kept; `size` in bytes, None: measured."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key][0]
        value = make()
        size = size_in_bytes(value) if size is None else size
        with self._lock:
            self._kept[key] = (value, size)
            while len(self._kept) > 1 and sum(s for _, s in self._kept.values()) > self._max_bytes:
                self._kept.popitem(last=False)
        return value


def size_in_bytes(value: Any) -> int:
    """Measure a result with all arrays it holds, which are not copied for it."""
    arrays: list[pickle.PickleBuffer] = []
    rest = pickle.dumps(value, protocol=5, buffer_callback=arrays.append)
    return len(rest) + sum(array.raw().nbytes for array in arrays)


@st.cache_resource(show_spinner=False)
def _cache() -> ByteBoundedCache:
    return ByteBoundedCache(_CACHE_BYTES)


@st.cache_resource(show_spinner=False)
def settle_memory() -> None:
    """Take what is loaded by now out of the garbage collection that follows every run."""
    gc.collect()
    gc.freeze()


@st.cache_resource(show_spinner=False, max_entries=16)
def sample(name: str) -> Dataset:
    """Load a sample data set once for all sessions; it is frozen."""
    return load_sample(name)


def known_sample(dataset: Dataset) -> Sample | None:
    """Return what is known about a sample; own data that only bear its name are none."""
    for known in list_samples():
        if known.name == dataset.name and sample(known.name).fingerprint == dataset.fingerprint:
            return known
    return None


def digest(*parts: Any) -> str:
    """Return one key for some values whose `repr` tells them apart."""
    return blake2b(repr((labelrank_core.__version__, *parts)).encode(), digest_size=16).hexdigest()


def kept(key: str, make: Callable[[], Any]) -> Any:
    """Return what a function makes, made once for a key as `digest` returns it."""
    return _cache().get(key, None, make)


@st.cache_resource(show_spinner=False)
def _jobs() -> jobs.Jobs:
    return jobs.Jobs()


def _done(
    key: str,
    title: str,
    seconds: float,
    function: Callable[..., Any],
    *arguments: Any,
    reports: str = "",
) -> Any:
    """Call a function, in a child program if it is expected to take long."""
    if seconds > jobs.SLOW_SECONDS:
        return jobs.run(_jobs(), key, title, function, *arguments, reports=reports)
    with st.spinner(title):
        return function(*arguments)


def _size(dataset: Dataset, n_samples: int, n_cases: int) -> Size:
    return Size(n_samples, n_cases, dataset.n_features, dataset.n_labels)


def _split_parts(split: Split) -> tuple[Any, ...]:
    return split.kind, split.seed, split.test_share, len(split.test)


def training_rows(split: Split, row: int) -> NDArray[np.int64]:
    """Return the rows that train the model for one case: never the case itself.

    Parameters
    ----------
    split : Split
        Training and test part.
    row : int
        The case.

    Returns
    -------
    ndarray of int
        The training part, without the case where others are left.
    """
    others = split.train[split.train != row]
    return others if len(others) else split.train


@dataclass(frozen=True, eq=False)
class Case:
    """One case as a page shows it.

    Parameters
    ----------
    x : ndarray of shape (n_features,)
        Its features, edits included.
    explanation : Explanation
        The prediction and why.
    training_rows : ndarray of int
        Rows of the data set the model learned from.
    units : tuple of ndarray or None
        What the model's features are in the units of the data, as `feature_units` says.
    """

    x: NDArray[np.float64]
    explanation: Explanation
    training_rows: NDArray[np.int64]
    units: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None


def case(
    dataset: Dataset, choice: ModelChoice, split: Split, row: int, edits: dict[int, float]
) -> Case:
    """Predict and explain one case, searching again only when more than a path setting changed.

    Parameters
    ----------
    dataset, choice, split
        What the model learns from, and how.
    row : int
        The case.
    edits : dict
        Feature values changed by hand, by feature index.

    Returns
    -------
    Case
        Prediction and explanation.
    """
    key, model = _model_for(dataset, choice, split, row)
    x = _edited(dataset, row, edits)
    with st.spinner("Predicting"):
        point = _path_for(key, model, row, x, edits).at(**choice.path_params)
        rows = training_rows(split, row)
        return Case(x, point.explain(0), rows, feature_units(model))


def pair_support(
    dataset: Dataset, choice: ModelChoice, split: Split, row: int
) -> NDArray[np.float64]:
    """Tell how far the votes for one case prefer each label to each other.

    Parameters
    ----------
    dataset, choice, split, row
        The case, as for `case`; of a method that has ``predict_pair_support``.

    Returns
    -------
    ndarray of shape (n_labels, n_labels)
        Shares of neighbours or trees.
    """
    key, model = _model_for(dataset, choice, split, row)
    path = _path_for(key, model, row, _edited(dataset, row, {}), {})
    return path.at(**choice.path_params).pair_support()[0]


def _path_for(
    key: tuple[Any, ...], model: Any, row: int, x: NDArray[np.float64], edits: dict[int, float]
) -> Any:
    return _cache().get(
        digest("path", key, row, sorted(edits.items())), None, lambda: path_cases(model, x[None])
    )


def _edited(dataset: Dataset, row: int, edits: dict[int, float]) -> NDArray[np.float64]:
    x = dataset.case(row)
    x[list(edits)] = list(edits.values())
    return x


def _model_for(
    dataset: Dataset, choice: ModelChoice, split: Split, row: int
) -> tuple[tuple[Any, ...], Any]:
    """Return the model that predicts a case, for any setting of its path, and its key."""
    rows = training_rows(split, row)
    left_out = row if len(rows) < len(split.train) else None
    fitted = choice.for_any_path(len(rows))
    key = (dataset.fingerprint, fitted, _split_parts(split), left_out)

    def fit() -> Any:
        return _done(
            digest("fit", key),
            f"Learning from {len(rows)} cases",
            fitted.seconds(_size(dataset, len(rows), 1)),
            fitted.build(is_sparse=dataset.is_sparse).fit,
            dataset.X[rows],
            choice.algorithm.targets(dataset, rows),
        )

    with _limits(choice):
        return key, _cache().get(digest("model", key), None, fit)


def sweeps(
    dataset: Dataset,
    choice: ModelChoice,
    split: Split,
    row: int,
    edits: dict[int, float],
    features: Sequence[Feature],
) -> list[Sweep]:
    """Predict a case with every value of some features, one at a time.

    Parameters
    ----------
    dataset, choice, split, row, edits
        The case, as for `case`.
    features : sequence of Feature
        What to vary.

    Returns
    -------
    list of Sweep
        One a feature.
    """
    key, model = _model_for(dataset, choice, split, row)
    x, setting = _edited(dataset, row, edits), choice.path_params
    own = (key, row, sorted(edits.items()), sorted(setting.items()))
    with st.spinner("Trying other values"):
        return [
            _cache().get(
                digest("sweep", own, feature.index),
                None,
                partial(sweep, model, x, feature, **setting),
            )
            for feature in features
        ]


def similar_tests(
    dataset: Dataset,
    choice: ModelChoice,
    split: Split,
    row: int,
    x: NDArray[np.float64],
    tests: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Find the test rows most similar to a case, itself left out.

    Parameters
    ----------
    dataset, choice, split, row
        The case, as for `case`.
    x : ndarray of shape (n_features,)
        Its features.
    tests : ndarray of int
        The test rows.

    Returns
    -------
    places : ndarray of int
        Their places in `tests`, nearest first.
    distances : ndarray
        Their distances.
    """
    _, model = _model_for(dataset, choice, split, row)
    others = np.flatnonzero(tests != row)
    if not len(others):
        return others, np.empty(0)
    found, distances = similar_cases(model, dataset.X[tests[others]], x)
    return others[found], distances


def first_labels(
    dataset: Dataset,
    choice: ModelChoice,
    split: Split,
    row: int,
    edits: dict[int, float],
    features: tuple[Feature, Feature],
) -> TopMap:
    """Predict a case with every pair of values of two features.

    Parameters
    ----------
    dataset, choice, split, row, edits
        The case, as for `case`.
    features : tuple of Feature
        What to vary, across and up.

    Returns
    -------
    TopMap
        The label that comes first.
    """
    key, model = _model_for(dataset, choice, split, row)
    x, setting = _edited(dataset, row, edits), choice.path_params
    own = (key, row, sorted(edits.items()), sorted(setting.items()))
    with st.spinner("Trying pairs of values"):
        return _cache().get(
            digest("map", own, [feature.index for feature in features]),
            None,
            lambda: top_map(model, x, *features, n_values=_MAP_VALUES, **setting),
        )


@contextmanager
def _limits(choice: ModelChoice) -> Iterator[None]:
    """Say in place of the page where a method cannot take data of this size."""
    try:
        yield
    except TooLargeError as error:
        st.error(
            f"These data are too large for {choice.algorithm.title}. {error}",
            icon=":material/block:",
        )
        st.stop()


def profile(dataset: Dataset, conditions: Iterable[Condition] = ()) -> Profile:
    """Describe the rows of a data set that meet some conditions.

    Parameters
    ----------
    dataset : Dataset
        The data.
    conditions : iterable of Condition, default=()
        None: all rows are described.

    Returns
    -------
    Profile
        Its parts are computed when they are first asked for, and kept with it.
    """
    chosen = tuple(conditions)
    # What the parts will take: rows copied and grouped, tables of label pairs and of features.
    size = 8 * (dataset.n_samples * (dataset.Y.shape[1] + 8) + 8 * dataset.n_labels**2)
    return _cache().get(
        digest("profile", dataset.fingerprint, chosen),
        size + 200 * dataset.n_features,
        lambda: Profile(dataset, matching_rows(dataset, chosen) if chosen else None),
    )


def quick_split(split: Split) -> Split:
    """Shorten the test part of large data to what can be measured at once.

    Parameters
    ----------
    split : Split
        Training and test part.

    Returns
    -------
    Split
        With at most 2e8 pairs of a test and a training row, and at least 100 test rows.
    """
    return with_fewer_tests(split, max(100, _QUICK_PAIRS // len(split.train)))


def evaluations(dataset: Dataset, choice: ModelChoice, split: Split) -> list[Evaluation]:
    """Measure a method and the baselines on the test part.

    Parameters
    ----------
    dataset, choice, split
        What is learned, how, and what tests it.

    Returns
    -------
    list of Evaluation
        The method's first; without baselines that cannot take data of this size.
    """
    sparse = dataset.is_sparse
    models = {choice.algorithm.title: choice.build(is_sparse=sparse)}
    models |= {baseline.title: baseline.build(choice, is_sparse=sparse) for baseline in BASELINES}
    key = (dataset.fingerprint, choice, _split_parts(split))
    seconds = choice.seconds(_size(dataset, len(split.train), len(split.test)))

    def measured(title: str) -> Evaluation:
        return _cache().get(
            digest("evaluation", key, title),
            None,
            lambda: _done(
                digest("job", key, title),
                f"Measuring {title}",
                seconds if title == choice.algorithm.title else 0.0,
                partial(evaluate_model, method=title),
                models[title],
                dataset,
                split,
            ),
        )

    own, *baselines = models
    with _limits(choice):
        measurements = [measured(own)]
    for title in baselines:
        with suppress(TooLargeError):
            measurements.append(measured(title))
    return measurements


def decisions(dataset: Dataset, choice: ModelChoice, split: Split) -> Decisions:
    """Tune rules for what should be good on unseen training cases, and score the test part.

    Parameters
    ----------
    dataset, choice, split
        What is learned, how, and what tests it.

    Returns
    -------
    Decisions
        The rules and the scores.
    """
    key = digest("decisions", dataset.fingerprint, choice, _split_parts(split))
    n_train = len(split.train)
    n_tests = max(n_train // 5, len(split.test))
    # Five folds, each fitted on four fifths of the rows, then the whole; sorting and measuring.
    seconds = 6 * choice.seconds(_size(dataset, n_train, n_tests))
    seconds += 1e-5 * (n_train + n_tests) * dataset.n_labels
    with _limits(choice):
        return _cache().get(
            key,
            None,
            lambda: _done(
                key,
                "Scoring training cases by models that have not seen them",
                seconds,
                tuned_rules,
                choice.build(is_sparse=dataset.is_sparse),
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
    """Resample the test cases to bound their mean accuracy at some levels of confidence.

    Parameters
    ----------
    dataset, choice, split
        What was measured.
    confidence, accuracy : ndarray of shape (n_test,)
        How sure the method is of each case, and how right.
    levels : sequence of float
        Rising confidences.

    Returns
    -------
    DataFrame
        As `labelrank_core.confidence.accuracy_band` returns it.
    """
    return _cache().get(
        digest("band", dataset.fingerprint, choice, _split_parts(split)),
        None,
        lambda: accuracy_band(confidence, accuracy, levels=levels),
    )


def abstention(dataset: Dataset, choice: ModelChoice, split: Split) -> AbstentionCurve:
    """Withhold label pairs of the test part at every threshold.

    Parameters
    ----------
    dataset, choice, split
        What is learned, how, and what tests it; by a method with ``predict_pair_support``.

    Returns
    -------
    AbstentionCurve
        Pairs predicted right and wrong.
    """
    key = (dataset.fingerprint, choice, _split_parts(split))
    seconds = choice.seconds(_size(dataset, len(split.train), len(split.test)))
    seconds += _PAIR_SECONDS * len(split.test) * dataset.n_labels**2
    with _limits(choice):
        return _cache().get(
            digest("abstention", key),
            None,
            lambda: _done(
                digest("withholding", key),
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
    """Shorten the test parts of folds where a figure would take long.

    Parameters
    ----------
    dataset, choice
        What is learned, and how.
    figure : Figure
        What is varied.
    folds : sequence of Fold
        What trains and what tests.

    Returns
    -------
    list of Fold
        With as many test rows as are expected to take half a minute, at least 100 a fold.
    """
    share = _FIGURE_SECONDS / _seconds(dataset, choice, figure.grid(_n_cases(folds)), folds)
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
    """Measure a method at all values of a figure and at its own setting.

    Parameters
    ----------
    dataset, choice
        What is learned, and how.
    figure : Figure
        What is varied.
    folds : sequence of Fold
        What trains and what tests.
    measure : str
        Key of `METRICS`.

    Returns
    -------
    Sensitivity
        Of two parameters, with the line through the own setting where the grid has it not.
    """
    grid = figure.grid(_n_cases(folds))
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
    fixed = tuple(item for item in choice.params if item[0] not in grid)
    choice = ModelChoice(choice.key, fixed, choice.scaled)
    key = digest(
        "sensitivity",
        dataset.fingerprint,
        choice,
        sorted(grid.items()),
        [(fold.repeat, fold.number, _split_parts(fold.split)) for fold in folds],
        measure,
    )
    missing = SHARE_DELETED in grid
    function = (
        partial(missing_labels, shares=grid[SHARE_DELETED])
        if missing
        else partial(sweep_parameters, grid=grid)
    )
    with _limits(choice):
        return _cache().get(
            key,
            None,
            lambda: _done(
                key,
                f"{choice.algorithm.title}, fold by fold",
                _seconds(dataset, choice, grid, folds),
                partial(function, folds=folds, measures=(measure,)),
                dataset,
                choice,
                reports="on_fold",
            ),
        )


def _n_cases(folds: Sequence[Fold]) -> int:
    return min(len(fold.split.train) for fold in folds)


def _seconds(
    dataset: Dataset,
    choice: ModelChoice,
    grid: Mapping[str, Sequence[Any]],
    folds: Sequence[Fold],
) -> float:
    if SHARE_DELETED not in grid:
        return seconds_to_sweep(dataset, choice, grid=grid, folds=folds)
    return len(grid[SHARE_DELETED]) * seconds_to_sweep(dataset, choice, grid={}, folds=folds)


def losses(dataset: Dataset) -> list[tuple[Format, tuple[Issue, ...]]]:
    """Return what each format of a file would lose of data."""
    key = digest("losses", dataset.fingerprint)
    return _cache().get(key, None, lambda: format_losses(dataset))


def trainings(store: Store, run: str) -> tuple[dict[str, Dataset], list[Unit]]:
    """Load the data sets of an experiment, by fingerprint, and list its trainings."""

    def load() -> tuple[dict[str, Dataset], list[Unit]]:
        experiment, folder = store.experiment(run)
        datasets = store.datasets(experiment, folder)
        return {each.fingerprint: each for each in datasets}, units_of(experiment, datasets)

    return _cache().get(digest("trainings", str(store.home), run), None, load)


def results(store: Store, run: str, n_done: int) -> pd.DataFrame:
    """Read the results of an experiment, of which so many are known to be there."""
    units = trainings(store, run)[1]
    return _cache().get(
        digest("results", str(store.home), run, n_done), None, lambda: store.frame(units)
    )
