"""Results of the core, kept: every one a pure function of data, method and case.

The only module with `st.cache_*`. Keys are digests of our own fingerprints, because Streamlit
hashes no more than a sample of large arrays.
"""

import gc
import pickle
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from threading import Lock
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

import labelrank_core
from labelrank_core import Dataset, Finding, list_samples, load_sample
from labelrank_core.data.profile import Profile
from labelrank_core.data.profile.conditions import Condition, matching_rows
from labelrank_core.data.samples import Sample
from labelrank_core.data.splits import Split
from labelrank_core.explain.evidence import Explanation
from labelrank_core.explain.predictions import feature_units, path_cases
from labelrank_core.explain.standing import similar_cases
from labelrank_core.explain.what_if import Feature, Sweep, TopMap, sweep, top_map
from labelrank_core.io.writing import Format, format_losses
from labelrank_core.methods import ModelChoice, Size
from labelrank_core.methods.base import TooLargeError
from pages.ui import jobs

_CACHE_BYTES = 1 << 30
_MAP_VALUES = 32


class ByteBoundedCache:
    """Keeps the results used last, up to a number of bytes."""

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


def done(
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


def size_of(dataset: Dataset, n_samples: int, n_cases: int) -> Size:
    """Return how much there is to learn and to predict of a data set."""
    return Size(n_samples, n_cases, dataset.n_features, dataset.n_labels)


def split_parts(split: Split) -> tuple[Any, ...]:
    """Return what tells splits of one data set apart, for keys."""
    return split.kind, split.seed, split.test_share, len(split.test)


def training_rows(split: Split, row: int) -> NDArray[np.int64]:
    """Return the rows that train the model for one case: never the case itself."""
    others = split.train[split.train != row]
    return others if len(others) else split.train


@dataclass(frozen=True, eq=False)
class Case:
    """One case as a page shows it."""

    x: NDArray[np.float64]
    explanation: Explanation
    training_rows: NDArray[np.int64]
    units: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None


def case(
    dataset: Dataset, choice: ModelChoice, split: Split, row: int, edits: dict[int, float]
) -> Case:
    """Predict and explain one case, searching again only when more than a path setting changed."""
    key, model = _model_for(dataset, choice, split, row)
    x = _edited(dataset, row, edits)
    with st.spinner("Predicting"):
        point = _path_for(key, model, row, x, edits).at(**choice.path_params)
        rows = training_rows(split, row)
        return Case(x, point.explain(0), rows, feature_units(model))


def pair_support(
    dataset: Dataset, choice: ModelChoice, split: Split, row: int
) -> NDArray[np.float64]:
    """Tell how far the votes for one case prefer each label to each other."""
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
    key = (dataset.fingerprint, fitted, split_parts(split), left_out)

    def fit() -> Any:
        return done(
            digest("fit", key),
            f"Learning from {len(rows)} cases",
            fitted.seconds(size_of(dataset, len(rows), 1)),
            fitted.build(is_sparse=dataset.is_sparse).fit,
            dataset.X[rows],
            choice.algorithm.targets(dataset, rows),
        )

    with limits(choice):
        return key, _cache().get(digest("model", key), None, fit)


def sweeps(
    dataset: Dataset,
    choice: ModelChoice,
    split: Split,
    row: int,
    edits: dict[int, float],
    features: Sequence[Feature],
) -> list[Sweep]:
    """Predict a case with every value of some features, one at a time."""
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
    """Find the test rows most similar to a case, itself left out."""
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
    """Predict a case with every pair of values of two features."""
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
def limits(choice: ModelChoice) -> Iterator[None]:
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
    """Describe the rows of a data set that meet some conditions."""
    chosen = tuple(conditions)
    # What the parts will take: rows copied and grouped, tables of label pairs and of features.
    size = 8 * (dataset.n_samples * (dataset.Y.shape[1] + 8) + 8 * dataset.n_labels**2)
    return _cache().get(
        digest("profile", dataset.fingerprint, chosen),
        size + 200 * dataset.n_features,
        lambda: Profile(dataset, matching_rows(dataset, chosen) if chosen else None),
    )


def losses(dataset: Dataset) -> list[tuple[Format, tuple[Finding, ...]]]:
    """Return what each format of a file would lose of data."""
    key = digest("losses", dataset.fingerprint)
    return _cache().get(key, None, lambda: format_losses(dataset))
