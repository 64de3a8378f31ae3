"""Files to the one table they hold, read in a child program."""

from collections.abc import Sequence
from dataclasses import replace
from typing import BinaryIO

from labelrank_core.data.findings import (
    DatasetError,
    Finding,
    Severity,
    listed,
    refusal,
    shorten,
    too_large,
    too_much_text,
)
from labelrank_core.io import formats
from labelrank_core.io.archives import unpack
from labelrank_core.io.cells import Cells
from labelrank_core.io.child import ChildError, call
from labelrank_core.io.formats.base import Format
from labelrank_core.io.header import read_marks
from labelrank_core.io.limits import max_answer, max_text_cells
from labelrank_core.io.parcel import pack_cells, pack_files, unpack_cells, unpack_files
from labelrank_core.io.parts import common_name, find_parts, join_parts
from labelrank_core.io.slots import OnWait, go_on
from labelrank_core.io.sources import Source


def read_files(files: list[Source], on_wait: OnWait = go_on) -> Cells:
    """Read the one table that files hold, in a child program; errors become findings."""
    name = files[0].stem if files else "data"
    unreadable = [finding for file in files for finding in file.findings]
    if unreadable:
        return Cells(name, findings=unreadable)
    size = sum(file.n_bytes for file in files)
    try:
        request, max_bytes = pack_files(files), max_answer(size)
        is_text = all(file.is_text for file in files)
        with call(
            answer, request, max_answer=max_bytes, n_bytes=size, is_text=is_text, on_wait=on_wait
        ) as stream:
            return replace(unpack_cells(stream), n_bytes=size)
    except ChildError as error:
        subject = f"the file {listed([file.name for file in files])}"
        message = f"{subject} cannot be read: {error}."
        hint = "Save its table as CSV, or take a sample of its rows."
        finding = Finding("unreadable-file", Severity.ERROR, message, hint)
        return Cells(name, findings=[finding])


def answer(request: bytes, stream: BinaryIO) -> None:
    """Read files in a child program."""
    files = unpack_files(request)
    pack_cells(_bounded(read_here(files), sum(file.n_bytes for file in files)), stream)


def _bounded(cells: Cells, n_bytes: int) -> Cells:
    """Return cells, or that they hold more text than files of such a size may."""
    texts = [column for column in (cells.columns or {}).values() if isinstance(column, list)]
    n_cells = len(cells.lines) * len(texts)
    if n_cells > max_text_cells(n_bytes):
        message = f"the file holds {n_cells} cells of text, more than can be read."
        return Cells(cells.name, findings=[too_large(message)])
    # To write them out, only to see that they are too long, would take much longer.
    if sum(sum(map(len, column)) for column in texts) > max_answer(n_bytes):
        return Cells(cells.name, findings=[too_much_text(max_answer(n_bytes))])
    return cells


def read_here(files: Sequence[Source]) -> Cells:
    """Read files in this program, without bounds."""
    notes: list[Finding] = []
    try:
        files, notes = unpack([file.whole() for file in files])
        cells = _read(files)
    except DatasetError as error:
        cells = Cells(files[0].stem if files else "data", findings=error.findings)
    return replace(cells, findings=[*notes, *cells.findings])


def _read(files: Sequence[Source]) -> Cells:
    companions = [file for file in files if any(form.accompanies(file) for form in formats.FORMATS)]
    tables = [file for file in files if file not in companions]
    if not tables and len(companions) == 1:
        tables, companions = companions, []
    if len(tables) == 1:
        return _read_one(tables[0], companions)
    parts = find_parts(tables) if len({_format_of(file).name for file in tables}) == 1 else None
    if parts is None:
        names = f": {listed([file.name for file in tables])}" if tables else ""
        message = f"expected one file with a table, got {len(tables)}{names}."
        hint = (
            "Choose one of them, or a training and a test file with the same columns and names "
            "such as fruit-train.csv and fruit-test.csv."
        )
        raise refusal("one-file", message, hint)
    train, test, *complete_files = parts
    read_parts = [_read_one(file, companions) for file in (train, test)]
    joined = join_parts(read_parts, (train.name, test.name))
    reason = "was not read: its rows are taken from the other two files."
    messages = [f"the file '{shorten(file.name)}' {reason}" for file in complete_files]
    notes = [Finding("left-aside", Severity.INFO, message) for message in messages]
    name = common_name(train.stem) or "data"
    return replace(joined, name=name, findings=[*notes, *joined.findings])


def _format_of(file: Source) -> Format:
    return next((form for form in formats.FORMATS if form.recognises(file)), formats.FORMATS[0])


def _read_one(table: Source, companions: Sequence[Source]) -> Cells:
    form = _format_of(table)
    cells = form.read(table, [file for file in companions if form.accompanies(file)])
    if not len(cells.lines):  # no row is without an error
        cells = replace(cells, columns=None)
    return read_marks(cells if cells.format else replace(cells, format=form.name))
