"""Work that pages wait for, with the time so far and Cancel; it ends when no page waits for it.

What is expected to be quick is done by a thread here, everything else by a child program, which can
be stopped at any moment. Data pass through pipes, never the disk.
"""

import ctypes
import pickle
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Lock, Thread
from time import monotonic, sleep
from typing import Any, NoReturn

import streamlit as st

from pages.ui import session
from pages.ui.render import drawing
from pages.ui.workers.worker_pool import WorkerPool

# What is expected to take longer is done by a child program.
SLOW_SECONDS = 2.0
# What takes longer, whatever was expected, is shown with Cancel.
UNNOTICED_SECONDS = 1.0
_PATIENCE_SECONDS = 5.0
# The longest that a visitor's next click waits for the run before it.
_STEP_SECONDS = 0.1
_MOST_AT_ONCE = 2
# One more than there may be slow jobs, for what is expected to be quick.
WORKERS = WorkerPool(_MOST_AT_ONCE + 1)


class JobLostError(Exception):
    """Raised where a child program has ended without an answer."""


class Job(ABC):
    """One call, done in the background."""

    _thread: Thread

    def __init__(self) -> None:
        self._start = self._last_asked = monotonic()
        self._lock = Lock()
        # Set once, when it is stopped because nobody waits; then it must not be waited for.
        self.is_given_up = False
        # Whether its result, or what it raised, is there; and whether somebody has it.
        self._is_over = self._is_fetched = False
        self._answer: tuple[str, Any] | None = None
        # What the function has reported last: how much of how much is done, or what it likes.
        self.progress: tuple[Any, ...] | None = None

    @abstractmethod
    def _stop(self) -> None:
        """Stop the call."""

    def _watch(self) -> None:
        while self.running:
            with self._lock:
                self.is_given_up |= monotonic() - self._last_asked > _PATIENCE_SECONDS
                if self.is_given_up and not self._is_over:
                    self._stop()
            self._thread.join(0.5)

    def stop_when_alone(self) -> None:
        """From now on, stop the call as soon as nobody has asked for it for a while."""
        Thread(target=self._watch, daemon=True).start()

    @property
    def seconds(self) -> float:
        """The seconds it has run."""
        return monotonic() - self._start

    @property
    def running(self) -> bool:
        """True while it runs."""
        return self._thread.is_alive()

    @property
    def is_wanted(self) -> bool:
        """True while it goes on, or if it ended a moment ago with an answer that nobody has."""
        if self.running:
            return not self.is_given_up
        is_recent = monotonic() - self._last_asked <= _PATIENCE_SECONDS
        return self._answer is not None and not self._is_fetched and is_recent

    def keep(self) -> bool:
        """Ask it to go on; return False where it has stopped."""
        with self._lock:
            self._last_asked = monotonic()
        return self.running and not self.is_given_up

    def wait(self, seconds: float) -> bool:
        """Wait at most `seconds`; return True if it has ended. Jobs nobody waits for stop."""
        self.keep()
        self._thread.join(seconds)
        return not self.running

    def result(self) -> Any:
        """Return the function's result, or raise its exception."""
        self._is_fetched = True
        if self._answer is None:
            raise JobLostError("The call ended without an answer.")
        kind, value = self._answer
        if kind == "error":
            raise value
        return value


class ChildJob(Job):
    """A call in a child program."""

    def __init__(self, function: Callable[..., Any], *arguments: Any, reports: str = "") -> None:
        super().__init__()
        message = pickle.dumps((function, arguments, reports), protocol=5)
        self._worker = WORKERS.take()
        self._worker.send(message)
        self._thread = Thread(target=self._listen, daemon=True)
        self._thread.start()
        self.stop_when_alone()

    @property
    def pid(self) -> int:
        """The number of the child's process."""
        return self._worker.pid

    def _listen(self) -> None:
        answer, began = None, monotonic()
        try:
            while answer is None:
                kind, value = pickle.load(self._worker.answers)
                if kind == "began":
                    began = monotonic()
                elif kind == "progress":
                    self.progress = value
                else:
                    answer = kind, value
        except (EOFError, pickle.UnpicklingError):
            pass
        finally:
            with self._lock:
                self._is_over, self._answer = True, answer
            # After large work a program holds much memory, which ends with it.
            is_small = monotonic() - began < SLOW_SECONDS
            is_usable = answer is not None and not self.is_given_up and is_small
            WORKERS.give_back(self._worker, is_usable=is_usable)

    def _stop(self) -> None:
        self._worker.kill()


class ThreadJob(Job):
    """A call in a thread of this program, which stops before its next step in Python."""

    def __init__(self, function: Callable[..., Any], *arguments: Any, reports: str = "") -> None:
        super().__init__()
        self._is_stopped = False
        self._thread = Thread(target=self._work, args=(function, arguments, reports), daemon=True)
        self._thread.start()

    def _work(self, function: Callable[..., Any], arguments: tuple[Any, ...], reports: str) -> None:
        def report(*values: Any) -> None:
            self.progress = values

        answer: tuple[str, Any]
        with suppress(SystemExit):  # raised by `_stop`
            try:
                answer = "result", function(*arguments, **({reports: report} if reports else {}))
            except Exception as error:  # noqa: BLE001
                answer = "error", error
            with self._lock:
                self._is_over, self._answer = True, answer

    def _stop(self) -> None:
        # Only once: the number of a thread that has ended may be another's. It has not ended yet,
        # because it needs the lock, which is held here.
        if not self._is_stopped:
            self._is_stopped = True
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(self._thread.ident or 0), ctypes.py_object(SystemExit)
            )


