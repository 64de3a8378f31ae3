"""CSV and its relatives: fields separated by commas, semicolons or tabs, and quoted.

In double quotes fields may hold delimiters, line breaks and doubled quotes. Large files with the
same number of fields in every row are read by pyarrow, where it is installed; all others, and what
is wrong with them, record by record.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from labelrank_core.data.findings import (
    DatasetError,
    Finding,
    Severity,
    at_lines,
    count_of,
    shorten,
    too_large,
)
from labelrank_core.io.cells import (
    MAX_COLUMNS,
    MAX_NUMBERS,
    MAX_TEXT_CELLS,
    MISSING_WORDS,
    BadRows,
    Cells,
    Column,
    check_cells,
)
from labelrank_core.io.formats.base import Format, Writer, one_file
from labelrank_core.io.formats.header import NUMBER, read_header
from labelrank_core.io.formats.text import NOTHING_IN_IT, find_encoding, read_lines
from labelrank_core.io.marks import defused
from labelrank_core.io.sources import Source

if TYPE_CHECKING:
    from labelrank_core.io.content import Export

# Smaller files are read before pyarrow is imported.
LARGE_BYTES = 1_000_000

_DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab"}
_N_SNIFFED = 200
_SEPARATOR_LINE = re.compile(r"sep=([,;\t])\s*+", re.IGNORECASE)
# What stands without quotes whatever reader looks for the delimiter or the kind of file.
_PLAIN = re.compile(r"[^\W_][\w .:()/%+=>-]*")
# Encodings in which a line feed is one byte.
_NARROW = ("utf-8", "utf-8-sig", "cp1252", "latin-1")
# How much pyarrow reads at once on each of its threads.
_BLOCK = 1 << 22
_NULLS = [form(word) for word in MISSING_WORDS for form in (str, str.upper, str.capitalize)]


def read(source: Source, _: Sequence[Source] = ()) -> Cells:
    """Read a delimited text file; whatever is wrong with it becomes a finding.

    The delimiter is the one with which most of the first 200 rows have as many fields as the
    first; of equally good ones the one that makes more fields. A first line ``sep=;``, as Excel
    knows it, settles it.
    """
    encoding, findings = find_encoding(source.data)
    delimiter, n_skipped = _find_delimiter(source.data, encoding)
    lines = islice(read_lines(source.data, encoding), n_skipped, None)
    table = _Table(_records(lines, delimiter, n_skipped), delimiter)
    columns = _read_large(source.data, encoding, table) or table.read()
    return Cells(
        source.stem,
        None if columns is None else dict(zip(table.names, columns, strict=True)),
        np.array(table.lines, dtype=np.int64),
        f"{_DELIMITERS[delimiter]}-separated text",
        findings=[*findings, *table.findings()],
        ragged=table.ragged(),
        ragged_lines=[*table.uneven, *(note.row for note in table.broken if note.row)],
        encoding=encoding,
    )


def _find_delimiter(data: bytes, encoding: str) -> tuple[str, int]:
    """Return the delimiter and how many lines stand before the table."""
    declared = _SEPARATOR_LINE.fullmatch(next(read_lines(data, encoding), ""))
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
            raise DatasetError([_quote_finding(str(error), line)]) from error
        yield line, record


def _quote_finding(reason: str, line: int) -> Finding:
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
class _Table:
    """Takes the first record for the header, collects those that fit it and notes the others."""

    records: Iterator[tuple[int, list[str]]]
    delimiter: str
    header_line: int = 0
    has_header: bool = True
    n_fields: int = 0
    names: list[str] = field(default_factory=list)
    lines: Sequence[int] = ()
    blank_lines: list[int] = field(default_factory=list)
    cut_lines: list[int] = field(default_factory=list)
    # How many fields a line has that does not have as many as the header, and where quotes do
    # not end.
    uneven: dict[int, int] = field(default_factory=dict)
    broken: list[Finding] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)

    def __post_init__(self) -> None:
        header: list[str] = []
        try:
            for line, record in self.records:
                if any(map(str.strip, record)):
                    header, self.header_line = record, line
                    break
                self.blank_lines.append(line)
        except DatasetError as error:
            self.notes.extend(error.findings)
        if len(header) > MAX_COLUMNS:
            self.notes.append(too_large(f"the table has more than {MAX_COLUMNS} columns."))
        elif header:
            self.n_fields = len(header)
            self.has_header, self.names, found = read_header(header, self.header_line)
            self.notes += found
            if not self.has_header:
                self.records = chain([(self.header_line, header)], self.records)
        elif not self.notes:
            self.notes.append(NOTHING_IN_IT)

    def read(self) -> list[Column] | None:
        """Read all records as columns of text; None where none fits the header."""
        rows, self.lines = list[list[str]](), list[int]()
        try:
            for line, record in self.records if self.n_fields else ():
                fitting = record
                if len(record) != self.n_fields or not any(record):
                    fitting = self._fitted(line, record)
                    if not fitting:
                        continue
                rows.append(fitting)
                self.lines.append(line)
                check_cells(len(rows) * self.n_fields, MAX_TEXT_CELLS)
        except DatasetError as error:
            self._note_broken(error.findings)
        if rows and self.n_fields == 1:
            message = f"only one column was found: '{shorten(self.names[0])}'."
            self._note("one-column", message, "Separate the columns by commas, semicolons or tabs.")
        elif not (rows or self.uneven or any(n.severity is Severity.ERROR for n in self.notes)):
            message = "there is a line of column names but no row of data."
            self._note("no-rows", message, "Add a row for every case.")
        return [list(column) for column in zip(*rows, strict=True)] or None

    def take(self, columns: list[Column]) -> list[Column]:
        """Take columns of all rows that pyarrow has read."""
        first, n_rows = self.header_line + self.has_header, len(columns[0])
        n_texts = sum(isinstance(column, list) for column in columns)
        check_cells(n_rows * n_texts, MAX_TEXT_CELLS)
        self.lines = range(first, first + n_rows)
        return columns

    def _note(self, code: str, message: str, hint: str) -> None:
        self.notes.append(Finding(code, Severity.ERROR, message, hint, row=self.header_line))

    def _note_broken(self, findings: Iterable[Finding]) -> None:
        """Note where reading ended; the rows before a quote that never closes can be used."""
        for finding in findings:
            if finding.code != "quotes" or finding.row is None or not self.lines:
                self.notes.append(finding)
                continue
            self.broken.append(finding)
            message = "nothing from this line on was read."
            self.notes.append(
                Finding("cut-off", Severity.WARNING, message, finding.hint, row=finding.row)
            )

    def _fitted(self, line: int, record: list[str]) -> list[str]:
        """Return a record cut to the header's length, or nothing where it cannot be."""
        if not any(map(str.strip, record)):
            self.blank_lines.append(line)
            return []
        if len(record) > self.n_fields and not any(record[self.n_fields :]):
            self.cut_lines.append(line)
            return record[: self.n_fields]
        self.uneven[line] = len(record)
        return []

    def findings(self) -> list[Finding]:
        """List what was found apart from rows that do not fit."""
        cut = "an empty field after the last column was left out."
        return [
            *self.notes,
            *(
                at_lines(Finding(code, Severity.INFO, message), lines)
                for lines, code, message in (
                    (self.blank_lines, "blank-lines", "an empty line was skipped."),
                    (self.cut_lines, "surplus-fields", cut),
                )
                if lines
            ),
        ]

    def ragged(self) -> list[Finding]:
        """List the rows with too few or too many fields."""
        counts = set(self.uneven.values())
        if not self.lines and len(counts) == 1:
            (count,) = counts
            message = (
                f"this line names {count_of(self.n_fields, 'column')}, but every row has "
                f"{count_of(count, 'field')}."
            )
            hint = "Give every column one name in the first line."
            return [Finding("header-length", Severity.ERROR, message, hint, row=self.header_line)]
        bad, expected = BadRows(), count_of(self.n_fields, "field")
        few = "Add the missing fields; a field may be empty."
        many = f"Put a field that holds a {_DELIMITERS[self.delimiter]} in double quotes."
        for line, count in sorted(self.uneven.items(), key=lambda row: row[1] > self.n_fields):
            hint = many if count > self.n_fields else few
            bad.add("ragged-row", [line], f"expected {expected}, found {count}.", hint)
        return [*self.broken, *bad.findings]


