"""Data sets from frames and back, read from frames, and shown in a notebook."""

import datetime

import numpy as np
import pandas as pd
import pyarrow
import pytest
from scipy import sparse

from labelrank_core import (
    Dataset,
    DatasetError,
    Task,
    inspect_files,
    list_samples,
    load_sample,
    read_dataset,
)
from labelrank_core.data import Column, Schema
from labelrank_core.data.frames import sparse_frame
from labelrank_core.io.build import features

NAN = float("nan")
X = pd.DataFrame(
    {
        "size": [1.5, 2.0, 0.5, 1.0],
        "hue": pd.Categorical(["red", "blue", "red", "red"], ["green", "red", "blue"]),
        "sex": ["m", "f", "f", "m"],
        "old": [True, False, True, True],
    }
)
RANKINGS = pd.DataFrame({"a": [1, 2, 1, NAN], "b": [2, 1, 1, NAN], "c": [3, NAN, 2, NAN]})
SETS = pd.DataFrame({"a": [1, 0, 1, 0], "b": [0, 0, 1, 1]})
CALIBRATED = pd.DataFrame({"a": [1, 2, 1, 3], "b": [3, 3, 1, 1], "zero line": [2, 1, 2, 2]})
TASKS = {
    Task.LABEL_RANKING: RANKINGS,
    Task.MULTILABEL: SETS,
    Task.CALIBRATED_RANKING: CALIBRATED,
}


@pytest.mark.parametrize("task", TASKS)
def test_frames_become_a_data_set_and_the_same_frames_again(task):
    Y = TASKS[task]
    data = Dataset.from_frame(X, Y, name="drinks")
    assert (data.task, data.name) == (task, "drinks")
    assert data.label_names == tuple(name for name in Y if name != "zero line")
    assert data.schema.columns == (
        Column("size"),
        Column("hue", "nominal", ("green", "red", "blue")),
        Column("sex", "nominal", ("f", "m")),
        Column("old"),
    )
    assert data.X[1].tolist() == [2.0, 0, 0, 1, 0, 0]
    raw, targets = data.as_frame()
    expected = X.astype({"old": float, "sex": pd.CategoricalDtype(["f", "m"])})
    pd.testing.assert_frame_equal(raw, expected, check_categorical=False)
    pd.testing.assert_frame_equal(targets, Y, check_dtype=False)
    again = Dataset.from_frame(raw, targets, name="drinks")
    assert again.fingerprint == data.fingerprint


@pytest.mark.parametrize("key", [sample.name for sample in list_samples()])
def test_every_sample_comes_back_from_its_frames(key):
    data = load_sample(key)
    again = Dataset.from_frame(*data.as_frame(), task=data.task, name=data.name, split=data.split)
    assert again.fingerprint == data.fingerprint
    assert again.case_names == data.case_names


def test_sparse_frames_stay_sparse():
    matrix = sparse.random_array((20, 50), density=0.1, rng=1, format="csr")
    frame = sparse_frame(matrix, [f"w{j}" for j in range(50)])
    Y = pd.DataFrame(np.eye(20, 3, dtype=int), columns=["a", "b", "c"])
    data = Dataset.from_frame(frame, Y)
    assert data.is_sparse
    np.testing.assert_array_equal(data.X.toarray(), matrix.toarray())
    again, targets = data.as_frame()
    pd.testing.assert_frame_equal(again, frame)
    np.testing.assert_array_equal(again.to_numpy(), matrix.toarray())
    pd.testing.assert_frame_equal(targets, Y)


def test_the_index_names_the_cases():
    named = X.set_axis(["ann", "bob", "eve", "joe"])
    data = Dataset.from_frame(named, RANKINGS.set_axis(named.index))
    assert data.case_names == ("ann", "bob", "eve", "joe")
    assert data.as_frame()[0].index.tolist() == ["ann", "bob", "eve", "joe"]
    assert Dataset.from_frame(X, RANKINGS).case_names is None
    assert Dataset.from_frame(named, RANKINGS).case_names == data.case_names
    with pytest.raises(ValueError, match="Expected the same index in X and Y"):
        Dataset.from_frame(named, RANKINGS.set_axis(["bob", "ann", "eve", "joe"]))


def test_frames_of_other_libraries_and_rankings_in_words():
    table = pyarrow.table({"x": [0.5, 1.0], "hue": ["red", "blue"]})
    data = Dataset.from_frame(table, ["b > a = c", "a > b"])
    assert data.label_names == ("a", "b", "c")
    np.testing.assert_array_equal(data.Y, [[2, 1, 2], [1, 2, NAN]])
    assert data.targets_in_words() == ["b > a = c", "a > b"]
    again = Dataset.from_frame(data.as_frame()[0], data.targets_in_words())
    assert again.fingerprint == data.fingerprint
    nullable = pd.DataFrame({"a": [1, 2], "b": [2, None], "c": [3, 1]}, dtype="Int64")
    data = Dataset.from_frame(table, nullable)
    np.testing.assert_array_equal(data.Y, [[1, 2, 3], [2, NAN, 1]])


