"""Multi-label libsvm: what the grammar allows, and what is found where it is broken."""

import gzip
import io
import re
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

from labelrank_core import DatasetError, Task, inspect_files, read_dataset
from labelrank_core.io.formats import libsvm, text
from labelrank_core.io.sources import Source
from labelrank_core.io.table import table_of

pytestmark = pytest.mark.usefixtures("in_this_program")

TEXT = b"1,3 1:0.5 4:2\n2 2:-1e-3\n 3:1 4:.5\n3\n"


def recognised(text):
    return libsvm.recognises(Source("f", text))


def read(text):
    return table_of(libsvm.read(Source("f", text)))


def code_and_lines(text):
    raw = read(text)
    return [(issue.code, issue.row) for issue in raw.file.ragged], tuple(raw.file.ragged_lines)


class TestGrammar:
    def test_labels_and_features_from_1(self):
        data = read_dataset(("f.svm", TEXT))
        assert data.task is Task.MULTILABEL
        assert data.label_names == ("L1", "L2", "L3")
        assert data.feature_names == ("f1", "f2", "f3", "f4")
        assert data.relevance.tolist() == [[1, 0, 1], [0, 1, 0], [0, 0, 0], [0, 0, 1]]
        assert data.X.tolist() == [
            [0.5, 0, 0, 2],
            [0, -0.001, 0, 0],
            [0, 0, 1, 0.5],
            [0, 0, 0, 0],
        ]

    def test_a_0_anywhere_counts_from_0(self):
        raw = read(b"0,2 0:1 3:2\n1 1:1\n")
        assert raw.names == ["L0", "L1", "L2"]
        assert raw.sparse.names == ("f0", "f1", "f2", "f3")
        raw = read(b"0,2 1:1 3:2\n1 1:1\n")
        assert (raw.names[0], raw.sparse.names[0]) == ("L0", "f1")
        assert "from 0, features from 1" in raw.file.findings[0].message

    @pytest.mark.parametrize(
        ("header", "labels", "features"),
        [(b"2 3 4", "L0 L1 L2 L3", "f0 f1 f2"), (b"2 2 2", "L1 L2", "f1 f2")],
    )
    def test_a_first_line_of_counts(self, header, labels, features):
        raw = read(header + b"\n1,2 1:1 2:2\n1 1:1\n")
        assert raw.names == labels.split()
        assert raw.sparse.names == tuple(features.split())
        assert raw.lines.tolist() == [2, 3]
        assert [issue.code for issue in raw.file.findings] == ["numbering"]

    def test_a_first_line_that_announces_more_is_a_finding(self):
        _, issue = read(b"5 2 2\n1,2 1:1 2:2\n").file.findings
        assert issue.code == "other-count"
        assert "announces 5 rows, 2 features and 2 labels; found 1, 2 and 2" in issue.message

    @pytest.mark.parametrize(
        "text",
        [
            b"# fruit\n1 1:2 # red\n\n2 2:3\n",
            b"1 1:2\r\n2 2:3\r\n",
            b"1\t1:2\n2\t2:3",
            b"1  1:2 \n2 2:3\n",
            b"\xef\xbb\xbf1 1:2\n2 2:3\n",
        ],
    )
    def test_comments_tabs_and_line_ends(self, text):
        data = read_dataset(("f", text))
        assert data.X.tolist() == [[2, 0], [0, 3]]
        assert data.relevance.tolist() == [[1, 0], [0, 1]]

    def test_lines_are_counted_as_an_editor_does(self):
        assert read(b"# a\n1 1:2\n\n2 2:3\n").lines.tolist() == [2, 4]

    def test_pairs_need_no_order(self):
        assert read(b"1 3:3 1:1 2:2\n").sparse.matrix.toarray().tolist() == [[1, 2, 3]]

    def test_many_blocks_are_one_table(self, monkeypatch):
        monkeypatch.setattr(libsvm, "_BLOCK_LINES", 1)
        assert read_dataset(("f", TEXT)).X[2].tolist() == [0, 0, 1, 0.5]


