"""Experiments on a Dask cluster; needs the optional package `distributed`."""

from collections.abc import Iterator, Mapping
from concurrent.futures import BrokenExecutor, Executor, ThreadPoolExecutor
from contextlib import contextmanager
from pkgutil import resolve_name
from typing import Any

from labelrank_core.data import Dataset
from labelrank_core.experiments.config import ConfigError
from labelrank_core.version import __version__

# The first request makes workers import the package, which takes long on a busy machine.
TIMEOUT_SECONDS = 60.0
_VERSION = "labelrank_core.version:__version__"


class ClusterError(ConfigError):
    """A cluster that cannot run experiments; the message says why."""


@contextmanager
def connected(
    scheduler: str, datasets: Mapping[str, Dataset], *, timeout: float = TIMEOUT_SECONDS
) -> Iterator[tuple[Executor, int, dict[str, Any]]]:
    """Connect to a scheduler, check its workers and yield what `run_units` takes.

    Raises ClusterError if that fails, and BrokenExecutor if workers are lost later.
    """
    try:
        from distributed import Client, KilledWorker
        from distributed.comm import CommClosedError
    except ImportError:
        raise ClusterError("Dask is not installed here: pip install distributed.") from None
    try:
        client = Client(scheduler, timeout=timeout)
    except (OSError, TimeoutError, ValueError) as error:
        raise ClusterError(f"No scheduler answers at {scheduler!r}: {error}") from None
    with client:
        _check_workers(client, timeout)
        shared = {
            name: client.scatter(dataset, broadcast=True) for name, dataset in datasets.items()
        }
        try:
            yield client.get_executor(), sum(client.nthreads().values()), shared
        except (KilledWorker, CommClosedError) as error:
            raise BrokenExecutor(str(error)) from None


def _check_workers(client: Any, timeout: float) -> None:
    try:
        client.wait_for_workers(1, timeout=timeout)
    except TimeoutError:
        raise ClusterError(f"The scheduler has had no worker for {timeout:g} seconds.") from None
    # A function of the standard library, which also works where this package is not installed.
    pool = ThreadPoolExecutor(1)
    asked = pool.submit(client.run, resolve_name, _VERSION, on_error="return")
    pool.shutdown(wait=False)
    try:
        answers = asked.result(timeout)
    except TimeoutError:
        raise ClusterError(f"The workers have not answered for {timeout:g} seconds.") from None
    for worker, answer in answers.items():
        if answer == __version__:
            continue
        if isinstance(answer, ImportError | AttributeError):
            found = "no labelrank_core that could run this"
        elif isinstance(answer, BaseException):
            raise ClusterError(f"Worker {worker} does not answer: {answer}")
        else:
            found = f"version {answer}"
        raise ClusterError(
            f"Worker {worker} has {found}; install labelrank-core {__version__} on all workers."
        )
