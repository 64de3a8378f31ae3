"""Training that never ends: every page that trains shows it with Cancel, which ends it."""

import re
from threading import current_thread
from time import sleep, thread_time

import pytest

from labelrank_core import KNeighborsLabelRanker
from pages.ui import compute, jobs
from pages.ui.render import tables
from pages.ui.results import evaluations
from tests.app.visits import ran, session
from tests.fuzz import cancel
from tests.fuzz.pages import problem

TRAINING = re.compile("Training on|fold by fold")
PAGES = ("predict", "evaluate", "confidence", "sensitivity", "learn")


class EndlessTraining:
    """Replaces the training of a method, until it may end; notes the threads that train."""

    def __init__(self):
        self.may_end, self.threads = False, []
        self.fit = KNeighborsLabelRanker.fit

    def __call__(self, model, X, Y):
        self.threads.append(current_thread())
        while not self.may_end:
            sleep(0.001)
        return self.fit(model, X, Y)


@pytest.fixture
def training(monkeypatch):
    """Let the nearest neighbours train for ever, and press Cancel as soon as it is drawn."""
    endless, titles = EndlessTraining(), []
    show, button = jobs._render_until_done, jobs.st.button

    def noting_show(key, title, *call):
        titles.append(title)
        return show(key, title, *call)

    def pressed_button(label, **how):
        if label == "Cancel" and TRAINING.search(titles[-1]) and not endless.may_end:
            how["on_click"](*how["args"])
            jobs.st.rerun()
        return button(label, **how)

    monkeypatch.setattr(KNeighborsLabelRanker, "fit", lambda *call: endless(*call))
    monkeypatch.setattr(jobs, "_render_until_done", noting_show)
    monkeypatch.setattr(jobs.st, "button", pressed_button)
    monkeypatch.setattr(jobs, "UNNOTICED_SECONDS", 0.0)
    monkeypatch.setattr(jobs, "_PATIENCE_SECONDS", 0.2)
    compute._cache.clear()
    yield endless
    endless.may_end = True
    compute._cache.clear()


# A thread that is stopped may be about to close a file.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("page", PAGES)
def test_training_that_never_ends_is_cancelled_and_started_again(page, training):
    app = session(f"pages/{page}/page.py")
    (message,) = [info.value for info in app.info if info.value.startswith("Cancelled: ")]
    assert TRAINING.search(message)
    for thread in training.threads:
        thread.join(60)
        assert not thread.is_alive()
    training.may_end = True
    (again,) = [button for button in app.button if button.label == "Start again"]
    ran(again.click().run())
    assert not any(info.value.startswith("Cancelled: ") for info in app.info)
    assert len(training.threads) > 1


@pytest.mark.parametrize("page", [*cancel.PAGES, cancel.NEW_CASES, *cancel.ON_DATA])
def test_what_a_page_computes_without_cancel_is_quick(page):
    # `tests/run fuzz cancel` shows every page with data of several kinds that are much larger.
    assert max(cancel.visit(page, problem(3_000, 8, 0))) <= cancel.MOST_SECONDS


def test_a_slow_file_is_noticed_apart_from_the_page_that_offers_it(monkeypatch):
    write = tables.csv_bytes
    monkeypatch.setattr(tables, "csv_bytes", lambda table: spin(1.0) or write(table))
    of_script, of_file = cancel.visit("sensitivity", problem(500, 8, 2))
    assert of_script < 1.0 < of_file


def spin(seconds):
    """Use a processor for so long."""
    end = thread_time() + seconds
    while thread_time() < end:
        pass


def test_work_of_a_page_itself_is_noticed_and_work_with_cancel_is_not(monkeypatch):
    def work_for_long(function):
        def work(*arguments, **how):
            spin(1.0)
            return function(*arguments, **how)

        return work

    monkeypatch.setattr(evaluations, "evaluate_fitted", work_for_long(evaluations.evaluate_fitted))
    data = problem(500, 8, 1)
    assert cancel.visit("evaluate", data)[0] < 1.0
    monkeypatch.setattr(evaluations, "choose_tests", work_for_long(evaluations.choose_tests))
    assert cancel.visit("evaluate", data)[0] > 1.0
