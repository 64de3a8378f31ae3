"""Slow parsers in a child program: with an end to its time and its memory."""

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

if sys.platform != "win32":
    import resource

MAX_SECONDS = 60.0
MAX_MEMORY = 2_000_000_000

_ROOT = Path(__file__).resolve().parents[2]
_NO_MEMORY = 3
# The packages are entered without what they export: that takes longer to import than most files
# to read.
_PROGRAM = """
import sys, types
for package in ("labelrank_core", "labelrank_core.io"):
    sys.modules[package] = types.ModuleType(package)
    sys.modules[package].__path__ = [{root!r} + "/" + package.replace(".", "/")]
from labelrank_core.io.child import serve
from {module} import {name}
serve({name})
"""


class ChildError(Exception):
    """Raised where a child program gave no answer; its text says why."""


def call(function: Callable[[bytes], bytes], request: bytes) -> bytes:
    """Return what a function answers in a Python program of its own.

    Parameters
    ----------
    function : callable
        A function of a module of this package, from bytes to bytes.
    request : bytes
        What it is given.

    Returns
    -------
    bytes
        Its answer.

    Raises
    ------
    ChildError
        If it takes more than `MAX_SECONDS`, needs more than `MAX_MEMORY` bytes (where the system
        can bound them), or raises anything.
    """
    program = _PROGRAM.format(
        root=_ROOT.as_posix(), module=function.__module__, name=function.__name__
    )
    # Every thread of a linear algebra library reserves memory that would count.
    limits = {"OPENBLAS_NUM_THREADS": "1", "LABELRANK_CHILD_MEMORY": str(MAX_MEMORY)}
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-c", program],
            input=request,
            capture_output=True,
            timeout=MAX_SECONDS,
            env={**os.environ, **limits},
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ChildError(f"it takes longer than {MAX_SECONDS:.0f} seconds to read") from error
    if done.returncode == 0:
        return done.stdout
    if done.returncode == _NO_MEMORY:
        raise ChildError(f"it needs more than {MAX_MEMORY // 1_000_000} MB of memory to read")
    raise ChildError("it is damaged, or not what it seems to be")


def serve(function: Callable[[bytes], bytes]) -> None:
    """Answer the request on the standard input; what a child program does.

    Parameters
    ----------
    function : callable
        From bytes to bytes.
    """
    _bound_memory(int(os.environ["LABELRANK_CHILD_MEMORY"]))
    try:
        answer = function(sys.stdin.buffer.read())
        sys.stdout.buffer.write(answer)
        sys.stdout.buffer.flush()
    except MemoryError:
        os._exit(_NO_MEMORY)
    # Without an orderly end: threads of a parser can fail in it, when all is done.
    os._exit(0)


def _bound_memory(n_bytes: int) -> None:
    if sys.platform != "win32":
        with suppress(ValueError, OSError):  # systems that have no such bound
            resource.setrlimit(resource.RLIMIT_AS, (n_bytes, n_bytes))
