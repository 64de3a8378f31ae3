"""Dense rows of an ARFF file: a value for every attribute, separated by commas."""

import re
from collections.abc import Callable, Sequence
from itertools import chain

import numpy as np

from labelrank_core.data.findings import count_of
from labelrank_core.io.formats.arff_header import Attribute
from labelrank_core.io.formats.arff_text import IntArray, split_fields
from labelrank_core.io.formats.arff_values import MAX_CELLS, Rows, Values, too_large
from labelrank_core.rankings import FloatArray

_Read = Callable[[IntArray, list[str], IntArray], FloatArray]

_HINT = "Write ? for a value that is missing, and put a value that holds a comma in quotes."
_SPECIAL = re.compile(r"['\"%{}]")


class DenseRows:
    """Collects dense rows."""

    def __init__(self, attributes: Sequence[Attribute]) -> None:
        self.values = Values(attributes)
        self._n = len(attributes)
        self._n_rows = 0
        self._numeric = np.flatnonzero(self.values.is_numeric)
        self._nominal = np.flatnonzero(self.values.is_nominal)
        self._text = np.flatnonzero(self.values.is_text)
        self._blocks: list[Rows] = []

    def add(self, lines: list[str], first: int) -> None:
        """Add lines of text."""
        tokens: list[str] = []
        places: list[int] = []
        for number, line in enumerate(lines, first):
            fields = self._fields(line, number)
            if fields:
                tokens += fields
                places.append(number)
        self._n_rows += len(places)
        if self._n_rows * self._n > MAX_CELLS:
            raise too_large(f"{MAX_CELLS} cells")
        if places:
            self._read(tokens, np.array(places))

    def _fields(self, line: str, number: int) -> list[str]:
        """Split one line; nothing where it is blank, a comment or wrong."""
        if _SPECIAL.search(line):
            try:
                fields, end = split_fields(line)
            except ValueError as error:
                hint = "Close every quote, and write a quote inside of quotes as \\'."
                self.values.bad.note("quotes", [number], f"{error}.", hint)
                return []
            if not self.values.has_right_end(line[end:], number) or not fields:
                return []
        else:
            fields = line.split(",")
            if not line or line.isspace():
                return []
            if len(fields) == 1 < self._n:
                fields = line.split()  # WEKA takes spaces for commas
        if len(fields) == self._n:
            return fields
        message = f"expected {count_of(self._n, 'value')}, found {len(fields)}."
        self.values.bad.note("ragged-row", [number], message, _HINT)
        return []

    def _read(self, tokens: list[str], lines: IntArray) -> None:
        block = np.full((len(lines), self._n), np.nan)
        block[:, self._numeric] = self._cells(self._numeric, tokens, lines, self.values.numbers)
        block[:, self._nominal] = self._cells(self._nominal, tokens, lines, self.values.codes)
        texts = {
            column: self.values.texts(column, tokens[column :: self._n], lines)
            for column in self._text.tolist()
        }
        right = self.values.bad.right(lines)
        self._blocks.append(
            Rows(lines[right], block[right], {j: cells[right] for j, cells in texts.items()})
        )

    def _cells(
        self, columns: IntArray, tokens: list[str], lines: IntArray, read: _Read
    ) -> FloatArray:
        """Read the cells of some columns with one call; shape (n_lines, n_columns)."""
        cells = list(chain.from_iterable(tokens[j :: self._n] for j in columns.tolist()))
        values = read(np.repeat(columns, len(lines)), cells, np.tile(lines, len(columns)))
        return values.reshape(len(columns), len(lines)).T

    def finish(self) -> Rows:
        """Put the blocks together."""
        blocks = self._blocks
        if not blocks:
            return Rows(np.empty(0, dtype=np.int64), np.empty((0, self._n)), {})
        return Rows(
            np.concatenate([block.lines for block in blocks]),
            np.concatenate([block.values for block in blocks]),
            {j: np.concatenate([block.texts[j] for block in blocks]) for j in blocks[0].texts},
        )
