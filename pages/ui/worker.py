"""The child program of a job: one call of the core, handed over and back through pipes."""

import pickle
import sys


def main() -> None:
    """Read a function with its arguments, call it, and write what it returns or raises."""
    answers, sys.stdout = sys.stdout.buffer, sys.stderr
    function, arguments = pickle.load(sys.stdin.buffer)
    try:
        answer = (True, function(*arguments))
    except Exception as error:  # noqa: BLE001
        answer = (False, error)
    pickle.dump(answer, answers, protocol=5)


if __name__ == "__main__":
    main()
