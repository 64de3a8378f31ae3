"""What every test can use: the benchmark data, and the same random examples in every run."""

import gc
import os
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import settings

from labelrank_core.io import child

VARIABLE = "LABELRANK_BENCHMARK_DATA"
NO_DATA = f"want of benchmark data (set {VARIABLE})"

MAIN = sys.modules["__main__"]

# Scripts of their own, which `tests/run benchmarks` and `tests/run fuzz` start.
collect_ignore = ["benchmarks", "fuzz/readers.py"]

settings.register_profile("ci", derandomize=True, deadline=None, max_examples=50)
settings.load_profile("ci")


@pytest.fixture(scope="session", autouse=True)
def home(tmp_path_factory):
    """Keep experiments away from the user's own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LABELRANK_HOME", str(tmp_path_factory.mktemp("home")))
        yield


@pytest.fixture(scope="session")
def benchmark_data() -> Path:
    """Folder of the published data sets, which are not part of the project."""
    folder = os.environ.get(VARIABLE)
    if not folder:
        pytest.skip(NO_DATA)
    if not Path(folder).is_dir():
        pytest.fail(f"{VARIABLE} is {folder}, which is not a folder.")
    return Path(folder)


@pytest.fixture(scope="module")
def in_this_program():
    """Read files in this program: limits can be changed, and what goes wrong is seen."""

    def here(function, request, max_answer, **_):
        with ExitStack() as closing:
            answer = closing.enter_context(tempfile.TemporaryFile())
            function(request, answer)
            assert answer.seek(0, os.SEEK_END) < max_answer
            closing.pop_all()
        return answer

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("labelrank_core.io.read.call", here)
        yield


@pytest.fixture
def in_a_child(monkeypatch):
    """Read files in a child program again, as the app does, where `in_this_program` is used."""
    monkeypatch.setattr("labelrank_core.io.read.call", child.call)


@pytest.fixture(autouse=True)
def main_module(monkeypatch):
    """Take back what Streamlit's AppTest puts in place of `__main__`: new processes run it."""
    monkeypatch.setitem(sys.modules, "__main__", MAIN)


def pytest_collection_finish():
    """Spare the garbage collector thousands of tests and modules, which stay until the end.

    It looks at what is new less often, too: a run of the app makes many objects that stay a while.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 50)


def pytest_terminal_summary(terminalreporter):
    skipped = terminalreporter.stats.get("skipped", [])
    count = sum(NO_DATA in str(report.longrepr) for report in skipped)
    terminalreporter.write_line(f"skipped for want of benchmark data: {count} (set {VARIABLE})")
    failed = os.environ.get("LABELRANK_FAILED_CHECKS")
    if failed:
        terminalreporter.write_line(f"failed before the tests: {failed}", red=True)
