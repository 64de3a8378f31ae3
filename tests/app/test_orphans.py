"""After any kill or cancel no process of ours is left: seen by listing all processes."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from secrets import token_hex

import pytest

from labelrank_core.experiments import workers
from labelrank_core.experiments.store import Store

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="lists processes in /proc")
ROOT = Path(__file__).resolve().parents[2]
MOST_SECONDS = 5.0
# Trainings of many seconds: nobody may wait for their end.
CONFIG = {
    "data": ["vehicle"],
    "methods": [{"key": "forest", "params": {"n_estimators": 20_000, "max_depth": None}}],
    "protocol": {"n_folds": 10},
}


class Family:
    """A program and all its descendants, known by a mark in their environment."""

    def __init__(self, *words):
        self.mark = f"LABELRANK_TEST_FAMILY={token_hex(8)}"
        name, value = self.mark.split("=")
        self.program = subprocess.Popen(
            [sys.executable, *words],
            cwd=ROOT,
            env={**os.environ, name: value},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def living(self):
        """Pids of those that live; a dead one that nobody has asked for has no environment."""
        pids = []
        for path in Path("/proc").glob("[0-9]*/environ"):
            try:
                if self.mark.encode() in path.read_bytes().split(b"\0"):
                    pids.append(int(path.parent.name))
            except OSError:
                continue
        return pids

    def wait_for(self, n):
        while len(self.living()) < n:
            assert self.program.poll() is None
            time.sleep(0.01)

    def is_gone(self, seconds=MOST_SECONDS):
        end = time.monotonic() + seconds
        while (left := self.living()) and time.monotonic() < end:
            time.sleep(0.05)
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        return not left


@pytest.fixture
def started(tmp_path):
    """Starts an experiment with two workers; they are there, but have hardly begun."""
    path, families = tmp_path / "config.json", []
    path.write_text(json.dumps(CONFIG))

    def start(home=tmp_path / "home"):
        words = ["-m", "labelrank_core", "--home", str(home), "run", str(path), "--workers", "2"]
        families.append(Family(*words))
        # The program, two workers, and the one that tidies up behind multiprocessing.
        families[-1].wait_for(4)
        return families[-1], Store(home)

    yield start
    for family in families:
        family.program.kill()
        family.program.wait()
        family.is_gone(0)


def begun(store):
    """Wait until trainings have begun in the workers."""
    while store.status(store.ids()[0]).state != "running":
        time.sleep(0.05)
    time.sleep(1)


def test_workers_that_are_just_starting_end_with_a_killed_program(started, tmp_path):
    for number, seconds in enumerate([0, 1.0]):
        family, _ = started(tmp_path / str(number))
        time.sleep(seconds)
        family.program.kill()
        family.program.wait()
        assert family.is_gone(), f"killed {seconds} s after the workers' start"


def test_a_worker_is_told_its_parent_and_does_not_ask_for_it():
    # A parent that ended before its worker began has left the worker to another process, which
    # lives on.
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    path, given, name = workers.starting_arguments({})
    assert given == {"PARENT": os.getpid(), "ARRAYS": {}}
    given["PARENT"] = ended.pid
    code = f"import runpy, time; runpy.run_path({path!r}, {given}, {name!r}); time.sleep(600)"
    family = Family("-c", code)
    assert family.program.wait(2 * MOST_SECONDS) == 1


def test_an_early_cancel_leaves_nothing(started):
    family, store = started()
    store.cancel(store.ids()[0])
    assert family.program.wait(MOST_SECONDS + 5) == 3
    assert family.is_gone()
    assert store.status(store.ids()[0]).state == "cancelled"


def test_a_polite_end_waits_for_no_training(started):
    family, store = started()
    begun(store)
    # Only the program itself gets it, as with kill; Ctrl-C is in `test_experiments_resume.py`.
    family.program.terminate()
    assert family.program.wait(2 * MOST_SECONDS) == 3
    assert family.is_gone()
    status = store.status(store.ids()[0])
    assert (status.state, status.n_done) == ("interrupted", 0)


@pytest.mark.parametrize("seconds", [0, 2])
def test_the_children_of_pages_end_with_the_server(seconds):
    code = (
        "import time; from pages.ui.jobs import ChildJob, WORKERS; job = ChildJob(time.sleep, 600);"
        "WORKERS.prepare(); time.sleep(600)"
    )
    family = Family("-c", code)
    # The program, the child with a job, and the one that waits for the next.
    family.wait_for(3)
    time.sleep(seconds)
    family.program.kill()
    family.program.wait()
    assert family.is_gone()
