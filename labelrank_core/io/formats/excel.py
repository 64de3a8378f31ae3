"""Excel workbooks: .xlsx and the older .xls are read by openpyxl and xlrd, .xlsx is written.

The cells are written here: openpyxl takes seven times as long, and writes numbers with 16 digits,
which are not always the same number when read again.
"""

import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from functools import partial
from html import escape
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelrank_core.data.findings import (
    DatasetError,
    Finding,
    Severity,
    at_lines,
    count_of,
    listed,
    refusal,
    shorten,
    too_large,
)
from labelrank_core.io.archives import is_archive, open_archive, zipped
from labelrank_core.io.cells import MAX_CELLS, Cells, Column, check_cells, written
from labelrank_core.io.formats.base import Content, Export, Format, Writer, import_package, one_file
from labelrank_core.io.header import may_run, read_header
from labelrank_core.io.sources import Source

MAX_ROWS = 1_048_576
MAX_COLUMNS = 16_384
MAX_TEXT = 32_767

_OLD, _NEW = b"\xd0\xcf\x11\xe0", b"PK\x03\x04"
_OLD_PARTS = tuple(name.encode("utf-16-le") for name in ("Workbook", "Book", "EncryptedPackage"))
_SAVE = "Open it in Excel and save it as an ordinary .xlsx workbook or as CSV."

# How workbooks write characters that XML cannot hold; halves of a character are none.
_CODE = re.compile("_x((?!D[89A-F])[0-9A-F]{4})_", re.IGNORECASE)

_Cell = str | float | None
_Rows = Iterable[Sequence[_Cell]]

# A number of the table takes 8 bytes, and a cell with it at least 16: <c><v>0</v></c>
_GROWTH = 0.5


def recognises(source: Source) -> bool:
    """Tell whether a file is an Excel workbook, old or new."""
    data = source.data
    if data.startswith(_OLD):
        return any(part in data for part in _OLD_PARTS)
    return data.startswith(_NEW) and b"xl/workbook" in data and not is_archive(data)


def read(source: Source, _: Sequence[Source] = ()) -> Cells:
    """Read the first sheet of a workbook that holds a table; a finding names the others."""
    old = source.data.startswith(_OLD)
    names, first_table = [], None
    try:
        for name, rows in _old_sheets(source) if old else _new_sheets(source):
            names.append(name)
            if first_table is None:
                table = read_grid(rows)
                first_table = None if table.columns is None else (name, table)
    except ValueError as error:
        # Entities, wherever they are declared; openpyxl says so in its own words.
        if "EntitiesForbidden" not in repr(error.__cause__ or error):
            raise
        message = "the workbook's XML declares entities, which Excel never does."
        raise refusal("unsafe-xml", message, _SAVE) from error
    if first_table is None:
        message = f"found no table in {count_of(len(names), 'sheet')}."
        hint = "Put the names of the columns into the first row of a sheet and each case into one."
        raise refusal("no-rows", message, hint)
    name, table = first_table
    findings = list(table.findings)
    if len(names) > 1:
        other_sheets = listed([sheet for sheet in names if sheet != name])
        message = f"sheet '{shorten(name)}' was read, not {other_sheets}."
        hint = "Save another sheet as a file of its own to read that one."
        findings.insert(0, Finding("other-sheets", Severity.WARNING, message, hint))
    kind = "Excel workbook (.xls)" if old else "Excel workbook (.xlsx)"
    return Cells(source.stem, table.columns, table.lines, kind, findings=findings)


def _new_sheets(source: Source) -> Iterator[tuple[str, _Rows]]:
    import_package("defusedxml")  # with which openpyxl refuses entities
    open_archive(source).close()  # not too large
    book = import_package("openpyxl").load_workbook(
        io.BytesIO(source.data), read_only=True, data_only=True, keep_links=False
    )
    for sheet in book.worksheets:
        sheet.reset_dimensions()  # what a file says of its size need not be true
        rows = sheet.iter_rows(values_only=True)
        # A high number of a row makes many empty ones before it.
        yield sheet.title, ([_value(cell) for cell in row] if row else () for row in rows)


def _value(cell: Any) -> _Cell:
    if isinstance(cell, (datetime, date, time)):
        return cell.isoformat()
    if isinstance(cell, timedelta):
        return str(cell)
    if isinstance(cell, str):
        return _CODE.sub(lambda code: chr(int(code[1], 16)), cell)
    return None if cell is None else float(cell)


def _old_sheets(source: Source) -> Iterator[tuple[str, _Rows]]:
    if _OLD_PARTS[2] in source.data:
        message = "the workbook is protected by a password."
        raise refusal("encrypted", message, _SAVE)
    xlrd = import_package("xlrd")
    book = xlrd.open_workbook(file_contents=source.data, on_demand=True, logfile=io.StringIO())
    for name in book.sheet_names():
        sheet = book.sheet_by_name(name)
        rows = (
            zip(sheet.row_types(i), sheet.row_values(i), strict=True) for i in range(sheet.nrows)
        )
        yield name, ([_old_value(xlrd, book, *cell) for cell in row] for row in rows)


def _old_value(xlrd: Any, book: Any, kind: int, value: Any) -> _Cell:
    if kind == xlrd.XL_CELL_ERROR:
        return str(xlrd.error_text_from_code.get(value, "#N/A"))
    if kind == xlrd.XL_CELL_DATE:
        with suppress(ValueError, OverflowError):
            return str(xlrd.xldate_as_datetime(value, book.datemode).isoformat())
        return f"{value:g}"
    return None if value == "" else value