class TestFindings:
    @pytest.mark.parametrize(
        "line",
        [b"1 2", b"1 2:", b"1 :2", b"1 2:3:4", b"1 2:x", b"1, 2:3", b"-1 2:3", b"1 a:3", b"1.5 2:3",
         b"x", "é 1:1".encode(), b"1 2:1_0", b"1 2:0x1", b"1" * 400 + b" 1:1", b"1 2:3,4:5", b"\0"],
    )  # fmt: skip
    def test_a_line_that_is_no_row(self, line):
        text = TEXT + line + b"\n1 1:1\n"
        assert code_and_lines(text) == ([("not-libsvm", 5)], (5,))
        with pytest.raises(DatasetError, match="Line 5: this line does not hold"):
            read_dataset(("f", text))
        assert read_dataset(("f", text), skip_bad_rows=True).n_samples == 5

    def test_a_feature_that_stands_twice(self):
        assert code_and_lines(b"1 1:1\n2 2:1 2:1\n") == ([("repeated-feature", 2)], (2,))

    @pytest.mark.parametrize("value", [b"nan", b"inf", b"1e999"])
    def test_values_that_are_not_finite(self, value):
        with pytest.raises(DatasetError, match="Line 2: a feature of this row has no finite"):
            read_dataset(("f", b"1 1:1\n2 2:" + value + b"\n"))

    def test_bounds(self, monkeypatch):
        with pytest.raises(DatasetError, match="1 label, 2147483647 features and 1 row, more"):
            read(b"1 999999999999999:1\n")
        with pytest.raises(DatasetError, match="9999999999 labels, 1 feature and 2 rows, more"):
            read(b"9999999999 1:1\n1 1:1\n")
        with pytest.raises(DatasetError, match="6000 labels, 1 feature and 1 row, more"):
            read(b",".join(b"%d" % label for label in range(6000)) + b" 1:1\n")
        with pytest.raises(DatasetError, match="1 label, 2147483647 features and 1 row, more"):
            read(b"1 99999999999999999999 1\n1 1:1\n")
        monkeypatch.setattr(libsvm, "MAX_FEATURES", 2)
        with pytest.raises(DatasetError, match="1 label, 3 features and 1 row, more"):
            read(b"1 1:1 3:1\n")
        monkeypatch.setattr(text, "MAX_LINES", 1)
        with pytest.raises(DatasetError, match="more than 1 lines"):
            read(b"1 1:1\n2 1:1\n")

    def test_no_row(self):
        with pytest.raises(DatasetError, match="No row can be read"):
            read(b"x\n")

    @given(st.binary(max_size=40))
    @example(b"1 1:1\n")
    def test_any_bytes_are_a_table_or_findings(self, data):
        recognised(data)
        with suppress(DatasetError):
            raw = read(data)
            assert raw.n_rows == raw.sparse.matrix.shape[0]

    @given(st.lists(st.tuples(st.integers(0, len(TEXT)), st.binary(max_size=3)), max_size=4))
    def test_any_mutation_is_a_proposal(self, changes):
        data = TEXT
        for place, new in changes:
            data = data[:place] + new + data[place + 1 :]
        proposal = inspect_files(("f.svm", data))
        assert proposal.table is not None or proposal.errors


