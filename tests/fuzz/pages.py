"""Show every page with data of once, twice and four times the rows or columns; compare the work.

python3 tests/run fuzz pages             every page
python3 tests/run fuzz pages predict     pages whose name holds the word

The work is the processor time of a first look at a page, child programs' work included, the least
of some tries with other data each. Of twice the data what comes on top may grow by 2.4: twice the
work makes 2, with a sort a little more, and every pair of rows or columns 4.
"""

import os
import sys
import time
from pathlib import Path
from unittest import mock

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / ".setup")]

from labelrank_core import Dataset, Task  # noqa: E402
from labelrank_core.rankings import strict_positions  # noqa: E402
from pages.ui import jobs, opening, state  # noqa: E402
from tests.app.visits import ran, session  # noqa: E402

MOST_GROWTH = 2.4
# What comes on top of less is lost among what a busy machine adds.
LEAST_SECONDS = 0.15
N_TRIES = 2
# Rows and features; both have the same number of labels.
SIZES = {
    # Of fewer rows every test case is compared with every training case, which are pairs.
    "rows": [(n_rows, 8) for n_rows in (30_000, 60_000, 120_000)],
    "columns": [(400, n_features) for n_features in (400, 800, 1_600)],
}
N_LABELS = 5
PAGES = {
    "start": {},
    "data": {},
    "data in use": {},
    **{f"predict {view}": {"view": view} for view in ("Why", "What if", "How sure")},
    "evaluate": {},
    "confidence cases": {"held_back": "Whole cases"},
    "confidence pairs": {"held_back": "Pairs of labels"},
    "sensitivity": {},
    "compare": {},
    "experiments": {},
    "papers": {},
    "learn": {},
}


def problem(n_rows, n_features, seed):
    """Data whose rankings follow from the features, with noise."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, n_features)).round(3)
    scores = X[:, :8] @ random.normal(size=(8, N_LABELS)) + random.normal(size=(n_rows, N_LABELS))
    return Dataset(
        X=X,
        Y=strict_positions(scores),
        task=Task.LABEL_RANKING,
        feature_names=[f"x{j}" for j in range(n_features)],
        label_names=[f"label {j}" for j in range(N_LABELS)],
        name="grown",
    )


def run_here(_jobs, _key, _title, function, *arguments, reports="", **_):
    """Do in this program what a child program does otherwise."""
    return function(*arguments, **({reports: lambda *_: None} if reports else {}))


def seconds(page, size, seed):
    """Show a page with data that were never seen before; return the processor time of it."""
    name, query = page.split()[0], PAGES[page]
    data = problem(*size, seed)
    with (
        mock.patch.object(state, "own_data", return_value={"grown (mine)": data}),
        mock.patch.object(jobs, "run", run_here),
        mock.patch.object(opening, "is_open", return_value=True),
        mock.patch.object(jobs, "SECONDS_HERE", 600.0),
    ):
        start = time.process_time()
        app = session(f"pages/{name}/page.py", data="grown (mine)", **query)
        if page == "data in use":
            app.session_state["data_tab"] = "In use now"
            ran(app.run())
        return time.process_time() - start


def growth(times):
    """By how much what twice the data add grows when the data double again; 0: they add little."""
    first, second = np.diff(times)
    return second / max(first, LEAST_SECONDS / 2) if second > LEAST_SECONDS else 0.0


def main(words):
    missed, seed = [], 0
    session("pages/data/page.py")  # what is imported late
    for page in PAGES:
        if not all(word in page for word in words):
            continue
        for what, sizes in SIZES.items():
            times = []
            for size in sizes:
                tries = []
                for _ in range(N_TRIES):
                    seed += 1
                    tries.append(seconds(page, size, seed))
                times.append(min(tries))
            grown = growth(times)
            missed += [f"{page}, {what}"] * bool(grown > MOST_GROWTH)
            shown = "".join(f"{one:8.2f}" for one in times)
            sys.stdout.write(f"{page:20}{what:9}{shown} s   growth {grown:.2f}\n")
            sys.stdout.flush()
    load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors"
    sys.stdout.write(f"growth above {MOST_GROWTH}: {'; '.join(missed) or 'none'}; {load}\n")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
