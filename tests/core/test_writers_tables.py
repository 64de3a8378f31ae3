"""CSV, Excel and Parquet as other programs see them; formulas, names, losses."""

import csv
import io

import numpy as np
import openpyxl
import pandas as pd
import pytest
from scipy import sparse

from labelrank_core import DatasetError, Task, list_samples, load_sample, read_dataset
from labelrank_core.data import Column, Schema
from labelrank_core.io import write_dataset
from labelrank_core.io.content import Export
from labelrank_core.io.export import WRITERS, archive_name, write_archive
from labelrank_core.io.header import defused, is_marked, may_run, restored
from tests.written import (
    NASTY,
    colours,
    content,
    in_any_order,
    losses_of,
    tiny,
    without,
    writable_formats,
)

# What is written is read in this program: a new one for every file takes seconds to start.
pytestmark = pytest.mark.usefixtures("in_this_program")

FORMULAS = (
    "=1+1",
    "+A1",
    "-A1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    " =1",
    "＝1",
    "'=1",
    "=cmd|' /C x'!A0",
)


def text_of(data, key="csv"):
    ((_, written),) = write_dataset(data, key)
    return written.decode("utf-8-sig")


class TestTables:
    def test_positions_ties_and_blanks(self):
        assert text_of(tiny()) == (
            "size,x,label_position:a,label_position:b,label_position:c\n"
            "0.5,0,1,2,\n0.30000000000000004,1,1,1,2\n-0,0,,,\n"
        )

    def test_relevance_a_split_and_tabs(self):
        data = tiny(Y=[[1, 0, 0], [0, 0, 0], [1, 1, 1]], task=Task.MULTILABEL, split=[0, 1, 1])
        assert text_of(data, "tsv").splitlines()[:2] == [
            "size\tx\tlabel_relevant:a\tlabel_relevant:b\tlabel_relevant:c\tsplit:part",
            "0.5\t0\t1\t0\t0\ttrain",
        ]

    def test_rankings_in_words_name_all_labels_in_their_order(self):
        data = tiny(label_names=["b", "a", "never"], Y=[[1, 2, np.nan]] * 2 + [[1, 1, np.nan]])
        lines = text_of(data, "words").splitlines()
        assert lines[0] == "size,x,label_ranking:b=a=never"
        assert [line.split(",")[2] for line in lines[1:]] == ["b>a", "b>a", "b=a"]
        assert read_dataset(write_dataset(data, "words")).label_names == ("b", "a", "never")

    def test_the_zero_line_is_a_column(self):
        data = tiny(Y=[[1, 3, 3, 2]] * 3, task=Task.CALIBRATED_RANKING)
        assert text_of(data).splitlines()[1] == "0.5,0,1,3,3,2"
        again = read_dataset(write_dataset(data, "csv"))
        assert again.task is Task.CALIBRATED_RANKING

    @pytest.mark.parametrize("key", ["csv", "tsv", "excel", "parquet", "words"])
    def test_a_marked_table_is_read_without_a_question(self, key):
        rankings = np.array([[2, 3, 1], [1, 2, 3], [3, 1, 2]] * 4)
        data = tiny(X=np.arange(24).reshape(12, 2), Y=rankings)
        assert content(read_dataset(write_dataset(data, key))) == content(data)

    @pytest.mark.parametrize("key", ["csv", "excel", "parquet"])
    def test_numbers_keep_their_last_digit(self, key):
        rng = np.random.default_rng(0)
        bits = rng.integers(0, 2**63, 4000).view(np.float64)
        bits = bits[np.abs(bits) <= 1e70]
        X = np.concatenate([rng.normal(size=2000), bits])[:3000, None]
        data = tiny(X=X, Y=[[1, 2, 3]] * 3000, feature_names=["x"])
        assert (read_dataset(write_dataset(data, key)).X == X).all()

    def test_number_texts_are_the_shortest(self):
        values = np.array([1e15, 1e16, -2.50, 5e-324, 1 / 3, np.nan, 100.0])
        assert Export.numbers(values) == [
            "1000000000000000", "1e+16", "-2.5", "5e-324", "0.3333333333333333", "", "100",
        ]  # fmt: skip

    def test_blocks_join_without_a_seam(self, monkeypatch):
        data = load_sample("drinks")
        whole = {form.key: write_dataset(data, form) for form, _ in writable_formats(data)}
        monkeypatch.setattr("labelrank_core.io.content._BLOCK_CELLS", 100)
        for key, files in whole.items():
            again = write_dataset(data, key)
            if key == "excel":
                assert content(read_dataset(again)) == content(data)
            elif key != "parquet":
                assert again == files
        assert content(read_dataset(write_dataset(data, "parquet"))) == content(data)


