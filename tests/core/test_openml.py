"""Data sets of OpenML, from a server of the tests: no request leaves this machine."""

import hashlib
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from labelrank_core import (
    DatasetError,
    KNeighborsLabelRanker,
    Task,
    read_dataset,
    read_openml,
    results_of,
)
from labelrank_core.__main__ import DONE, WRONG, main
from labelrank_core.experiments import Protocol
from labelrank_core.experiments.fold_files import read_folds
from labelrank_core.io import OpenMLError, openml, read_openml_task

pytestmark = pytest.mark.usefixtures("in_this_program")

EMOTIONS = b"""@relation emotions
@attribute tempo numeric
@attribute 'is-calm' {FALSE,TRUE}
@attribute happy {TRUE,FALSE}
@attribute windy {TRUE,FALSE}
@data
1.5,TRUE,FALSE,TRUE
2.5,FALSE,TRUE,TRUE
3.5,TRUE,?,FALSE
"""
POSITIONS = b"""@relation iris
@attribute id numeric
@attribute width numeric
@attribute L1 {1,2,3}
@attribute L2 {1,2,3}
@attribute L3 {1,2,3}
@data
17,0.5,1,2,3
18,0.7,2,1,3
19,0.1,3,2,1
20,0.3,1,3,2
21,0.9,2,3,1
"""
WORDS = b"""@relation drinks
@attribute age numeric
@attribute ranking {'tea>milk>juice','milk>tea>juice','juice>milk=tea'}
@data
20,'tea>milk>juice'
30,'milk>tea>juice'
40,'juice>milk=tea'
"""
CLASSES = b"@relation a\n@attribute x numeric\n@attribute class {no,yes}\n@data\n1,no\n2,yes\n"
SPARSE = b"""@relation words
@attribute w0 numeric
@attribute w1 numeric
@attribute news {0,1}
@attribute sport {0,1}
@data
{0 2,2 1}
{1 1,3 1}
{0 1,1 3,2 1,3 1}
"""
# The file, its targets, and what else OpenML says of it, by number.
FILES = {
    1: (EMOTIONS.replace(b"?", b"FALSE"), "happy,is-calm", {}),
    2: (POSITIONS, "L1,L2,L3", {"row_id_attribute": "id"}),
    3: (WORDS, "ranking", {"ignore_attribute": []}),
    4: (CLASSES, "class", {}),
    5: (SPARSE, ["news", "sport"], {"format": "Sparse_ARFF"}),
    6: (EMOTIONS, "happy,is-calm", {}),
    7: (WORDS, None, {"md5_checksum": "0" * 32}),
    8: (WORDS, "ranking", {"format": "Parquet"}),
    9: (WORDS, "ranking", {"url": "http://169.254.169.254/latest"}),
    10: (WORDS, "ranking", {"url": "file:///etc/hostname"}),
    11: (POSITIONS, "L1,L2,L3", {"ignore_attribute": ["id"]}),
}
SPLITS = b"""@relation splits
@attribute type {TRAIN,TEST}
@attribute rowid INTEGER
@attribute repeat INTEGER
@attribute fold INTEGER
@data
TRAIN,1,0,0
TRAIN,2,0,0
TEST,0,0,0
TEST,2,0,1
TEST,0,1,1
TEST,1,1,0
"""
TASKS = {
    1: (3, SPLITS),
    2: (3, SPLITS + b"TEST,0,0,1\n"),
    3: (3, SPLITS + b"TEST,3,0,1\n"),
    4: (3, SPLITS.replace(b"rowid", b"row")),
    5: (404404, SPLITS),
}
PATHS = {21: "away", 22: "here", 23: "slow"}
ANSWERS = {
    404404: (412, b'{"error": {"code": "111", "message": "Unknown dataset"}}'),
    500: (500, b"<html>"),
    200: (200, b"<html>"),
}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append((self.path, self.headers["User-Agent"]))
        *_, word = self.path.split("/")
        if self.path.startswith("/api/v1/json/data/"):
            self.describe(int(word))
        elif self.path.startswith("/api/v1/json/task/"):
            self.answer(200, json.dumps(self.task(int(word))).encode())
        elif self.path.startswith("/splits/"):
            self.answer(200, TASKS[int(word)][1])
        elif word == "away":
            self.answer(302, b"", Location="http://127.0.0.1:9/elsewhere")
        elif word == "here":
            self.answer(302, b"", Location="/files/3")
        elif word == "slow":
            self.drip()
        else:
            self.answer(200, FILES[int(word)][0])

    def describe(self, number):
        if number in ANSWERS:
            return self.answer(*ANSWERS[number])
        content, targets, others = FILES.get(number, FILES[3])
        description = {
            "id": str(number),
            "name": f"set {number}",
            "format": "ARFF",
            "url": f"{self.server.address}/files/{PATHS.get(number, number)}",
            "default_target_attribute": targets,
            "md5_checksum": hashlib.md5(content).hexdigest(),
            **others,
        }
        return self.answer(200, json.dumps({"data_set_description": description}).encode())

    def task(self, number):
        if number not in TASKS:
            return {"task": {"input": []}}
        splits = f"{self.server.address}/splits/{number}"
        inputs = [
            {"name": "source_data", "data_set": {"data_set_id": str(TASKS[number][0])}},
            {"name": "cost_matrix", "cost_matrix": []},
            {
                "name": "estimation_procedure",
                "estimation_procedure": {"type": "crossvalidation", "data_splits_url": splits},
            },
        ]
        return {"task": {"task_id": str(number), "input": inputs}}

    def drip(self):
        self.send_response(200)
        self.end_headers()
        for _ in range(50):
            try:
                self.wfile.write(b"%")
            except OSError:
                return  # the other side has given up
            time.sleep(0.1)

    def answer(self, code, content, **headers):
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def site():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.address, server.asked = f"http://127.0.0.1:{server.server_port}", []
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def read(site):
    def reader(number, **choices):
        return read_openml(number, server=site.address, **choices)

    return reader


