"""Sparse rows of an ARFF file: ``{index value, index value}``, the first attribute being 0."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from labelrank_core.data.findings import shorten
from labelrank_core.io.formats.arff_header import Attribute
from labelrank_core.io.formats.arff_text import NUMBER, QUOTED, IntArray, parse_numbers, unescape
from labelrank_core.io.formats.arff_values import MAX_CELLS, Rows, Values, too_large
from labelrank_core.rankings import FloatArray

MAX_TEXT_ATTRIBUTES = 1_000

_HINT = "Write {index value, index value}, the first attribute being 0, and close every quote."
_PAIR = rf"[0-9]{{1,9}}[ \t]++{NUMBER}[ \t]*+"
_NUMERIC_ROW = re.compile(rf"[ \t]*+\{{[ \t]*+(?:{_PAIR}(?:,[ \t]*+{_PAIR})*+)?+\}}[ \t]*+")
_ENTRY = re.compile(
    rf"\s*+([0-9]{{1,9}})\s++(?:{QUOTED}|([^,{{}}\s'\"][^,{{}}]*+))\s*+(?:,|(?=\}}))"
)
_END = re.compile(r"\s*+\}")
_SPACES = str.maketrans("{},", "   ")

_Entries = tuple[IntArray, IntArray, FloatArray]


class SparseRows:
    """Collects sparse rows."""

    def __init__(self, attributes: Sequence[Attribute]) -> None:
        self.values = Values(attributes)
        self._n = len(attributes)
        text = np.flatnonzero(self.values.is_text)
        if len(text) > MAX_TEXT_ATTRIBUTES:
            raise too_large(f"{MAX_TEXT_ATTRIBUTES} attributes of text")
        self._texts: dict[int, list[tuple[IntArray, NDArray[Any]]]] = {j: [] for j in text.tolist()}
        self._lines: list[IntArray] = []
        self._blocks: list[sparse.csr_matrix] = []

    def add(self, lines: list[str], first: int) -> None:
        """Add lines of text."""
        rows: list[str] = []
        places, counts = list[int](), list[int]()
        others: list[tuple[int, str]] = []
        for number, line in enumerate(lines, first):
            # Rows of numbers are parsed together, many times faster than one by one.
            if not self._texts and _NUMERIC_ROW.fullmatch(line):
                row = line.translate(_SPACES)
                rows.append(row)
                places.append(number)
                counts.append(0 if row.isspace() else line.count(",") + 1)
            elif (line := line.strip()) and not line.startswith("%"):
                others.append((number, line))
        numbers = parse_numbers(" ".join(rows))
        columns = numbers[::2].astype(np.int64)
        quick = self._read(
            np.repeat(np.array(places, dtype=np.int64), counts), columns, numbers[1::2]
        )
        read, slow = self._read_others(others)
        self._join(np.sort(np.array(places + read, dtype=np.int64)), [quick, slow])

    def _read_others(self, lines: list[tuple[int, str]]) -> tuple[list[int], _Entries]:
        """Read rows with text, quotes, a weight or an error."""
        read, counts = list[int](), list[int]()
        columns, tokens = list[int](), list[str]()
        for number, line in lines:
            start, end = len(columns), 1
            while entry := _ENTRY.match(line, end):
                columns.append(int(entry[1]))
                quoted = entry[2] if entry[2] is not None else entry[3]
                tokens.append(entry[4].rstrip() if quoted is None else unescape(quoted))
                end = entry.end()
            if self._ends_well(line, end, number):
                read.append(number)
                counts.append(len(columns) - start)
            else:
                del columns[start:], tokens[start:]
        places = np.repeat(np.array(read, dtype=np.int64), counts)
        cells = np.array(tokens, dtype=object)
        return read, self._read(places, np.array(columns, dtype=np.int64), cells)

    def _ends_well(self, line: str, end: int, number: int) -> bool:
        closed = _END.match(line, end) if line.startswith("{") else None
        if closed is not None:
            return self.values.has_right_end(line[closed.end() :], number)
        found = line[end:] if line.startswith("{") else line
        message = f"found '{shorten(found)}' where an index and a value are expected."
        self.values.bad.note("sparse-row", [number], message, _HINT)
        return False

    def _read(self, places: IntArray, columns: IntArray, tokens: NDArray[Any]) -> _Entries:
        """Read entries, text (str) or numbers already; return line, attribute and value of each."""
        beyond = columns >= self._n
        if beyond.any():
            self._refuse_indices(places[beyond], columns[beyond])
            places, columns, tokens = places[~beyond], columns[~beyond], tokens[~beyond]
        values = np.full(len(columns), np.nan)
        here = self.values.is_numeric[columns]
        if tokens.dtype == object:
            values[here] = self.values.numbers(columns[here], tokens[here].tolist(), places[here])
        else:
            values[here] = tokens[here]
        here = self.values.is_nominal[columns]
        values[here] = self.values.codes(columns[here], tokens[here], places[here])
        for j, parts in self._texts.items():
            here = columns == j
            parts.append((places[here], self.values.texts(j, tokens[here].tolist(), places[here])))
        return places, columns, values

    def _refuse_indices(self, places: IntArray, columns: IntArray) -> None:
        message = f"found index {columns[0]}, but the last attribute has index {self._n - 1}."
        hint = "The first attribute is 0: correct the index, or declare the attribute."
        self.values.bad.note("index", places.tolist(), message, hint)

    def _join(self, lines: IntArray, parts: list[_Entries]) -> None:
        """Put entries into the order of rows and columns."""
        places, columns, values = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
        rows = np.searchsorted(lines, places)
        keys = rows * self._n + columns
        if (np.diff(keys) <= 0).any():
            order = np.argsort(keys, kind="stable")
            rows, columns, values = rows[order], columns[order], values[order]
            repeated = np.flatnonzero(np.diff(keys[order]) == 0)
            if len(repeated):
                message = f"index {columns[repeated[0]]} stands twice."
                self.values.bad.note(
                    "repeated-index", lines[rows[repeated]].tolist(), message, _HINT
                )
        starts = np.searchsorted(rows, np.arange(len(lines) + 1))
        block = sparse.csr_matrix((values, columns, starts), shape=(len(lines), self._n))
        right = self.values.bad.right(lines)
        self._lines.append(lines[right])
        self._blocks.append(block if right.all() else block[right])

    def finish(self) -> Rows:
        """Put the blocks together."""
        lines = np.concatenate(self._lines)
        if len(lines) * len(self._texts) > MAX_CELLS:
            raise too_large(f"{MAX_CELLS} cells of text")
        blocks, self._blocks = self._blocks, []
        texts = {j: _spread(parts, lines) for j, parts in self._texts.items()}
        return Rows(lines, sparse.vstack(blocks, format="csr"), texts)


def _spread(parts: list[tuple[IntArray, NDArray[Any]]], lines: IntArray) -> NDArray[Any]:
    """Return a column of text, blank in the rows that give none."""
    column = np.full(len(lines), "", dtype=object)
    for places, texts in parts:
        rows = np.minimum(np.searchsorted(lines, places), len(lines) - 1)
        right = lines[rows] == places if len(lines) else np.zeros(len(places), dtype=bool)
        column[rows[right]] = texts[right]
    return column
