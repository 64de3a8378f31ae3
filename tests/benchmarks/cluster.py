"""What workers of a Dask cluster gain, and what one of them that is killed costs.

python tests/benchmarks/cluster.py         2 and 4 workers
python tests/benchmarks/cluster.py 2       so many

The folds of an experiment are trained by one program alone, by a cluster on this machine, and alone
again. The gain is the time alone over the time of the cluster; no cluster gains more than the
machine has processors, and less than these where others use them. What does not depend on that is
the share of its time in which a worker trains: the rest is waiting for work. In the last run a
worker is killed amid its second fold.
"""

import os
import signal
import sys
import tempfile
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from distributed import LocalCluster  # noqa: E402

from labelrank_core import load_sample  # noqa: E402
from labelrank_core.experiments import read_config, run_unit, units_of  # noqa: E402
from labelrank_core.experiments.cluster import connected  # noqa: E402
from labelrank_core.experiments.run import run_units  # noqa: E402
from labelrank_core.experiments.store import Store  # noqa: E402

WORKERS = (2, 4)
BUDGET = 0.8
CONFIG = """{"data": ["vehicle"], "protocol": {"n_folds": 8},
             "methods": [{"key": "forest", "params": {"n_estimators": 1000}}]}"""


def timed(unit, dataset, folder, deadly=None):
    """Train once; the seconds of all that is done stand where those of tuning would.

    The worker that comes to the deadly unit first trains it, and dies before it can tell.
    """
    start = perf_counter()
    mark = Path(folder) / f"{unit.key}.begun"
    again = mark.exists()
    mark.touch()
    result = run_unit(unit, dataset)
    if unit.key == deadly and not again:
        os.kill(os.getpid(), signal.SIGKILL)
    return replace(result, seconds_tune=perf_counter() - start)


def trained(units, datasets, deadly=None, **cluster):
    """Train all units; return the seconds of it and those of each unit."""
    with tempfile.TemporaryDirectory() as folder:
        store, train = Store(Path(folder)), partial(timed, folder=folder, deadly=deadly)
        start = perf_counter()
        run_units(units, datasets, store, train=train, **cluster)
        seconds = perf_counter() - start
        return seconds, store.frame(units).groupby(["repeat", "fold"])["seconds_tune"].first()


def measure(n_workers, units, dataset):
    """Print the line of so many workers; return whether the gain is too small."""
    datasets = {dataset.fingerprint: dataset}
    before, folds = trained(units, datasets)
    with (
        LocalCluster(n_workers=n_workers, threads_per_worker=1, dashboard_address=":0") as local,
        connected(local.scheduler_address, datasets) as (executor, n, shared),
    ):
        cluster = {"executor": executor, "n_at_once": n}
        trained(units[:n], shared, **cluster)  # workers import what they need
        seconds, busy = trained(units, shared, **cluster)
        with_kill, _ = trained(units, shared, units[n].key, **cluster)
    after, _ = trained(units, datasets)
    gain = (before + after) / 2 / seconds
    print(
        f"{n_workers:7} {folds.median():14.2f} {before:12.1f} {after:7.1f} {seconds:8.1f} "
        f"{gain:6.2f} {gain / n_workers:10.2f} {busy.sum() / (n_workers * seconds):11.2f} "
        f"{with_kill - seconds:15.1f} {os.getloadavg()[0]:6.1f}",
        flush=True,
    )
    return gain < BUDGET * min(n_workers, os.cpu_count())


def main(words):
    dataset = load_sample("vehicle")
    units = units_of(read_config(CONFIG), [dataset])
    print(f"{len(units)} folds on {os.cpu_count()} processors; seconds")
    print(
        "workers  fold (median)  alone before   after  cluster   gain  of workers  in training  "
        "more with kill   load",
        flush=True,
    )
    missed = [measure(n, units, dataset) for n in map(int, words or WORKERS)]
    return int(any(missed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
