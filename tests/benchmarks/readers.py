"""What reading a large file of numbers costs, beside the bare parser.

python tests/benchmarks/readers.py

The bare call is ``pandas.read_csv(path)``, its parser in C, on one thread. Each reading is a
program of its own, which says its time and by how much its memory grew after the imports; bare
call and `read_dataset` take turns.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
REPEATS, N_ROWS, N_FEATURES, N_LABELS = 3, 1_000_000, 50, 4
TIME_BUDGET, MEMORY_BUDGET = 1.5, 3.0
MEGABYTE = 1_000_000

PROGRAM = """
import resource, sys, time
import pandas as pd
from labelrank_core import read_dataset

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

before, start = peak(), time.perf_counter()
{call}
print(time.perf_counter() - start, peak() - before)
"""
BARE = "pd.read_csv(sys.argv[1])"
OURS = "read_dataset(sys.argv[1], target_form='positions')"


def write(path, form):
    """Write random features in a printf form, and a permutation for labels."""
    rng = np.random.default_rng(0)
    names = [f"A{j}" for j in range(1, N_FEATURES + 1)] + [f"L{j}" for j in range(1, N_LABELS + 1)]
    line = ",".join([form] * N_FEATURES + ["%d"] * N_LABELS) + "\n"
    with path.open("w") as file:
        file.write(",".join(names) + "\n")
        for _ in range(0, N_ROWS, 10_000):
            X = rng.uniform(size=(10_000, N_FEATURES))
            ranks = rng.permuted(np.tile(np.arange(1, N_LABELS + 1), (len(X), 1)), axis=1)
            file.writelines(
                line % (*x, *y) for x, y in zip(X.tolist(), ranks.tolist(), strict=True)
            )


def measured(call, path):
    """Seconds, and bytes of memory beyond those before the call."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(call=call), str(path)],
        env={"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    return tuple(map(float, done.stdout.split()))


def main():
    array = 8 * N_ROWS * N_FEATURES
    met = True
    sys.stdout.write(
        f"CSV, {N_ROWS} rows, {N_FEATURES} features, {N_LABELS} labels; the array has "
        f"{array / MEGABYTE:.0f} MB\n{'numbers':<10}{'file MB':>9}{'bare s':>9}{'read s':>9}"
        f"{'ratio':>8}{'memory / array':>16}\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        for form in ("%.1f", "%.6f"):
            path = Path(folder) / "large.csv"
            write(path, form)
            turns = [(measured(BARE, path), measured(OURS, path)) for _ in range(REPEATS)]
            bare, read = (min(turn[k][0] for turn in turns) for k in (0, 1))
            memory = max(turn[1][1] for turn in turns) / array
            size = path.stat().st_size / MEGABYTE
            met &= read <= TIME_BUDGET * bare and memory <= MEMORY_BUDGET
            shown = f"{size:>9.0f}{bare:>9.2f}{read:>9.2f}{read / bare:>8.2f}{memory:>16.2f}"
            sys.stdout.write(f"{form:<10}{shown}\n")
    sys.stdout.write(f"budgets {TIME_BUDGET} and {MEMORY_BUDGET}: {'met' if met else 'NOT MET'}\n")
    return int(not met)


if __name__ == "__main__":
    sys.exit(main())
