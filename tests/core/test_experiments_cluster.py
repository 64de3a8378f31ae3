"""Experiments on a Dask cluster give the same table as one process."""

import json

import numpy as np
import pytest
from distributed import LocalCluster

from labelrank_core import load_sample
from labelrank_core.__main__ import main
from labelrank_core.experiments import cluster, read_config, units_of
from labelrank_core.experiments.cluster import ClusterError, connected
from labelrank_core.experiments.run import run_units
from labelrank_core.experiments.store import Store

pytestmark = pytest.mark.filterwarnings("default")
CONFIG = {
    "data": ["iris", "vehicle"],
    "methods": [{"key": "knn"}, {"key": "forest", "params": {"n_estimators": 5}}],
    "protocol": {"n_folds": 5},
}


@pytest.fixture(scope="module")
def scheduler():
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
    ) as local:
        yield local.scheduler_address


def test_a_cluster_gives_the_table_of_one_process(scheduler, tmp_path):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(CONFIG))
    tables = []
    for words in ([], ["--scheduler", scheduler]):
        home = tmp_path / ("cluster" if words else "alone")
        assert main(["--home", str(home), "run", str(path), "--workers", "1", *words]) == 0
        store = Store(home)
        experiment, folder = store.experiment(store.ids()[0])
        every = units_of(experiment, store.datasets(experiment, folder))
        tables.append(
            store.frame(every).drop(columns=["seconds_tune", "seconds_fit", "seconds_predict"])
        )
    alone, shared = tables
    assert len(alone) == 20 * len(alone["measure"].unique())
    assert alone.drop(columns="value").equals(shared.drop(columns="value"))
    assert np.abs(alone["value"] - shared["value"]).max() <= 1e-12


def test_the_config_may_name_the_scheduler(scheduler, tmp_path, monkeypatch):
    used = []
    monkeypatch.setattr(
        cluster,
        "connected",
        lambda address, datasets: used.append(address) or connected(address, datasets),
    )
    path = tmp_path / "config.json"
    path.write_text(json.dumps(CONFIG | {"data": ["iris"], "scheduler": scheduler}))
    assert main(["--home", str(tmp_path), "run", str(path)]) == 0
    assert used == [scheduler]
    assert read_config(path.read_text()).to_json().count(scheduler) == 1


def test_both_workers_work(scheduler, tmp_path):
    experiment = read_config(json.dumps(CONFIG))
    datasets = {d.fingerprint: d for d in map(load_sample, ["iris", "vehicle"])}
    store = Store(tmp_path)
    with connected(scheduler, datasets) as (executor, n_workers, shared):
        assert n_workers == 2
        every = units_of(experiment, list(datasets.values()))
        run_units(every, shared, store, executor=executor, n_at_once=n_workers)
    assert len(store.results(every)) == 20


def test_workers_with_another_version_are_refused(scheduler, monkeypatch):
    monkeypatch.setattr(cluster, "__version__", "99.0")
    with (
        pytest.raises(ClusterError, match=r"has version .*install labelrank-core 99\.0"),
        connected(scheduler, {}),
    ):
        pass


def test_workers_without_the_package_are_refused(scheduler, monkeypatch):
    monkeypatch.setattr(cluster, "_VERSION", "no_such_package.version:__version__")
    with pytest.raises(ClusterError, match="no labelrank_core"), connected(scheduler, {}):
        pass


def test_a_scheduler_that_does_not_answer_is_named():
    with (
        pytest.raises(ClusterError, match="No scheduler answers"),
        connected("tcp://127.0.0.1:9", {}, timeout=1),
    ):
        pass


def test_a_scheduler_without_workers_is_said_so():
    with (
        LocalCluster(n_workers=0, dashboard_address=":0") as empty,
        pytest.raises(ClusterError, match="no worker"),
        connected(empty.scheduler_address, {}, timeout=1),
    ):
        pass
