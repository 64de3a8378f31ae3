"""The child program of a job: one call of the core, handed over and back through pipes."""

import pickle
import sys
from typing import Any

from threadpoolctl import threadpool_limits


def main() -> None:
    """Read a function with its arguments, call it, and write what it returns or raises."""
    answers, sys.stdout = sys.stdout.buffer, sys.stderr

    def write(kind: str, value: Any) -> None:
        pickle.dump((kind, value), answers, protocol=5)
        answers.flush()

    # What computes is loaded with the function; the limit counts for what is there by then.
    function, arguments, reports = pickle.load(sys.stdin.buffer)
    threadpool_limits(limits=1, user_api="blas")
    told = {reports: lambda done, of: write("progress", (done, of))} if reports else {}
    try:
        answer = ("result", function(*arguments, **told))
    except Exception as error:  # noqa: BLE001
        answer = ("error", error)
    write(*answer)


if __name__ == "__main__":
    main()