@pytest.mark.parametrize(
    ("raw", "targets", "message"),
    [
        ([[1.0]], RANKINGS, "Expected a frame as X, got list"),
        (X, RANKINGS.to_numpy(), "named columns, or rankings in words, as Y"),
        (
            X.assign(size=[1, NAN, 2, 3]),
            RANKINGS,
            r"none in column 'size', row 1\. .*missing='fill'",
        ),
        (X.assign(sex=["m", None, "f", "f"]), RANKINGS, "none in column 'sex', row 1"),
        (
            X.assign(day=[datetime.date(2020, 1, 1)] * 4),
            RANKINGS,
            "numbers or text in column 'day' of X",
        ),
        (X[:2], RANKINGS, "as many rows in X as in Y"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(raw, targets, message):
    with pytest.raises(ValueError, match=message):
        Dataset.from_frame(raw, targets)


class TestRead:
    def test_a_frame_is_read_like_a_file(self):
        frame = X.assign(ranking=["a>b", "b>a", "a=b", ""])
        data = read_dataset(frame, name="drinks")
        assert data.task is Task.LABEL_RANKING
        assert data.label_names == ("a", "b")
        np.testing.assert_array_equal(data.Y, [[1, 2], [2, 1], [1, 1], [NAN, NAN]])
        assert [column.name for column in data.schema.columns] == ["size", "hue", "sex", "old"]
        assert data.schema.columns[1].categories == ("green", "red", "blue")

    def test_a_frame_of_another_library_is_read(self):
        table = pyarrow.table({"x": [0.5, 1.0], "ranking": ["b>a", "a>b"]})
        assert read_dataset(table).Y.tolist() == [[2, 1], [1, 2]]

    def test_roles_and_missing_values_are_as_for_files(self):
        frame = pd.DataFrame(
            {"x": [1.0, None, 3.0], "a": [1, 2, 1], "b": [2, 1, 2], "note": [["u", "v"], [], ["w"]]}
        )
        roles = {"a": "label", "b": "label", "note": "ignore"}
        data = read_dataset(frame, roles=roles, target_form="positions", missing="fill")
        assert data.X.tolist() == [[1], [2], [3]]
        with pytest.raises(DatasetError, match="Row 1, column 'x'"):
            read_dataset(frame, roles=roles, target_form="positions")

    def test_lists_of_labels(self):
        frame = pd.DataFrame({"x": [1.0, 2.0, 3.0], "tags": [["u", "v"], [], ["v"]]})
        data = read_dataset(frame, roles={"tags": "label_list"})
        assert data.label_names == ("u", "v")
        assert data.Y.tolist() == [[1, 1], [0, 0], [0, 1]]

    @pytest.mark.parametrize("most", [0, 10_000])
    def test_sparse_columns_stay_sparse_where_they_are_many(self, most, monkeypatch):
        monkeypatch.setattr(features, "max_dense", lambda _: most)
        matrix = sparse.random_array((30, 40), density=0.1, rng=1, format="csr")
        frame = sparse_frame(matrix, [f"w{j}" for j in range(40)])
        data = read_dataset(frame.assign(ranking=["a>b", "b>a"] * 15))
        assert data.is_sparse == (most == 0)
        values = data.X.toarray() if data.is_sparse else data.X
        np.testing.assert_array_equal(values, matrix.toarray())

    def test_columns_of_anything_else_are_left_out_with_a_finding(self):
        frame = pd.DataFrame({"x": [1.0, 2.0], "what": [{}, {}], "ranking": ["a>b", "b>a"]})
        data = read_dataset(frame)
        assert data.feature_names == ("x",)
        assert any("1 column not read: 'what'" in finding.message for finding in data.findings)

    def test_a_frame_without_rows_is_no_table(self):
        assert "no-rows" in {finding.code for finding in inspect_files(X[:0]).findings}
        with pytest.raises(DatasetError, match="Found 0 rows and 4 columns"):
            read_dataset(X[:0])


class TestCard:
    def test_it_says_what_there_is(self):
        data = Dataset.from_frame(X, RANKINGS, name="drinks", split=[False, True, False, False])
        assert repr(data).splitlines() == [
            "Data set: drinks (label ranking)",
            "Rows: 4",
            "Features: 6 (size, hue, sex, old)",
            "Labels: 3 (a, b, c)",
            # Of the twelve positions, c of the second row and all of the fourth.
            "Targets: 33.3% of the positions missing, ties in 1 row",
            "Split: 3 training rows, 1 test row",
        ]
        # 1 + 0 + 2 + 1 relevant labels in four rows.
        assert "Targets: 1.00 relevant labels per row" in repr(Dataset.from_frame(X, SETS))

    def test_names_in_a_notebook_run_nothing(self):
        data = Dataset.from_frame(
            pd.DataFrame({"<script>x</script>": [1.0, 2.0]}),
            pd.DataFrame({"<b>": [1, 2], "&": [2, 1]}),
            name="<img src=x>",
        )
        html = data._repr_html_()
        assert "&lt;script&gt;" in html
        assert "&lt;b&gt;, &amp;" in html
        assert not any(mark in html for mark in ("<script", "<b>", "<img"))

    def test_a_schema_of_its_own_is_counted_in_features(self):
        schema = Schema((Column("hue", "nominal", ("r", "g", "b")),))
        values = np.eye(3)
        data = Dataset(
            values, np.eye(3), Task.MULTILABEL, list("rgb"), list("abc"), "t", schema=schema
        )
        assert "Features: 3 (hue)" in repr(data)
