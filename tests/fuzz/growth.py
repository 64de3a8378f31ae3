"""Have a server's steps read files that grow, and tables of every kind; count what happens.

python3 tests/run fuzz growth            8 400 tables of 12 kinds, and all bombs
python3 tests/run fuzz growth 100        100 tables, and all bombs

Each file is looked at, confirmed, previewed and read as a visit of Data does it; bombs are parsed
in a child program with its limits, as in the app. Counted: exceptions, over 10 s, over 20 MB + 100
times the file, and the longest time of the processor in which no other thread ran. Linux only: the
memory of a program is read from the kernel.
"""

import json
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
    from labelrank_core.io import propose_again, reading_preview
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


def measure(name, content):
    """Read one file; return what happened."""
    reset_peak()
    before, start, details = peak(), time.perf_counter(), ""
    with Ticks() as ticks:
        try:
            visit((name, content))
        except Exception:  # noqa: BLE001 - that is what is looked for
            details = traceback.format_exc()
    seconds, n_bytes = time.perf_counter() - start, peak() - before
    verdict = "fine"
    if ticks.longest > MOST_SILENCE:
        verdict = "silent"
    if n_bytes > 20_000_000 + 100 * len(content):
        verdict = "over memory"
    if seconds > MOST_SECONDS:
        verdict = "over 10 s"
    if details:
        verdict = "exception"
    figures = {"seconds": seconds, "bytes": n_bytes, "silence": ticks.longest, "size": len(content)}
    return {"verdict": verdict, "details": details, **figures}


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


def run(n_tables=N_TABLES, bombs=tuple(BOMBS)):
    """Yield what every table and every bomb comes to, of each kind first."""
    numbers = [*map(str, range(n_tables))]
    for start in range(0, n_tables, _N_OF_A_WORKER):
        yield from in_a_worker(numbers[start : start + _N_OF_A_WORKER])
    for bomb in bombs:  # each in a program that nothing else has made grow
        yield from in_a_worker([bomb])


def main(arguments):
    if arguments[:1] == ["work"]:
        work(arguments[1:])
        return 0
    counts, worst = Counter(), Counter()
    say = sys.stdout.write
    for result in run(int(arguments[0]) if arguments else N_TABLES):
        kind = "bombs" if result["name"] in BOMBS else "tables"
        counts[kind, result["verdict"]] += 1
        for figure in ("seconds", "silence"):
            worst[kind, figure] = max(worst[kind, figure], result.get(figure, 0))
        if result["verdict"] != "fine":
            figures = {key: value for key, value in result.items() if key != "details"}
            say(f"{json.dumps(figures)}\n{result['details']}")
            sys.stdout.flush()
    say(f"{'':8}" + "".join(f"{name:>13}" for name in (*VERDICTS, "seconds", "silence")) + "\n")
    for kind in ("tables", "bombs"):
        row = "".join(f"{counts[kind, verdict]:>13}" for verdict in VERDICTS)
        say(f"{kind:8}{row}{worst[kind, 'seconds']:>13.1f}{worst[kind, 'silence']:>13.2f}\n")
    return int(any(verdict != "fine" for _, verdict in counts))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
