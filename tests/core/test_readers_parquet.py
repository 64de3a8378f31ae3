"""Parquet: numbers, text, categories, dates and lists, and files that are damaged."""

import datetime
import io
from contextlib import suppress
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from labelrank_core import DatasetError, inspect_files, read_dataset
from labelrank_core.data.findings import Severity
from labelrank_core.io import child
from labelrank_core.io.formats import base
from labelrank_core.io.formats import parquet as reader
from labelrank_core.io.sources import Source, open_sources
from labelrank_core.io.table import table_of

pytestmark = pytest.mark.usefixtures("in_this_program")


def packed(table, **options):
    buffer = io.BytesIO()
    parquet.write_table(table, buffer, **options)
    return buffer.getvalue()


FRUIT = {
    "size": [1.5, None, 3.0, 4.0],
    "weight": pa.array([7, 8, 9, 6], pa.int8()),
    "ripe": [True, False, True, True],
    "L1": [1, 2, 1, 1],
    "L2": [2, 1, 2, 2],
}
NUMBERS = packed(pa.table(FRUIT))


def read(data):
    return table_of(reader.read(Source("t", data)))


def read_one(**columns):
    """The one column of a table."""
    return read(packed(pa.table(columns))).frame.iloc[:, 0]


class TestNumbers:
    def test_a_file_of_numbers_is_a_data_set(self):
        proposal = inspect_files(("fruit", NUMBERS))
        assert proposal.format == "Parquet"
        assert proposal.table.index.tolist() == [2, 3, 4, 5]
        (issue,) = proposal.errors
        assert (issue.code, issue.row, issue.column) == ("missing-value", 3, "size")
        data = read_dataset(proposal, missing="drop_rows")
        assert data.feature_names == ("size", "weight", "ripe")
        assert data.X.tolist() == [[1.5, 7, 1], [3, 9, 1], [4, 6, 1]]
        assert data.rankings.tolist() == [[1, 2], [1, 2], [1, 2]]

    def test_a_path_is_read_like_its_bytes(self, tmp_path):
        path = tmp_path / "fruit.parquet"
        for table in (FRUIT, {**FRUIT, "colour": ["red", "green", "red", "green"]}):
            path.write_bytes(packed(pa.table(table)))
            by_path, by_bytes = (
                inspect_files(file).raw for file in (path, ("fruit.parquet", path.read_bytes()))
            )
            assert by_path.file.name == by_bytes.file.name == "fruit"
            pd.testing.assert_frame_equal(by_path.frame, by_bytes.frame)

    def test_a_path_counts_with_its_size_and_may_vanish(self, tmp_path):
        path = tmp_path / "fruit.parquet"
        path.write_bytes(NUMBERS)
        (issue,) = inspect_files(path, max_bytes=len(NUMBERS) - 1).errors
        assert issue.code == "too-large"
        (source,) = open_sources(path, max_bytes=len(NUMBERS))
        assert source.n_bytes == len(source.whole().data) == len(NUMBERS)
        path.unlink()
        with pytest.raises(OSError, match="No such file"):
            source.whole()

    def test_a_table_without_rows_is_a_finding(self):
        empty = packed(pa.table({"x": pa.array([], pa.float64()), "y": pa.array([], pa.int8())}))
        (issue,) = inspect_files(("t", empty)).errors
        assert issue.code == "no-rows"

    def test_nobody_can_write_into_its_numbers(self):
        table = pa.table({"x": [1.0, 2, 3], "a": [1, 2, 1], "b": [2, 1, 2]})
        raw = inspect_files(("t", packed(table))).raw
        X = read_dataset(("t", packed(table)), target_form="positions").X
        for numbers in (raw.numbers, X):
            with pytest.raises(ValueError, match="read-only"):
                numbers[0] = 0

    def test_the_table_is_one_block_that_is_not_copied_for_its_numbers(self):
        raw = inspect_files(("t", packed(pa.table({"x": [1.0, 2], "y": [3, 4]})))).raw
        assert np.shares_memory(raw.numbers, raw.frame.to_numpy())