def _read_large(data: bytes, encoding: str, table: _Table) -> list[Column] | None:
    """Read a large file with as many fields in every row; None: it is to be read row by row."""
    narrow, n_fields = encoding in _NARROW, table.n_fields
    if len(data) < LARGE_BYTES or n_fields < 2 or table.blank_lines or not narrow:
        return None
    start = 0
    for _ in range(table.header_line - (not table.has_header)):
        start = data.find(b"\n", start) + 1 or len(data)
    empty = b"\n" + table.delimiter.encode() * (n_fields - 1)
    # Quotes pyarrow understands where nobody else would; empty rows are to be noted.
    special = (b'"', b"\n\n", b"\n\r\n", empty + b"\n", empty + b"\r\n")
    if any(data.find(odd, max(0, start - 1)) >= 0 for odd in special):
        return None
    n_rows = data.count(b"\n", start) + (not data.endswith(b"\n"))
    check_cells(n_rows * n_fields, MAX_NUMBERS)
    first = data[start : start + 1_000_000].split(b"\n")[0].decode(encoding, "replace")
    cells = first.rstrip("\r").split(table.delimiter)
    if len(cells) != n_fields:
        return None
    numbers = [bool(NUMBER.fullmatch(cell)) for cell in cells]
    for guess in (numbers, [False] * n_fields):
        try:
            columns = _parsed(data[start:], table.delimiter, encoding, guess)
        except (ImportError, ValueError):  # of which pyarrow's own error is one
            continue
        if len(columns[0]) == n_rows:  # else a line ends otherwise than with a line feed
            return table.take(columns)
    return None