class TestFormulas:
    @pytest.mark.parametrize("formula", FORMULAS)
    def test_no_cell_of_csv_begins_like_a_formula(self, formula):
        data = colours([formula, "red"], [0, 1, 0])
        data = tiny(
            X=data.X, schema=Schema((Column(formula), data.schema.columns[1])),
            feature_names=[formula, "colour=red"], label_names=[formula, "b", "c"],
        )  # fmt: skip
        for key, delimiter in (("csv", ","), ("tsv", "\t")):
            rows = csv.reader(io.StringIO(text_of(data, key), newline=""), delimiter=delimiter)
            texts = [cell for row in rows for cell in row if not is_number(cell)]
            assert not any(map(starts_formula, texts))
            again = read_dataset(write_dataset(data, key))
            assert again.label_names == data.label_names
            assert again.schema.columns[0].name == formula
            assert again.schema.columns[1].categories.index(formula) >= 0

    def test_a_ranking_in_words_is_no_formula(self):
        data = tiny(label_names=["-x", "@y", "+z"])
        assert "'-x>@y" in text_of(data, "words")
        assert content(read_dataset(write_dataset(data, "words"))) == content(data)

    def test_numbers_below_zero_stay_numbers(self):
        frame = pd.read_csv(io.StringIO(text_of(tiny(X=[[-1, 0], [-2, 0], [-3, 1]]))))
        assert frame["size"].tolist() == [-1, -2, -3]

    @pytest.mark.parametrize("formula", FORMULAS)
    def test_excel_holds_formulas_as_text(self, formula):
        ((_, written),) = write_dataset(colours([formula, "red"], [0, 1, 0]), "excel")
        book = openpyxl.load_workbook(io.BytesIO(written))
        cell = book["data"]["B2"]
        assert (cell.data_type, cell.value) == ("s", formula)
        assert cell.quotePrefix
        assert b"<f>" not in written

    def test_defusing_is_undone_exactly(self):
        for text in (*NASTY, *FORMULAS, *(f"'{text}" for text in FORMULAS)):
            assert restored(defused(text)) == text
            assert not starts_formula(defused(text))
            assert (defused(text) == text) is not may_run(text)

    def test_apostrophes_of_other_files_stay(self):
        data = read_dataset(("f.csv", b"kind,ranking\n'=x,a>b\n'=x,b>a\nred,a>b\nred,b>a\n"))
        assert "'=x" in data.schema.columns[0].categories


def is_number(cell):
    try:
        float(cell)
    except ValueError:
        return False
    return True


def starts_formula(text):
    return text.lstrip(" ").startswith(
        ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
    )


class TestMarks:
    def test_columns_of_others_are_not_marked(self):
        assert not is_marked(["x", "label_position:a"])
        assert not is_marked(["split:x", "zero", "L1", "L2"])
        assert not is_marked(["label_position:a", "label_position:b", "label_relevant:c"])
        assert not is_marked(["label_position:a", "label_position:b", "feature:x", "x"])
        assert not is_marked(["label_relevant:a", "label_relevant:b", "label_zero:line"])
        assert not is_marked(["label_ranking:a=a"])
        assert is_marked(["x", "label_ranking:a=b"])

    def test_repeated_names_are_an_error_as_ever(self):
        text = b"x,label_position:a,label_position:a\n1,1,2\n2,2,1\n"
        with pytest.raises(DatasetError, match="stands 2 times"):
            read_dataset(("f.csv", text))

    def test_findings_name_the_column_as_the_file_does(self):
        text = b"x,label_position:a,label_position:b\n1,1,2\n2,2,9\n"
        with pytest.raises(DatasetError, match="column 'label_position:b'"):
            read_dataset(("f.csv", text))


