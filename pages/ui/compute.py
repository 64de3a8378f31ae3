"""Results of the core, kept: every one a pure function of data, method and case.

The only module with `st.cache_*`. Keys are digests of our own fingerprints, because Streamlit
hashes no more than a sample of large arrays.
"""

import gc
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from hashlib import blake2b
from threading import Lock, Timer
from time import monotonic
from typing import Any

import numpy as np
import streamlit as st
from threadpoolctl import threadpool_limits

import labelrank_core
from labelrank_core import Dataset, list_samples, load_sample
from labelrank_core.data.profile.predictive import explained_shares, plane_of_features
from labelrank_core.data.samples import Sample
from labelrank_core.data.splits import Split, holdout_split
from labelrank_core.explain.what_if import Feature, features_of
from labelrank_core.io.programs import SPARES
from labelrank_core.methods.algorithm import Algorithm
from labelrank_core.rankings import FloatArray
from pages.ui import jobs
from pages.ui.uploads import PROPOSALS, free_memory, size_in_bytes

_CACHE_BYTES = 1 << 30
_SECONDS_UNTIDY = 20.0
_SECONDS_TO_FIRST_PAGE = 5.0
# On a busy machine the next one is not there before somebody else brings a file.
_PROGRAMS_FOR_FILES = 2
# Such as a large model of all training cases, and the one without the case that is shown: dropped,
# they would be trained again from page to page.
_MOST_LARGE = 2
# Not in a cache of Streamlit's, which a developer's message empties for all visitors.
_JOBS = jobs.Jobs()
# How many times longer than estimated work took that outlived its estimate, by its kind.
_TIMES_SLOWER: dict[tuple[str, str | None], float] = {}
_LEAST_SECONDS = 1e-3


