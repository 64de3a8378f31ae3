"""Results of the core, kept: every one a pure function of data, method and case.

The only module with `st.cache_*`. Keys are digests of our own fingerprints, because Streamlit
hashes no more than a sample of large arrays.
"""

import gc
from collections import OrderedDict
from collections.abc import Callable
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
from labelrank_core.methods.algorithm import Algorithm
from labelrank_core.rankings import FloatArray
from pages.ui import jobs, turns
from pages.ui.uploads import PROPOSALS, size_in_bytes

_CACHE_BYTES = 1 << 30
_SECONDS_UNTIDY = 20.0
_NOTICED_SECONDS = 0.2
_SECONDS_TO_FIRST_PAGE = 5.0
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
            for kept in (self._kept, self._large):
                if key in kept:
                    kept.move_to_end(key)
                    return kept[key][0]
        value = make()
        size = size_in_bytes(value) if size is None else size
        with self._lock:
            self._keep(key, value, size)
        return value

    def _keep(self, key: str, value: Any, size: int) -> None:
        """Keep a result, and drop what was not used for longest."""
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
def settle() -> None:
    """Prepare this process, once everything is imported, for many concurrent runs."""
    # Concurrent fits with as many threads as processors each would slow each other down.
    threadpool_limits(limits=1, user_api="blas")
    # Objects loaded by now are left out of garbage collections.
    gc.collect()
    gc.freeze()
    # Not before the first page is there: it would be slower.
    timer = Timer(_SECONDS_TO_FIRST_PAGE, jobs.WORKERS.prepare)
    timer.daemon = True
    timer.start()


@st.cache_resource(show_spinner=False, ttl=_SECONDS_UNTIDY)
def tidy() -> None:
    """Free what ended sessions and large objects that refer to each other hold, now and then."""
    PROPOSALS.remove_ended()
    gc.collect()


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


def predictive_columns(dataset: Dataset) -> list[int]:
    """Return the raw columns, the most predictive of the targets first."""
    key = digest("predictive", dataset.fingerprint)
    return once(key, lambda: np.argsort(-explained_shares(dataset), kind="stable").tolist())


def predictive_plane(dataset: Dataset) -> tuple[FloatArray, tuple[str, str]]:
    """Return two predictive coordinates of every case, and their titles."""
    key = digest("plane", dataset.fingerprint)
    return once(key, lambda: plane_of_features(dataset, predictive_columns(dataset)))


def split(dataset: Dataset, **how: Any) -> Split:
    """Return training and test rows, as `holdout_split` parts them."""
    key = digest("split", dataset.fingerprint, sorted(how.items()))
    return once(key, lambda: holdout_split(dataset, **how))


def digest(*parts: Any) -> str:
    """Return one key for some values that differ in their `repr`."""
    return blake2b(repr((labelrank_core.__version__, *parts)).encode(), digest_size=16).hexdigest()


def once(key: str, make: Callable[[], Any], *, size: int | None = None) -> Any:
    """Return what a function makes, made once per key, of a size in bytes; None: measured."""
    return _cache().get(key, size, make)


def started(
    key: str, function: Callable[..., Any], *arguments: Any, reports: str = ""
) -> jobs.Job | None:
    """Return a job that a page looks after itself, started if there is none; None if too many."""
    return _JOBS.ask(key, function, *arguments, reports=reports)


def worked(
    key: str,
    title: str,
    seconds: float,
    function: Callable[..., Any],
    *arguments: Any,
    reports: str = "",
    algorithm: Algorithm | None = None,
) -> Any:
    """Return what a function returns, once per key; everything that takes long has Cancel.

    `seconds` is an estimate, which follows what work of its kind has taken. `algorithm` is a method
    that is trained: one that nothing interrupts is trained in a child program, whatever it takes.
    """
    name = getattr(function, "func", function).__qualname__
    kind = (name, None if algorithm is None else algorithm.key)

    def work() -> Any:
        expected = max(seconds, _LEAST_SECONDS) * _TIMES_SLOWER.get(kind, 1.0)
        is_quick = expected <= jobs.SLOW_SECONDS
        if expected > _NOTICED_SECONDS:
            turns.MOVES.give_way()
        call = (_JOBS, key, title, function, *arguments)
        if not is_quick or (algorithm is not None and not algorithm.is_interruptible):
            return jobs.run(*call, reports=reports, is_quick=is_quick)
        start = monotonic()
        try:
            # Saying that one waits takes longer than many a wait.
            is_noticed = expected > _NOTICED_SECONDS
            return jobs.run_here(*call, reports=reports, is_noticed=is_noticed)
        finally:
            # Also where it was cancelled: the next of its kind goes to a child at once.
            taken = monotonic() - start
            if taken > jobs.SECONDS_HERE:
                _TIMES_SLOWER[kind] = taken / max(seconds, _LEAST_SECONDS)

    return once(key, work)
