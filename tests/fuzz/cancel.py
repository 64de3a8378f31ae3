"""Show every page with large data, and measure what it computes without Cancel.

python3 tests/run fuzz cancel             every page
python3 tests/run fuzz cancel predict     pages whose name holds the word

What a page computes through `compute.once` has Cancel after a second. What its script does by
itself has none, nor has a file that is made while the browser waits for its download: of each, 2 s
of a processor are allowed, whatever was estimated.
"""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from unittest import mock

import numpy as np
import pytest
import streamlit as st
from scipy import sparse
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / ".setup")]

from labelrank_core import Dataset, Task  # noqa: E402
from pages.learn.lessons import LESSONS  # noqa: E402
from pages.ui import jobs  # noqa: E402
from pages.ui import session as ui_session  # noqa: E402
from pages.ui.render import tables  # noqa: E402
from tests import parts_open  # noqa: E402
from tests.app.visits import ran, session  # noqa: E402
from tests.fuzz.pages import PAGES, problem  # noqa: E402

MOST_SECONDS = 2.0
NEW_CASES = "predict new cases"
ON_DATA = {f"learn {lesson.name}": {"lesson": lesson.name, "on_data": "true"} for lesson in LESSONS}
ALL_PAGES = {**PAGES, NEW_CASES: {}, **ON_DATA}
# A file of new cases has 50 MB at most.
MOST_NUMBERS = 5_000_000


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


@dataclass
class Seconds:
    """The processor seconds of the scripts of pages, and of the files they offer."""

    scripts: list[float] = field(default_factory=list)
    downloads: list[float] = field(default_factory=list)


@contextmanager
def measured() -> Iterator[Seconds]:
    """Collect the seconds of scripts, in which every file that they offer is made, too."""
    seconds, of_files = Seconds(), 0.0
    run, offer = ScriptRunner._run_script, st.download_button

    def measure_script(runner, request):
        nonlocal of_files
        start, of_files = time.thread_time(), 0.0
        try:
            run(runner, request)
        finally:
            seconds.scripts.append(time.thread_time() - start - of_files)

    def measure_file(label, content, **more):
        nonlocal of_files
        start, start_of_all = time.thread_time(), time.process_time()
        if callable(content):
            content()
        seconds.downloads.append(time.process_time() - start_of_all)
        of_files += time.thread_time() - start
        return offer(label, content, **more)

    with (
        mock.patch.object(ScriptRunner, "_run_script", measure_script),
        mock.patch.object(st, "download_button", measure_file),
    ):
        yield seconds


def visit(page, data):
    """Show a page twice, the second time as after a small change; return the longest seconds.

    Of a script, without the files that it offers, and of one of these.
    """
    name, query = page.split()[0], ALL_PAGES[page]
    with (
        mock.patch.object(ui_session, "own_data", return_value={"grown (mine)": data}),
        mock.patch.object(jobs, "run", run_in_a_thread),
        mock.patch.object(jobs, "run_here", run_in_a_thread),
        pytest.MonkeyPatch.context() as patch,
        measured() as seconds,
    ):
        parts_open.set_open(patch, parts_open.every)
        app = session(f"pages/{name}/page.py", data="grown (mine)", **query)
        app.default_timeout = 600
        if page == "data in use":
            app.session_state["data_tab"] = "In use now"
        if page == NEW_CASES:
            (uploader,) = (each for each in app.file_uploader if each.key == "new_cases")
            uploader.upload("cases.csv", new_cases(data), "text/csv")
        ran(app.run())
    return max(seconds.scripts), max(seconds.downloads, default=0.0)


def new_cases(data):
    """The features of data as a file, no larger than one may be."""
    n_rows = min(data.n_samples, MOST_NUMBERS // data.n_features)
    return tables.csv_bytes(data.feature_frame(range(n_rows)))


def main(words):
    missed = []
    session("pages/data/page.py")  # what is imported late
    for kind, make in DATA.items():
        data = make()
        for page in ALL_PAGES:
            if not all(word in page for word in words):
                continue
            of_script, of_file = visit(page, data)
            if max(of_script, of_file) > MOST_SECONDS:
                missed.append(f"{page}, {kind}")
            sys.stdout.write(
                f"{kind:24}{page:26}{of_script:8.2f} s without Cancel, {of_file:.2f} s of a file\n"
            )
            sys.stdout.flush()
    sys.stdout.write(f"over {MOST_SECONDS:.0f} s without Cancel: {'; '.join(missed) or 'none'}\n")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
