"""Programs that answer one request each, some of them started before they are needed."""

import atexit
import os
import subprocess
import sys
import tempfile
from collections import deque
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread
from typing import BinaryIO

_ROOT = Path(__file__).resolve().parents[2]
_START = f"import sys\nsys.path.insert(0, {_ROOT.as_posix()!r})\n"
_ANSWER = f"{_START}from labelrank_core.io import child\nchild.answer_request()"
# With the module that reads files loaded, which takes longer than to read a small one.
_ANSWER_LATER = f"{_START}from labelrank_core.io import child, read\nchild.answer_request()"


class Program:
    """A program that waits for its request, and the file that it writes the answer to."""

    def __init__(self, *, is_ahead: bool = False) -> None:
        self.answer = _new_file()
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-c", _ANSWER_LATER if is_ahead else _ANSWER],
                stdin=subprocess.PIPE,
                stdout=self.answer,
                stderr=subprocess.DEVNULL,
                # Threads of their own would reserve memory.
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
            )
        except BaseException:
            self.answer.close()
            raise

    def close(self) -> None:
        """End the program, and close both files."""
        with self.process as process:
            process.kill()
        self.answer.close()


class Spares:
    """Programs that wait for their requests, so many at most; none before `prepare`."""

    def __init__(self) -> None:
        self._most = self._n_starting = 0
        self._waiting: deque[Program] = deque()
        self._lock = Lock()

    def prepare(self, n_spares: int) -> None:
        """Have so many programs wait from now on, also after some were taken."""
        self._most = n_spares
        atexit.register(self.close)
        self.refill()

    def take(self) -> Program:
        """Return a program that waits, or a new one."""
        with self._lock:
            program = self._waiting.popleft() if self._waiting else None
        if program is not None:
            if program.process.poll() is None:
                return program
            program.close()
        return Program()

    def refill(self) -> None:
        """Start, in the background, as many programs as are missing."""
        if len(self._waiting) < self._most:
            Thread(target=self._start_missing, daemon=True).start()

    def _start_missing(self) -> None:
        while self._begin():
            program = None
            # Without a descriptor left nothing is kept ready.
            with suppress(OSError):
                program = Program(is_ahead=True)
            if not self._keep(program):
                return

    def _begin(self) -> bool:
        """Count one more that is starting; return False where there are enough."""
        with self._lock:
            is_missing = len(self._waiting) + self._n_starting < self._most
            self._n_starting += is_missing
            return is_missing

    def _keep(self, program: Program | None) -> bool:
        """Have a program that has started wait; return False where none has or is wanted."""
        with self._lock:
            self._n_starting -= 1
            is_wanted = len(self._waiting) < self._most
            if program is not None and is_wanted:
                self._waiting.append(program)
                return True
        if program is not None:
            program.close()
        return False

    def close(self) -> None:
        """End all that wait, and start no other."""
        with self._lock:
            self._most = 0
            programs = [self._waiting.popleft() for _ in range(len(self._waiting))]
        for program in programs:
            program.close()


SPARES = Spares()


def _new_file() -> BinaryIO:
    """Return a file without a name for a program to write, in memory where there is such a one."""
    if sys.platform == "linux":
        return open(os.memfd_create("answer"), "rb")
    return tempfile.TemporaryFile()
