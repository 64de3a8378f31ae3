"""Excel workbooks, the grid of cells they become, and the child program that reads them."""

import io
import zipfile
from datetime import date, datetime, timedelta
from time import process_time

import numpy as np
import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelrank_core import DatasetError, inspect_files, read_dataset
from labelrank_core.data.findings import Severity
from labelrank_core.io.formats import base, excel
from labelrank_core.io.formats.excel import read_grid
from labelrank_core.io.infer.forms import reading_evidence
from labelrank_core.io.sources import Source
from labelrank_core.io.table import table_of
from tests.looped import seeds

pytestmark = pytest.mark.usefixtures("in_this_program")
FRUIT = [["size", "L1", "L2"], [1.5, 1, 2], [2.5, 2, 1], [3, 1, 2]]


def workbook(**sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def repacked(data, change):
    """The workbook with each part changed by a function of its name and content."""
    buffer = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as old,
        zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            new.writestr(name, change(name, old.read(name)))
    return buffer.getvalue()


def read(data):
    return table_of(excel.read(Source("fruit.xlsx", data)))


def the_error(files, code):
    issues = inspect_files(files).findings
    (issue,) = [issue for issue in issues if issue.severity is Severity.ERROR]
    assert issue.code == code
    assert issue.hint.endswith(".")
    return issue


class TestGrid:
    def test_numbers_stay_numbers_and_all_else_is_text(self):
        cells = read_grid([["x", "y", "z"], [1.0, "a", None], [None, 2.5, "b"]])
        assert not cells.findings
        assert cells.lines.tolist() == [2, 3]
        np.testing.assert_array_equal(cells.columns["x"], [1, np.nan])
        assert cells.columns["y"] == ["a", "2.5"]
        assert cells.columns["z"] == ["", "b"]

    def test_a_row_of_numbers_is_no_header(self):
        cells = read_grid([[1.0, 2.0], [3.0, 4.0]])
        (finding,) = cells.findings
        assert list(cells.columns) == ["c1", "c2"]
        assert (finding.code, finding.row, len(cells.lines)) == ("no-header", 1, 2)

    def test_the_table_is_found_wherever_it_stands(self):
        rows = [[], [None, "About fruit"], [], [None, "x", "y"], [None, 1.0, 2.0], [], ["", 3.0]]
        cells = read_grid([[None, *row] for row in rows])
        assert list(cells.columns) == ["x", "y"]
        assert cells.lines.tolist() == [5, 7]
        found = {(finding.code, finding.row) for finding in cells.findings}
        assert found == {("title", 2), ("blank-lines", 6)}

    @pytest.mark.parametrize("rows", [[], [[None, ""]], [["x", "y"]], [["x"], [1.0]]])
    def test_without_two_columns_and_a_row_there_is_no_table(self, rows):
        assert read_grid(rows).columns is None

    def test_too_many_cells_are_refused(self, monkeypatch):
        monkeypatch.setattr(excel, "MAX_CELLS", 5)
        with pytest.raises(DatasetError, match="more than 5 cells"):
            read_grid(FRUIT)
        with pytest.raises(DatasetError, match="more than 5 cells"):
            read_grid([[*[None] * 9, "x"], ["y"]])

    @given(
        st.lists(
            st.lists(st.none() | st.text(max_size=3) | st.floats(width=32), max_size=4), max_size=5
        )
    )
    def test_any_cells_become_a_table_or_nothing(self, rows):
        cells = read_grid(rows)
        if cells.columns is not None:
            assert {len(column) for column in cells.columns.values()} == {len(cells.lines)}
            assert cells.lines.max() <= len(rows)


class TestWorkbooks:
    def test_a_workbook_is_read_whatever_it_is_called(self):
        data = read_dataset(("fruit", workbook(Fruit=FRUIT)))
        assert data.feature_names == ("size",)
        assert data.X[:, 0].tolist() == [1.5, 2.5, 3]
        assert data.rankings.tolist() == [[1, 2], [2, 1], [1, 2]]

    def test_the_first_sheet_with_a_table_is_read_and_the_others_named(self):
        raw = read(workbook(About=[["About fruit"]], Fruit=FRUIT, More=FRUIT))
        assert raw.names == ["size", "L1", "L2"]
        (issue,) = raw.file.findings
        assert issue.code == "other-sheets"
        assert issue.message == "sheet 'Fruit' was read, not 'About', 'More'."
        with pytest.raises(DatasetError, match="no table in 2 sheets"):
            read(workbook(a=[], b=[["x", "y"]]))

    def test_dates_and_truth_values(self):
        raw = read(
            workbook(
                s=[
                    ["day", "time", "flag"],
                    [date(2024, 5, 17), timedelta(hours=30), True],
                    [datetime(2024, 5, 17, 12, 30), None, False],
                ]
            )
        )
        assert raw.cells(0).tolist() == ["2024-05-17T00:00:00", "2024-05-17T12:30:00"]
        assert raw.cells(2).tolist() == ["1", "0"]
        assert np.isnan(raw.numbers[:, 0]).all()

    def test_content_decides(self):
        assert excel.recognises(Source("f.txt", workbook(s=FRUIT)))
        assert not excel.recognises(Source("f.xlsx", b"x,y\n1,2\n"))
        assert not excel.recognises(Source("f.xls", b"\xd0\xcf\x11\xe0" + bytes(600)))
        issue = the_error(("f.xls", b"\xd0\xcf\x11\xe0" + bytes(600)), "not-text")
        assert "not a text file" in issue.message

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
    def test_entities_are_refused(self, encoding):
        entity = '<!DOCTYPE x [<!ENTITY a "aaaa">]>'
        for part in ("xl/workbook.xml", "xl/worksheets/sheet1.xml", "[Content_Types].xml"):

            def change(name, text, part=part):
                if name != part:
                    return text
                return (entity + text.decode().split("?>")[-1]).encode(encoding)

            with pytest.raises(DatasetError, match="declares entities"):
                read(repacked(workbook(s=FRUIT), change))

    def test_a_row_far_below_the_last_one_is_refused_at_once(self):
        def change(_, text):
            return text.replace(b'<row r="4"', b'<row r="99999999999"')

        start = process_time()
        with pytest.raises(DatasetError, match="more than 1048576 rows"):
            read(repacked(workbook(s=FRUIT), change))
        assert process_time() - start < 10, "the empty rows before it cost next to nothing"

    def test_a_workbook_that_grows_too_much_is_not_unpacked(self):
        def change(name, text):
            return text + b" " * 5_000_000 if name == "xl/workbook.xml" else text

        with pytest.raises(DatasetError, match="200 times"):
            read(repacked(workbook(s=FRUIT), change))

    def test_passwords_and_missing_packages_are_findings(self, monkeypatch):
        protected = b"\xd0\xcf\x11\xe0" + "EncryptedPackage".encode("utf-16-le")
        with pytest.raises(DatasetError, match="password"):
            read(protected)

        def missing(name):
            raise ImportError(name)

        monkeypatch.setattr(base, "import_module", missing)
        with pytest.raises(DatasetError, match="pip install defusedxml"):
            read(workbook(s=FRUIT))

    @pytest.mark.usefixtures("in_a_child")
    @seeds(4)
    def test_damaged_workbooks_are_findings(self, seed):
        rng = np.random.default_rng(seed)

        def change(name, text):
            broken = bytearray(text)
            for place in rng.integers(len(text), size=3):
                broken[place] = rng.integers(256)
            return bytes(broken) if name.endswith(("sheet1.xml", "styles.xml")) else text

        damaged = repacked(workbook(s=FRUIT), change)
        findings = inspect_files(("f.xlsx", damaged)).findings
        assert all(issue.message for issue in findings)
        issue = the_error(
            ("f.xls", b"\xd0\xcf\x11\xe0" + rng.bytes(999) + b"B\0o\0o\0k\0"), "unreadable-file"
        )
        assert "damaged" in issue.message


class TestPublished:
    @pytest.mark.parametrize(
        ("name", "csv", "form"), [("heat", "heat", "orders"), ("iris_dense", "iris", "positions")]
    )
    def test_old_workbooks_hold_what_their_tables_hold(self, benchmark_data, name, csv, form):
        proposal = inspect_files(benchmark_data / "raw" / f"{name}.xls")
        assert proposal.format == "Excel workbook (.xls)"
        assert proposal.open_choices == ("target_form",)
        assert proposal.target_form == form
        assert reading_evidence(proposal).better == form
        data = read_dataset(proposal, target_form=form)
        table = read_dataset(benchmark_data / "kebi" / f"{csv}.csv", target_form="positions")
        assert data.Y.tolist() == table.Y.tolist()
        assert np.abs(data.X - table.X).max() < 1e-6 * np.abs(table.X).max()
