"""Several files, archives, and what formats say of their tables."""

import gzip
import io
import zipfile
from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from labelrank_core import DatasetError, Task
from labelrank_core.data.findings import Finding, Severity, findings_frame, group_findings
from labelrank_core.io import archives, formats, inspect_files, read_dataset
from labelrank_core.io.cells import Cells, Coded, SparseCells
from labelrank_core.io.formats.base import Format
from labelrank_core.io.sources import Source
from labelrank_core.io.table import table_of
from labelrank_core.io.vocabulary import Role, TargetForm

pytestmark = pytest.mark.usefixtures("in_this_program")

TRAIN = b"x,L1,L2\n1,1,2\n2,2,1\n3,1,2\n"
TEST = b"x,L1,L2\n4,2,1\n5,1,2\n"
WHOLE = TRAIN + TEST.split(b"\n", 1)[1]


def packed(*members, method=zipfile.ZIP_DEFLATED):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return buffer.getvalue()


def the_error(files, code):
    issues = inspect_files(files).findings
    (issue,) = [issue for issue in issues if issue.severity is Severity.ERROR]
    assert issue.code == code
    assert issue.hint.endswith(".")
    return issue


class TestParts:
    @pytest.mark.parametrize(
        ("train", "test", "name"),
        [
            ("fruit-train.csv", "fruit-test.csv", "fruit"),
            ("fruit_trn.csv", "fruit_tst.csv", "fruit"),
            ("TRAIN fruit.csv", "test fruit.csv", "fruit"),
            ("train.csv", "test.csv", "data"),
        ],
    )
    def test_a_training_and_a_test_file_become_one_table_with_that_split(self, train, test, name):
        for files in ([(train, TRAIN), (test, TEST)], [(test, TEST), (train, TRAIN)]):
            data = read_dataset(files)
            assert data.name == name
            assert data.X[:, 0].tolist() == [1, 2, 3, 4, 5]
            assert data.split.tolist() == [False] * 3 + [True] * 2

    def test_a_file_with_all_rows_beside_them_is_left_aside(self):
        files = [("f.csv", WHOLE), ("f-train.csv", TRAIN), ("f-test.csv", TEST)]
        data = read_dataset(files)
        assert data.n_samples == 5
        (issue,) = [issue for issue in data.findings if issue.code == "left-aside"]
        assert "'f.csv'" in issue.message

    def test_findings_name_the_file(self):
        bad = b"x,L1,L2\n4,2,1\nabc,1,2\n1,2\n"
        files = [("f-train.csv", TRAIN.replace(b"2,2,1", b"2,2,q")), ("f-test.csv", bad)]
        with pytest.raises(DatasetError) as caught:
            read_dataset(files)
        places = {(i.code, i.file, i.row) for i in caught.value.findings if i.row}
        assert places == {
            ("not-a-number", "f-train.csv", 3),
            ("not-a-number", "f-test.csv", 3),
            ("ragged-row", "f-test.csv", 4),
        }
        assert "File 'f-test.csv', line 4: expected 3 fields" in str(caught.value)
        data = read_dataset(files, skip_bad_rows=True)
        assert data.X[:, 0].tolist() == [1, 3, 4]
        left_out = [i for i in data.findings if i.code == "rows-left-out"]
        assert {(i.file, i.row, i.count) for i in left_out} == {
            ("f-train.csv", 3, 1),
            ("f-test.csv", 3, 2),
        }

    def test_equal_findings_of_two_files_stay_two(self):
        issue = Finding("gap", Severity.ERROR, "found a gap.", row=3)
        two = [replace(issue, file="a"), replace(issue, file="b")]
        assert len(group_findings(two)) == 2
        assert findings_frame(two)["file"].tolist() == ["a", "b"]
        assert "file" not in findings_frame([issue])

    def test_other_columns_are_named(self):
        files = [("f-train.csv", TRAIN), ("f-test.csv", TEST.replace(b"x,", b"z,"))]
        assert "'x', 'z'" in the_error(files, "other-columns").message
        files[1] = ("f-test.csv", b"L1,x,L2\n1,3,2\n")
        assert "another order" in the_error(files, "other-columns").message

    def test_a_part_that_is_no_table_is_an_error_of_its_file(self):
        files = [("f-train.csv", TRAIN), ("f-test.csv", b"")]
        assert the_error(files, "empty-file").file is None
        files = [("f-train.csv", TRAIN), ("f-test.csv", b"x,L1,L2\n")]
        assert the_error(files, "no-rows").file == "f-test.csv"

    @pytest.mark.parametrize(
        "names",
        [("a.csv", "b.csv"), ("a-train.csv", "b-test.csv"), ("a-train.csv", "a-train2.csv")],
    )
    def test_other_pairs_are_not_joined(self, names):
        issue = the_error(list(zip(names, (TRAIN, TEST), strict=True)), "one-file")
        assert "fruit-test.csv" in issue.hint

    def test_a_part_of_which_no_row_is_left_is_an_error(self):
        files = [("f-train.csv", TRAIN), ("f-test.csv", b"x,L1,L2\nq,2,1\n")]
        with pytest.raises(DatasetError, match="No row of the test file can be used"):
            read_dataset(files, skip_bad_rows=True)

    def test_a_split_column_beside_two_files_is_refused(self):
        text = b"x,part,L1,L2\n1,train,1,2\n2,test,2,1\n"
        with pytest.raises(DatasetError, match="beside separate training and test files"):
            read_dataset([("f-train.csv", text), ("f-test.csv", text)])


