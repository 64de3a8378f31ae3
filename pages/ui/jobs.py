"""Slow work in child programs, with the time so far; it ends when no page waits for it.

A program can be stopped at any moment; a thread cannot. Data pass through pipes, never the disk.
What is expected to be quick is called here, and moves to a child if it is not.
"""

import ctypes
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar, copy_context
from pathlib import Path
from threading import Lock, Thread
from time import monotonic, sleep
from typing import IO, Any, NoReturn

import streamlit as st

from pages.ui import drawing, state

# What is expected to take longer runs as a job.
SLOW_SECONDS = 2.0
_ROOT = Path(__file__).resolve().parents[2]
_PATIENCE_SECONDS = 5.0
_MOST_AT_ONCE = 2
# What takes longer here, whatever was expected, moves to a child.
SECONDS_HERE = SLOW_SECONDS
_MOST_OUTLIVED = 10_000


class JobLostError(Exception):
    """Raised where a child program has ended without an answer; its text says how."""


class _OutlivedError(BaseException):
    """Ends a call in a thread that has taken too long."""


class Job:
    """One call in a child program."""

    def __init__(self, function: Callable[..., Any], *arguments: Any, reports: str = "") -> None:
        self._start = self._last_asked = monotonic()
        self._lock = Lock()
        # Set once, when it is stopped because nobody waits; then it must not be waited for.
        self.is_given_up = False
        self._process = subprocess.Popen(
            [sys.executable, "-m", "pages.ui.worker"],
            cwd=_ROOT,
            # The folder is not looked in where PYTHONSAFEPATH is set.
            env={**os.environ, "PYTHONPATH": python_path()},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        message = pickle.dumps((function, arguments, reports), protocol=5)
        self._answer: tuple[bool, Any] = (False, None)
        # What the function has reported last: how much of how much is done, or what it likes.
        self.progress: tuple[Any, ...] | None = None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        Thread(target=_send, args=(message, self._process.stdin), daemon=True).start()
        self._thread = Thread(target=self._listen, args=(self._process.stdout,), daemon=True)
        self._thread.start()
        Thread(target=self._watch, daemon=True).start()

    def _listen(self, answers: IO[bytes]) -> None:
        with suppress(EOFError, pickle.UnpicklingError), answers:
            while True:
                kind, value = pickle.load(answers)
                if kind == "progress":
                    self.progress = value
                else:
                    self._answer = kind == "result", value
        self._process.wait()
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()

    def _watch(self) -> None:
        while self.running:
            with self._lock:
                self.is_given_up |= monotonic() - self._last_asked > _PATIENCE_SECONDS
            if self.is_given_up:
                self._process.kill()
            self._thread.join(0.5)

    @property
    def seconds(self) -> float:
        """How long it has run."""
        return monotonic() - self._start

    @property
    def running(self) -> bool:
        """Whether it still runs."""
        return self._thread.is_alive()

    def keep(self) -> bool:
        """Ask it to go on; return whether it does."""
        with self._lock:
            self._last_asked = monotonic()
        return self.running and not self.is_given_up

    def wait(self, seconds: float) -> bool:
        """Wait at most `seconds`; return whether it has ended. Jobs nobody waits for stop."""
        self.keep()
        self._thread.join(seconds)
        return not self.running

    def result(self) -> Any:
        """Return what the function returned, or raise what it raised; `JobLostError` if it fell."""
        if self._process.returncode != 0:
            raise JobLostError(f"its program ended with code {self._process.returncode}")
        succeeded, value = self._answer
        if not succeeded:
            raise value
        return value


def _send(message: bytes, pipe: IO[bytes]) -> None:
    """Write the message; the pipe stays open, so that the child sees when this program ends."""
    with suppress(OSError):
        pipe.write(message)
        pipe.flush()


def python_path() -> str:
    """Return where child programs look for the app's modules first."""
    return os.pathsep.join(filter(None, [str(_ROOT), os.environ.get("PYTHONPATH")]))


# Keys of calls that have taken too long here: they begin in a child.
_outlived: set[str] = set()


def is_slow(key: str, seconds: float) -> bool:
    """Tell whether work is expected to be slow, or has been."""
    return seconds > SLOW_SECONDS or key in _outlived


def try_here(key: str, function: Callable[..., Any], *arguments: Any) -> tuple[bool, Any]:
    """Call a function in this program for `SECONDS_HERE` at most.

    Return whether it has ended, and what it returned. A call that has not ended is interrupted
    as soon as it is back in Python.
    """
    outcome: list[tuple[Any, BaseException | None]] = []

    def call() -> None:
        try:
            outcome.append((function(*arguments), None))
        except BaseException as error:  # noqa: BLE001
            outcome.append((None, error))

    thread = Thread(target=copy_context().run, args=(call,), daemon=True)
    thread.start()
    thread.join(SECONDS_HERE)
    if thread.is_alive() and not outcome:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(
            ctypes.c_ulong(thread.ident or 0), ctypes.py_object(_OutlivedError)
        )
        if len(_outlived) >= _MOST_OUTLIVED:
            _outlived.clear()
        _outlived.add(key)
        return False, None
    value, error = outcome[0]
    if error is not None:
        raise error
    return True, value


class Jobs:
    """The jobs of all sessions; requests for the same work share a job."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}
        self._lock = Lock()

    def ask(
        self, key: str, function: Callable[..., Any], *arguments: Any, reports: str = ""
    ) -> Job | None:
        """Return the job of a key, started if there is none; None if too many run."""
        with self._lock:
            running = {name: job for name, job in self._jobs.items() if job.running}
            if key not in running or not running[key].keep():
                running.pop(key, None)
                if len(running) >= _MOST_AT_ONCE:
                    return None
                running[key] = Job(function, *arguments, reports=reports)
            self._jobs = running
            return running[key]


# Whether a part of a page is drawn that runs alone: a button in it does not end the run.
ALONE: ContextVar[bool] = ContextVar("alone", default=False)


def run(
    jobs: Jobs,
    key: str,
    title: str,
    function: Callable[..., Any],
    *arguments: Any,
    reports: str = "",
) -> Any:
    """Do slow work while the page shows the time so far and a button to cancel it."""
    # Moving to another page, or changing what is asked for, ends this script; the job is stopped if
    # no script waits for it within a few seconds.
    drawing.before_a_widget()
    if state.is_cancelled(key):
        st.info(f"Cancelled: {title}.", icon=":material/block:")
        _offer_restart(key)
    if ALONE.get():
        state.run_whole(True)
        st.rerun()
    place = st.empty()
    with place.container(horizontal=True, vertical_alignment="center"):
        clock = st.empty()
        st.button("Cancel", on_click=state.cancel, args=(key,), key=f"cancel_{key}")
    job = jobs.ask(key, function, *arguments, reports=reports)
    while job is None or not job.wait(0.25) or job.is_given_up:
        if job is None or job.is_given_up:
            # A busy server may have given it up although this page waits: then it starts again.
            clock.markdown("Waiting for other work on this server to finish.")
            sleep(0.25)
            job = jobs.ask(key, function, *arguments, reports=reports)
        else:
            done = "" if job.progress is None else "{} of {} done, ".format(*job.progress)
            clock.markdown(f":material/hourglass_top: {title}: {done}{job.seconds:.0f} s so far.")
    place.empty()
    try:
        return job.result()
    except JobLostError as error:
        state.cancel(key)
        st.error(
            f"Not finished: {title}. The system has stopped this work, often for want of memory "
            f"({error}).",
            icon=":material/error:",
        )
        _offer_restart(key)


def _offer_restart(key: str) -> NoReturn:
    st.button("Start again", on_click=state.restart, args=(key,), icon=":material/refresh:")
    st.stop()
