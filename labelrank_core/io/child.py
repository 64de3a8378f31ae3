"""Parsers in a child program, with limits on its time, its memory and the size of its answer."""

import importlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from io import BytesIO
from typing import Any, BinaryIO, NoReturn

from labelrank_core.io.limits import max_seconds
from labelrank_core.io.programs import SPARES, Program
from labelrank_core.io.slots import TICK_SECONDS, OnWait, Slots, go_on

if sys.platform not in ("win32", "emscripten"):
    import resource

# In a browser there are no other programs.
_HAS_PROGRAMS = sys.platform not in ("emscripten", "wasi")
MAX_SECONDS = 60
MAX_MEMORY = 3_000_000_000
MAX_ANSWER = 1_000_000_000

# A file that takes more of a processor's time, or of anybody's, is read anew among the slow ones,
# beside which others need not wait.
QUICK_PROCESSOR_SECONDS, QUICK_SECONDS = 1, 4.0
# Larger files take longer.
_QUICK_BYTES = 2_000_000
_QUICK, _SLOW = Slots(max(2, os.cpu_count() or 1)), Slots(2)
# Small text cannot grow: it has places of its own, for which it need not wait until what is packed
# has used up its quick seconds.
_SMALL, _SMALL_BYTES = Slots(max(2, os.cpu_count() or 1)), 100_000
# Whoever brings many files that are packed leaves the processors to those who bring small text.
_QUICK_NICENESS, _SLOW_NICENESS = 5, 10
_DONE, _FAILED, _NO_MEMORY = 0, 1, 3
# On a busy machine a program waits for a processor up to so many times as long as it may take one.
_PATIENCE = 4
# How the system ends a program that has used the time of a processor that it may.
_OUT_OF_TIME = -signal.SIGXCPU if sys.platform != "win32" else None
Function = Callable[[bytes, BinaryIO], None]


class ChildError(Exception):
    """Raised where a child program gave no answer; its text says why."""


def call(
    function: Function,
    request: bytes,
    *,
    max_answer: int | None = None,
    n_bytes: int | None = None,
    is_text: bool = False,
    on_wait: OnWait = go_on,
) -> BinaryIO:
    """Return the output of a function in a child program, as a file at its beginning.

    `ChildError` where it takes more than `MAX_SECONDS` or, of a processor's time, more than its
    size allows (where the system can bound that), needs more than `MAX_MEMORY` bytes or
    writes more than `max_answer` (where the system can bound them), or raises anything. `n_bytes`,
    None: those of the request, is the size of what is read: less time is given to less.
    `is_text`: it is not packed; little of it does not wait for what is. `on_wait` is called again
    and again meanwhile; what it raises ends the child program. Where the system has no other
    programs, as in a browser, the function runs in this one, bounded by the size of its answer.
    """
    max_bytes = MAX_ANSWER if max_answer is None else min(max_answer, MAX_ANSWER)
    if not _HAS_PROGRAMS:
        return _call_here(function, request, max_bytes)
    n_bytes = len(request) if n_bytes is None else n_bytes
    most_seconds = min(MAX_SECONDS, max_seconds(n_bytes))
    task = {
        "function": [function.__module__, function.__name__],
        "request": len(request),
        "memory": MAX_MEMORY,
        "answer": max_bytes,
    }
    longest = min(MAX_SECONDS, _PATIENCE * most_seconds) if _OUT_OF_TIME else most_seconds
    attempts: list[tuple[Slots, float, int, int]] = [(_SLOW, longest, most_seconds, _SLOW_NICENESS)]
    if n_bytes <= _QUICK_BYTES and most_seconds > QUICK_SECONDS:
        is_small = is_text and n_bytes <= _SMALL_BYTES
        slots, niceness = (_SMALL, 0) if is_small else (_QUICK, _QUICK_NICENESS)
        attempts.insert(0, (slots, QUICK_SECONDS, QUICK_PROCESSOR_SECONDS, niceness))
    for slots, limit, processor_seconds, niceness in attempts:
        with slots.take(n_bytes, on_wait):
            started = time.monotonic()
            limits = {"seconds": limit, "processor": processor_seconds, "niceness": niceness}
            program = SPARES.take() if slots is _SMALL else Program()
            answer = program.answer
            try:
                code = _run_task(program.process, {**task, **limits}, request, on_wait)
            except BaseException:
                answer.close()
                raise
            finally:
                SPARES.refill()
            seconds = time.monotonic() - started
        was_too_slow = code == _OUT_OF_TIME or (code != _DONE and seconds >= limit)
        if slots is _SLOW or not was_too_slow:
            break
        answer.close()
    size = answer.seek(0, os.SEEK_END)
    if code == _DONE and size < max_bytes:
        answer.seek(0)
        return answer
    answer.close()
    if code == _NO_MEMORY:
        raise ChildError(f"it needs more than {MAX_MEMORY // 1_000_000} MB of memory to read")
    if size >= max_bytes:
        raise ChildError(f"what it holds unpacks to more than {max_bytes // 1_000_000} MB")
    if was_too_slow:
        most_seconds = most_seconds if code == _OUT_OF_TIME else int(limit)
        raise ChildError(f"it takes longer than {most_seconds} seconds to read")
    raise ChildError("it is damaged, or not what it seems to be")


