"""CSV and its relatives: fields separated by commas, semicolons or tabs, and quoted.

In double quotes fields may hold delimiters, line breaks and doubled quotes. Large files with the
same number of fields in every row are read by pyarrow, where it is installed; all others, and what
is wrong with them, record by record.
"""

import csv
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from itertools import chain, islice
from typing import Any

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
from labelrank_core.io.formats.base import Export, Format, Writer, one_file
from labelrank_core.io.formats.text import NOTHING_IN_IT, find_encoding, read_lines
from labelrank_core.io.header import NUMBER, RANKING, defused, read_header, split_mark
from labelrank_core.io.sources import Source

# Smaller files are read before pyarrow is imported.
LARGE_BYTES = 1_000_000

_DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab"}
_N_SNIFFED = 200
_SEPARATOR_LINE = re.compile(r"sep=([,;\t])\s*+", re.IGNORECASE)
# What stands without quotes whatever reader looks for the delimiter or the kind of file.
_PLAIN = re.compile(r"[^\W_][\w .:()/%+=>-]*")
# Encodings in which a line feed is one byte.
_NARROW = ("utf-8", "utf-8-sig", "cp1252", "latin-1")
# How much pyarrow reads at once on each thread, and on how many.
_BLOCK, _MOST_THREADS = 1 << 22, 4
_NULLS = [form(word) for word in MISSING_WORDS for form in (str, str.upper, str.capitalize)]


def read(source: Source, _: Sequence[Source] = ()) -> Cells:
    """Read a delimited text file; its errors become findings.

    The delimiter is the one with which most of the first 200 rows have as many fields as the
    first; of equally good ones the one that makes more fields. A first line ``sep=;``, as Excel
    knows it, settles it.
    """
    encoding, findings = find_encoding(source.data)
    delimiter, n_skipped = _find_delimiter(source.data, encoding)
    lines = islice(read_lines(source.data, encoding), n_skipped, None)
    records, rows = _records(lines, delimiter, n_skipped), _DelimitedRows()
    header_line, header = rows.first(records)
    has_header, names, header_findings = read_header(header, header_line)
    first = header_line + has_header
    columns = None
    if not rows.blank and encoding in _NARROW:
        columns = _read_large(source.data, encoding, delimiter, first - 1, len(names))
    if columns is None:
        columns = rows.read(records if has_header else chain([(header_line, header)], records))
    elif columns:
        rows.lines = range(first, first + len(columns[0]))
    if not columns and not rows.uneven:
        message = "there is a line of column names but no row of data."
        header_findings.append(_error("no-rows", message, "Add a row for every case.", header_line))
    elif columns and len(names) == 1 and split_mark(names[0])[0] != RANKING:
        message = f"only one column was found: '{shorten(names[0])}'."
        hint = "Separate the columns by commas, semicolons or tabs."
        header_findings.append(_error("one-column", message, hint, header_line))
    return Cells(
        source.stem,
        dict(zip(names, columns, strict=True)) if columns else None,
        np.array(rows.lines, dtype=np.int64),
        f"{_DELIMITERS[delimiter]}-separated text",
        findings=[*findings, *header_findings, *rows.findings()],
        ragged=rows.ragged(header_line, delimiter),
        ragged_lines=list(rows.uneven),
        encoding=encoding,
    )


def _error(code: str, message: str, hint: str, line: int) -> Finding:
    return Finding(code, Severity.ERROR, message, hint, row=line)


def _find_delimiter(data: bytes, encoding: str) -> tuple[str, int]:
    """Return the delimiter and the number of lines before the table."""
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
    return _error("quotes", message, hint, line)


