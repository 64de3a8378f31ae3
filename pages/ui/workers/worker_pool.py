"""Child programs that take calls one after another, one of them started before it is needed."""

import atexit
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread
from typing import IO

_ROOT = Path(__file__).resolve().parents[3]


def python_path() -> str:
    """Return where child programs look for the app's modules first."""
    return os.pathsep.join(filter(None, [str(_ROOT), os.environ.get("PYTHONPATH")]))


class Worker:
    """A child program with the pipes to it; it ends when its standard input is closed."""

    def __init__(self, *, imports_ahead: bool = False) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "pages.ui.workers.worker", *["ahead"] * imports_ahead],
            cwd=_ROOT,
            # The folder is not looked in where PYTHONSAFEPATH is set.
            env={**os.environ, "PYTHONPATH": python_path()},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether the program runs."""
        return self._process.poll() is None

    @property
    def answers(self) -> IO[bytes]:
        """The pipe with the answers of the program."""
        assert self._process.stdout is not None
        return self._process.stdout

    def send(self, message: bytes) -> None:
        """Write a message in the background; a program that starts is slow to read it."""
        Thread(target=self._write, args=(message,), daemon=True).start()

    def _write(self, message: bytes) -> None:
        assert self._process.stdin is not None
        with suppress(OSError, ValueError):
            self._process.stdin.write(message)
            self._process.stdin.flush()

    def kill(self) -> None:
        """End the program at once."""
        self._process.kill()

    def close(self) -> None:
        """End the program, wait for its end, and close its pipes."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with suppress(OSError):
                pipe.close()


class WorkerPool:
    """Hands out workers and keeps at most one idle, while at most `max_workers` are alive."""

    def __init__(self, max_workers: int) -> None:
        self._max_workers = max_workers
        self._n_busy = 0
        self._spare: Worker | None = None
        self._lock = Lock()
        atexit.register(self.close)

    def take(self) -> Worker:
        """Return the idle worker, or a new one."""
        with self._lock:
            self._n_busy += 1
            spare, self._spare = self._spare, None
        if spare is not None:
            if spare.is_alive:
                return spare
            spare.close()
        return Worker()

    def give_back(self, worker: Worker, *, is_usable: bool) -> None:
        """Keep a worker for the next call, or end it and let a new one take its place."""
        with self._lock:
            self._n_busy -= 1
            if is_usable and self._spare is None:
                self._spare = worker
                return
        worker.close()
        self.prepare()

    def prepare(self) -> None:
        """Start a worker ahead, unless one is idle or there are enough."""
        with self._lock:
            if self._spare is None and self._n_busy < self._max_workers:
                self._spare = Worker(imports_ahead=True)

    def close(self) -> None:
        """End the idle worker."""
        with self._lock:
            spare, self._spare = self._spare, None
        if spare is not None:
            spare.close()
