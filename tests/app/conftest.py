"""What all tests of pages share."""

import pickle

import pytest

from pages.ui import jobs, opening


@pytest.fixture(autouse=True)
def everything_open(monkeypatch):
    """Let visitors have opened every table and every part that is drawn once it is open."""
    monkeypatch.setattr(opening, "is_open", lambda _: True)


@pytest.fixture(autouse=True, scope="module")
def files_are_read_here(in_this_program):
    """Read files in this program: `test_readers_child.py` shows that a child reads the same."""


@pytest.fixture(autouse=True)
def slow_work_here(monkeypatch):
    """Do what takes long in this program: a child of its own takes over a second to start.

    It gets copies and gives one back, as a child does. `test_jobs.py` shows that both say the same.
    """

    def copied(value):
        return pickle.loads(pickle.dumps(value, protocol=5))

    def run(_jobs, _key, _title, function, *arguments, reports=""):
        function, arguments = copied((function, arguments))
        told = {reports: lambda *said: copied(said)} if reports else {}
        return copied(function(*arguments, **told))

    monkeypatch.setattr(jobs, "run", run)
