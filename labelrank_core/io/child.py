"""Parsers in a child program: with an end to its time, its memory and what it may answer.

A program of Python that has what parsers need starts with the first request, and forks for each
one, so that a small file takes milliseconds; it ends with the program that started it. Where a fork
is not safe each request starts a program of its own.
"""

import atexit
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

if sys.platform != "win32":
    import resource

MAX_SECONDS = 60
MAX_MEMORY = 3_000_000_000
MAX_ANSWER = 1_000_000_000

# macOS may end a fork that uses its frameworks, and Windows has none.
_FORKS = sys.platform == "linux"
_AT_ONCE = threading.BoundedSemaphore(4)
_ROOT = Path(__file__).resolve().parents[2]
_DONE, _NO_MEMORY = b"done", b"memory"
# The packages are entered without what they export: that takes longer to import than most files
# to read.
_PROGRAM = f"""
import sys, types
for package in ("labelrank_core", "labelrank_core.data", "labelrank_core.io"):
    sys.modules[package] = types.ModuleType(package)
    sys.modules[package].__path__ = [{_ROOT.as_posix()!r} + "/" + package.replace(".", "/")]
from labelrank_core.io import child
child.{{start}}
"""

Function = Callable[[bytes, BinaryIO], None]


class ChildError(Exception):
    """Raised where a child program gave no answer; its text says why."""


def call(function: Function, request: bytes, *, max_answer: int | None = None) -> BinaryIO:
    """Return what a function writes in a child program, as a file at its beginning.

    `ChildError` where it takes more than `MAX_SECONDS`, needs more than `MAX_MEMORY` bytes or
    writes more than `max_answer` (where the system can bound them), or raises anything.
    """
    most = MAX_ANSWER if max_answer is None else min(max_answer, MAX_ANSWER)
    task = {
        "function": [function.__module__, function.__name__],
        "seconds": MAX_SECONDS,
        "memory": MAX_MEMORY,
        "answer": most,
    }
    answer = _new_file()
    with _AT_ONCE:
        started = time.monotonic()
        ask = _ask_fork if _FORKS else _ask_program
        word = ask(json.dumps(task), request, answer)
        seconds = time.monotonic() - started
    size = answer.seek(0, os.SEEK_END)
    if word == _DONE and size < most:
        answer.seek(0)
        return answer
    answer.close()
    if word == _NO_MEMORY:
        raise ChildError(f"it needs more than {MAX_MEMORY // 1_000_000} MB of memory to read")
    if size >= most:
        raise ChildError(f"what it holds unpacks to more than {most // 1_000_000} MB")
    if seconds >= MAX_SECONDS:
        raise ChildError(f"it takes longer than {MAX_SECONDS} seconds to read")
    raise ChildError("it is damaged, or not what it seems to be")


def _new_file() -> BinaryIO:
    """Return a file without a name, where there is such a thing in memory."""
    if sys.platform == "linux":
        return open(os.memfd_create("answer"), "w+b")
    return tempfile.TemporaryFile()


def _start(start: str, **options: Any) -> subprocess.Popen[bytes]:
    """Start Python with `start` from this module; without threads that reserve memory."""
    return subprocess.Popen(
        [sys.executable, "-P", "-c", _PROGRAM.format(start=start)],
        stderr=subprocess.DEVNULL,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        **options,
    )


def _ask_program(task: str, request: bytes, answer: BinaryIO) -> bytes:
    """Have a program of its own answer; return its last word, nothing if it did not get there."""
    with _start(f"answer_alone({task!r})", stdin=subprocess.PIPE, stdout=answer) as program:
        try:
            program.communicate(request, timeout=json.loads(task)["seconds"])
        except subprocess.TimeoutExpired:
            program.kill()
    return {0: _DONE, 3: _NO_MEMORY}.get(program.returncode, b"")


class _Server:
    """The program that forks, started when it is first needed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._program: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None

    def send(self, task: str, descriptors: list[int]) -> None:
        """Hand on a task with the files that belong to it; a server that has ended is replaced."""
        with self._lock:
            for _ in range(2):
                if self._program is None or self._program.poll() is not None:
                    self._begin()
                assert self._socket is not None
                with suppress(OSError):
                    socket.send_fds(self._socket, [task.encode()], descriptors)
                    return
                self.end()
        raise ChildError("no program to read files can be started")

    def _begin(self) -> None:
        self.end()
        self._socket, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with other:
            self._program = _start(
                f"serve({other.fileno()})",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[other.fileno()],
                start_new_session=True,
            )
        atexit.register(self.end)

    def end(self) -> None:
        """End the program and what it has started."""
        atexit.unregister(self.end)
        if self._socket is not None:
            self._socket.close()
        if self._program is not None:
            self._program.wait()
        self._socket = self._program = None


_SERVER = _Server()


def _ask_fork(task: str, request: bytes, answer: BinaryIO) -> bytes:
    """Have a fork of the server answer; return its last word, nothing if it did not get there."""
    (asked, asking), (saying, said) = os.pipe(), os.pipe()
    try:
        _SERVER.send(task, [asked, answer.fileno(), said])
    finally:
        os.close(asked)
        os.close(said)
    with open(saying, "rb") as words, suppress(BrokenPipeError):
        with suppress(BrokenPipeError), open(asking, "wb") as stream:
            stream.write(request)
        return words.read()
    return b""


def serve(descriptor: int) -> None:
    """Fork for every task; what the server does until the program that started it is gone."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for forks
    with socket.socket(fileno=descriptor) as tasks:
        while True:
            message, files, _, _ = socket.recv_fds(tasks, 4096, 3)
            if not message:
                os.killpg(0, signal.SIGKILL)
            task = json.loads(message)
            importlib.import_module(task["function"][0])  # once for all forks
            if not os.fork():
                tasks.close()
                _answer_fork(task, *files)
            for file in files:
                os.close(file)


def _answer_fork(task: dict[str, Any], asked: int, answer: int, said: int) -> NoReturn:
    try:
        with open(asked, "rb") as request, open(answer, "r+b") as stream:
            word = _answered(task, request, stream)
        os.write(said, word)
    finally:
        # Without an orderly end: threads of a parser can fail in it, when all is done.
        os._exit(0)


def answer_alone(task: str) -> NoReturn:
    """Answer the request on the standard input; what a program does that is for one alone."""
    code = 1
    try:
        with open(sys.stdout.fileno(), "r+b") as answer:
            word = _answered(json.loads(task), sys.stdin.buffer, answer)
        code = 0 if word == _DONE else 3
    finally:
        os._exit(code)


def _answered(task: dict[str, Any], request: BinaryIO, answer: BinaryIO) -> bytes:
    """Answer a task under its limits; return a word that says how it went."""
    module, name = task["function"]
    function = getattr(importlib.import_module(module), name)
    if sys.platform != "win32":
        # The system ends what takes longer, whatever it is doing.
        signal.setitimer(signal.ITIMER_REAL, task["seconds"])
        for what, most in ((resource.RLIMIT_AS, "memory"), (resource.RLIMIT_FSIZE, "answer")):
            with suppress(ValueError, OSError):  # systems that have no such bound
                resource.setrlimit(what, (task[most], task[most]))
    try:
        function(request.read(), answer)
        answer.flush()
    except MemoryError:
        return _NO_MEMORY
    return _DONE
