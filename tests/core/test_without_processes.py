"""The core where a program can start no other and has no threads, as Python in a browser.

What Pyodide 314 lacks was looked up in its interpreter: the modules `resource` and `_posixshmem`,
and `Popen` and `Thread.start` raise. The libraries themselves run in CPython here.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from labelrank_core import KNeighborsLabelRanker, load_sample
from labelrank_core.io import child
from labelrank_core.io.formats.delimited import LARGE_BYTES

ROOT = Path(__file__).resolve().parents[2]
ROWS = b"degrees,rain,tea,water,cola\n3,2,1,2,3\n9,4,2,1,3\n14,1,3,2,1\n25,0,3,1,2\n"
LACKING = """
import sys, threading, subprocess
import numpy, pandas, scipy, sklearn.neighbors, sklearn.ensemble, sklearn.linear_model

def refuse(*_, **__):
    raise OSError(138, "emscripten does not support processes.")

def refuse_thread(_):
    raise RuntimeError("can't start new thread")

subprocess.Popen.__init__ = refuse
threading.Thread.start = refuse_thread
sys.modules["resource"] = sys.modules["_posixshmem"] = None
sys.platform = "emscripten"
"""
PROGRAM = """
import json, sys
from io import BytesIO
import labelrank_core as lr
data = lr.load_sample("election")
model = lr.KNeighborsLabelRanker(n_neighbors=5).fit(data.X[1:], data.rankings[1:])
file = BytesIO(sys.stdin.buffer.read())
file.name = "days.csv"
read = lr.read_dataset(file, target_form="positions")
print(json.dumps([
    model.predict(data.X[:1])[0].tolist(),
    model.explain(data.X[0]).prediction.tolist(),
    read.X.tolist(), read.rankings.tolist(), list(read.label_names),
]))
"""


def test_it_reads_a_file_and_explains_a_prediction():
    result = subprocess.run(
        [sys.executable, "-c", LACKING + PROGRAM],
        input=ROWS,
        cwd=ROOT,
        capture_output=True,
        check=False,
        timeout=300,
    )
    assert result.returncode == 0, result.stderr.decode()
    predicted, explained, features, rankings, names = json.loads(result.stdout)
    data = load_sample("election")
    model = KNeighborsLabelRanker(n_neighbors=5).fit(data.X[1:], data.rankings[1:])
    assert predicted == explained == model.predict(data.X[:1])[0].tolist()
    assert names == ["tea", "water", "cola"]
    assert features == [[3, 2], [9, 4], [14, 1], [25, 0]]
    assert rankings == [[1, 2, 3], [2, 1, 3], [3, 2, 1], [3, 1, 2]]


@pytest.fixture
def _here(monkeypatch):
    monkeypatch.setattr(child, "_HAS_PROGRAMS", False)


@pytest.mark.usefixtures("_here")
def test_what_a_function_cannot_read_is_refused_by_a_sentence():
    def fail(request, stream):
        stream.write(request)
        raise KeyError("sheet")

    with pytest.raises(child.ChildError, match="it is damaged, or not what it seems to be"):
        child.call(fail, b"abc")


@pytest.mark.usefixtures("_here")
def test_an_answer_that_is_too_large_is_refused():
    def write(request, stream):
        stream.write(2 * request)

    assert child.call(write, b"abc").read() == b"abcabc"
    with pytest.raises(child.ChildError, match="unpacks to more than"):
        child.call(write, b"abc", max_answer=6)


def test_it_reads_a_large_file():
    head, *rows = ROWS.splitlines(keepends=True)
    content = head + b"".join(rows) * 24_000
    assert len(content) > LARGE_BYTES
    program = """
import sys
from io import BytesIO
import labelrank_core as lr
file = BytesIO(sys.stdin.buffer.read())
file.name = "days.csv"
print(lr.read_dataset(file, target_form="positions").n_samples)
"""
    result = subprocess.run(
        [sys.executable, "-c", LACKING + program],
        input=content,
        cwd=ROOT,
        capture_output=True,
        check=False,
        timeout=300,
    )
    assert result.stdout.split() == [b"96000"], result.stderr.decode()
