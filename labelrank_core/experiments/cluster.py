"""Experiments on a Dask cluster; needs the optional package `distributed`."""

from collections.abc import Iterator, Mapping
from concurrent.futures import BrokenExecutor, CancelledError, Executor, ThreadPoolExecutor
from contextlib import contextmanager
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
_VERSION = "labelrank_core.version:__version__"


class ClusterError(ConfigError):
    """A cluster that cannot run experiments; the message says why."""


@contextmanager
def connected(
    scheduler: str, datasets: Mapping[str, Dataset], *, timeout: float = TIMEOUT_SECONDS
) -> Iterator[tuple[Executor, int, dict[str, Any]]]:
    """Connect to a scheduler, check it and its workers, and yield what `run_units` takes.

    A training whose worker is lost is done again by another one. Raises ClusterError if the
    cluster cannot be used, BrokenExecutor if the scheduler is lost or workers are again and again.
    """
    try:
        from distributed import Client, KilledWorker
        from distributed.comm import CommClosedError
    except ImportError:
        raise ClusterError("Dask is not installed here: pip install distributed.") from None
    try:
        client = Client(scheduler, timeout=min(timeout, _CONNECT_SECONDS))
    except (OSError, TimeoutError, ValueError) as error:
        raise ClusterError(f"No scheduler answers at {scheduler!r}: {error}") from None
    with client:
        try:
            _check(client, timeout)
            yield client.get_executor(), sum(client.nthreads().values()), _shared(client, datasets)
        except KilledWorker as error:
            raise BrokenExecutor(str(error)) from None
        except (CommClosedError, CancelledError):
            raise BrokenExecutor(f"No connection to the scheduler at {scheduler!r}.") from None


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
    asked = pool.submit(_versions, client)
    pool.shutdown(wait=False)
    try:
        answers = asked.result(timeout)
    except TimeoutError:
        raise ClusterError(f"The workers have not answered for {timeout:g} seconds.") from None
    for who, answer in answers.items():
        if answer == __version__:
            continue
        if isinstance(answer, ImportError | AttributeError):
            found = "no labelrank_core that could run this"
        elif isinstance(answer, BaseException):
            raise ClusterError(f"{who} does not answer: {answer}")
        else:
            found = f"version {answer}"
        raise ClusterError(
            f"{who} has {found}; install labelrank-core {__version__} on the scheduler and all "
            "workers."
        )


def _versions(client: Any) -> dict[str, Any]:
    """Ask the scheduler, which unpickles every task, and the workers; errors are answers too."""
    # A function of the standard library, which also works where this package is not installed.
    try:
        own = client.run_on_scheduler(resolve_name, _VERSION)
    except (ImportError, AttributeError) as error:
        own = error
    answers = client.run(resolve_name, _VERSION, on_error="return")
    return {"The scheduler": own} | {f"Worker {name}": said for name, said in answers.items()}