@dataclass
class _DelimitedRows:
    """The lines of rows with as many fields as the header, and of all others."""

    n_fields: int = 0
    lines: Sequence[int] = ()
    blank: list[int] = field(default_factory=list)
    cut: list[int] = field(default_factory=list)
    # How many fields a line has that does not have as many as the header.
    uneven: dict[int, int] = field(default_factory=dict)

    def first(self, records: Iterator[tuple[int, list[str]]]) -> tuple[int, list[str]]:
        """Return the first record that holds anything, with its line."""
        for line, record in records:
            if any(map(str.strip, record)):
                self.n_fields = len(record)
                if self.n_fields > MAX_COLUMNS:
                    message = f"the table has more than {MAX_COLUMNS} columns."
                    raise DatasetError([too_large(message)])
                return line, record
            self.blank.append(line)
        raise DatasetError([NOTHING_IN_IT])

    def read(self, records: Iterable[tuple[int, list[str]]]) -> list[Column]:
        """Return the records that fit the header as columns of text."""
        rows, self.lines = list[list[str]](), list[int]()
        for line, record in records:
            fits = len(record) == self.n_fields
            if not (any(record) if fits else any(map(str.strip, record))):
                self.blank.append(line)
            elif fits or (len(record) > self.n_fields and not any(record[self.n_fields :])):
                rows.append(record[: self.n_fields])
                self.lines.append(line)
                self.cut += [] if fits else [line]
                check_cells(len(rows) * self.n_fields, MAX_TEXT_CELLS)
            else:
                self.uneven[line] = len(record)
        return [list(column) for column in zip(*rows, strict=True)]

    def findings(self) -> list[Finding]:
        """List the findings about rows that can be read, or skipped."""
        cut = "an empty field after the last column was left out."
        return [
            at_lines(Finding(code, Severity.INFO, message), lines)
            for lines, code, message in (
                (self.blank, "blank-lines", "an empty line was skipped."),
                (self.cut, "surplus-fields", cut),
            )
            if lines
        ]

    def ragged(self, header_line: int, delimiter: str) -> list[Finding]:
        """List the rows with too few or too many fields."""
        bad, n_fields = BadRows(), self.n_fields
        if not self.lines and len(set(self.uneven.values())) == 1:
            fields = count_of(min(self.uneven.values()), "field")
            message = f"this line names {count_of(n_fields, 'column')}, but every row has {fields}."
            hint = "Give every column one name in the first line."
            return [_error("header-length", message, hint, header_line)]
        missing_hint = "Add the missing fields; a field may be empty."
        surplus_hint = f"Put a field that holds a {_DELIMITERS[delimiter]} in double quotes."
        for line, count in sorted(self.uneven.items(), key=lambda row: row[1] > n_fields):
            message = f"expected {count_of(n_fields, 'field')}, found {count}."
            bad.add(
                "ragged-row", [line], message, surplus_hint if count > n_fields else missing_hint
            )
        return bad.findings


def _read_large(
    data: bytes, encoding: str, delimiter: str, n_above: int, n_fields: int
) -> list[Column] | None:
    """Read a large file with as many fields in every row; None: it is to be read row by row."""
    if len(data) < LARGE_BYTES or n_fields < 2:
        return None
    start = 0
    for _ in range(n_above):
        start = data.find(b"\n", start) + 1 or len(data)
    empty = b"\n" + delimiter.encode() * (n_fields - 1)
    empty_rows = (empty + b"\n", empty + b"\r\n")
    has_returns = data.find(b"\r", start) >= 0
    # Quotes pyarrow understands where nobody else would. It skips empty lines, which are to be
    # noted: then rows are missing, unless a line that ends with a return alone makes up for it.
    special = (b'"', *((b"\n\n", b"\n\r\n") if has_returns else ()))
    if any(data.find(odd, max(0, start - 1)) >= 0 for odd in special):
        return None
    n_rows = data.count(b"\n", start) + (not data.endswith(b"\n"))
    check_cells(n_rows * n_fields, MAX_NUMBERS)
    first = data[start : start + 1_000_000].split(b"\n")[0].decode(encoding, "replace")
    cells = first.rstrip("\r").split(delimiter)
    if len(cells) != n_fields:
        return None
    try:
        table = _parsed(data, start, delimiter, encoding, [*map(NUMBER.fullmatch, cells)])
        # Empty rows are to be noted, too: such a one lacks every number.
        may_have_empty = all(column.null_count for column in table.columns if _is_number(column))
        if may_have_empty and any(data.find(row, max(0, start - 1)) >= 0 for row in empty_rows):
            return None
        numbers = iter(_map_on_threads(_numbers, filter(_is_number, table.columns)))
        columns = [
            next(numbers) if _is_number(column) else list(column.to_pylist())
            for column in table.columns
        ]
    except (ImportError, ValueError):  # of which pyarrow's own error is one
        return None
    check_cells(n_rows * sum(isinstance(column, list) for column in columns), MAX_TEXT_CELLS)
    # Otherwise a line ends otherwise than with a line feed.
    return columns if len(columns[0]) == n_rows else None


