"""Whether a program that runs an experiment has ended."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from labelrank_core.experiments.runners import has_ended, new_runner

pytestmark = pytest.mark.skipif(not Path("/proc").is_dir(), reason="asks Linux for processes")
PRINT_RUNNER = (
    "from labelrank_core.experiments.runners import new_runner; print(new_runner(), flush=True); "
    "input()"
)


def test_this_program_has_not_ended():
    assert new_runner() != new_runner()
    assert not has_ended(new_runner())


def test_a_killed_program_has_ended_even_before_its_parent_has_noticed():
    process = subprocess.Popen(
        [sys.executable, "-c", PRINT_RUNNER], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    runner = process.stdout.readline().strip()
    assert not has_ended(runner)
    process.kill()
    # It has ended, but stays a zombie.
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert has_ended(runner)
    process.communicate()
    assert has_ended(runner)


def test_another_program_that_got_the_same_process_id_is_not_it():
    machine, pid, start, token = new_runner().split("|")
    assert has_ended("|".join([machine, pid, str(int(start) - 1), token]))


@pytest.mark.parametrize("runner", ["", "1-abcdef12", "elsewhere|1|5|abcdef12"])
def test_nothing_is_known_of_other_machines_and_older_versions(runner):
    assert not has_ended(runner)
