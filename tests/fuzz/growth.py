"""Have a server's steps read files that grow, and tables of every kind; count what happens.

python3 tests/run fuzz growth             8 400 tables of 12 kinds, and all bombs
python3 tests/run fuzz growth 100         100 tables, and all bombs
python3 tests/run fuzz growth 700 1400    tables from one number to another
python3 tests/run fuzz growth bombs       all bombs, or those whose name holds a word, such as wide

Each file is looked at, confirmed, previewed and read as a visit of Data does it; bombs are parsed
in a child program with its limits, as in the app. Counted: exceptions, over 10 s, over 20 MB + 100
times the file, and the longest time of the processor in which no other thread ran. The 10 s are
those of the processors, child programs included; of the clock they are as many more as programs
share a processor. Linux only: the memory of a program is read from the kernel.
"""

import json
import os
import random
import subprocess
import sys
import threading
import time
import traceback
from collections import Counter
from contextlib import suppress
from pathlib import Path

import labelrank_core.io.read
from tests.fuzz.bombs import BOMBS
from tests.fuzz.worker import here, peak, reset_peak

ROOT = Path(__file__).resolve().parents[2]
MOST_SECONDS, MOST_SILENCE, N_TABLES = 10, 0.25, 8_400
VERDICTS = ("fine", "exception", "over 10 s", "over memory", "silent", "ended")
_N_SHOWN = 5
# A worker is replaced after so many tables.
_N_OF_A_WORKER = 700
_WORDS = ("a", "b", "c", "L 1", "é", "x>y", "1;2", "nan", "1e999", "-0", "", " ", "=1+1", "9" * 30)


def _numbers(draw, n_rows, n_columns, values):
    return [[draw.choice(values) for _ in range(n_columns)] for _ in range(n_rows)]


def _rankings(draw, n_rows, n_columns, *, drop=0.0):
    rows = []
    for _ in range(n_rows):
        ranks = draw.sample(range(1, n_columns + 1), n_columns)
        rows.append(["" if draw.random() < drop else rank for rank in ranks])
    return rows


def _joined(draw, n_rows, sign):
    names = "abcdefgh"
    return [[sign.join(draw.sample(names, draw.randint(0, len(names))))] for _ in range(n_rows)]


# What stands beside a column of numbers, by kind.
KINDS = {
    "positions": lambda draw, n, m: _rankings(draw, n, m),
    "partial": lambda draw, n, m: _rankings(draw, n, m, drop=0.3),
    "relevance": lambda draw, n, m: _numbers(draw, n, m, (0, 1)),
    "scores": lambda draw, n, m: _numbers(draw, n, m, (-1.5, 0, 0.25, 3)),
    "ratings": lambda draw, n, m: _numbers(draw, n, m, (1, 2, 3, 4, 5)),
    "huge": lambda draw, n, m: _numbers(draw, n, m, (1e308, -1e308, 5e-324, 0, "inf")),
    "commas": lambda draw, n, m: _numbers(draw, n, m, ('"1,5"', '"-2,25"', '"1,000"', "3")),
    "ranked": lambda draw, n, _: _joined(draw, n, ">"),
    "listed": lambda draw, n, _: _joined(draw, n, ";"),
    "categories": lambda draw, n, m: _numbers(draw, n, m, tuple("xyz")),
    "texts": lambda draw, n, m: [[f"{draw.random()}t"] * m for _ in range(n)],
    "words": lambda draw, n, m: _numbers(draw, n, m, _WORDS),
}  # fmt: skip


def table(number):
    """One table of a kind, as CSV, always the same for its number."""
    draw = random.Random(number)
    make = list(KINDS.values())[number % len(KINDS)]
    n_rows, n_columns = draw.choice((1, 2, 7, 60, 400)), draw.choice((1, 2, 5, 20))
    rows = make(draw, n_rows, n_columns)
    heads = [f"{draw.choice('La')}{j}" for j in range(len(rows[0]))]
    lines = [["x", *heads], *([i, *row] for i, row in enumerate(rows))]
    return "\n".join(",".join(map(str, line)) for line in lines).encode() + b"\n"


def visit(files):
    """Look at files, confirm what is proposed, preview and read them."""
    from labelrank_core import DatasetError, inspect_files, read_dataset
    from labelrank_core.io import reading_preview
    from labelrank_core.io.datasets import propose_again
    from labelrank_core.io.infer.choices import missing_values, unranked_values

    proposal = inspect_files(files)
    assert all(map(str, proposal.findings))
    if not proposal.has_table:
        return
    roles = dict(proposal.roles)
    again = propose_again(proposal, roles)
    again.raw.head(5, 50)
    missing_values(again)
    unranked_values(again)
    for choices in ({}, {"skip_bad_rows": True, "missing": "fill"}):
        with suppress(DatasetError):
            assert read_dataset(again, roles=roles, **choices).fingerprint
    with suppress(DatasetError):
        reading_preview(again)