def _parsed(data: bytes, delimiter: str, encoding: str, numbers: Sequence[bool]) -> list[Column]:
    """Have pyarrow read rows, some columns as numbers; `ValueError` where it fails."""
    arrow, reader = import_module("pyarrow"), import_module("pyarrow.csv")
    kinds = {str(j): arrow.float64() if numbers[j] else arrow.string() for j in range(len(numbers))}
    read = reader.read_csv(
        arrow.BufferReader(data),
        reader.ReadOptions(
            column_names=list(kinds), block_size=_BLOCK, encoding=encoding.removesuffix("-sig")
        ),
        reader.ParseOptions(delimiter=delimiter),
        reader.ConvertOptions(column_types=kinds, null_values=_NULLS),
    )
    return [_large_column(arrow, column) for column in read.columns]


def _large_column(arrow: Any, column: Any) -> Column:
    """Return numbers, which must be finite, or text, as numbers if it holds nothing else."""
    if column.type == arrow.float64():
        values = column.to_numpy()
        if not _is_finite(values, column.null_count):
            raise ValueError("a number is not finite")
        return values
    compute = import_module("pyarrow.compute")
    blank = compute.is_in(column, value_set=arrow.array(_NULLS))
    try:
        given = compute.if_else(blank, arrow.scalar(None, arrow.string()), column)
        values = given.cast(arrow.float64()).to_numpy()
    except arrow.ArrowInvalid:
        return list(column.to_pylist())
    return values if _is_finite(values, given.null_count) else list(column.to_pylist())


def _is_finite(values: NDArray[np.float64], n_missing: int) -> bool:
    return int(np.isfinite(values).sum()) + n_missing == len(values)


def _losses(data: "Export") -> list[Finding]:
    return [*data.odd_text(), *data.no_declared_categories(), *data.written_dense()]


def _words_losses(data: "Export") -> list[Finding]:
    return [*data.no_rankings(), *data.in_words(), *_losses(data)]


def _content(data: "Export", *, delimiter: str = ",", in_words: bool = False) -> bytes:
    names = map(_quoted, data.heads(in_words=in_words))
    # The mark makes Excel read UTF-8.
    parts = ["\ufeff".encode(), (delimiter.join(names) + "\n").encode()]
    blocks = data.text_blocks(_cell, in_words=in_words)
    return b"".join([*parts, *(data.lines(block, delimiter) for block in blocks)])


def _cell(text: str) -> str:
    return _quoted(defused(text))


def _quoted(text: str) -> str:
    return text if _PLAIN.fullmatch(text) else '"' + text.replace('"', '""') + '"'


FORMAT = Format(
    "delimited text",
    lambda _: False,  # whatever no other format recognises
    read,
    writers=(
        Writer(
            "csv",
            "CSV",
            "A table with a column per label: its position, or 1 where it is relevant. Text that a "
            "spreadsheet could run gets an apostrophe, which is taken away when the file is read "
            "here.",
            _losses,
            partial(one_file, ".csv", _content),
        ),
        Writer(
            "tsv",
            "TSV",
            "The same table, separated by tabs.",
            _losses,
            partial(one_file, ".tsv", partial(_content, delimiter="\t")),
        ),
        Writer(
            "words",
            "CSV with rankings in words",
            "A table with rankings such as b>a=c in one column.",
            _words_losses,
            partial(one_file, ".csv", partial(_content, in_words=True)),
        ),
    ),
)