class Jobs:
    """The jobs of all sessions; requests for the same work share a job."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}
        self._lock = Lock()

    def ask(
        self,
        key: str,
        function: Callable[..., Any],
        *arguments: Any,
        reports: str = "",
        is_here: bool = False,
        is_quick: bool = False,
    ) -> Job | None:
        """Return the job of a key, started if there is none; None if too many run.

        `is_here`: a thread does it. `is_quick`: it is expected to end soon, so that it may run
        beside as many slow ones as may run at once.
        """
        with self._lock:
            wanted_jobs = {name: job for name, job in self._jobs.items() if job.is_wanted}
            self._jobs = wanted_jobs
            if key in wanted_jobs:
                wanted_jobs[key].keep()
                return wanted_jobs[key]
            if is_here:
                wanted_jobs[key] = ThreadJob(function, *arguments, reports=reports)
                return wanted_jobs[key]
            n_running = sum(
                isinstance(job, ChildJob) and job.running for job in wanted_jobs.values()
            )
            if n_running >= _MOST_AT_ONCE + is_quick:
                return None
            wanted_jobs[key] = ChildJob(function, *arguments, reports=reports)
            return wanted_jobs[key]


def run(
    jobs: Jobs,
    key: str,
    title: str,
    function: Callable[..., Any],
    *arguments: Any,
    reports: str = "",
    is_quick: bool = False,
) -> Any:
    """Do work in a child program while the page shows the time so far and Cancel."""
    ask = partial(jobs.ask, key, function, *arguments, reports=reports, is_quick=is_quick)
    return _await(key, title, ask)


def run_here(
    jobs: Jobs,
    key: str,
    title: str,
    function: Callable[..., Any],
    *arguments: Any,
    reports: str = "",
) -> Any:
    """Do work that should be quick in a thread, with Cancel where it is slow all the same."""
    ask = partial(jobs.ask, key, function, *arguments, reports=reports, is_here=True)
    return _await(key, title, ask)


def _await(key: str, title: str, ask: Callable[[], Job | None]) -> Any:
    """Return the result of a job, or end the script where it was cancelled or killed."""
    # Moving to another page, or changing what is asked for, ends this script; the job is stopped if
    # no script waits for it within a few seconds.
    if ended := session.why_ended(key):
        _render_start_again(key, title, ended)
    job = ask()
    if job is not None:
        _wait(job, UNNOTICED_SECONDS)
    if job is None or job.running or job.is_given_up:
        job = _render_until_done(key, title, ask, job)
    try:
        return job.result()
    except JobLostError:
        session.stop_waiting(key, session.KILLED)
        _render_start_again(key, title, session.KILLED)


def _wait(job: Job, seconds: float) -> None:
    """Wait for a job so long, unless another run of this session was asked for."""
    end = monotonic() + seconds
    while not job.wait(max(0.0, min(_STEP_SECONDS, end - monotonic()))):
        try:
            session.end_if_superseded()
        except BaseException:
            # Nobody may wait for it any more, and a thread is not watched yet.
            job.stop_when_alone()
            raise
        if monotonic() >= end:
            return


def _render_until_done(key: str, title: str, ask: Callable[[], Job | None], job: Job | None) -> Job:
    """Draw the time so far and Cancel until a job has ended; return it."""
    if isinstance(job, ThreadJob):
        job.stop_when_alone()
    drawing.before_a_widget()
    session.wait_in_whole_run()
    slot = st.empty()
    with slot.container(horizontal=True, vertical_alignment="center"):
        clock = st.empty()
        st.button("Cancel", on_click=session.stop_waiting, args=(key,), key=f"cancel_{key}")
    while job is None or not job.wait(0.25) or job.is_given_up:
        if job is None or job.is_given_up:
            # A busy server may have given it up although this page waits: then it starts again.
            clock.markdown("Waiting for other work on this server to finish.")
            sleep(0.25)
            job = ask()
        else:
            if job.seconds > SLOW_SECONDS:
                WORKERS.prepare()
            progress_text = "" if job.progress is None else "{} of {} done, ".format(*job.progress)
            clock.markdown(
                f":material/hourglass_top: {title}: {progress_text}{job.seconds:.0f} s so far."
            )
    slot.empty()
    return job


def _render_start_again(key: str, title: str, ended: str) -> NoReturn:
    """Draw the reason for a missing result and a button to start again, and end the script."""
    drawing.before_a_widget()
    if ended == session.KILLED:
        st.warning(killed_message(title), icon=":material/error:")
    else:
        st.info(f"Cancelled: {title}.", icon=":material/block:")
    st.button(
        "Start again",
        on_click=session.wait_again,
        args=(key,),
        key=f"restart_{key}",
        icon=":material/refresh:",
    )
    st.stop()


def killed_message(title: str) -> str:
    """Say that the child program of a job was ended from outside."""
    return (
        f"{title}: the computer ended this work before it was done. It may have run out of memory."
    )
