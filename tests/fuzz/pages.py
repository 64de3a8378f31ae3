"""Show every page with data of once, twice and four times the rows or columns; compare the work.

python3 tests/run fuzz pages             every page
python3 tests/run fuzz pages predict     pages whose name holds the word

The work is the processor time of a first look at a page, child programs' work included, the least
of some tries with other data each. Twice the data may take 2.4 times the work of the largest
half: work that follows the data makes 2, with a sort a little more, every pair of rows 4.
"""

import itertools
import os
import sys
import time
from pathlib import Path
from unittest import mock

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / ".setup")]

from labelrank_core import Dataset, Task  # noqa: E402
from labelrank_core.rankings import strict_positions  # noqa: E402
from pages.ui import jobs  # noqa: E402
from pages.ui import session as ui_session  # noqa: E402
from tests import parts_open  # noqa: E402
from tests.app.visits import ran, session  # noqa: E402

MOST_GROWTH = 2.4
# Less is lost among what a busy machine adds.
LEAST_SECONDS = 0.3
LEAST_TRIES, MOST_TRIES = 2, 6
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
    "confidence cases": {"held_back": "Cases"},
    "confidence pairs": {"held_back": "Pairs"},
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
        mock.patch.object(ui_session, "own_data", return_value={"grown (mine)": data}),
        mock.patch.object(jobs, "run", run_here),
        pytest.MonkeyPatch.context() as patch,
        mock.patch.object(jobs, "UNNOTICED_SECONDS", 600.0),
    ):
        parts_open.set_open(patch, parts_open.every)
        start = time.process_time()
        app = session(f"pages/{name}/page.py", data="grown (mine)", **query)
        if page == "data in use":
            app.session_state["data_tab"] = "In use now"
            ran(app.run())
        return time.process_time() - start


def measure(page, sizes, seeds):
    """Return the least times of a page for some sizes; what seems to grow is tried again."""
    tries = [[] for _ in sizes]
    for k in range(MOST_TRIES):
        for times, size in zip(tries, sizes, strict=True):
            times.append(seconds(page, size, next(seeds)))
        least = [min(times) for times in tries]
        # A busy machine only adds to what a page takes.
        if k + 1 >= LEAST_TRIES and growth(least) <= MOST_GROWTH:
            break
    return least


def growth(times):
    """How many times the work of half the data all of them take; 0: it is little."""
    return times[-1] / times[-2] if times[-1] > LEAST_SECONDS else 0.0


def main(words):
    missed, seeds = [], itertools.count()
    session("pages/data/page.py")  # what is imported late
    for page in PAGES:
        if not all(word in page for word in words):
            continue
        for what, sizes in SIZES.items():
            times = measure(page, sizes, seeds)
            grown = growth(times)
            if grown > MOST_GROWTH:
                missed.append(f"{page}, {what}")
            shown = "".join(f"{one:8.2f}" for one in times)
            sys.stdout.write(f"{page:20}{what:9}{shown} s   growth {grown:.2f}\n")
            sys.stdout.flush()
    load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors"
    sys.stdout.write(f"growth above {MOST_GROWTH}: {'; '.join(missed) or 'none'}; {load}\n")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
