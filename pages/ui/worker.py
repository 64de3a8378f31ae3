"""The child program of a job: one call of the core, handed over and back through pipes."""

import os
import pickle
import select
import sys
from threading import Thread
from typing import Any

from threadpoolctl import threadpool_limits


def _end_with_parent() -> None:
    """End this program when the parent's end of the standard input is closed."""
    watched = select.poll()
    # No event is asked for, so that only the other side's end is reported.
    watched.register(sys.stdin.fileno(), 0)
    watched.poll()
    os._exit(1)


def main() -> None:
    """Read a function with its arguments, call it, and write what it returns or raises."""
    if hasattr(select, "poll"):
        Thread(target=_end_with_parent, daemon=True).start()
    answers, sys.stdout = sys.stdout.buffer, sys.stderr

    def write(kind: str, value: Any) -> None:
        pickle.dump((kind, value), answers, protocol=5)
        answers.flush()

    # Numerical libraries are loaded with the function; the limit holds for those loaded by then.
    function, arguments, reports = pickle.load(sys.stdin.buffer)
    threadpool_limits(limits=1, user_api="blas")
    told = {reports: lambda *said: write("progress", said)} if reports else {}
    try:
        answer = ("result", function(*arguments, **told))
    except Exception as error:  # noqa: BLE001
        answer = ("error", error)
    write(*answer)


if __name__ == "__main__":
    main()
