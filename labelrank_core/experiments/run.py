"""Running an experiment: units without a result are trained, and each result is kept at once."""

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from typing import Any

from labelrank_core.data.dataset import Dataset
from labelrank_core.experiments.runners import new_runner
from labelrank_core.experiments.store import Store
from labelrank_core.experiments.units import Unit, UnitResult, run_unit

_BYTES_OF_A_WORKER = 400 << 20
_COPIES_IN_A_WORKER = 6
_CHECK_SECONDS = 1.0


@dataclass(frozen=True)
class Progress:
    """Trainings with a result, trainings that failed in this run, and all."""

    n_done: int
    n_failed: int
    n_units: int


def run_units(
    units: Sequence[Unit],
    datasets: Mapping[str, Any],
    store: Store,
    *,
    executor: Executor | None = None,
    n_at_once: int = 1,
    train: Callable[[Unit, Any], UnitResult] = run_unit,
    on_progress: Callable[[Progress], None] | None = None,
    runner: str | None = None,
    check_workers: Callable[[], None] | None = None,
) -> Progress:
    """Train the units that have no result; `datasets`, by fingerprint, are passed on to `train`.

    `check_workers` is called while no training ends, and raises where none can.
    """
    # At most `n_at_once` trainings, as many as the executor has workers, are lost if this program
    # ends. Without an executor this thread trains.
    name = runner or new_runner()
    done_keys = store.done([unit.key for unit in units])
    waiting = list({unit.key: unit for unit in units if unit.key not in done_keys}.values())[::-1]
    n_all = len({unit.key for unit in units})
    n_failed = 0
    running: dict[Future[UnitResult], Unit] = {}

    def report() -> Progress:
        progress = Progress(n_all - len(waiting) - len(running) - n_failed, n_failed, n_all)
        if on_progress is not None:
            on_progress(progress)
        return progress

    progress = report()
    while waiting or running:
        while waiting and len(running) < n_at_once:
            unit = waiting.pop()
            if store.attempt(unit, name):
                running[_submit(executor, train, unit, datasets[unit.fingerprint])] = unit
        finished = wait(running, _CHECK_SECONDS, return_when=FIRST_COMPLETED).done
        if not finished and check_workers is not None:
            check_workers()
        # None may be held meanwhile: a cluster computes again what is held and lost with a worker.
        while finished:
            future = finished.pop()
            n_failed += not _store_result(store, running.pop(future), future)
            del future
        progress = report()
    return progress


def _store_result(store: Store, unit: Unit, future: Future[UnitResult]) -> bool:
    """Store the result of a training, or its error; return whether there is a result."""
    error = future.exception()
    if error is None:
        store.keep(unit, future.result())
    elif isinstance(error, (ValueError, ArithmeticError, MemoryError)):
        store.fail(unit, f"{unit.method.name} on {unit.data_name}: {error}")
    else:
        raise error
    return error is None


def _submit(
    executor: Executor | None, train: Callable[[Unit, Any], UnitResult], unit: Unit, dataset: Any
) -> Future[UnitResult]:
    if executor is not None:
        return executor.submit(train, unit, dataset)
    future: Future[UnitResult] = Future()
    try:
        future.set_result(train(unit, dataset))
    except Exception as error:  # noqa: BLE001
        future.set_exception(error)
    return future


def most_workers(datasets: Sequence[Dataset]) -> int:
    """Return the number of trainings that this machine can do at once, by processors and memory."""
    largest = max(_n_bytes(dataset) for dataset in datasets)
    per_worker = _BYTES_OF_A_WORKER + _COPIES_IN_A_WORKER * largest
    return max(1, min(os.cpu_count() or 1, _memory() // 2 // per_worker))


def _n_bytes(dataset: Dataset) -> int:
    X = dataset.X
    return int(
        (X.data.nbytes + X.indices.nbytes if dataset.is_sparse else X.nbytes) + dataset.Y.nbytes
    )


def _memory() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 8 << 30