def _call_here(function: Function, request: bytes, max_bytes: int) -> BinaryIO:
    """Return the output of a function, called in this program."""
    answer = BytesIO()
    try:
        function(request, answer)
    except MemoryError:
        raise ChildError("it needs more memory to read than there is") from None
    except Exception as error:
        raise ChildError("it is damaged, or not what it seems to be") from error
    if answer.tell() >= max_bytes:
        raise ChildError(f"what it holds unpacks to more than {max_bytes // 1_000_000} MB")
    answer.seek(0)
    return answer


def _run_task(
    process: subprocess.Popen[bytes], task: Mapping[str, Any], request: bytes, on_wait: OnWait
) -> int:
    """Send a request to a program and return its exit code."""
    end = time.monotonic() + task["seconds"]
    with process:
        assert process.stdin is not None
        try:
            with suppress(BrokenPipeError):
                process.stdin.write(json.dumps(task).encode() + b"\n")
                process.stdin.write(request)
                process.stdin.flush()
            # The pipe stays open meanwhile: the program ends with it.
            while time.monotonic() < end and process.poll() is None:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(min(TICK_SECONDS, max(0.0, end - time.monotonic())))
                if process.poll() is None:
                    on_wait(False)
        finally:
            process.kill()
            with suppress(BrokenPipeError):
                process.stdin.close()
    return process.returncode


def answer_request() -> NoReturn:
    """Answer the request on the standard input, as the child program's main function."""
    code, has_read = _FAILED, threading.Event()
    threading.Thread(target=_end_with_parent, args=(has_read,), daemon=True).start()
    try:
        # Nothing comes where the parent has ended before.
        about = json.loads(sys.stdin.buffer.readline())
        module, name = about["function"]
        function = getattr(importlib.import_module(module), name)
        if sys.platform not in ("win32", "emscripten"):
            os.nice(about["niceness"])
            seconds = about["processor"]
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
            # The system ends what takes longer, whatever it is doing.
            signal.setitimer(signal.ITIMER_REAL, about["seconds"])
            for kind, key in ((resource.RLIMIT_AS, "memory"), (resource.RLIMIT_FSIZE, "answer")):
                with suppress(ValueError, OSError):  # systems that have no such bound
                    resource.setrlimit(kind, (about[key], about[key]))
        request = sys.stdin.buffer.read(about["request"])
        has_read.set()
        with open(sys.stdout.fileno(), "wb") as stream:
            function(request, stream)
        code = _DONE
    except MemoryError:
        code = _NO_MEMORY
    finally:
        # Without an orderly end: threads of a parser can fail in it, when all is done.
        os._exit(code)


def _end_with_parent(has_read: threading.Event) -> NoReturn:
    has_read.wait()
    sys.stdin.buffer.read(1)  # returns when the pipe is closed
    os._exit(_FAILED)
