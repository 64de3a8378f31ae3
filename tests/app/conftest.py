"""What all tests of pages share."""

import pickle

import pytest

from labelrank_core.data.nouns import CASE_AND_LABEL
from labelrank_core.methods import ALGORITHMS
from pages.predict import agreement
from pages.ui import jobs, session
from tests import parts_open


@pytest.fixture(autouse=True)
def everything_open(monkeypatch):
    """Let visitors have opened every table and every part that is drawn once it is open."""
    parts_open.set_open(monkeypatch, parts_open.every)


@pytest.fixture(autouse=True, scope="module")
def files_are_read_here(in_this_program):
    """Read files in this program: `test_readers_child.py` shows that a child reads the same."""


@pytest.fixture
def all_methods_are_some(monkeypatch):
    """Let 'All methods' show similar cases and one of each other family: all take long to learn.

    `test_side_by_side.py` shows all of them.
    """
    first = {(each.family, each.learns_rankings): each for each in reversed(ALGORITHMS.values())}
    shown = {
        key: each
        for key, each in ALGORITHMS.items()
        if each.family == "similar cases" or each in first.values()
    }
    monkeypatch.setattr(agreement, "ALGORITHMS", shown)


@pytest.fixture(autouse=True)
def no_nouns_of_before():
    """Forget the nouns that a test outside of a session has set for itself."""
    session.set_nouns(CASE_AND_LABEL)


@pytest.fixture(autouse=True)
def slow_work_here(monkeypatch):
    """Do what takes long in this program: a child of its own takes over a second to start.

    It gets copies and gives one back, as a child does. `test_jobs.py` shows that both say the same.
    """

    def copied(value):
        return pickle.loads(pickle.dumps(value, protocol=5))

    def run(_jobs, _key, _title, function, *arguments, reports="", **_how):
        function, arguments = copied((function, arguments))
        told = {reports: lambda *said: copied(said)} if reports else {}
        return copied(function(*arguments, **told))

    monkeypatch.setattr(jobs, "run", run)
    # On a busy machine much takes longer than expected, and would be done twice.
    monkeypatch.setattr(jobs, "UNNOTICED_SECONDS", 600.0)
