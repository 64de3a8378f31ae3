"""Excel workbooks, .xlsx and the older .xls."""

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from pathlib import PurePosixPath
from typing import Any

from labelrank_core.data.findings import DatasetError, Finding, Severity, count_of, shorten
from labelrank_core.io.archives import is_archive, open_archive, read_member
from labelrank_core.io.formats.grid import Cell, read_grid
from labelrank_core.io.formats.optional import needed
from labelrank_core.io.sources import Source
from labelrank_core.io.table import RawTable

_OLD, _NEW = b"\xd0\xcf\x11\xe0", b"PK\x03\x04"
_OLD_PARTS = tuple(name.encode("utf-16-le") for name in ("Workbook", "Book", "EncryptedPackage"))
_MARKS_OF_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_SAVE = "Open it in Excel and save it as an ordinary .xlsx workbook or as CSV."

# How workbooks write characters that XML cannot hold; halves of a character are none.
_CODE = re.compile("_x((?!D[89A-F])[0-9A-F]{4})_", re.IGNORECASE)

Sheets = Iterable[tuple[str, Iterable[Sequence[Cell]]]]


def recognises_excel(source: Source) -> bool:
    """Tell whether a file is an Excel workbook."""
    data = source.data
    if data.startswith(_OLD):
        return any(part in data for part in _OLD_PARTS)
    return data.startswith(_NEW) and b"xl/workbook" in data and not is_archive(data)


def read_excel(source: Source, companions: Sequence[Source]) -> RawTable:  # noqa: ARG001
    """Read the first sheet of a workbook that holds a table.

    What the parsers raise on damaged files is not caught: this runs in a child program.
    """
    old = source.data.startswith(_OLD)
    sheets = _old_sheets(source) if old else _new_sheets(source)
    names, read = [], None
    for name, rows in sheets:
        names.append(name)
        if read is None:
            frame, findings = read_grid(rows)
            read = None if frame is None else (name, frame, findings)
    if read is None:
        message = f"found no table in {count_of(len(names), 'sheet')}."
        hint = "Put the names of the columns into the first row of a sheet and a case a row below."
        raise DatasetError([Finding("no-rows", Severity.ERROR, message, hint)])
    name, frame, findings = read
    if len(names) > 1:
        findings = [_other_sheets(name, [other for other in names if other != name]), *findings]
    kind = "Excel workbook (.xls)" if old else "Excel workbook (.xlsx)"
    return RawTable(source.stem, frame, findings=tuple(findings), format=kind)


def _other_sheets(name: str, others: Sequence[str]) -> Finding:
    listed = ", ".join(f"'{shorten(other)}'" for other in others[:5])
    more = ", ..." if len(others) > 5 else ""
    message = f"sheet '{shorten(name)}' was read, not {listed}{more}."
    hint = "Save another sheet as a file of its own to read that one."
    return Finding("other-sheets", Severity.WARNING, message, hint)


def _new_sheets(source: Source) -> Sheets:
    _check_parts(source)
    book = needed("openpyxl").load_workbook(
        io.BytesIO(source.data), read_only=True, data_only=True, keep_links=False
    )
    for sheet in book.worksheets:
        sheet.reset_dimensions()  # what a file says of its size need not be true
        rows = sheet.iter_rows(values_only=True)
        yield sheet.title, ([_value(cell) for cell in row] for row in rows)


def _check_parts(source: Source) -> None:
    """Refuse a workbook that is not safe to unpack, or whose XML declares entities."""
    with open_archive(source) as archive:
        for member in archive.infolist():
            if PurePosixPath(member.filename).suffix not in (".xml", ".rels"):
                continue
            text = read_member(archive, member, source)
            # Parsers know XML in UTF-16 by these bytes; every other encoding has ASCII's letters.
            wide = text.startswith(_MARKS_OF_UTF16) or b"\0" in text[:4]
            if wide or b"<!DOCTYPE" in text:
                name = shorten(member.filename)
                message = f"the part '{name}' of the workbook is not written as Excel writes it."
                raise DatasetError([Finding("unsafe-xml", Severity.ERROR, message, _SAVE)])


def _value(cell: Any) -> Cell:
    if isinstance(cell, (datetime, date, time)):
        return cell.isoformat()
    if isinstance(cell, timedelta):
        return str(cell)
    if isinstance(cell, str):
        return _CODE.sub(lambda code: chr(int(code[1], 16)), cell)
    return None if cell is None else float(cell)


def _old_sheets(source: Source) -> Sheets:
    if _OLD_PARTS[2] in source.data:
        message = "the workbook is protected by a password."
        raise DatasetError([Finding("encrypted", Severity.ERROR, message, _SAVE)])
    xlrd = needed("xlrd")
    book = xlrd.open_workbook(file_contents=source.data, on_demand=True, logfile=io.StringIO())
    for name in book.sheet_names():
        yield name, _old_rows(xlrd, book, name)


def _old_rows(xlrd: Any, book: Any, name: str) -> Iterator[list[Cell]]:
    sheet = book.sheet_by_name(name)
    for i in range(sheet.nrows):
        row: list[Cell] = []
        for kind, value in zip(sheet.row_types(i), sheet.row_values(i), strict=True):
            if kind == xlrd.XL_CELL_DATE:
                row.append(_old_date(xlrd, value, book.datemode))
            elif kind == xlrd.XL_CELL_ERROR:
                row.append(xlrd.error_text_from_code.get(value, "#N/A"))
            else:
                row.append(None if value == "" else value)
        yield row


def _old_date(xlrd: Any, value: float, mode: int) -> str:
    try:
        return xlrd.xldate_as_datetime(value, mode).isoformat()
    except (ValueError, OverflowError):
        return f"{value:g}"