def read_grid(rows: _Rows) -> Cells:
    """Read rows of cells, from the first column on and of any length, as a table.

    Empty rows are skipped, and so are empty columns beside the table and lines with a single cell
    above it. The first row names the columns unless it is a row of numbers. A column is numbers
    where every cell that is not empty is one. There are no columns in fewer than two columns or
    without a row of data.
    """
    filled, empty = _filled(rows)
    n_above = next((i for i, row in enumerate(filled) if row.n_held > 1), 0)
    titles, filled = [row.line for row in filled[:n_above]], filled[n_above:]
    start = min((row.first for row in filled), default=0)
    width = max((len(row.cells) for row in filled), default=0) - start
    if width < 2:
        return Cells("")
    check_cells(len(filled) * width, MAX_CELLS)
    grid = np.full((len(filled), width), None)
    for cells, row in zip(grid, filled, strict=True):
        cells[: len(row.cells) - start] = row.cells[start:]
    lines = np.array([row.line for row in filled], np.int64)
    is_header, names, findings = read_header([*map(written, grid[0])], filled[0].line)
    if len(grid) == is_header:
        return Cells("")
    between = [line for line in empty if filled[0].line < line < filled[-1].line]
    for code, message, where in (
        ("title", "a line with a single cell above the table was skipped.", titles),
        ("blank-lines", "an empty line was skipped.", between),
    ):
        if where:
            findings.append(at_lines(Finding(code, Severity.INFO, message), where))
    columns = dict(zip(names, map(_column, grid[is_header:].T), strict=True))
    return Cells("", columns, lines[is_header:], findings=findings)


class _Row(NamedTuple):
    """A row of a sheet: its number, its first cell with content, and the number of such cells."""

    line: int
    cells: Sequence[_Cell]
    first: int
    n_held: int


def _filled(rows: _Rows) -> tuple[list[_Row], list[int]]:
    """Return the rows that hold anything, up to their last such cell, and the other numbers."""
    filled, empty, n_cells = list[_Row](), list[int](), 0
    for line, cells in enumerate(rows, start=1):
        held = [j for j, cell in enumerate(cells) if cell not in (None, "")]
        if line > MAX_ROWS:
            raise DatasetError([too_large(f"the sheet has more than {MAX_ROWS} rows.")])
        if held:
            n_cells += held[-1] + 1
            check_cells(n_cells, MAX_CELLS)
            filled.append(_Row(line, cells[: held[-1] + 1], held[0], len(held)))
        else:
            empty.append(line)
    return filled, empty


def _column(cells: NDArray[Any]) -> Column:
    if any(isinstance(cell, str) for cell in cells):
        return [written(cell) for cell in cells]
    return cells.astype(np.float64)  # None becomes NaN


_SHEET = "xl/worksheets/sheet1.xml"
_START = '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
_LINE_ENDS = str.maketrans({"\r": "&#13;", "\n": "&#10;", "\t": "&#9;"})
# What workbooks take for the code of a character.
_LIKE_CODE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")


def _losses(data: Export) -> list[Finding]:
    heads, n_rows = data.heads(), data.dataset.n_samples
    if refused := data.no_pairs():
        return refused
    if n_rows >= MAX_ROWS or len(heads) > MAX_COLUMNS:
        limit = f"at most {MAX_ROWS} rows and {MAX_COLUMNS} columns"
        message = f"a sheet has {limit}; the data need {n_rows + 1} and {len(heads)}."
        return [too_large(message, "Choose Parquet or CSV.")]
    texts = [*heads, *data.all_names()]
    long = f"is longer than {MAX_TEXT} characters"
    return [
        *data.no_package("openpyxl"),
        *data.odd_text(),
        *data.refused_names(
            texts, lambda text: len(text) <= MAX_TEXT, long, noun="column or category"
        ),
        *data.no_declared_categories(),
        *data.no_empty_rows(),
        *data.too_large_to_read(),
    ]


def _content(data: Export) -> list[bytes]:
    """Put the rows into the sheet of a workbook that openpyxl makes."""
    book, buffer = import_module("openpyxl").Workbook(), io.BytesIO()
    book.active.title = "data"
    # The second style is that of text typed with an apostrophe before it: editing the cell does
    # not turn it into a formula.
    book.active["A1"].quotePrefix = True
    book.save(buffer)
    with zipfile.ZipFile(buffer) as empty:
        parts: dict[str, Content] = {
            name: partial(list, [empty.read(name)]) for name in empty.namelist()
        }
    parts[_SHEET] = partial(_sheet, data)
    return [zipped(parts.items(), growth=_GROWTH)]


def _sheet(data: Export) -> Iterator[bytes]:
    """Write the rows in XML."""
    yield f"{_START}<row>{''.join(map(_text_cell, data.heads()))}</row>".encode()
    for rows in data.blocks():
        columns = [data.texts(one, _text_cell, _number_cell) for one in data.columns(rows)]
        yield "".join(f"<row>{''.join(row)}</row>" for row in zip(*columns, strict=True)).encode()
    yield b"</sheetData></worksheet>"


def _number_cell(text: str) -> str:
    return f"<c><v>{text}</v></c>" if text else "<c/>"


def _text_cell(text: str) -> str:
    style = ' s="1"' if may_run(text) else ""
    content = escape(_LIKE_CODE.sub("_x005F_", text), quote=False).translate(_LINE_ENDS)
    return f'<c t="inlineStr"{style}><is><t xml:space="preserve">{content}</t></is></c>'


FORMAT = Format(
    "Excel workbook",
    recognises,
    read,
    writers=(
        Writer(
            "excel",
            "Excel workbook",
            "One sheet with a column per label; text never runs as a formula.",
            _losses,
            partial(one_file, ".xlsx", _content),
        ),
    ),
)