class TestFeaturesThatNeverOccur:
    """What a file does not name is 0 in every row, up to the highest number."""

    def test_they_are_0(self):
        data = read_dataset(("f.svm", b"1 1:1\n3 4:3\n"))
        assert data.feature_names == ("f1", "f2", "f3", "f4")
        assert data.X.tolist() == [[1, 0, 0, 0], [0, 0, 0, 3]]
        assert data.relevance.tolist() == [[1, 0, 0], [0, 0, 1]]

    def test_announced_ones_are_there_too(self):
        raw = read(b"2 5 2\n1 0:1\n0 3:1\n")
        assert raw.sparse.matrix.toarray().tolist() == [[1, 0, 0, 0, 0], [0, 0, 0, 1, 0]]

    def test_named_ones_are_kept(self):
        text = b'# labels: ["a", "b"]\n# features: ["p", "q", "r", "s"]\n0 4:1\n1 4:2\n'
        assert read_dataset(("f.svm", text)).feature_names == ("p", "q", "r", "s")

    def test_a_training_and_a_test_file_have_the_features_of_both(self):
        parts = ("a-train.svm", b"1 1:1 2:2\n2 2:3\n"), ("a-test.svm", b"1 3:4\n2 1:5 4:6\n")
        data = read_dataset(parts)
        assert data.feature_names == ("f1", "f2", "f3", "f4")
        assert data.X.tolist() == [[1, 2, 0, 0], [0, 3, 0, 0], [0, 0, 4, 0], [5, 0, 0, 6]]
        assert data.split.tolist() == [False, False, True, True]

    def test_and_the_labels_of_both(self):
        parts = ("a-train.svm", b"1,3 1:1\n1 2:1\n"), ("a-test.svm", b"2 1:1\n1,5 2:1\n")
        data = read_dataset(parts)
        assert data.label_names == ("L1", "L2", "L3", "L4", "L5")
        assert [np.flatnonzero(row).tolist() for row in data.relevance] == [
            [0, 2],
            [0],
            [1],
            [0, 4],
        ]


class TestRecognition:
    @pytest.mark.parametrize(
        "text",
        [
            TEXT,
            b"3 4 5\n" + TEXT,
            b"# c\n" + TEXT,
            b"1 1:1",
            b"x\n" + TEXT,
            b"1 " + b"7:1 " * 400_000,
            b" 1:1\n2:1\n",
        ],
    )
    def test_libsvm(self, text):
        assert recognised(text)

    def test_without_labels_there_is_nothing_to_learn_from(self):
        with pytest.raises(DatasetError, match="ound 0 label columns"):
            read_dataset(("f.svm", b"1:1\n2:1\n"), roles={})

    @pytest.mark.parametrize(
        "text",
        [b"", b"a,b\n1,2\n", b"1,2\n3,4\n", b"12:30,5\n12:40,6\n", b"1\n2\n",
         b"x\ty\n1\t2\n", b"\x1f\x8b\0", b"1 2 3\n4 5 6\n"],
    )  # fmt: skip
    def test_other_text(self, text):
        assert not recognised(text)


class TestOthersFiles:
    @pytest.mark.parametrize("zero_based", [True, False])
    def test_what_scikit_learn_writes(self, zero_based):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(30, 6)) * (rng.random((30, 6)) < 0.5)
        Y = (rng.random((30, 4)) < 0.4).astype(int)
        buffer = io.BytesIO()
        dump_svmlight_file(X, Y, buffer, zero_based=zero_based, multilabel=True)
        text = re.sub(rb"\.0*(?=[, ])", b"", buffer.getvalue())
        data = read_dataset(("f.svm", text))
        assert np.array_equal(data.relevance, Y)
        assert np.abs(data.X - X).max() < 1e-15

    @pytest.mark.parametrize(
        ("name", "shape"), [("arts", (7484, 23146, 26)), ("education", (12030, 27534, 33))]
    )
    def test_published_word_counts(self, benchmark_data, name, shape):
        path = benchmark_data / "yahoo" / f"{name}.svm.gz"
        proposal = inspect_files(path)
        assert proposal.certain
        assert not proposal.errors
        data = read_dataset(proposal)
        assert (data.n_samples, data.n_features, data.n_labels) == shape
        with gzip.open(path) as file:
            X, label_sets = load_svmlight_file(file, multilabel=True)
        assert abs(data.X - X).max() == 0
        assert [tuple(np.flatnonzero(row)) for row in data.relevance] == label_sets
