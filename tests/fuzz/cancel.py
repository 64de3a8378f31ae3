"""Show every page with large data, and measure what it computes without Cancel.

python3 tests/run fuzz cancel             every page
python3 tests/run fuzz cancel predict     pages whose name holds the word

What a page computes through `compute.once` has Cancel after a second. What its script does by
itself has none: of that, 2 s of a processor are allowed in any run, whatever was estimated.
"""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from unittest import mock

import numpy as np
import pytest
from scipy import sparse
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / ".setup")]

from labelrank_core import Dataset, Task  # noqa: E402
from pages.ui import jobs  # noqa: E402
from pages.ui import session as ui_session  # noqa: E402
from tests import parts_open  # noqa: E402
from tests.app.visits import ran, session  # noqa: E402
from tests.fuzz.pages import PAGES, problem  # noqa: E402

MOST_SECONDS = 2.0


def label_sets(n_rows, n_features, n_labels, *, is_sparse=False):
    """Label sets that follow from the features, with noise."""
    random = np.random.default_rng(0)
    X = random.normal(size=(n_rows, n_features)).round(3)
    scores = X[:, :8] @ random.normal(size=(8, n_labels)) + random.normal(size=(n_rows, n_labels))
    if is_sparse:
        X = sparse.random_array((n_rows, n_features), density=0.01, random_state=0, format="csr")
    return Dataset(
        X=X,
        Y=scores > 2,
        task=Task.MULTILABEL,
        feature_names=[f"x{j}" for j in range(n_features)],
        label_names=[f"label {j}" for j in range(n_labels)],
        name="grown",
    )


DATA = {
    "120 000 rankings": lambda: problem(120_000, 8, 0),
    "1600 features": lambda: problem(400, 1_600, 0),
    "300 labels": lambda: label_sets(2_000, 20, 300),
    "texts of 20 000 words": lambda: label_sets(5_000, 20_000, 30, is_sparse=True),
}


def run_in_a_thread(_jobs, _key, _title, function, *arguments, reports="", **_):
    """Do in another thread what has Cancel, and wait for it."""
    answer = []

    def work():
        try:
            answer.append(function(*arguments, **({reports: lambda *_: None} if reports else {})))
        except Exception as error:  # noqa: BLE001 - raised below
            answer.append(error)

    thread = Thread(target=work)
    thread.start()
    thread.join()
    if isinstance(answer[0], Exception):
        raise answer[0]
    return answer[0]


@contextmanager
def measured_scripts() -> Iterator[list[float]]:
    """Collect the processor seconds of the scripts of pages."""
    seconds, run = [], ScriptRunner._run_script

    def measure(runner, request):
        start = time.thread_time()
        try:
            run(runner, request)
        finally:
            seconds.append(time.thread_time() - start)

    with mock.patch.object(ScriptRunner, "_run_script", measure):
        yield seconds


def visit(page, data):
    """Show a page twice, the second time as after a small change; return the longest run."""
    name, query = page.split()[0], PAGES[page]
    with (
        mock.patch.object(ui_session, "own_data", return_value={"grown (mine)": data}),
        mock.patch.object(jobs, "run", run_in_a_thread),
        mock.patch.object(jobs, "run_here", run_in_a_thread),
        pytest.MonkeyPatch.context() as patch,
        measured_scripts() as seconds,
    ):
        parts_open.set_open(patch, parts_open.every)
        app = session(f"pages/{name}/page.py", data="grown (mine)", **query)
        app.default_timeout = 600
        if page == "data in use":
            app.session_state["data_tab"] = "In use now"
        ran(app.run())
    return max(seconds)


def main(words):
    missed = []
    session("pages/data/page.py")  # what is imported late
    for kind, make in DATA.items():
        data = make()
        for page in PAGES:
            if not all(word in page for word in words):
                continue
            longest = visit(page, data)
            if longest > MOST_SECONDS:
                missed.append(f"{page}, {kind}")
            sys.stdout.write(f"{kind:24}{page:20}{longest:8.2f} s without Cancel\n")
            sys.stdout.flush()
    sys.stdout.write(f"over {MOST_SECONDS:.0f} s without Cancel: {'; '.join(missed) or 'none'}\n")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
