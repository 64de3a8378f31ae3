"""CSV and its relatives: from text to a table of strings with line numbers.

Fields are separated by commas, semicolons or tabs and may stand in double quotes, where they may
hold delimiters, line breaks and doubled quotes.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, islice

import pandas as pd

from labelrank_core.data.findings import (
    DatasetError,
    Finding,
    Severity,
    at_lines,
    count_of,
    shorten,
)
from labelrank_core.io.formats.header import all_numbers, column_names, no_header
from labelrank_core.io.formats.regular import RegularText
from labelrank_core.io.formats.text import (
    NOTHING_IN_IT,
    find_encoding,
    read_lines,
    refuse_many_lines,
)
from labelrank_core.io.sources import Source
from labelrank_core.io.table import Dialect, RawTable
from labelrank_core.rankings import FloatArray

MAX_COLUMNS = 20_000
MAX_CELLS = 20_000_000

_DELIMITERS = (",", ";", "\t")
_DELIMITER_NAMES = {",": "comma", ";": "semicolon", "\t": "tab"}
_N_SNIFFED = 200
_BLOCK_CELLS = 1_000_000
_SEPARATOR_LINE = re.compile(r"sep=([,;\t])\s*", re.IGNORECASE)


def read_delimited(source: Source) -> RawTable:
    """Read a delimited text file as text; whatever is wrong with it becomes a finding.

    The delimiter is the one with which most of the first 200 rows have as many fields as the
    first; of equally good ones the one that makes more fields. A first line ``sep=;``, as Excel
    knows it, settles it.
    """
    encoding, findings = find_encoding(source.data)
    refuse_many_lines(source.data)
    delimiter, n_skipped = _find_delimiter(source.data, encoding)
    lines = islice(read_lines(source.data, encoding), n_skipped, None)
    rows = _Rows(_records(lines, delimiter, n_skipped))
    dialect = Dialect(delimiter, encoding, rows.has_header)
    origin = rows.regular(source.data, dialect)
    numbers = origin.numbers() if origin is not None else None
    if numbers is not None and numbers.texts:
        numbers = None
    frame = rows.read(None if numbers is None else numbers.values)
    return RawTable(
        name=source.stem,
        frame=frame,
        dialect=dialect,
        findings=(*findings, *rows.findings()),
        ragged=rows.ragged(dialect),
        ragged_lines=tuple(rows.ragged_lines),
        complete=numbers is not None and numbers.complete,
        format=f"{_DELIMITER_NAMES[delimiter]}-separated text",
    )


def _find_delimiter(data: bytes, encoding: str) -> tuple[str, int]:
    """Return the delimiter and how many lines stand before the table."""
    first = next(read_lines(data, encoding), "")
    declared = _SEPARATOR_LINE.fullmatch(first)
    if declared:
        return declared[1], 1
    return max(_DELIMITERS, key=lambda sign: _consistency(data, encoding, sign)), 0


def _consistency(data: bytes, encoding: str, delimiter: str) -> tuple[float, int]:
    counts: list[int] = []
    reader = csv.reader(read_lines(data, encoding), delimiter=delimiter)
    with suppress(csv.Error):  # where a field never ends, the rows before it can be judged
        counts.extend(len(row) for row in islice(filter(None, reader), _N_SNIFFED))
    if not counts or counts[0] < 2:
        return 0.0, Counter(counts).most_common(1)[0][0] if counts else 0
    return counts.count(counts[0]) / len(counts), counts[0]


def _records(
    lines: Iterable[str], delimiter: str, n_skipped: int
) -> Iterator[tuple[int, list[str]]]:
    """Yield each record with the number of the line in which it begins."""
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        line = n_skipped + reader.line_num + 1
        try:
            record = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise DatasetError([_quote_issue(str(error), line)]) from error
        yield line, record


def _quote_issue(reason: str, line: int) -> Finding:
    if "expected after" in reason:
        message = "a field in quotes goes on after the closing quote."
        hint = 'Write a quote inside a quoted field twice: "5"" pipe".'
    elif "limit" in reason or "end of data" in reason:
        message = "a field in quotes begins in this row and does not end."
        hint = "Close the quote, or remove it."
    else:
        message, hint = f"this row cannot be read ({reason}).", "Look at the row in an editor."
    return Finding("quotes", Severity.ERROR, message, hint, row=line)


@dataclass
class _Rows:
    """Collects the rows that fit and notes the lines of those that do not."""

    records: Iterator[tuple[int, list[str]]]
    header: list[str] = field(default_factory=list)
    header_line: int = 0
    has_header: bool = True
    lines: list[int] = field(default_factory=list)
    blank_lines: list[int] = field(default_factory=list)
    cut_lines: list[int] = field(default_factory=list)
    broken: list[Finding] = field(default_factory=list)
    ragged_lines: list[int] = field(default_factory=list)
    ragged_counts: Counter[int] = field(default_factory=Counter)
    first_ragged: dict[bool, tuple[list[int], int]] = field(default_factory=dict)
    notes: list[Finding] = field(default_factory=list)
    columns: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        try:
            for line, record in self.records:
                if not any(map(str.strip, record)):
                    self.blank_lines.append(line)
                    continue
                self.header, self.header_line = record, line
                break
        except DatasetError as error:
            self.notes.extend(error.findings)
        if len(self.header) > MAX_COLUMNS:
            self._refuse_size(f"the table has more than {MAX_COLUMNS} columns.")
            self.header = []
        self.has_header = not all_numbers(self.header)
        if not self.has_header:
            self.records = chain([(self.header_line, self.header)], self.records)
            self.columns = [f"c{j + 1}" for j in range(len(self.header))]
            self.notes.append(no_header(len(self.header), self.header_line))

    def regular(self, data: bytes, dialect: Dialect) -> RegularText | None:
        """Return the file as one that may hold numbers alone; None: the first lines are not so."""
        if self.blank_lines or not self.header:
            return None
        n_skipped = self.header_line - (not self.has_header)
        return RegularText(data, dialect.encoding, dialect.delimiter, n_skipped, len(self.header))

    def read(self, numbers: FloatArray | None) -> pd.DataFrame | None:
        """Read all rows, unless their numbers are known; None where no row fits the header."""
        if not self.header:
            if not self.notes:
                self.notes.append(NOTHING_IN_IT)
            return None
        if self.has_header:
            self.columns, issues = column_names(self.header, self.header_line)
            self.notes += issues
        if numbers is not None:
            first = self.header_line + self.has_header
            lines = pd.RangeIndex(first, first + len(numbers), name="line")
            return pd.DataFrame(numbers, columns=self.columns, index=lines, copy=False)
        blocks = [_block(rows, self.columns) for rows in self._blocks()]
        if not self.lines:
            self._note_no_rows()
            return None
        frame = pd.concat(blocks, ignore_index=True)
        frame.index = pd.Index(self.lines, name="line", dtype="int64")
        if len(self.header) == 1:
            self._refuse_single_column()
        return frame

    def _blocks(self) -> Iterator[list[list[str]]]:
        n_fields, rows = len(self.header), list[list[str]]()
        n_rows, n_most = max(1, _BLOCK_CELLS // n_fields), MAX_CELLS // n_fields
        try:
            for line, record in self.records:
                if len(record) != n_fields or not any(record):
                    record = self._fitted(line, record)
                    if not record:
                        continue
                rows.append(record)
                self.lines.append(line)
                if len(self.lines) > n_most:
                    self._refuse_size(f"the table has more than {MAX_CELLS} cells.")
                    break
                if len(rows) == n_rows:
                    yield rows
                    rows = []
        except DatasetError as error:
            self._note_broken(error.findings)
        if rows:
            yield rows

    def _note_broken(self, issues: Iterable[Finding]) -> None:
        """Note where reading ended; the rows before a quote that never closes can be used."""
        for issue in issues:
            if issue.code != "quotes" or issue.row is None or not self.lines:
                self.notes.append(issue)
                continue
            self.broken.append(issue)
            self.ragged_lines.append(issue.row)
            message = "nothing from this line on was read."
            note = Finding("cut-off", Severity.WARNING, message, issue.hint, row=issue.row)
            self.notes.append(note)

    def _fitted(self, line: int, record: list[str]) -> list[str]:
        """Return a record cut to the header's length, or nothing where it cannot be."""
        n_fields = len(self.header)
        if not any(map(str.strip, record)):
            self.blank_lines.append(line)
            return []
        if len(record) > n_fields and not any(record[n_fields:]):
            self.cut_lines.append(line)
            return record[:n_fields]
        self.ragged_lines.append(line)
        self.ragged_counts[len(record)] += 1
        too_many = len(record) > n_fields
        self.first_ragged.setdefault(too_many, ([], len(record)))[0].append(line)
        return []

    def _refuse_size(self, message: str) -> None:
        hint = "Leave out columns that are not needed, or take a sample of the rows."
        self.notes.append(Finding("too-large", Severity.ERROR, message, hint))

    def _refuse_single_column(self) -> None:
        self.notes.append(
            Finding(
                "one-column",
                Severity.ERROR,
                f"only one column was found: '{shorten(self.header[0])}'.",
                "Separate the columns by commas, semicolons or tabs.",
                row=self.header_line,
            )
        )

    def _note_no_rows(self) -> None:
        if self.ragged_lines or any(note.severity is Severity.ERROR for note in self.notes):
            return
        hint = "Add a row for every case."
        message = "there is a line of column names but no row of data."
        self.notes.append(Finding("no-rows", Severity.ERROR, message, hint, row=self.header_line))

    def findings(self) -> list[Finding]:
        """List what was found apart from rows that do not fit."""
        notes = list(self.notes)
        if self.blank_lines:
            issue = Finding("blank-lines", Severity.INFO, "an empty line was skipped.")
            notes.append(at_lines(issue, self.blank_lines))
        if self.cut_lines:
            message = "an empty field after the last column was left out."
            issue = Finding("surplus-fields", Severity.INFO, message)
            notes.append(at_lines(issue, self.cut_lines))
        return notes

    def ragged(self, dialect: Dialect) -> tuple[Finding, ...]:
        """List the rows with too few or too many fields."""
        expected = count_of(len(self.header), "field")
        if self.ragged_lines and not self.lines and len(self.ragged_counts) == 1:
            (count,) = self.ragged_counts
            message = f"this line names {count_of(len(self.header), 'column')}, but every row has "
            hint = "Give every column one name in the first line."
            return (
                Finding(
                    "header-length",
                    Severity.ERROR,
                    f"{message}{count_of(count, 'field')}.",
                    hint,
                    row=self.header_line,
                ),
            )
        delimiter = _DELIMITER_NAMES[dialect.delimiter]
        hints = {
            True: f"Put a field that holds a {delimiter} in double quotes.",
            False: "Add the missing fields; a field may be empty.",
        }
        return *self.broken, *(
            at_lines(
                Finding(
                    "ragged-row",
                    Severity.ERROR,
                    f"expected {expected}, found {count}.",
                    hints[too_many],
                ),
                lines,
            )
            for too_many, (lines, count) in sorted(self.first_ragged.items())
        )


def _block(rows: list[list[str]], columns: list[str]) -> pd.DataFrame:
    cells = dict(zip(columns, zip(*rows, strict=True), strict=True))
    return pd.DataFrame(
        {name: pd.array(list(column), dtype="str") for name, column in cells.items()}
    )
