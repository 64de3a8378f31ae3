"""Slow work in child programs: the same results, shared, bounded, and stopped when left alone."""

import math
import operator
import time
from functools import partial

import pandas as pd
import pytest
from threadpoolctl import threadpool_info

from labelrank_core import load_sample
from labelrank_core.data.splits import cross_validation
from labelrank_core.evaluation.sensitivity import sweep_parameters
from labelrank_core.methods import ALGORITHMS, ModelChoice, Size
from pages.ui import compute, jobs
from pages.ui.jobs import Job, Jobs
from tests.app import visits


@pytest.fixture(autouse=True)
def slow_work_here():
    """Do here what takes long in a child, as for a visitor."""


def finished(job, seconds=60):
    """Wait as a page does."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if job.wait(0.1):
            return True
    return False


def test_a_job_returns_what_the_function_returns():
    job = Job(math.comb, 30, 15)
    assert finished(job)
    assert job.result() == math.comb(30, 15)


def test_a_job_raises_what_the_function_raises():
    job = Job(operator.truediv, 1, 0)
    assert finished(job)
    with pytest.raises(ZeroDivisionError):
        job.result()


def test_a_job_tells_how_far_it_is():
    dataset = load_sample("iris")
    folds = cross_validation(dataset, n_folds=3)
    sweep = partial(
        sweep_parameters,
        grid={"n_neighbors": (1,)},
        folds=folds,
        measures=("kendall_tau_score",),
    )
    job = Job(sweep, dataset, ModelChoice("knn"), reports="on_fold")
    assert finished(job)
    assert job.progress == (3, 3)
    assert job.result().values.shape == (3, 1, 1)


def blas_threads():
    """How many threads each library of linear algebra uses; loaded with this module."""
    return [each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"]


def test_a_job_uses_one_thread_of_linear_algebra(monkeypatch):
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "2")
    job = Job(blas_threads)
    assert finished(job)
    assert set(job.result()) == {1}


class Late:
    """What takes a second to arrive in the child, as the first import of a library does."""

    def __reduce__(self):
        return time.sleep, (1.0,)


def test_much_data_reach_a_child_that_is_slow_to_take_them():
    data = bytes(range(256)) * 40_000
    job = Job(operator.itemgetter(1), (Late(), data))
    assert finished(job)
    assert job.result() == data


def test_a_job_that_nobody_waits_for_is_stopped(monkeypatch):
    monkeypatch.setattr(jobs, "_PATIENCE_SECONDS", 0.2)
    job = Job(time.sleep, 600)
    job._thread.join(20)
    assert not job.running
    with pytest.raises(jobs.JobLostError, match="ended with code"):
        job.result()


def test_who_asks_for_the_same_waits_for_the_same_and_more_wait_their_turn(monkeypatch):
    monkeypatch.setattr(jobs, "_PATIENCE_SECONDS", 0.2)
    known = Jobs()
    first, second = known.ask("a", time.sleep, 600), known.ask("b", time.sleep, 600)
    assert known.ask("a", time.sleep, 600) is first
    assert known.ask("c", time.sleep, 600) is None
    second._thread.join(20)
    third = known.ask("c", time.sleep, 0)
    assert third is not None
    assert finished(third)


def given_up():
    """Return a job that is being stopped, but whose program has not ended yet."""
    job = Job(time.sleep, 600)
    job._process.kill = lambda: None
    job.is_given_up = True
    return job


def test_who_asks_for_work_that_is_being_stopped_gets_it_anew():
    known, stopped = Jobs(), given_up()
    known._jobs["a"] = stopped
    anew = known.ask("a", math.comb, 5, 2)
    assert anew is not stopped
    assert finished(anew)
    assert anew.result() == 10
    stopped._process.terminate()


def test_a_page_whose_work_was_given_up_although_it_waits_starts_it_again(monkeypatch):
    # On a busy machine, seconds may pass before the parent asks.
    known, stopped = Jobs(), given_up()
    answers = [stopped]
    monkeypatch.setattr(
        known,
        "ask",
        lambda *call, **how: answers.pop() if answers else Jobs.ask(known, *call, **how),
    )
    stopped._process.terminate()
    assert jobs.run(known, "a", "Choosing", math.comb, 5, 2) == 10
    assert not answers


@pytest.mark.parametrize("page", ["pages/predict/page.py", "pages/evaluate/page.py"])
def test_pages_say_the_same_whether_work_runs_here_or_in_a_child(page, monkeypatch):
    link = {"data": "glass", "method": "Label-ranking random forest"}
    here = visits.session(page, **link)
    began, worked = [], compute.worked
    # As if all work took long, but nothing so long that the page asks first.
    monkeypatch.setattr(
        compute,
        "worked",
        lambda key, title, _, *call, **how: worked(key, title, math.inf, *call, **how),
    )
    monkeypatch.setattr(jobs, "Job", lambda *call, **how: began.append(call) or Job(*call, **how))
    compute._cache.clear()
    there = visits.session(page, **link)
    assert began
    assert visits.sentences(there) == visits.sentences(here)
    tables = [[table.value for table in app.dataframe] for app in (here, there)]
    for left, right in zip(*tables, strict=True):
        pd.testing.assert_frame_equal(
            left.drop(columns="seconds", errors="ignore"),
            right.drop(columns="seconds", errors="ignore"),
        )


@pytest.mark.parametrize("key", ALGORITHMS)
def test_small_data_are_learned_at_once_and_large_ones_in_a_child(key):
    choice = ModelChoice(key)
    assert choice.seconds(Size(150, 50, 4, 3)) < jobs.SLOW_SECONDS
    assert choice.seconds(Size(1_000_000, 10_000, 50, 100)) > jobs.SLOW_SECONDS


def test_a_job_finds_the_app_where_python_does_not_look_in_its_folder(monkeypatch):
    monkeypatch.setenv("PYTHONSAFEPATH", "1")
    monkeypatch.delenv("PYTHONPATH", raising=False)
    job = Job(math.comb, 5, 2)
    assert finished(job)
    assert job.result() == 10


def test_a_killed_job_is_said_and_can_be_started_again(monkeypatch):
    def killed(*call, **how):
        job = Job(*call, **how)
        job._process.kill()
        return job

    monkeypatch.setattr(jobs, "SLOW_SECONDS", 0.0)
    monkeypatch.setattr(jobs, "Job", killed)
    compute._cache.clear()
    app = visits.session("pages/predict/page.py", data="iris")
    assert "The system has stopped this work" in app.error[0].value
    assert "code -9" in app.error[0].value
    # Without being asked it does not begin again.
    monkeypatch.setattr(jobs, "Job", Job)
    visits.ran(app.run())
    assert "Cancelled" in app.info[0].value
    (again,) = (button for button in app.button if button.label == "Start again")
    visits.ran(again.click().run(timeout=60))
    assert not app.error
    assert not any("Cancelled" in info.value for info in app.info)


def spin(seconds, ended):
    """Work in Python, which can be interrupted, and note how that ended."""
    try:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            pass
    except BaseException as error:
        ended.append(type(error).__name__)
        raise


def test_quick_work_is_done_here():
    assert jobs.try_here("quick", math.comb, 5, 2) == (True, 10)
    with pytest.raises(ZeroDivisionError):
        jobs.try_here("quick", operator.truediv, 1, 0)
    assert not jobs.is_slow("quick", 0.0)


def test_work_that_takes_longer_than_expected_is_interrupted_and_moves_to_a_child(monkeypatch):
    monkeypatch.setattr(jobs, "SECONDS_HERE", 0.1)
    ended = []
    assert jobs.try_here("long", spin, 600, ended) == (False, None)
    deadline = time.monotonic() + 20
    while not ended and time.monotonic() < deadline:
        time.sleep(0.01)
    assert ended == ["_OutlivedError"]
    assert jobs.is_slow("long", 0.0)
    assert not jobs.is_slow("another", 0.0)
    moved = []

    def run(_jobs, _key, title, function, *arguments, reports=""):  # noqa: ARG001
        moved.append(title)
        return "from a child"

    monkeypatch.setattr(jobs, "run", run)
    for _ in range(2):  # From the second time on it begins there.
        compute._cache.clear()
        assert compute.worked("longer", "Spinning", 0.0, spin, 600, []) == "from a child"
    assert moved == ["Spinning", "Spinning"]