def test_columns_of_true_and_false_are_labels_and_others_stay_features(read, site):
    site.asked.clear()
    data = read(1)
    assert (data.name, data.task) == ("set 1", Task.MULTILABEL)
    assert data.label_names == ("is-calm", "happy")
    assert data.Y.tolist() == [[1, 0], [0, 1], [1, 0]]
    assert [column.name for column in data.schema.columns] == ["tempo", "windy"]
    assert [path for path, _ in site.asked] == ["/api/v1/json/data/1", "/files/1"]
    assert {agent for _, agent in site.asked} == {"labelrank-core"}


@pytest.mark.parametrize("number", [2, 11])
def test_positions_are_recognised_and_row_numbers_left_out(read, number):
    data = read(number, target_form="positions")
    assert data.task is Task.LABEL_RANKING
    assert data.Y.tolist() == [[1, 2, 3], [2, 1, 3], [3, 2, 1], [1, 3, 2], [2, 3, 1]]
    assert data.feature_names == ("width",)
    assert any("no features: 'id'" in finding.message for finding in data.findings)
    with pytest.raises(DatasetError, match="target_form='positions'"):
        read(number)


def test_rankings_in_words_are_recognised(read):
    data = read(3)
    assert data.task is Task.LABEL_RANKING
    assert data.targets_in_words()[2] == "juice > milk = tea"
    same = read_dataset(("drinks.arff", WORDS))
    np.testing.assert_array_equal(data.Y, same.Y)
    assert data.label_names == same.label_names


def test_sparse_files_with_labels_in_a_list(read):
    data = read(5, name="words")
    assert (data.name, data.label_names) == ("words", ("news", "sport"))
    assert data.Y.tolist() == [[1, 0], [0, 1], [1, 1]]


