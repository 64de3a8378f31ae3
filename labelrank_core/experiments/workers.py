"""Worker processes of this machine.

This file is also run as a script, as the first thing in a worker: it watches the parent process
before the slow imports, so that no worker outlives a parent that is killed meanwhile.
"""

import os
import signal
import threading
import time
from collections.abc import Mapping
from typing import Any

_RUN_NAME = "labelrank_worker"
_PAUSE_SECONDS = 0.25


def starting_arguments(datasets: Mapping[str, Any]) -> tuple[str, dict[str, Any], str]:
    """Return the arguments with which `runpy.run_path` prepares a worker of this process."""
    # The pid is passed on: a worker whose parent has ended already could not ask for it.
    from labelrank_core.experiments.dataset_file import dataset_arrays

    arrays = {name: dataset_arrays(dataset) for name, dataset in datasets.items()}
    return __file__, {"PARENT": os.getpid(), "ARRAYS": arrays}, _RUN_NAME


def end_with(parent: int) -> None:
    """End this process as soon as its parent has ended."""
    while os.getppid() == parent:
        time.sleep(_PAUSE_SECONDS)
    os._exit(1)


def run_prepared(unit: Any, fingerprint: str) -> Any:
    """Train once in a worker, which has the data sets already."""
    from labelrank_core.experiments.units import run_unit

    return run_unit(unit, prepared[fingerprint])


# The data sets of a worker, by fingerprint.
prepared: dict[str, Any] = {}

if __name__ == _RUN_NAME:
    threading.Thread(target=end_with, args=(globals()["PARENT"],), daemon=True).start()
    # Ctrl-C reaches all processes of a terminal; the parent ends its workers itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    from labelrank_core.experiments import workers
    from labelrank_core.experiments.dataset_file import dataset_of

    for _name, _arrays in globals()["ARRAYS"].items():
        workers.prepared[_name] = dataset_of(_arrays)
