"""An experiment that is killed goes on where it stopped; two at once lose and double nothing."""

import errno
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from multiprocessing import synchronize
from pathlib import Path

import numpy as np
import pytest

from labelrank_core.__main__ import CANCELLED, load, main
from labelrank_core.experiments import read_config
from labelrank_core.experiments.store import Store
from tests.same_results import assert_same_results
from tests.signals import default_sigint

# Trainings of some hundredths of a second, so that kills hit all stages of a run.
CONFIG = json.dumps(
    {
        "data": ["vehicle"],
        "methods": [
            {"key": "forest", "params": {"n_estimators": 10}},
            {"key": "knn", "tune": {"n_neighbors": [1, 5, 15]}},
        ],
        "protocol": {"n_folds": 10, "n_repeats": 3},
    }
)
SHORTER = CONFIG.replace('"n_folds": 10, "n_repeats": 3', '"n_folds": 5, "n_repeats": 2')
# A runner learns each second that it must stop: nothing that must be cancelled may end before.
ENDLESS = CONFIG.replace('"n_repeats": 3', '"n_repeats": 200')


def start(home, config, *words):
    return subprocess.Popen(
        [sys.executable, "-m", "labelrank_core", "--home", str(home), "run", str(config), *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def counts(home):
    with closing(sqlite3.connect(home / "experiments.sqlite", timeout=60)) as connection:
        return tuple(
            connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in ("attempts", "results")
        )


def table(store):
    (name,) = store.ids()
    return store.frame(load(store, name)[1])


def killed(tmp_path, workers, config):
    """Kill a run at random moments; return how many trainings each kill lost."""
    path = tmp_path / "config.json"
    path.write_text(config)
    home, rng, lost = Store(tmp_path / "home").home, np.random.default_rng(0), []
    for n_workers in workers:
        before = counts(home)
        process = start(home, path, "--workers", str(n_workers))
        # After the first training has begun, or after one to three more have ended.
        n_more = int(rng.integers(4))
        while counts(home)[0] == before[0] or counts(home)[1] < before[1] + n_more:
            if process.poll() is not None:
                return home, path, lost
            time.sleep(0.005)
        time.sleep(rng.uniform(0, 0.2))
        # Only the program itself is killed: its workers must see that it has gone.
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        time.sleep(1.0)
        after = counts(home)
        lost.append((after[0] - before[0]) - (after[1] - before[1]))
        (name,) = Store(home).ids()
        assert Store(home).status(name).state == "interrupted"
    return home, path, lost


def check_kills(tmp_path, workers, config=CONFIG):
    """Kill runs of so many workers each, then let one end; compare it with one never killed."""
    home, path, lost = killed(tmp_path, workers, config)
    assert main(["--home", str(home), "run", str(path), "--workers", "1"]) == 0
    assert all(0 <= n <= most for n, most in zip(lost, workers, strict=False)), lost
    attempts, results = counts(home)
    assert results == (60 if config is CONFIG else 20)
    # Every training begun twice is one that a kill lost: none with a result ran again.
    assert attempts == results + sum(lost)
    whole = tmp_path / "whole"
    assert main(["--home", str(whole), "run", str(path), "--workers", "1"]) == 0
    assert_same_results(table(Store(home)), table(Store(whole)))
    return lost


def test_a_run_killed_at_a_random_moment_goes_on(tmp_path):
    assert len(check_kills(tmp_path, [2], SHORTER)) == 1


@pytest.mark.slow
def test_a_run_killed_fifty_times_goes_on(tmp_path):
    lost = []
    for part in range(5):
        folder = tmp_path / str(part)
        folder.mkdir()
        lost += check_kills(folder, [1 + part % 2] * 10)
    print(f"{len(lost)} kills lost {sum(lost)} trainings, at most {max(lost)} each")  # noqa: T201
    assert len(lost) == 50


def test_two_runs_on_one_store_lose_and_double_nothing(tmp_path):
    home = tmp_path / "home"
    configs = []
    for number in range(2):
        whole = json.loads(SHORTER) | {"name": f"number {number}"}
        whole["protocol"] = {"n_folds": 5, "n_repeats": 1 + number}
        configs.append(tmp_path / f"{number}.json")
        configs[-1].write_text(json.dumps(whole))
    both = [start(home, path) for path in configs]
    assert [process.wait(timeout=300) for process in both] == [0, 0]
    store = Store(home)
    for name in store.ids():
        experiment, _ = store.experiment(name)
        frame = store.frame(load(store, name)[1])
        n_parts = experiment.protocol.n_parts
        assert len(frame[frame["measure"] == "kendall_tau_score"]) == 2 * n_parts
    assert counts(home)[1] == 20


def test_the_same_experiment_is_not_run_by_two_programs(tmp_path):
    path = tmp_path / "config.json"
    path.write_text(ENDLESS)
    first = start(tmp_path / "home", path)
    store = Store(tmp_path / "home")
    while not (store.ids() and store.status(store.ids()[0]).state == "running"):
        time.sleep(0.02)
    assert main(["--home", str(store.home), "run", str(path)]) == 4
    first.kill()
    first.wait()


def test_a_cancelled_run_ends_soon_and_goes_on_later(tmp_path):
    path = tmp_path / "config.json"
    path.write_text(ENDLESS)
    store = Store(tmp_path / "home")
    n_done = 0
    for n_workers in (2, 1):
        process = start(store.home, path, "--workers", str(n_workers))
        while not store.ids() or store.status(store.ids()[0]).n_done < n_done + 2:
            time.sleep(0.02)
        (name,) = store.ids()
        store.cancel(name)
        assert process.wait(timeout=10) == 3
        status = store.status(name)
        assert status.state == "cancelled"
        assert n_done + 2 <= status.n_done < status.n_units
        assert store.experiment(name)[0] == read_config(ENDLESS)
        n_done = status.n_done
    # A cancelling loses what the workers had begun; no training with a result ran again.
    attempts, results = counts(store.home)
    assert n_done == results <= attempts <= results + 2 + 1


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_control_c_ends_without_a_traceback(tmp_path):
    path = tmp_path / "config.json"
    path.write_text(ENDLESS)
    command = [sys.executable, "-m", "labelrank_core", "--home", str(tmp_path)]
    command += ["run", str(path), "--workers", "1"]
    with default_sigint():
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    store = Store(tmp_path)
    try:
        while not store.ids() or store.status(store.ids()[0]).n_done < 2:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        stderr = process.communicate(timeout=30)[1]
    finally:
        process.kill()
    assert process.returncode == 3
    assert "goes on from here" in stderr
    assert "Traceback" not in stderr


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="asks Linux which signals are handled")
def test_control_c_before_the_start_ends_with_the_same_code(tmp_path):
    with default_sigint():
        process = subprocess.Popen(
            [sys.executable, "-m", "labelrank_core", "--home", str(tmp_path), "list"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
    # Python itself handles SIGINT, but not SIGTERM: the imports are about to begin.
    while not handled_signals(process.pid) & (1 << (signal.SIGTERM - 1)):
        assert process.poll() is None
        time.sleep(0.002)
    process.send_signal(signal.SIGINT)
    output, message = process.communicate(timeout=60)
    assert (process.returncode, output) == (CANCELLED, "")
    assert message == "\nStopped before the start.\n"


def handled_signals(pid):
    """Read the mask of the signals that a program handles."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"^SigCgt:\s*(\w+)$", status, re.MULTILINE)[1], 16)


def test_where_no_semaphores_can_be_shared_one_training_runs_at_a_time(
    tmp_path, monkeypatch, capsys
):
    def read_only(*_, **__):
        raise OSError(errno.EROFS, "Read-only file system")

    # As where /dev/shm is read-only.
    monkeypatch.setattr(synchronize.SemLock, "__init__", read_only)
    path = tmp_path / "config.json"
    path.write_text(SHORTER)
    home = tmp_path / "home"
    assert main(["--home", str(home), "run", str(path), "--workers", "2"]) == 0
    assert "one training runs at a time" in capsys.readouterr().err
    assert counts(home) == (20, 20)