class TestArchives:
    def test_an_archive_is_what_is_in_it(self):
        members = [
            ("fruit/fruit-train.csv", TRAIN),
            ("fruit/fruit-test.csv", TEST),
            ("fruit/README.txt", b"About fruit."),
            ("__MACOSX/fruit/._fruit-test.csv", b"\0\1"),
            ("fruit/.DS_Store", b"\0"),
        ]
        data = read_dataset(("download.zip", packed(*members)))
        assert (data.name, data.n_samples, data.split.sum()) == ("fruit", 5, 2)
        (issue,) = [issue for issue in data.findings if issue.code == "left-aside"]
        assert "README.txt" in issue.message

    def test_gzip_is_unpacked_whatever_it_is_called(self):
        for name in ("fruit.csv.gz", "fruit.csv"):
            data = read_dataset((name, gzip.compress(WHOLE)))
            assert (data.name, data.n_samples) == ("fruit", 5)

    @pytest.mark.parametrize("name", ["../f.csv", "/etc/f.csv", "C:\\f.csv", "a/../../f.csv"])
    def test_paths_that_lead_outside_are_refused(self, name):
        assert "leads out" in the_error(("a.zip", packed((name, WHOLE))), "bad-archive").message

    @pytest.mark.parametrize(
        "inner", [packed(("f.csv", WHOLE)), gzip.compress(WHOLE)], ids=["zip", "gzip"]
    )
    def test_archives_in_archives_are_refused(self, inner):
        issue = the_error(("a.zip", packed(("inner", inner))), "bad-archive")
        assert "archive itself" in issue.message
        assert "archive itself" in the_error(("a.gz", gzip.compress(inner)), "bad-archive").message

    def test_what_grows_too_much_is_not_unpacked(self, monkeypatch):
        zeros = b"0," * 5_000_000

        def never(*_):
            raise AssertionError("unpacked")

        monkeypatch.setattr(archives, "read_member", never)
        assert "200 times" in the_error(("a.zip", packed(("f.csv", zeros))), "too-large").message
        assert "200 times" in the_error(("a.gz", gzip.compress(zeros)), "too-large").message

    def test_sizes_are_bounded_one_by_one_and_together(self, monkeypatch):
        monkeypatch.setattr(archives, "MAX_UNPACKED", 1500)
        files = [(f"f{i}.csv", b"1,2,3\n" * 90) for i in range(3)]
        assert "unpacks to more" in the_error(("a.zip", packed(*files)), "too-large").message
        (issue,) = inspect_files(files, max_bytes=1500).findings
        assert (issue.code, "together" in issue.message) == ("too-large", True)

    def test_members_are_counted_before_they_are_unpacked(self, monkeypatch):
        monkeypatch.setattr(archives, "MAX_MEMBERS", 2)
        monkeypatch.setattr(archives, "read_member", None)
        data = packed(*((f"f{i}.csv", WHOLE) for i in range(3)))
        assert "more than 2 files" in the_error(("a.zip", data), "too-large").message

    def test_damaged_encrypted_and_odd_archives_are_refused(self):
        whole = packed(("f.csv", WHOLE), method=zipfile.ZIP_STORED)
        changed = whole.replace(b"1,1,2", b"1,2,1")
        assert "damaged" in the_error(("a.zip", changed), "bad-archive").message
        flags = bytearray(whole)
        flags[whole.rfind(b"PK\x01\x02") + 8] |= 1
        assert "encrypted" in the_error(("a.zip", bytes(flags)), "bad-archive").message
        lzma = packed(("f.csv", WHOLE), method=zipfile.ZIP_LZMA)
        assert "deflate" in the_error(("a.zip", lzma), "bad-archive").hint
        assert "damaged" in the_error(("a.gz", gzip.compress(WHOLE)[:-9]), "bad-archive").message
        assert "no file" in the_error(("a.zip", packed(("f/", b""))), "bad-archive").message

    def test_an_office_document_is_no_archive_of_files(self):
        book = packed(("xl/workbook.xml", b"<x/>"), ("[Content_Types].xml", b"<x/>"))
        assert not archives.is_archive(book)
        assert archives.is_archive(packed(("book.xlsx", book), method=zipfile.ZIP_STORED))