class TestColumns:
    def test_dictionaries_are_categories(self):
        words = pa.chunked_array(
            [pa.array(["b", None]).dictionary_encode(), pa.array(["a", "b"]).dictionary_encode()]
        )
        column = read_one(c=words)
        assert column.cat.categories.tolist() == ["b", "a"]
        assert column.cat.codes.tolist() == [0, -1, 1, 0]
        assert read_one(c=pa.array([5, 7, 5]).dictionary_encode()).tolist() == [5, 7, 5]

    def test_text_and_nothing(self):
        assert read_one(c=["a", None, "ü"]).tolist() == ["a", "", "ü"]
        assert read_one(c=pa.nulls(2)).tolist() == ["", ""]

    def test_dates_are_text(self):
        assert read_one(c=[datetime.date(2024, 5, 17), None]).tolist() == ["2024-05-17", ""]
        times = pa.array([0, None], pa.timestamp("s"))
        assert read_one(c=times).tolist()[0].startswith("1970-01-01 00:00:00")

    def test_exact_and_short_numbers(self):
        assert read_one(c=[Decimal("1.25"), Decimal(2)]).tolist() == [1.25, 2]
        assert read_one(c=pa.array([np.float16(1.5)], pa.float16())).tolist() == [1.5]

    @pytest.mark.parametrize(
        ("values", "kind", "texts"),
        [
            ([["a", 'b;"'], [], None], pa.list_(pa.string()), ['["a", "b;\\""]', "[]", ""]),
            ([[1, 2], [3]], pa.large_list(pa.int32()), ["[1, 2]", "[3]"]),
            ([["a"]], pa.list_(pa.string(), 1), ['["a"]']),
        ],
    )
    def test_lists_are_json(self, values, kind, texts):
        assert read_one(c=pa.array(values, kind)).tolist() == texts

    def test_what_is_no_column_of_a_table_is_named(self):
        odd = {"s": [{"a": 1}], "e": [[0.5]], "b": [b"x"], "__index_level_0__": [7]}
        raw = read(packed(pa.table({"x": [1.0], **odd})))
        assert raw.names == ["x"]
        (issue,) = raw.file.findings
        assert issue.message.startswith("4 columns not read: 's', 'e', 'b', '__index_level_0__'")

    def test_columns_of_several_types_are_a_table(self):
        table = pa.table({**FRUIT, "size": ["s", "m", "s", "l"], "day": [datetime.date.min] * 4})
        proposal = inspect_files(("fruit", packed(table)))
        assert proposal.format == "Parquet"
        assert proposal.table["size"].tolist() == ["s", "m", "s", "l"]
        assert proposal.roles["day"] == "ignore"

    def test_a_column_of_lists_of_text_holds_label_lists(self):
        lists = [["a", "b;c"], ["a"], [], ["b;c"]]
        table = pa.table({"x": [1.0, 2, 3, 4], "tags": pa.array(lists, pa.list_(pa.string()))})
        data = read_dataset(("t.parquet", packed(table)))
        assert data.label_names == ("a", "b;c")
        assert data.relevance.tolist() == [[1, 1], [1, 0], [0, 0], [0, 1]]


class TestFindings:
    def the_error(self, data):
        (issue,) = inspect_files(("f.parquet", data)).errors
        return issue

    def test_a_damaged_file(self):
        assert self.the_error(NUMBERS[:-20]).code == "unreadable-file"
        middle = len(NUMBERS) // 4
        with pytest.raises(DatasetError, match="damaged"):
            read(NUMBERS[:40] + bytes(middle) + NUMBERS[40 + middle :])

    def test_no_row_and_no_column(self):
        empty = packed(pa.table({"x": pa.array([], pa.float64())}))
        assert self.the_error(empty).message == "found 0 rows and 1 column."
        with pytest.raises(DatasetError, match="Found 1 row and 0 columns"):
            read(packed(pa.table({"x": [{"a": 1}]})))

    def test_rows_times_columns_are_bounded_before_anything_is_unpacked(self, monkeypatch):
        monkeypatch.setattr(reader, "MAX_NUMBERS", 10)
        with pytest.raises(DatasetError, match="4 rows and 5 columns, more than"):
            read(NUMBERS)

    @pytest.mark.usefixtures("in_a_child")
    def test_text_that_unpacks_to_more_than_memory_holds(self, monkeypatch):
        # One and a half gigabytes of text, told in a few hundred bytes: a dictionary of one word.
        monkeypatch.setattr(child, "MAX_MEMORY", 1_000_000_000)
        codes = pa.array(np.zeros(30_000, dtype=np.int32))
        words = pa.DictionaryArray.from_arrays(codes, ["a" * 50_000])
        data = packed(pa.table({"x": words}), compression="zstd", store_schema=False)
        assert len(data) < 1000
        issue = self.the_error(data)
        assert issue.code == "unreadable-file"
        assert "memory" in issue.message

    def test_repeated_names_are_errors(self):
        table = pa.table([pa.array([1.0, 2]), pa.array([1.0, 2])], names=["x", "x"])
        issues = inspect_files(("t", packed(table))).findings
        assert "duplicate-column" in {i.code for i in issues if i.severity is Severity.ERROR}

    def test_without_the_package_a_finding_says_what_to_install(self, monkeypatch):
        def missing(name):
            raise ImportError(name)

        monkeypatch.setattr(base, "import_module", missing)
        with pytest.raises(DatasetError, match="pip install pyarrow"):
            read(NUMBERS)

    @given(st.lists(st.tuples(st.integers(0, len(NUMBERS)), st.binary(max_size=4)), max_size=4))
    def test_any_mutation_is_a_table_or_findings(self, changes):
        data = NUMBERS
        for place, new in changes:
            data = data[:place] + new + data[place + len(new) :]
        if reader.recognises(Source("t", data)):
            with suppress(DatasetError):
                assert read(data).n_rows