def _parsed(data: bytes, start: int, delimiter: str, encoding: str, numbers: Sequence[Any]) -> Any:
    """Have pyarrow read the rows from `start` on, some columns as numbers; return its table.

    `ValueError` where it fails. Parts of the data are read on a thread each.
    """
    arrow, reader = import_module("pyarrow"), import_module("pyarrow.csv")
    kinds = {str(j): arrow.float64() if one else arrow.string() for j, one in enumerate(numbers)}
    content = arrow.py_buffer(data)

    def read_part(first: int, end: int) -> Any:
        return reader.read_csv(
            arrow.BufferReader(content.slice(first, end - first)),
            # With threads of its own, some versions of pyarrow wait for ever after an error in the
            # first rows: https://github.com/apache/arrow/pull/48742
            reader.ReadOptions(
                column_names=list(kinds),
                block_size=_BLOCK,
                encoding=encoding.removesuffix("-sig"),
                use_threads=False,
            ),
            reader.ParseOptions(delimiter=delimiter),
            reader.ConvertOptions(column_types=kinds, null_values=_NULLS),
        )

    n_parts = _n_threads()
    ends = [data.find(b"\n", start + i * (len(data) - start) // n_parts) for i in range(1, n_parts)]
    cuts = [start, *sorted({end + 1 for end in ends if end >= 0} - {len(data)}), len(data)]
    return arrow.concat_tables(_map_on_threads(read_part, cuts[:-1], cuts[1:]))


def _n_threads() -> int:
    # In a browser there are no threads.
    return 1 if sys.platform in ("emscripten", "wasi") else min(_MOST_THREADS, os.cpu_count() or 1)


def _map_on_threads(function: Callable[..., Any], *arguments: Iterable[Any]) -> list[Any]:
    n_threads = _n_threads()
    if n_threads == 1:
        return list(map(function, *arguments))
    with ThreadPoolExecutor(n_threads) as pool:
        return list(pool.map(function, *arguments))


def _is_number(column: Any) -> bool:
    """Tell whether a column of pyarrow's holds numbers, not text."""
    return str(column.type) == "double"


def _numbers(column: Any) -> NDArray[np.float64]:
    """Return a column of pyarrow's as finite numbers; `ValueError` where one is not."""
    values: NDArray[np.float64] = column.to_numpy()
    if np.isfinite(values).sum() + column.null_count < len(values):
        raise ValueError("a number is not finite")
    return values


def _table_losses(data: Export) -> list[Finding]:
    return data.no_pairs() or _losses(data)


def _losses(data: Export) -> list[Finding]:
    return [
        *data.odd_text(),
        *data.no_declared_categories(),
        *data.no_empty_rows(),
        *data.too_large_to_read(),
    ]


def _words_losses(data: Export) -> list[Finding]:
    return [*data.no_words(), *_losses(data)]


def _content(data: Export, *, delimiter: str = ",", in_words: bool = False) -> Iterator[bytes]:
    heads = delimiter.join(map(_quoted, data.heads(in_words=in_words)))
    yield f"\ufeff{heads}\n".encode()  # the mark makes Excel read UTF-8
    for rows in data.blocks():
        columns = data.columns(rows, in_words=in_words)
        yield data.lines([data.texts(column, _cell) for column in columns], delimiter)


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
            _table_losses,
            partial(one_file, ".csv", _content),
        ),
        Writer(
            "tsv",
            "TSV",
            "The same table, separated by tabs.",
            _table_losses,
            partial(one_file, ".tsv", partial(_content, delimiter="\t")),
        ),
        Writer(
            "words",
            "CSV with rankings in words",
            "A table with rankings such as b>a=c, or pairs such as b>a|c>d, in one column.",
            _words_losses,
            partial(one_file, ".csv", partial(_content, in_words=True)),
        ),
    ),
)