class TestLosses:
    def test_categories_that_cells_do_not_tell(self):
        data = colours(["red", "blue", "never"], [0, 1, 0])
        codes = [issue.code for issue in losses_of(data, "csv")]
        assert codes == ["lost-category-order", "lost-unused-categories"]
        assert not losses_of(data, "parquet")
        assert content(read_dataset(write_dataset(data, "parquet"))) == content(data)
        assert not losses_of(colours(["blue", "red"], [0, 1, 0]), "csv")

    def test_categories_that_look_like_numbers_or_nothing_stay(self):
        data = colours(["0", "1", "NA", "none"], [0, 1, 2, 3])
        for key in ("csv", "excel", "parquet"):
            assert content(read_dataset(write_dataset(data, key))) == content(data)

    def test_the_counts_are_of_the_data(self):
        data = tiny(Y=[[1, 3, 4, 2], [1, 3, 3, 2], [2, 3, 4, 1]], task=Task.CALIBRATED_RANKING)
        (issue,) = [i for i in losses_of(data, "mulan") if i.code == "lost-order"]
        assert "2 of 3 rows" in issue.message
        (issue,) = [i for i in losses_of(tiny(), "scikit-lr") if i.code == "partial-rankings"]
        assert "2 rows" in issue.message

    def test_what_cannot_be_held_is_not_listed_and_not_written(self):
        listed = {form.key for form, _ in writable_formats(tiny())}
        assert listed.isdisjoint({"mulan", "mulan-sparse", "meka", "libsvm", "scikit-lr"})
        with pytest.raises(DatasetError, match="plain rankings do not say"):
            write_dataset(tiny(), "mulan")
        with pytest.raises(ValueError, match=r"one of csv, tsv, .*, got 'pdf'"):
            write_dataset(tiny(), "pdf")

    @pytest.mark.parametrize("name", ["a>b", "a=b", "{a", "?", "", " a"])
    def test_labels_that_words_cannot_hold_are_never_changed(self, name):
        data = tiny(label_names=[name, "b", "c"])
        assert [i.code for i in losses_of(data, "words")] == ["name"]
        assert content(read_dataset(write_dataset(data, "csv"))) == content(data)

    def test_control_characters_are_for_parquet_only(self):
        data = tiny(label_names=["a\0", "b\x07", "c"])
        assert [form.key for form, _ in writable_formats(data)] == ["parquet"]
        assert read_dataset(write_dataset(data, "parquet")).label_names == data.label_names
        assert not writable_formats(tiny(label_names=["a\ud800", "b", "c"]))

    def test_a_sheet_has_bounds(self, monkeypatch):
        monkeypatch.setattr("labelrank_core.io.formats.excel.MAX_ROWS", 3)
        assert "at most 3 rows" in losses_of(tiny(), "excel")[0].message
        monkeypatch.setattr("labelrank_core.io.formats.excel.MAX_ROWS", 4)
        assert not losses_of(tiny(), "excel")
        long = tiny(label_names=["a" * 40_000, "b", "c"])
        assert losses_of(long, "excel")[0].code == "name"


class TestFiles:
    @staticmethod
    def zeros(n_rows, Y, **given):
        return tiny(
            X=sparse.csr_matrix((n_rows, 800)), Y=Y, task=Task.MULTILABEL,
            feature_names=[f"w{j}" for j in range(800)], label_names=list("abcd"), **given,
        )  # fmt: skip

    def test_tables_of_zeros_do_not_look_like_bombs(self):
        # Above the megabyte that may shrink to anything; a cell of Excel takes many bytes.
        for key, n_rows in (("excel", 100), ("mulan", 1000), ("libsvm", 1000)):
            Y = np.zeros((n_rows, 4))
            Y[::2] = 1
            data = self.zeros(n_rows, Y, split=np.arange(n_rows) % 2)
            again = read_dataset((archive_name(data, key), write_archive(data, key)))
            assert again.relevance.sum() == Y.sum()
        alike = [issue.code for issue in losses_of(data, "libsvm-gz")]
        assert alike[0] == "two-files"
        whole = self.zeros(1000, np.ones((1000, 4)))
        assert read_dataset(write_dataset(whole, "libsvm-gz")).relevance.all()

    @pytest.mark.parametrize(
        ("name", "file"),
        [("../../etc/passwd", "etc_passwd.csv"), ("a:b*c?", "a_b_c.csv"), ("", "data.csv"),
         ("größe 2", "größe 2.csv"), ("x" * 300, "x" * 80 + ".csv"), (".hidden", "hidden.csv")],
    )  # fmt: skip
    def test_names_of_files_are_safe(self, name, file):
        assert archive_name(tiny(name=name), "csv") == file

    @pytest.mark.parametrize("name", ["fruit", "train", "my test set", "test-train", "a_trn"])
    def test_pairs_are_read_back_whatever_the_data_are_called(self, name):
        Y = [[1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1]]
        X = [[1, 2], [3, 4], [5, 6], [7, 8]]
        data = tiny(X=X, Y=Y, task=Task.MULTILABEL, split=[0, 0, 1, 1], name=name)
        assert archive_name(data, "libsvm").endswith(".zip")
        archive = (archive_name(data, "libsvm"), write_archive(data, "libsvm"))
        for files in (write_dataset(data, "libsvm"), archive):
            again = read_dataset(files)
            assert again.split.tolist() == [False, False, True, True]
            assert again.relevance.tolist() == Y

    def test_every_format_has_a_key_and_a_title_of_its_own(self):
        for part in ("key", "title"):
            assert len({getattr(form, part) for form in WRITERS}) == len(WRITERS)


@pytest.mark.parametrize("sample", [sample.name for sample in list_samples()])
def test_samples_lose_only_what_is_stated(sample):
    data = load_sample(sample)
    for form, issues in writable_formats(data):
        again, left = content(read_dataset(write_dataset(data, form))), without(data, issues)
        if form.key == "preflib":
            again, left = in_any_order(again), in_any_order(left)
        assert again == left, form.title