class TestFormats:
    """A made-up format of two files: columns in one, what they are in the other."""

    def plug_in(self, monkeypatch, **says):
        def read(source, companions):
            lines = source.data.decode().split("\n")[1:]
            if lines == ["broken"]:
                raise DatasetError([Finding("broken", Severity.ERROR, "it is.", "Mend it.", row=2)])
            cells = [line.split() for line in lines]
            columns = {
                "colour": Coded(np.array([row[0] == "blue" for row in cells]) * 1, ["red", "blue"]),
                "n": np.array([float(row[1]) for row in cells]),
                "a": Coded(np.array([int(row[2]) for row in cells]), ["0", "1"]),
                "b": np.array([float(row[3]) for row in cells]),
            }
            names = companions[0].data.decode().split()[1:] if companions else ["a", "b"]
            roles = dict.fromkeys(names, Role.LABEL)
            says.setdefault("form", TargetForm.RELEVANCE)
            at = np.arange(2, len(lines) + 2)
            return Cells(source.stem, columns, at, roles=roles, **says)

        made_up = Format(
            "made-up",
            lambda source: source.data.startswith(b"%%"),
            read,
            lambda source: source.data.startswith(b"##"),
        )
        monkeypatch.setattr(formats, "FORMATS", (*formats.FORMATS, made_up))

    CONTENT = b"%%\nred 1 0 1\nblue 2 1 0\nred 4 1 1"

    def test_content_decides_and_companions_go_along(self, monkeypatch):
        self.plug_in(monkeypatch)
        proposal = inspect_files([("f.csv", self.CONTENT), ("f.txt", b"## b a")])
        assert proposal.format == "made-up"
        assert proposal.roles["a"] == proposal.roles["b"] == "label"
        assert proposal.open_choices == ()
        data = read_dataset(proposal, roles={"colour": "ignore"})
        assert data.task is Task.MULTILABEL
        assert data.relevance.tolist() == [[0, 1], [1, 0], [1, 1]]
        assert data.X.tolist() == [[1], [2], [4]]

    def test_typed_columns_show_as_short_text(self, monkeypatch):
        self.plug_in(monkeypatch)
        raw = inspect_files(("f.csv", self.CONTENT)).raw
        assert [raw.cells(j).tolist() for j in range(4)] == [
            ["red", "blue", "red"],
            ["1", "2", "4"],
            ["0", "1", "1"],
            ["1", "0", "1"],
        ]
        assert raw.categories(0) == ("red", "blue")
        assert np.isnan(raw.numbers[:, 0]).all()
        assert raw.numbers[:, 2].tolist() == [0, 1, 1]
        assert not raw.missing.any()

    def test_parts_of_typed_tables_are_joined(self, monkeypatch):
        self.plug_in(monkeypatch)
        files = [("f-train.x", self.CONTENT), ("f-test.x", self.CONTENT), ("f.x", b"## a b")]
        raw = inspect_files(files).raw
        assert raw.file.split.tolist() == [False] * 3 + [True] * 3
        assert raw.categories(0) == ("red", "blue")
        assert raw.cells(1).tolist() == ["1", "2", "4"] * 2

    def test_what_a_format_declares_is_only_a_default(self, monkeypatch):
        self.plug_in(monkeypatch, form=TargetForm.POSITIONS)
        content = b"%%\nred 1 0 2\nblue 2 1 0"
        with pytest.raises(DatasetError, match="counting begins at 1"):
            read_dataset(("f", content), roles={"colour": "ignore"})
        with pytest.raises(DatasetError, match="relevant"):
            read_dataset(("f", content), roles={"colour": "ignore"}, target_form="relevance")

    def test_errors_of_a_format_are_findings(self, monkeypatch):
        self.plug_in(monkeypatch)
        assert the_error(("f", b"%%\nbroken"), "broken").row == 2

    def test_sparse_features_and_a_split_come_along(self, monkeypatch):
        extra = SparseCells(
            ("w1", "w2"), np.array([2, 3, np.nan]), np.array([1, 0, 1]), np.array([0, 1, 2, 3])
        )
        self.plug_in(monkeypatch, sparse=extra, split=np.array([True, False, False]))
        proposal = inspect_files(("f", self.CONTENT))
        (issue,) = [issue for issue in proposal.findings if issue.code == "not-finite"]
        assert issue.row == 4
        data = read_dataset(proposal, roles={"colour": "ignore"}, skip_bad_rows=True)
        assert data.feature_names == ("n", "w1", "w2")
        assert data.X.tolist() == [[1, 0, 2], [2, 3, 0]]
        monkeypatch.setattr("labelrank_core.io.limits.MAX_DENSE", 5)
        proposal = inspect_files(("f", self.CONTENT))
        again = read_dataset(proposal, roles={"colour": "ignore"}, skip_bad_rows=True)
        assert sparse.issparse(again.X)
        assert again.X.toarray().tolist() == data.X.tolist()
        assert data.split.tolist() == [True, False]

    def test_a_sparse_feature_called_like_another_is_refused(self, monkeypatch):
        extra = SparseCells(("n",), np.empty(0), np.empty(0, dtype=int), np.zeros(4, dtype=int))
        self.plug_in(monkeypatch, sparse=extra)
        with pytest.raises(DatasetError, match="a feature has this name too"):
            read_dataset(("f", self.CONTENT), roles={"colour": "ignore"})

    def test_declared_labels_give_order_and_are_all_there_are(self, monkeypatch):
        def read(source, _):
            columns = {"x": np.array([1.5, 2.5]), "r": ["b>a", source.data[2:].decode()]}
            roles = {"r": Role.RANKING}
            return Cells("f", columns, np.array([5, 6]), roles=roles, labels=("c", "b", "a"))

        made_up = Format("made-up", lambda source: source.data.startswith(b"%%"), read)
        monkeypatch.setattr(formats, "FORMATS", (made_up,))
        assert read_dataset(("f", b"%%a>b")).label_names == ("c", "b", "a")
        with pytest.raises(DatasetError, match="'d', which the file does not declare"):
            read_dataset(("f", b"%%a>d"))

    def test_numbers_are_written_short(self):
        columns = {"x": np.array([1.0, 0.1, np.nan, 1e300])}
        raw = table_of(Cells("t", columns, np.arange(4)))
        assert raw.cells(0).tolist() == ["1", "0.1", "", "1e+300"]
        assert raw.missing[:, 0].tolist() == [False, False, True, False]

    def test_a_source_has_a_stem(self):
        assert Source("a.b.csv", b"").stem == "a.b"
