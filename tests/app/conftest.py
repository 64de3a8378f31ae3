"""What all tests of pages share."""

import pickle

import pytest

from labelrank_core.data.nouns import CASE_AND_LABEL
from labelrank_core.methods import ALGORITHMS
from pages.predict import agreement
from pages.ui import jobs, session
from tests import parts_open


@pytest.fixture
def everything_open(monkeypatch):
    """Let visitors have opened every table and every part, for tests of what is in them."""
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
def slow_work_is_unnoticed(monkeypatch):
    """Let no clock and no Cancel stand on pages: on a busy machine work takes longer than usual."""
    monkeypatch.setattr(jobs, "UNNOTICED_SECONDS", 600.0)


@pytest.fixture
def jobs_run_here(monkeypatch):
    """Do jobs in this program, for tests that replace a part of the core: no child sees it.

    A job gets copies and gives one back, as in a child.
    """

    def copied(value):
        return pickle.loads(pickle.dumps(value, protocol=5))

    def run(_jobs, _key, _title, function, *arguments, reports="", **_options):
        function, arguments = copied((function, arguments))
        callbacks = {reports: lambda *values: copied(values)} if reports else {}
        return copied(function(*arguments, **callbacks))

    monkeypatch.setattr(jobs, "run", run)
