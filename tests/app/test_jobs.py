"""Slow work in child programs: the same results, shared, bounded, and stopped when left alone."""

import math
import operator
import os
import signal
import time
from functools import partial
from threading import Event

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest
from threadpoolctl import threadpool_info

from labelrank_core import Task, list_samples, load_sample
from labelrank_core.data.splits import cross_validation, holdout_split
from labelrank_core.evaluation.sensitivity import sweep_parameters
from labelrank_core.methods import ALGORITHMS, ModelChoice, Size
from pages.ui import compute, jobs
from pages.ui.jobs import ChildJob, JobLostError, Jobs, ThreadJob
from pages.ui.results import models
from pages.ui.workers.worker_pool import WorkerPool
from tests.app import visits


@pytest.fixture(autouse=True)
def slow_work_is_unnoticed():
    """Let the clock and Cancel stand on pages, as for a visitor."""


def finished(job, seconds=60):
    """Wait as a page does."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if job.wait(0.1):
            return True
    return False


def test_a_job_returns_what_the_function_returns():
    job = ChildJob(math.comb, 30, 15)
    assert finished(job)
    assert job.result() == math.comb(30, 15)


def test_a_job_raises_what_the_function_raises():
    job = ChildJob(operator.truediv, 1, 0)
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
    job = ChildJob(sweep, dataset, ModelChoice("knn"), reports="on_fold")
    assert finished(job)
    assert job.progress == (3, 3)
    assert job.result().values.shape == (3, 1, 1)


def blas_threads():
    """How many threads each library of linear algebra uses; loaded with this module."""
    return [each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"]


def test_a_job_uses_one_thread_of_linear_algebra(monkeypatch):
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "2")
    job = ChildJob(blas_threads)
    assert finished(job)
    assert set(job.result()) == {1}


class Late:
    """What takes a second to arrive in the child, as the first import of a library does."""

    def __reduce__(self):
        return time.sleep, (1.0,)


def test_much_data_reach_a_child_that_is_slow_to_take_them():
    data = bytes(range(256)) * 40_000
    job = ChildJob(operator.itemgetter(1), (Late(), data))
    assert finished(job)
    assert job.result() == data


def test_a_job_that_nobody_waits_for_is_stopped(monkeypatch):
    monkeypatch.setattr(jobs, "_PATIENCE_SECONDS", 0.2)
    job = ChildJob(time.sleep, 600)
    job._thread.join(20)
    assert not job.running
    with pytest.raises(JobLostError):
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
    job = ChildJob(time.sleep, 600)
    job._stop = lambda: None
    job.is_given_up = True
    return job


def test_who_asks_for_work_that_is_being_stopped_gets_it_anew():
    known, stopped = Jobs(), given_up()
    known._jobs["a"] = stopped
    anew = known.ask("a", math.comb, 5, 2)
    assert anew is not stopped
    assert finished(anew)
    assert anew.result() == 10
    stopped._worker.kill()


def test_a_page_whose_work_was_given_up_although_it_waits_starts_it_again(monkeypatch):
    # On a busy machine, seconds may pass before the parent asks.
    known, stopped = Jobs(), given_up()
    answers = [stopped]
    monkeypatch.setattr(
        known,
        "ask",
        lambda *call, **how: answers.pop() if answers else Jobs.ask(known, *call, **how),
    )
    stopped._worker.kill()
    assert jobs.run(known, "a", "Choosing", math.comb, 5, 2) == 10
    assert not answers


def test_quick_calls_share_a_child_and_one_that_was_slow_ends_with_its_memory(monkeypatch):
    def child_pid():
        job = ChildJob(os.getpid)
        assert finished(job)
        return job.result()

    # However busy the machine is.
    monkeypatch.setattr(jobs, "SLOW_SECONDS", math.inf)
    first = child_pid()
    assert first != os.getpid()
    assert child_pid() == first
    monkeypatch.setattr(jobs, "SLOW_SECONDS", 0.0)
    assert child_pid() == first
    assert child_pid() != first


def test_a_child_that_died_while_it_was_idle_is_not_used(monkeypatch):
    monkeypatch.setattr(jobs, "SLOW_SECONDS", math.inf)
    idle = ChildJob(os.getpid)
    assert finished(idle)
    os.kill(idle.result(), signal.SIGKILL)
    idle._worker._process.wait()
    job = ChildJob(math.comb, 5, 2)
    assert finished(job)
    assert job.result() == 10


def test_work_of_a_run_that_gave_way_stops_when_nobody_waits_for_it(monkeypatch):
    class GaveWayError(Exception):
        """Another run was asked for."""

    def give_way():
        raise GaveWayError

    begun = Event()

    def work_for_ever():
        begun.set()
        loop_until(Event())

    monkeypatch.setattr(jobs, "_PATIENCE_SECONDS", 0.2)
    monkeypatch.setattr(jobs.session, "end_if_superseded", give_way)
    shared = jobs.Jobs()
    with pytest.raises(GaveWayError):
        jobs.run_here(shared, "key", "Working", work_for_ever)
    (job,) = shared._jobs.values()
    assert begun.wait(60)
    job._thread.join(60)
    assert not job.running


def loop_until(event):
    """Work in Python until the event, or for ever."""
    while not event.is_set():
        time.sleep(0.001)
    return "done"


def test_work_that_outlives_its_estimate_has_cancel_and_its_result_is_used(monkeypatch):
    drawn, button = Event(), jobs.st.button

    def drawing_button(label, **how):
        assert label == "Cancel"
        drawn.set()
        return button(label, **how)

    monkeypatch.setattr(jobs, "UNNOTICED_SECONDS", 0.0)
    monkeypatch.setattr(compute, "_TIMES_SLOWER", {})
    monkeypatch.setattr(jobs.st, "button", drawing_button)
    # It ends only if Cancel is drawn meanwhile.
    assert (
        compute.once(compute.digest("outlives"), "Working", loop_until, drawn, seconds=0.07)
        == "done"
    )


def test_what_outlived_its_estimate_begins_in_a_child_the_next_time(monkeypatch):
    clock = [0.0]
    seconds = {"said .07, takes 26": 26.0, "the same of other data": 20.0, "of few cases": 0.2}
    places = []

    def recorded(place):
        def do(_known, _key, title, *_call, **_how):
            places.append(place)
            clock[0] += seconds[title]

        return do

    monkeypatch.setattr(compute, "monotonic", lambda: clock[0])
    monkeypatch.setattr(compute, "_TIMES_SLOWER", {})
    monkeypatch.setattr(jobs, "run", recorded("child"))
    monkeypatch.setattr(jobs, "run_here", recorded("here"))
    for title, estimate in zip(seconds, (0.07, 0.05, 0.001), strict=True):
        compute.once(compute.digest("estimates", title), title, loop_until, seconds=estimate)
    assert places == ["here", "child", "here"]
    # Of another function nothing is known.
    compute.once(compute.digest("estimates"), "of few cases", math.comb, seconds=0.07)
    assert places[-1] == "here"


def test_work_in_a_thread_stops_when_nobody_waits_for_it(monkeypatch):
    monkeypatch.setattr(jobs, "_PATIENCE_SECONDS", 0.2)
    job = ThreadJob(loop_until, Event())
    job.stop_when_alone()
    job._thread.join(60)
    assert not job.running
    assert job.is_given_up
    # Who asks again gets it anew.
    known = Jobs()
    known._jobs["a"] = job
    assert known.ask("a", math.comb, 5, 2, is_here=True) is not job


def test_a_thread_hands_on_results_errors_and_progress():
    def divide(values, report):
        report(1, len(values))
        return len(values) / values[0]

    job = ThreadJob(divide, [1, 2], reports="report")
    assert finished(job)
    assert (job.result(), job.progress) == (2.0, (1, 2))
    job = ThreadJob(divide, [0], reports="report")
    assert finished(job)
    with pytest.raises(ZeroDivisionError):
        job.result()


def test_an_answer_that_a_page_did_not_take_because_it_was_drawn_again_is_still_there():
    known = Jobs()
    job = known.ask("a", os.getpid)
    assert finished(job)
    assert known.ask("a", os.getpid) is job
    job.result()
    assert known.ask("a", os.getpid) is not job


def test_quick_work_may_run_beside_as_many_slow_jobs_as_there_may_be():
    known = Jobs()
    slow = [known.ask(key, time.sleep, 600) for key in "ab"]
    assert known.ask("c", math.comb, 5, 2) is None
    quick = known.ask("c", math.comb, 5, 2, is_quick=True)
    assert finished(quick)
    assert quick.result() == 10
    for job in slow:
        job._worker.kill()


def end_once(path):
    """End this program as a system without memory does; the second time, answer."""
    if not path.exists():
        path.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "answer"


def page_with_a_job(path):
    import streamlit as st

    from pages.ui import compute
    from tests.app.test_jobs import end_once

    key = compute.digest("killed", str(path))
    st.text(compute.once(key, "Training on 12 cases", end_once, path, seconds=99.0))


def test_a_job_whose_program_was_killed_offers_to_start_again(tmp_path):
    app = AppTest.from_function(page_with_a_job, args=(tmp_path / "mark",), default_timeout=120)
    app.run()
    # However often the page is drawn again, it does not start by itself.
    for _ in range(2):
        assert not app.exception
        assert [said.value for said in app.warning] == [
            "Training on 12 cases: the computer ended this work before it was done. It may have "
            "run out of memory."
        ]
        assert not app.text
        app.run()
    app.button[0].click().run()
    assert not app.exception
    assert [text.value for text in app.text] == ["answer"]


def test_what_cannot_be_interrupted_is_trained_in_a_child_however_quick(monkeypatch):
    titles = []
    run = jobs.run
    monkeypatch.setattr(
        jobs,
        "run",
        lambda known, key, title, *call, **how: (
            titles.append(title) or run(known, key, title, *call, **how)
        ),
    )
    label_sets = next(each.name for each in list_samples() if each.task == Task.MULTILABEL)
    for dataset, key, is_in_child in (
        (load_sample("iris"), "knn", False),
        (load_sample("iris"), "pairwise_svm", True),
        (load_sample(label_sets), "br", True),
    ):
        compute._cache.clear()
        titles.clear()
        fitted = models.fitted(dataset, ModelChoice(key), holdout_split(dataset))
        assert bool(titles) is is_in_child
        assert fitted.model.predict(dataset.case(0)[None]).shape == (1, dataset.n_labels)


def test_the_child_is_another_process():
    for key, is_here in (("knn", True), ("br", False)):
        pid = compute.once(
            compute.digest("pid", key), "Working", os.getpid, seconds=0.0, algorithm=ALGORITHMS[key]
        )
        assert (pid == os.getpid()) is is_here


@pytest.mark.parametrize("page", ["pages/predict/page.py", "pages/evaluate/page.py"])
def test_pages_say_the_same_whether_work_runs_here_or_in_a_child(page, monkeypatch):
    link = {"data": "glass", "method": "Label-ranking random forest"}
    here = visits.session(page, **link)
    began, once = [], compute.once

    class Recorded(ChildJob):
        def __init__(self, *call, **how):
            began.append(call)
            super().__init__(*call, **how)

    # As if all work took long, but nothing so long that the page asks first.
    monkeypatch.setattr(
        compute,
        "once",
        lambda *call, seconds=None, **how: once(
            *call, seconds=None if seconds is None else math.inf, **how
        ),
    )
    monkeypatch.setattr(jobs, "ChildJob", Recorded)
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
    monkeypatch.setattr(jobs, "WORKERS", WorkerPool(1))
    job = ChildJob(math.comb, 5, 2)
    assert finished(job)
    assert job.result() == 10
    jobs.WORKERS.close()
