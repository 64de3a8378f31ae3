"""The formats that are read, and how files find theirs: by what is in them.

A format is a module with a function that reads one file, and an entry in `FORMATS`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import BinaryIO

from labelrank_core.data.findings import DatasetError, Finding, Severity, shorten
from labelrank_core.io.archives import unpack
from labelrank_core.io.child import ChildError, call
from labelrank_core.io.formats.arff import is_arff, read_arff
from labelrank_core.io.formats.delimited import read_delimited
from labelrank_core.io.formats.excel import read_excel, recognises_excel
from labelrank_core.io.formats.libsvm import read_libsvm, recognises_libsvm
from labelrank_core.io.formats.mulan import is_label_list
from labelrank_core.io.formats.parquet import read_parquet, recognises_parquet
from labelrank_core.io.formats.preflib import read_preflib, recognises_preflib
from labelrank_core.io.formats.scikit_lr import read_scikit_lr, recognises_scikit_lr
from labelrank_core.io.joined import join_parts, train_and_test
from labelrank_core.io.marks import read_marks
from labelrank_core.io.parcel import pack_files, pack_table, unpack_files, unpack_table
from labelrank_core.io.sources import Source
from labelrank_core.io.table import RawTable


def _nothing(file: Source) -> bool:  # noqa: ARG001
    """Accept no file."""
    return False


@dataclass(frozen=True)
class Format:
    """One way in which files hold a table.

    Parameters
    ----------
    name : str
        What to call it, for findings.
    recognises : callable
        Tells from a source whether it holds a table in this format. It looks at the beginning of
        `data`, not at the name, and never raises.
    read : callable
        Makes a `RawTable` of a source and its companions (those of all files given that
        `accompanies` accepts). It may raise `DatasetError` with findings.
    accompanies : callable
        Tells whether a source goes with tables in this format, as MULAN's XML goes with ARFF.
    """

    name: str
    recognises: Callable[[Source], bool]
    read: Callable[[Source, Sequence[Source]], RawTable]
    accompanies: Callable[[Source], bool] = _nothing


# How much more than its files a table may take, beside what is harmless whatever its files.
MAX_GROWTH, _HARMLESS = 100, 100_000_000

# The first that recognises a file reads it; delimited text takes whatever is left.
FORMATS = (
    Format("Excel workbook", recognises_excel, read_excel),
    Format("Parquet file", recognises_parquet, read_parquet),
    Format("multi-label libsvm", recognises_libsvm, read_libsvm),
    Format("PrefLib", recognises_preflib, read_preflib),
    Format("scikit-lr's CSV", recognises_scikit_lr, read_scikit_lr),
    Format("ARFF", is_arff, read_arff, accompanies=is_label_list),
    Format("delimited text", lambda _: True, lambda source, _: read_delimited(source)),
)


def read_files(files: list[Source]) -> RawTable:
    """Read the one table that files hold, in a child program; what is wrong becomes a finding."""
    name = files[0].stem if files else "data"
    unreadable = [issue for file in files for issue in file.findings]
    if unreadable:
        return RawTable(name, None, findings=tuple(unreadable))
    size = sum(file.n_bytes for file in files)
    try:
        with call(answer, pack_files(files), max_answer=_HARMLESS + MAX_GROWTH * size) as stream:
            return unpack_table(stream)
    except ChildError as error:
        listed = ", ".join(f"'{shorten(file.name)}'" for file in files[:5])
        message = f"the file {listed} cannot be read: {error}."
        hint = "Save its table as CSV, or take a sample of its rows."
        issue = Finding("unreadable-file", Severity.ERROR, message, hint)
        return RawTable(name, None, findings=(issue,))


def answer(request: bytes, stream: BinaryIO) -> None:
    """Read files; what a child program does."""
    pack_table(read_here(unpack_files(request)), stream)


def read_here(files: list[Source]) -> RawTable:
    """Read files in this program, without bounds."""
    files, notes = unpack(files)
    try:
        raw = _read(files)
    except DatasetError as error:
        raw = RawTable(files[0].stem if files else "data", None, findings=error.findings)
    return replace(raw, findings=(*notes, *raw.findings))


def _read(files: list[Source]) -> RawTable:
    unreadable = [issue for file in files for issue in file.findings]
    if unreadable:
        raise DatasetError(unreadable)
    tables: list[Source] = []
    companions: list[Source] = []
    for file in files:
        goes_along = any(form.accompanies(file) for form in FORMATS)
        (companions if goes_along else tables).append(file)
    if not tables and len(companions) == 1:
        tables, companions = companions, []
    formats = [next(form for form in FORMATS if form.recognises(file)) for file in tables]
    if len(tables) == 1:
        return _read_one(formats[0], tables[0], companions)
    parts = train_and_test(tables)
    if parts is None or any(form is not formats[0] for form in formats):
        raise DatasetError([_not_one(tables)])
    train, test = (_read_one(formats[0], part, companions) for part in parts.sources)
    return join_parts(train, test, parts)


def _read_one(form: Format, table: Source, companions: Sequence[Source]) -> RawTable:
    own = [file for file in companions if form.accompanies(file)]
    raw = form.read(table, own)
    return read_marks(raw if raw.format else replace(raw, format=form.name))


def _not_one(tables: Sequence[Source]) -> Finding:
    listed = ", ".join(f"'{shorten(file.name)}'" for file in tables[:5])
    message = f"expected one file with a table, got {len(tables)}{': ' if tables else ''}{listed}."
    hint = (
        "Choose one of them, or a training and a test file with the same columns and names such "
        "as fruit-train.csv and fruit-test.csv."
    )
    return Finding("one-file", Severity.ERROR, message, hint)