class ByteBoundedCache:
    """Keeps the results used last up to a number of bytes, and two larger than half of it."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._n_bytes = 0
        self._kept: OrderedDict[str, tuple[Any, int]] = OrderedDict()
        self._large: OrderedDict[str, tuple[Any, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: str, size: int | None, make: Callable[[], Any]) -> Any:
        """Return the result of a key, made now if not kept; `size` in bytes, None: measured."""
        with self._lock:
            for results in (self._kept, self._large):
                if key in results:
                    results.move_to_end(key)
                    return results[key][0]
        value = make()
        size = size_in_bytes(value) if size is None else size
        with self._lock:
            self._keep(key, value, size)
        return value

    def _keep(self, key: str, value: Any, size: int) -> None:
        """Keep a result, and drop those used least recently."""
        if 2 * size > self._max_bytes:
            self._large[key] = (value, size)
            if len(self._large) > _MOST_LARGE:
                self._large.popitem(last=False)
            return
        # Two runs may have made it at once.
        self._n_bytes += size - self._kept.pop(key, (None, 0))[1]
        self._kept[key] = (value, size)
        while self._n_bytes > self._max_bytes:
            self._n_bytes -= self._kept.popitem(last=False)[1][1]


@st.cache_resource(show_spinner=False)
def _cache() -> ByteBoundedCache:
    return ByteBoundedCache(_CACHE_BYTES)


@st.cache_resource(show_spinner=False)
def prepare_process() -> None:
    """Prepare this process, once everything is imported, for many concurrent runs."""
    # Concurrent fits with as many threads as processors each would slow each other down.
    threadpool_limits(limits=1, user_api="blas")
    # Objects loaded by now are left out of garbage collections.
    gc.collect()
    gc.freeze()
    # Not before the first page is there: it would be slower.
    timer = Timer(_SECONDS_TO_FIRST_PAGE, _start_programs)
    timer.daemon = True
    timer.start()


def _start_programs() -> None:
    """Start a program for slow work, and some that read small files, before they are needed."""
    SPARES.prepare(_PROGRAMS_FOR_FILES)
    jobs.WORKERS.prepare()


@st.cache_resource(show_spinner=False, ttl=_SECONDS_UNTIDY)
def tidy() -> None:
    """Free the uploads of ended sessions and large unreachable objects, now and then."""
    PROPOSALS.remove_ended()
    free_memory()


@st.cache_resource(show_spinner=False, max_entries=16)
def sample(name: str) -> Dataset:
    """Load a sample data set once for all sessions; it is frozen."""
    return load_sample(name)


def known_sample(dataset: Dataset) -> Sample | None:
    """Return the sample that a data set is, or None; own data that only bear its name are none."""
    return _known_sample(dataset.name, dataset.fingerprint)


@lru_cache(maxsize=64)
def _known_sample(name: str, fingerprint: str) -> Sample | None:
    for candidate in list_samples():
        if candidate.name == name and sample(name).fingerprint == fingerprint:
            return candidate
    return None


def predictive_columns(dataset: Dataset) -> list[int]:
    """Return the raw columns, the most predictive of the targets first."""
    key = digest("predictive", dataset.fingerprint)
    return once(key, "Looking for predictive features", _columns_by_prediction, dataset)


def _columns_by_prediction(dataset: Dataset) -> list[int]:
    return np.argsort(-explained_shares(dataset), kind="stable").tolist()


def predictive_plane(dataset: Dataset) -> tuple[FloatArray, tuple[str, str]]:
    """Return two predictive coordinates of every case, and their titles."""
    key = digest("plane", dataset.fingerprint)
    columns = predictive_columns(dataset)
    return once(key, "Placing all cases on a plane", plane_of_features, dataset, columns)


def features(dataset: Dataset, columns: Sequence[int] | None = None) -> list[Feature]:
    """Return raw columns to vary with their ranges; None: all with more than one value."""
    key = digest("features", dataset.fingerprint, columns)
    return once(key, "Looking at the features", features_of, dataset, columns)


def split(dataset: Dataset, **params: Any) -> Split:
    """Return training and test rows, as `holdout_split` parts them."""
    key = digest("split", dataset.fingerprint, sorted(params.items()))
    return once(key, "Splitting the data", partial(holdout_split, **params), dataset)


def digest(*parts: Any) -> str:
    """Return one key for some values that differ in their `repr`."""
    return blake2b(repr((labelrank_core.__version__, *parts)).encode(), digest_size=16).hexdigest()


def once(
    key: str,
    title: str,
    function: Callable[..., Any],
    *arguments: Any,
    seconds: float | None = None,
    size: int | None = None,
    reports: str = "",
    algorithm: Algorithm | None = None,
) -> Any:
    """Return the cached result for `key`, computing it on a miss; slow work has Cancel.

    Every call of the core that may take long goes through here. It runs outside the page's script,
    so `function` must not draw, and must not call `once`.

    Parameters
    ----------
    key : str
        A digest of all that the result depends on.
    title : str
        What the page says is going on, such as "Training on 12 cases".
    function : callable
        Computes the result from `arguments`.
    seconds : float or None, default=None
        An estimate, which follows what work of its kind has taken; None: unknown, a thread
        computes it. What is expected to take long is computed in a child program, so it must be
        possible to pickle `function`, `arguments` and the result.
    size : int or None, default=None
        Bytes that the result takes in the cache; None: measured.
    reports : str, default=""
        The parameter of `function` that takes a callback for its progress.
    algorithm : Algorithm or None, default=None
        A method that is trained: one that nothing interrupts is trained in a child program,
        whatever the estimate is.

    Returns
    -------
    object
        The result. The script ends instead where the work was cancelled or its program killed.
    """
    call = partial(
        run, key, title, function, *arguments, seconds=seconds, reports=reports, algorithm=algorithm
    )
    return _cache().get(key, size, call)


def run(
    key: str,
    title: str,
    function: Callable[..., Any],
    *arguments: Any,
    seconds: float | None = None,
    reports: str = "",
    algorithm: Algorithm | None = None,
) -> Any:
    """Return the result of a function, with Cancel for slow work, as `once` does.

    Nothing is kept here: for results that one of the arguments keeps, such as a profile or the
    table of a file, and that would outlive it in the cache.
    """
    name = getattr(function, "func", function).__qualname__
    kind = (name, None if algorithm is None else algorithm.key)
    expected = max(seconds or 0.0, _LEAST_SECONDS) * _TIMES_SLOWER.get(kind, 1.0)
    is_quick = seconds is None or expected <= jobs.SLOW_SECONDS
    call = (_JOBS, key, title, function, *arguments)
    if not is_quick or (algorithm is not None and not algorithm.is_interruptible):
        return jobs.run(*call, reports=reports, is_quick=is_quick)
    start = monotonic()
    try:
        return jobs.run_here(*call, reports=reports)
    finally:
        # Also where it was cancelled: the next of its kind goes to a child at once.
        elapsed = monotonic() - start
        if seconds is not None and elapsed > jobs.SLOW_SECONDS:
            _TIMES_SLOWER[kind] = elapsed / max(seconds, _LEAST_SECONDS)


def started(
    key: str, function: Callable[..., Any], *arguments: Any, reports: str = ""
) -> jobs.Job | None:
    """Return a job that a page looks after itself, started if there is none; None if too many."""
    return _JOBS.ask(key, function, *arguments, reports=reports)
