"""Experiments on a Dask cluster give the same table as one process."""

import json
import socket
from collections import Counter
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from functools import partial
from threading import Thread

import pytest

from labelrank_core import load_sample, version
from labelrank_core.__main__ import main
from labelrank_core.experiments import cluster, read_config, units_of
from labelrank_core.experiments.cluster import ClusterError, connected
from labelrank_core.experiments.run import run_units
from labelrank_core.experiments.store import Store
from tests import cluster_tasks
from tests.same_results import assert_same_results

# The extra `dask`, which neither the app nor other experiments need.
config = pytest.importorskip("dask.config")
distributed = pytest.importorskip("distributed")
Client, LocalCluster = distributed.Client, distributed.LocalCluster
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


def test_a_cluster_that_the_config_names_gives_the_table_of_one_process(
    scheduler, tmp_path, monkeypatch
):
    used = []
    monkeypatch.setattr(
        cluster,
        "connected",
        lambda address, datasets: used.append(address) or connected(address, datasets),
    )
    path = tmp_path / "config.json"
    tables = []
    for name, more in {"alone": {}, "cluster": {"scheduler": scheduler}}.items():
        path.write_text(json.dumps(CONFIG | more))
        assert main(["--home", str(tmp_path / name), "run", str(path), "--workers", "1"]) == 0
        store = Store(tmp_path / name)
        experiment, folder = store.experiment(store.ids()[0])
        every = units_of(experiment, store.datasets(experiment, folder))
        tables.append(store.frame(every))
    assert used == [scheduler]
    assert read_config(path.read_text()).to_json().count(scheduler) == 1
    alone, shared = tables
    assert len(alone) == 20 * len(alone["measure"].unique())
    assert_same_results(alone, shared)


def test_both_workers_work(scheduler, tmp_path):
    experiment = read_config(json.dumps(CONFIG))
    datasets = {d.fingerprint: d for d in map(load_sample, ["iris", "vehicle"])}
    store = Store(tmp_path)
    with connected(scheduler, datasets) as (executor, n_workers, shared, _):
        assert n_workers == 2
        every = units_of(experiment, list(datasets.values()))
        run_units(every, shared, store, executor=executor, n_at_once=n_workers)
    assert len(store.results(every)) == 20


def test_workers_that_die_in_a_fold_lose_only_that_fold(tmp_path):
    experiment = read_config(json.dumps(CONFIG | {"data": ["iris"], "methods": [{"key": "knn"}]}))
    iris = load_sample("iris")
    every, store = units_of(experiment, [iris]), Store(tmp_path)
    # Both die, one after the other, and with them every copy of the data.
    train = partial(cluster_tasks.train_or_die, folder=tmp_path, deadly_folds=(2, 3))
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as local,
        connected(local.scheduler_address, {iris.fingerprint: iris}) as (executor, n, shared, _),
    ):
        done = run_units(every, shared, store, executor=executor, n_at_once=n, train=train)
    assert (done.n_done, done.n_failed) == (5, 0)
    begun = Counter(path.name.split()[0] for path in tmp_path.glob("* [0-9]"))
    assert begun == {unit.key: 1 + (unit.fold in (2, 3)) for unit in every}


def test_a_worker_that_dies_of_every_attempt_ends_the_run():
    with (
        config.set({"distributed.scheduler.allowed-failures": 0}),
        LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0") as local,
        pytest.raises(BrokenExecutor, match="1 different workers"),
        connected(local.scheduler_address, {}) as (executor, *_),
    ):
        executor.submit(cluster_tasks.die).result()


def test_a_lost_scheduler_ends_the_run(tmp_path, capfd, monkeypatch):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(CONFIG))
    local = LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0")

    def lose(*_):
        # The limit of finding it at first, when a busy machine may take long, is that of later.
        assert Client.current()._timeout == cluster._CONNECT_SECONDS
        Client.current()._timeout = 1.0
        local.close()

    monkeypatch.setattr(Store, "keep", lose)
    words = ["--home", str(tmp_path), "run", str(path), "--scheduler", local.scheduler_address]
    assert main(words) == 5
    said = capfd.readouterr().err
    assert "No connection to the scheduler" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("who", ["scheduler", "Worker"])
def test_a_scheduler_and_workers_with_another_version_are_refused(scheduler, monkeypatch, who):
    # The scheduler runs in this program, the workers do not.
    monkeypatch.setattr(cluster, "__version__", "99.0")
    if who == "Worker":
        monkeypatch.setattr(version, "__version__", "99.0")
    with (
        pytest.raises(ClusterError, match=rf"{who}.* has version .*install labelrank-core 99\.0"),
        connected(scheduler, {}),
    ):
        pass


@pytest.mark.parametrize("who", ["scheduler", "Worker"])
def test_a_scheduler_and_workers_without_the_package_are_refused(scheduler, monkeypatch, who):
    if who == "Worker":
        monkeypatch.setattr(Client, "run_on_scheduler", lambda *_: version.__version__)
    monkeypatch.setattr(cluster, "_VERSION", "no_such_package.version:__version__")
    with (
        pytest.raises(ClusterError, match=f"{who}.* has no labelrank_core"),
        connected(scheduler, {}),
    ):
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


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n"])
def test_another_program_at_the_address_is_told_soon(answer):
    with socket.create_server(("127.0.0.1", 0)) as server:
        connections = []

        def serve():
            with suppress(OSError):
                while True:
                    connection = server.accept()[0]
                    connections.append(connection)
                    connection.sendall(answer)

        Thread(target=serve, daemon=True).start()
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        with (
            pytest.raises(ClusterError, match="No scheduler answers"),
            connected(address, {}, timeout=1),
        ):
            pass
        for connection in connections:
            connection.close()


def test_a_cluster_that_has_lost_all_workers_ends_the_run(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "_LOST_SECONDS", 0.5)
    experiment = read_config(json.dumps(CONFIG | {"data": ["iris"]}))
    iris = load_sample("iris")
    units, store = units_of(experiment, [iris]), Store(tmp_path)
    with (
        LocalCluster(n_workers=1, processes=False, dashboard_address=":0") as local,
        connected(local.scheduler_address, {iris.fingerprint: iris}) as workers,
    ):
        executor, n_workers, shared, check = workers
        local.scale(0)
        with pytest.raises(BrokenExecutor, match=r"no worker for 0\.5 seconds"):
            run_units(
                units, shared, store, executor=executor, n_at_once=n_workers, check_workers=check
            )


def test_a_connection_lost_while_data_are_sent_ends_the_run(scheduler):
    with (
        pytest.raises(BrokenExecutor, match="No connection to the scheduler"),
        connected(scheduler, {}),
    ):
        raise ConnectionResetError("by the worker")


def test_a_finished_experiment_stays_finished_without_its_cluster(tmp_path, monkeypatch, capsys):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(CONFIG | {"data": ["iris"]}))
    command = ["--home", str(tmp_path), "run", str(path)]
    assert main([*command, "--workers", "1"]) == 0
    store = Store(tmp_path)
    (name,) = store.ids()
    # Nothing is left to train, so nobody connects.
    assert main([*command, "--scheduler", "tcp://127.0.0.1:9"]) == 0
    assert store.status(name).state == "finished"
    monkeypatch.setattr(cluster, "find_spec", lambda _: None)
    assert main([*command, "--scheduler", "tcp://127.0.0.1:9"]) == 2
    assert "Dask is not installed here" in capsys.readouterr().err
    assert store.status(name).state == "finished"