class Ticks:
    """Measures for how long, of the processor's time, no thread but one has run."""

    def __init__(self):
        self.longest, self._is_over = 0.0, threading.Event()
        self._thread = threading.Thread(target=self._tick, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._is_over.set()
        self._thread.join()

    def _tick(self):
        last = time.process_time()
        while not self._is_over.wait(0.005):
            now = time.process_time()
            self.longest, last = max(self.longest, now - last), now


def processor_seconds():
    """What this program and its children that have ended have taken of the processors."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def sharing():
    """How many programs share a processor, at least one."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    return max(1.0, load / (os.cpu_count() or 1))


def measure(name, content):
    """Read one file; return what happened."""
    reset_peak()
    before, start, processor, details = peak(), time.perf_counter(), processor_seconds(), ""
    with Ticks() as ticks:
        try:
            visit((name, content))
        except Exception:  # noqa: BLE001 - that is what is looked for
            details = traceback.format_exc()
    seconds, n_bytes = time.perf_counter() - start, peak() - before
    processor, excess = processor_seconds() - processor, n_bytes - allowed_bytes(len(content))
    verdict = "fine"
    if ticks.longest > MOST_SILENCE:
        verdict = "silent"
    if excess > 0:
        verdict = "over memory"
    if processor > MOST_SECONDS or seconds > MOST_SECONDS * sharing():
        verdict = "over 10 s"
    if details:
        verdict = "exception"
    figures = {"seconds": seconds, "processor": processor, "silence": ticks.longest}
    figures |= {"bytes": n_bytes, "excess": excess, "size": len(content)}
    return {"verdict": verdict, "details": details, **figures}


def allowed_bytes(size):
    """How much a server may grow by with a file of a size."""
    return 20_000_000 + 100 * size


def work(names):
    """Measure tables by their numbers, or bombs by their names, a line of JSON for each."""
    visit(("warm.csv", b"x,k,a,b\n1,u,1,2\n2,v,2,1\n3,u,1,2\n"))
    for name in names:
        if name in BOMBS:
            file_name, make = BOMBS[name]
            content = make()
        else:
            labelrank_core.io.read.call = here
            file_name, content = "t.csv", table(int(name))
        sys.stdout.write(json.dumps({"name": name, **measure(file_name, content)}) + "\n")
        sys.stdout.flush()


def in_a_worker(names):
    """Yield what measuring files in a program of its own comes to."""
    command = [sys.executable, "-m", "tests.fuzz.growth", "work", *names]
    program = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=False)
    results = [json.loads(line) for line in program.stdout.splitlines()]
    yield from results
    if len(results) < len(names):
        yield {"name": names[len(results)], "verdict": "ended", "details": ""}


def run(tables, bombs):
    """Yield what tables, by their numbers, and bombs, by their names, come to."""
    numbers = [*map(str, tables)]
    for start in range(0, len(numbers), _N_OF_A_WORKER):
        yield from in_a_worker(numbers[start : start + _N_OF_A_WORKER])
    for bomb in bombs:  # each in a program that nothing else has made grow
        yield from in_a_worker([bomb])


def chosen(arguments):
    """The tables and bombs that arguments name."""
    if all(map(str.isdigit, arguments)):
        numbers = [*map(int, arguments)] or [N_TABLES]
        return range(*numbers), [] if len(numbers) > 1 else [*BOMBS]
    words = [word for word in arguments if word != "bombs"]
    return [], [name for name in BOMBS if all(word in name for word in words)]


def summary(results):
    """The lines that a run ends with."""
    counts = Counter((kind_of(result), result["verdict"]) for result in results)
    measured = [result for result in results if "seconds" in result]
    lines = [f"{'':8}{'files':>9}" + "".join(f"{name:>13}" for name in VERDICTS)]
    for kind in ("tables", "bombs"):
        numbers = [counts[kind, verdict] for verdict in VERDICTS]
        lines.append(f"{kind:8}{sum(numbers):>9}" + "".join(f"{number:>13}" for number in numbers))

    def worst(figure):
        return sorted(measured, key=lambda result: -result[figure])[:_N_SHOWN]

    slowest = (
        f"{result['name']} {result['processor']:.1f} ({result['seconds']:.1f} of the clock)"
        for result in worst("processor")
    )
    grown = (f"{result['name']} {result['excess'] / 1e6:+.0f}" for result in worst("excess"))
    silent = (f"{result['name']} {result['silence']:.3f}" for result in worst("silence"))
    lines += [
        f"slowest, seconds of the processors: {', '.join(slowest)}",
        f"memory, MB above what is allowed: {', '.join(grown)}",
        f"no other thread ran, seconds: {', '.join(silent)}",
        f"programs that share a processor at the end: {sharing():.1f}",
    ]
    return "\n".join(lines)


def kind_of(result):
    return "bombs" if result["name"] in BOMBS else "tables"


def main(arguments):
    if arguments[:1] == ["work"]:
        work(arguments[1:])
        return 0
    results = []
    for result in run(*chosen(arguments)):
        results.append(result)
        if result["verdict"] != "fine":
            figures = {key: value for key, value in result.items() if key != "details"}
            sys.stdout.write(f"{json.dumps(figures)}\n{result['details']}")
            sys.stdout.flush()
    sys.stdout.write(f"{summary(results)}\n")
    return int(not results or any(result["verdict"] != "fine" for result in results))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