def test_classes_are_no_label_ranking_and_cells_without_truth_are_errors(read):
    with pytest.raises(DatasetError):
        read(4)
    with pytest.raises(DatasetError, match="happy"):
        read(6)


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (404404, "answers: Unknown dataset"),
        (500, "answers: 500 Internal Server Error"),
        (200, "description of data set 200 cannot be read"),
        (7, "arrived damaged"),
        (8, "of type 'Parquet'; only ARFF is read"),
        (9, "'http://169.254.169.254/latest' is not one of"),
        (10, "'file:///etc/hostname' is not one of"),
        (21, "'http://127.0.0.1:9/elsewhere' is not one of"),
    ],
)
def test_what_cannot_be_used_is_said(read, number, said):
    with pytest.raises(OpenMLError, match=said):
        read(number)


def test_redirects_stay_on_the_server(read):
    assert read(22).n_labels == 3


def test_size_and_time_are_limited(read):
    with pytest.raises(OpenMLError, match=r"at most 0.0001 MB at .*, got more. Raise max_bytes"):
        read(3, max_bytes=100)
    start = time.monotonic()
    with pytest.raises(OpenMLError, match="took too long; raise timeout"):
        read(23, timeout=0.5)
    assert time.monotonic() - start < 3
    with pytest.raises(OpenMLError, match="cannot be reached"):
        read_openml(1, server="http://127.0.0.1:9")


@pytest.mark.parametrize(
    ("address", "is_allowed"),
    [
        ("https://www.openml.org/data/1", True),
        ("https://api.openml.org/data/1", True),
        ("https://openml.org/data/1", True),
        ("http://api.openml.org/data/1", False),
        ("https://openml.org.evil.example/data/1", False),
        ("https://evilopenml.org/data/1", False),
        ("https://api.openml.org:8080/data/1", False),
        ("https://[::1", False),
        ("ftp://www.openml.org/1", False),
    ],
)
def test_files_lie_on_hosts_of_openml(address, is_allowed):
    if is_allowed:
        openml._require_same_server(address, openml.SERVER)
        return
    with pytest.raises(OpenMLError, match="is not one of"):
        openml._require_same_server(address, openml.SERVER)


def test_the_command_writes_a_file_that_is_read_again(site, tmp_path, capsys):
    command = ["--home", str(tmp_path / "home"), "openml", "--server", site.address]
    command += ["--folder", str(tmp_path / "data")]
    assert main([*command, "3"]) == DONE
    said = capsys.readouterr().err
    assert "Data set: set 3 (label ranking)" in said
    (path,) = (tmp_path / "data").iterdir()
    assert f"Wrote {path}" in said
    again = read_dataset(path, target_form="positions")
    assert again.n_samples == 3
    assert main([*command, "404404"]) == WRONG
    assert "Unknown dataset" in capsys.readouterr().err


def test_a_task_brings_its_folds_along(site):
    site.asked.clear()
    task = read_openml_task(1, server=site.address)
    assert task.folds == ((0, -1, 1), (1, 0, -1))
    assert task.data.targets_in_words()[2] == "juice > milk = tea"
    assert [path for path, _ in site.asked] == [
        "/api/v1/json/task/1",
        "/splits/1",
        "/api/v1/json/data/3",
        "/files/3",
    ]
    protocol = Protocol(kind="given", folds=(task.folds,))
    results = results_of(KNeighborsLabelRanker(1), [task.data], protocol, name="k-NN")
    assert sorted(set(zip(results["repeat"], results["fold"], strict=True))) == [
        (0, 0), (0, 1), (1, 0), (1, 1),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (2, "task 2 tests a row twice"),
        (3, "task 3 are not those of 3 rows"),
        (4, "splits of OpenML's task 4 cannot be read"),
        (5, "Unknown dataset"),
        (6, "task 6 has no data set with splits"),
    ],
)
def test_tasks_that_cannot_be_used_are_refused(site, number, said):
    with pytest.raises(OpenMLError, match=said):
        read_openml_task(number, server=site.address)


def test_the_command_writes_the_folds_of_a_task(site, tmp_path):
    command = ["--home", str(tmp_path / "home"), "openml", "--server", site.address, "--task"]
    assert main([*command, "--folder", str(tmp_path), "1"]) == DONE
    (path,) = tmp_path.glob("*-folds.csv")
    assert read_folds(path) == ((0, -1, 1), (1, 0, -1))
    assert path.with_name(path.name.replace("-folds", "")).exists()
