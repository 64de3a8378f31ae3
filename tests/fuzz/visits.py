"""Open the app by hostile links, and show every page with awkward data.

python3 tests/run fuzz visits              700 links, and 30 data sets on every page
python3 tests/run fuzz visits links 50     so many links
python3 tests/run fuzz visits sets         the data sets alone

No visit may end in an exception, or take 10 s of a processor.
"""

import sys
import time
from pathlib import Path
from unittest import mock

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / ".setup")]

from labelrank_core import Dataset, Task, list_samples  # noqa: E402
from labelrank_core.methods import ALGORITHMS  # noqa: E402
from pages.ui import session as ui_session  # noqa: E402
from tests import parts_open  # noqa: E402
from tests.app.visits import session  # noqa: E402

MOST_SECONDS = 10.0
N_LINKS = 700
SHOWN_SLOWEST = 5
PAGES = sorted(path.parent.name for path in (ROOT / "pages").glob("*/page.py"))
SAMPLES = [sample.name for sample in list_samples()]
NAMES = (
    "<script>alert(1)</script>",
    "![x](http://example.invalid/x.png)",
    "=1+1",
    "$\\alpha$",
    "\u202eabc",
    "a|b>c;d,e",
    "ß" * 80,
    " ",
    "None",
    "nan",
)
WORDS = (
    *NAMES,
    *("", "0", "-1", "1", "3", "1e400", "inf", "-inf", "nan", "1e-320", "9" * 400, "0x10"),
    *("true", "FALSE", "published", "random", "%00", "../../etc/passwd", "1~2", "2~6.9"),
    *("80~knn", "80~knn~n_neighbors~3~~1~lrt", "~" * 50, "glass~7", "election", "iris"),
    *("What if", "How sure", "Cases", "Pairs", "f" * 32),
)
KEYS = (
    *("data", "method", "row", "scaled", "tfidf", "split", "test_share", "seed"),
    *("changed", "pins", "cases", "view", "held_back", "sure", "promise", "set_level", "sweep"),
    *("set_promise", "run", "lesson", "step", "teacher", "threshold", "case", "embed"),
    *(f"{key}_{knob.name}" for key, method in ALGORITHMS.items() for knob in method.knobs),
)
SHAPES = ((2, 1, 2), (3, 0, 3), (4, 2, 2), (12, 3, 2), (30, 4, 3), (30, 60, 4), (25, 2, 40))


def links(n_links):
    """Pages and query parameters, the same in every run."""
    random = np.random.default_rng(0)
    for _ in range(n_links):
        keys = random.choice(KEYS, size=random.integers(1, 7), replace=False)
        query = {str(key): WORDS[random.integers(len(WORDS))] for key in keys}
        query.setdefault("data", str(random.choice(SAMPLES)))
        yield str(random.choice(PAGES)), query


def data_sets():
    """Small data sets of all tasks with awkward names, features and targets."""
    random = np.random.default_rng(1)
    for number, task in enumerate([*Task] * 10):
        n_rows, n_features, n_labels = SHAPES[number % len(SHAPES)]
        X = random.normal(size=(n_rows, n_features))
        X = (X, X * 0, X * 1e69, X * 1e-69, np.sign(X))[number % 5]
        if task == Task.MULTILABEL:
            Y = random.random((n_rows, n_labels)) < (0.0, 0.1, 0.5, 1.0)[number % 4]
            Y = Y.astype(float)
        else:
            n_ranked = n_labels + (task == Task.CALIBRATED_RANKING)
            Y = random.permuted(np.tile(np.arange(1.0, n_ranked + 1), (n_rows, 1)), axis=1)
            if number % 4 == 1 and task == Task.LABEL_RANKING:
                Y = np.ones_like(Y)
        names = [f"{NAMES[j % len(NAMES)]}{j // len(NAMES) or ''}" for j in range(n_labels)]
        features = [f"{NAMES[-1 - j % len(NAMES)]}{j}" for j in range(n_features)]
        name = NAMES[number % len(NAMES)]
        yield (
            number,
            lambda X=X, Y=Y, t=task, f=features, n=names, s=name: Dataset(X, Y, t, f, n, s),
        )


def visit(page, query, problems, times):
    """Open a page by a link; note what goes wrong, and how long it took."""
    what = f"{page} {query}"
    start = time.process_time()
    try:
        session(f"pages/{page}/page.py", **query)
    except Exception as error:  # noqa: BLE001
        last = str(error).strip().splitlines() or [type(error).__name__]
        problems.append(f"{what}: {last[-1][:200]}")
    seconds = time.process_time() - start
    times.append((seconds, what))
    if seconds > MOST_SECONDS:
        problems.append(f"{what}: {seconds:.1f} s")


def open_links(n_links, problems, times):
    for page, query in links(n_links):
        visit(page, query, problems, times)


def show_sets(problems, times):
    for number, make in data_sets():
        try:
            data = make()
        except ValueError as error:
            problems.append(f"data set {number}: {error}")
            continue
        name = ui_session.own_name(data)
        with mock.patch.object(ui_session, "own_data", return_value={name: data}):
            for page in PAGES:
                visit(page, {"data": name}, problems, times)


def main(words):
    kinds = [word for word in words if not word.isdigit()] or ["links", "sets"]
    n_links = next((int(word) for word in words if word.isdigit()), N_LINKS)
    problems, times = [], []
    session("pages/data/page.py")  # what is imported late
    with pytest.MonkeyPatch.context() as patch:
        parts_open.set_open(patch, parts_open.every)
        if "links" in kinds:
            open_links(n_links, problems, times)
        if "sets" in kinds:
            show_sets(problems, times)
    for problem in problems:
        sys.stdout.write(f"{problem}\n")
    slowest = sorted(times, reverse=True)[:SHOWN_SLOWEST]
    for seconds, what in slowest:
        sys.stdout.write(f"{seconds:6.1f} s  {what[:120]}\n")
    sys.stdout.write(f"{len(times)} visits, {len(problems)} that went wrong\n")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
