"""The child program of jobs: calls of the core, handed over and back through pipes."""

import importlib
import os
import pickle
import select
import sys
from threading import Thread
from typing import Any

from threadpoolctl import threadpool_limits

# With these most calls find their libraries loaded.
_AHEAD = (
    "labelrank_core.methods",
    "labelrank_core.evaluation.evaluate",
    "labelrank_core.explain.what_if.sweeps",
)


def _end_with_parent() -> None:
    """End this program when the parent's end of the standard input is closed."""
    watched = select.poll()
    # No event is asked for, so that only the other side's end is reported.
    watched.register(sys.stdin.fileno(), 0)
    watched.poll()
    os._exit(1)


def main() -> None:
    """Read functions with their arguments, call them, and write their results and errors."""
    if hasattr(select, "poll"):
        Thread(target=_end_with_parent, daemon=True).start()
    answers, sys.stdout = sys.stdout.buffer, sys.stderr
    if "ahead" in sys.argv[1:]:
        for name in _AHEAD:
            importlib.import_module(name)

    def write(kind: str, value: Any) -> None:
        pickle.dump((kind, value), answers, protocol=5)
        answers.flush()

    while True:
        try:
            # Numerical libraries are loaded with the function; the limit holds for those loaded by
            # then.
            function, arguments, reports = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        threadpool_limits(limits=1, user_api="blas")
        callbacks = {reports: lambda *values: write("progress", values)} if reports else {}
        # What was loaded until now is no part of the work.
        write("began", None)
        try:
            answer = ("result", function(*arguments, **callbacks))
        except Exception as error:  # noqa: BLE001
            answer = ("error", error)
        write(*answer)
        # What the call held is free while the program waits for the next one.
        del function, arguments, callbacks, answer


if __name__ == "__main__":
    main()
