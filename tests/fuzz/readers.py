"""Feed the readers of every format with mutated files, count what happens, keep what breaks them.

python3 tests/run fuzz                   100 000 inputs
python3 tests/run fuzz 2000              so many
python3 tests/run fuzz 100000 900        as many of these as fit into so many seconds

One worker program after the other reads thousands of inputs, with the bounds that a file has in
the app. What breaks a reader is written to `tests/fuzz/finds`, where the test suite reads it again
from then on. Linux only: the memory of a worker is read from the kernel.
"""

import hashlib
import json
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread

from tests.fuzz.worker import MOST_SECONDS, SHARES

FINDS = Path(__file__).parent / "finds"
ROOT = FINDS.parents[2]
SEED = 1
VERDICTS = ("read", "damaged", "other exceptions", "over 10 s", "over 1 GB", "worker ended")
BAD = VERDICTS[2:]
# A worker is replaced now and then, and where an alarm cannot interrupt it.
INPUTS_OF_A_WORKER = 5000


class Worker:
    """A program that reads inputs from a number on."""

    def __init__(self, first, last):
        last = min(last, first + INPUTS_OF_A_WORKER)
        command = [sys.executable, "-m", "tests.fuzz.worker", *map(str, (SEED, first, last))]
        self.program = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.lines = SimpleQueue()
        Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        for line in self.program.stdout:
            self.lines.put(json.loads(line))
        self.lines.put(None)

    def line(self, seconds):
        """The next line; None if the program has ended or does not answer any more."""
        try:
            return self.lines.get(timeout=seconds)
        except Empty:
            return {"verdict": "over 10 s"}

    def end(self):
        self.program.kill()
        self.program.wait()


def fuzz(number, most_seconds=float("inf"), start_worker=Worker):
    """Read so many inputs, or as many as fit; return counts by format and verdict, and finds."""
    counts, finds, slowest = Counter(), [], Counter()
    done, worker, end = 0, None, time.monotonic() + most_seconds
    while done < number and time.monotonic() < end:
        worker = worker or start_worker(done, number)
        about = worker.line(120)
        if about is None or "format" not in about:
            worker.end()
            worker = None
            continue
        result = worker.line(2 * MOST_SECONDS) or {"verdict": "worker ended"}
        verdict, name = result["verdict"], about["format"]
        counts[name, verdict] += 1
        slowest[name] = max(slowest[name], result.get("seconds", 2 * MOST_SECONDS))
        done = about["number"] + 1
        if verdict in BAD:
            finds.append((about, result))
        if "details" not in result:
            worker.end()
            worker = None
    if worker is not None:
        worker.end()
    return counts, slowest, finds


def table(counts, slowest):
    """The counts as lines of text."""
    lines = [f"{'':12}{'inputs':>9}" + "".join(f"{name:>18}" for name in VERDICTS) + "   slowest s"]
    for name in SHARES:
        own = [counts[name, verdict] for verdict in VERDICTS]
        numbers = "".join(f"{n:>18}" for n in own)
        lines.append(f"{name:12}{sum(own):>9}{numbers}{slowest[name]:>12.2f}")
    own = [sum(counts[name, verdict] for name in SHARES) for verdict in VERDICTS]
    lines.append(f"{'all':12}{sum(own):>9}" + "".join(f"{n:>18}" for n in own))
    return "\n".join(lines)


def main(arguments):
    number = int(arguments[0]) if arguments else 100_000
    seconds = float(arguments[1]) if len(arguments) > 1 else float("inf")
    counts, slowest, finds = fuzz(number, seconds)
    say = sys.stdout.write
    say(table(counts, slowest) + "\n")
    for about, result in finds:
        where = f"input {about['number']} ({about['format']}, seed {SEED})"
        if result.get("content"):
            content = bytes.fromhex(result["content"])
            path = FINDS / f"{about['format']}-{hashlib.sha256(content).hexdigest()[:16]}"
            path.write_bytes(content)
            where = f"{path}\n{result['details']}"
        say(f"\n{result['verdict']}: {where}\n")
    return int(bool(finds))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
