"""Experiments on a Dask cluster; needs the optional package `distributed`."""

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, CancelledError, Executor, ThreadPoolExecutor
from contextlib import contextmanager
from importlib.util import find_spec
from pkgutil import resolve_name
from typing import Any

from labelrank_core.data import Dataset
from labelrank_core.experiments.config import ConfigError
from labelrank_core.version import __version__

# The first request makes workers import the package, which takes long on a busy machine.
TIMEOUT_SECONDS = 60.0
# To find the scheduler, and to find it again when the connection is lost; a run that ends for want
# of it goes on later from where it stopped.
_CONNECT_SECONDS = 20.0
# Workers that are restarted are back by then.
_LOST_SECONDS = 20.0
_VERSION = "labelrank_core.version:__version__"


class ClusterError(ConfigError):
    """A cluster that cannot run experiments; the message says why."""


def require_dask() -> None:
    """Raise a ClusterError that names the package to install, unless Dask is installed."""
    if find_spec("distributed") is None:
        raise ClusterError("Dask is not installed here: pip install distributed.")


@contextmanager
def connected(
    scheduler: str, datasets: Mapping[str, Dataset], *, timeout: float = TIMEOUT_SECONDS
) -> Iterator[tuple[Executor, int, dict[str, Any], Callable[[], None]]]:
    """Connect to a scheduler, check it and its workers, and yield arguments of `run_units`.

    They are the executor, its number of workers, the data sets and the check of the workers. A
    training whose worker is lost is done again by another one. Raises ClusterError if the cluster
    cannot be used, BrokenExecutor if the scheduler or all workers are lost, or workers are lost
    again and again.
    """
    require_dask()
    from distributed import Client, KilledWorker

    connect_seconds = min(timeout, _CONNECT_SECONDS)
    try:
        asyncio.run(asyncio.wait_for(_reach(scheduler, connect_seconds), connect_seconds))
        client = Client(scheduler, timeout=connect_seconds)
    except TimeoutError:
        raise ClusterError(
            f"No scheduler answers at {scheduler!r} within {connect_seconds:g} seconds."
        ) from None
    except Exception as error:  # noqa: BLE001
        # Another program that listens there may answer anything.
        raise ClusterError(f"No scheduler answers at {scheduler!r}: {error}") from None
    with client:
        try:
            _check(client, timeout)
            yield (
                client.get_executor(),
                sum(client.nthreads().values()),
                _shared(client, datasets),
                _WorkerCheck(client),
            )
        except KilledWorker as error:
            raise BrokenExecutor(str(error)) from None
        # A connection that ends is an OSError, to the scheduler as between workers.
        except (OSError, CancelledError):
            raise BrokenExecutor(f"No connection to the scheduler at {scheduler!r}.") from None


async def _reach(scheduler: str, timeout: float) -> None:
    """Greet the scheduler; its client would wait for a listener that says nothing without end."""
    from distributed.comm import connect

    (await connect(scheduler, timeout=timeout)).abort()


class _WorkerCheck:
    """Raises BrokenExecutor when the cluster has had no worker for some time."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._last_seen = time.monotonic()

    def __call__(self) -> None:
        """Ask the scheduler for its workers."""
        if self._client.nthreads():
            self._last_seen = time.monotonic()
        elif time.monotonic() - self._last_seen > _LOST_SECONDS:
            raise BrokenExecutor(f"The cluster has had no worker for {_LOST_SECONDS:g} seconds.")


def _shared(client: Any, datasets: Mapping[str, Dataset]) -> dict[str, Any]:
    """Bring the data sets to the cluster, which gives them to each worker that needs them."""
    from dask import config

    # Data that are merely scattered are gone with the last worker that has them; what a task has
    # returned is computed again.
    with config.set({"distributed.admin.large-graph-warning-threshold": "1TB"}):
        return {name: client.submit(_held, data, pure=False) for name, data in datasets.items()}


def _held(dataset: Dataset) -> Dataset:
    return dataset


def _check(client: Any, timeout: float) -> None:
    try:
        client.wait_for_workers(1, timeout=timeout)
    except TimeoutError:
        raise ClusterError(f"The scheduler has had no worker for {timeout:g} seconds.") from None
    pool = ThreadPoolExecutor(1)
    future = pool.submit(_versions, client)
    pool.shutdown(wait=False)
    try:
        answers = future.result(timeout)
    except TimeoutError:
        raise ClusterError(f"The workers have not answered for {timeout:g} seconds.") from None
    for member, answer in answers.items():
        if answer == __version__:
            continue
        if isinstance(answer, ImportError | AttributeError):
            installed = "no labelrank_core that could run this"
        elif isinstance(answer, BaseException):
            raise ClusterError(f"{member} does not answer: {answer}")
        else:
            installed = f"version {answer}"
        raise ClusterError(
            f"{member} has {installed}; install labelrank-core {__version__} on the scheduler and "
            "all workers."
        )


def _versions(client: Any) -> dict[str, Any]:
    """Ask the scheduler, which unpickles every task, and the workers; errors are answers too."""
    # A function of the standard library, which also works where this package is not installed.
    try:
        scheduler_version = client.run_on_scheduler(resolve_name, _VERSION)
    except (ImportError, AttributeError) as error:
        scheduler_version = error
    answers = client.run(resolve_name, _VERSION, on_error="return")
    return {"The scheduler": scheduler_version} | {
        f"Worker {name}": answer for name, answer in answers.items()
    }
