"""Large delimited files of hardly anything but numbers, read without a detour through text."""

import io
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from labelrank_core.rankings import FloatArray

MIN_BYTES = 1_000_000
MAX_NUMBERS = 100_000_000

# Encodings in which a number is the same bytes as in ASCII.
_ENCODINGS = ("utf-8", "utf-8-sig", "cp1252", "latin-1")
# Large enough to be worth a call of the parser, small beside the whole.
_BLOCK_BYTES = 1 << 22
_NEWLINE = ord("\n")
# With more cells that are no numbers, in a column's block or in all, the file is read as text.
_TEXT_SHARE, _MOST_TEXTS = 0.05, 100_000
_N_THREADS = min(4, os.cpu_count() or 1)


@dataclass(frozen=True)
class _Block:
    """Some rows of a file: where they begin and end, and their numbers."""

    begin: int
    end: int
    first: int
    stop: int


@dataclass(frozen=True, eq=False)
class Numbers:
    """What a file of numbers holds."""

    values: FloatArray
    complete: bool
    texts: list[tuple[int, int, str]]


@dataclass(frozen=True, eq=False)
class RegularText:
    """A delimited file whose rows may all have as many fields, nearly all of them numbers."""

    data: bytes
    encoding: str
    delimiter: str
    n_skipped: int
    n_columns: int

    def numbers(self) -> Numbers | None:
        """Read all rows."""
        data, n_columns = self.data, self.n_columns
        if len(data) < MIN_BYTES or n_columns < 2 or self.encoding not in _ENCODINGS:
            return None
        if b'"' in data or (b"\r" in data and data.count(b"\r") != data.count(b"\r\n")):
            return None
        blocks = self._blocks()
        n_rows = blocks[-1].stop if blocks else 0
        if not n_rows or n_rows * n_columns > MAX_NUMBERS:
            return None
        numbers = np.empty((n_rows, n_columns))
        complete, texts = True, list[tuple[int, int, str]]()
        # The parser lets other threads work meanwhile.
        with ThreadPoolExecutor(_N_THREADS) as pool:
            for filled in pool.map(partial(self._fill, numbers), blocks):
                if filled is None or len(texts) > _MOST_TEXTS:
                    pool.shutdown(cancel_futures=True)
                    return None
                complete &= filled[0]
                texts += filled[1]
        numbers.setflags(write=False)
        return Numbers(numbers, complete, texts)

    def column(self, column: int) -> NDArray[Any]:
        """Read one column as the text it is."""
        blocks = (self.data[block.begin : block.end] for block in self._blocks())
        options = {"usecols": [column], "dtype": str, "na_filter": False}
        cells = [self._parsed(block, **options)[column].to_numpy(dtype=object) for block in blocks]
        return np.concatenate(cells)

    @cached_property
    def _start(self) -> int:
        """Where the first row begins."""
        start = 0
        for _ in range(self.n_skipped):
            start = self.data.find(b"\n", start) + 1
        return start

    def _blocks(self) -> list[_Block]:
        """Cut the rows into blocks."""
        blocks: list[_Block] = []
        content = np.frombuffer(self.data, dtype=np.uint8)
        begin, first = self._start, 0
        while begin < len(self.data):
            end = self.data.find(b"\n", begin + _BLOCK_BYTES) + 1 or len(self.data)
            open_end = end == len(self.data) and not self.data.endswith(b"\n")
            stop = first + int(np.count_nonzero(content[begin:end] == _NEWLINE)) + open_end
            blocks.append(_Block(begin, end, first, stop))
            begin, first = end, stop
        return blocks

    def _fill(
        self, numbers: FloatArray, block: _Block
    ) -> tuple[bool, list[tuple[int, int, str]]] | None:
        """Read a block into its rows; return what `Numbers` has, None if it is not regular."""
        data = self.data[block.begin : block.end]
        # That no row is longer than the first one is left to the parser.
        first_line = data[: data.find(b"\n")]
        if first_line.count(self.delimiter.encode()) != self.n_columns - 1:
            return None
        try:
            frame = self._parsed(data)
        except ValueError:  # a row is too long, or the encoding is another one after all
            return None
        if len(frame) != block.stop - block.first:
            return None
        texts: list[tuple[int, int, str]] = []
        for j, dtype in enumerate(frame.dtypes):
            if dtype.kind in "iuf":
                continue
            found = _texts(frame[j])
            if found is None:
                return None
            frame[j], places = found
            texts += [(block.first + i, j, text) for i, text in places.items()]
        values = frame.to_numpy(dtype=np.float64)
        numbers[block.first : block.stop] = values
        if np.isfinite(values).all():
            return True, []
        blank = np.isnan(values)
        for i, j, _ in texts:
            blank[i - block.first, j] = False
        if np.isinf(values).any() or blank.all(axis=1).any():
            return None
        # A row that is too short ends in blanks.
        return (False, texts) if self._is_even(data) else None

    def _is_even(self, data: bytes) -> bool:
        """Tell whether of delimiters and line ends, taken together, every n-th is a line end."""
        content = np.frombuffer(data, dtype=np.uint8)
        ends = content == _NEWLINE
        marks = ends[ends | (content == ord(self.delimiter))]
        if not data.endswith(b"\n"):
            marks = np.append(marks, True)
        regular = np.zeros(len(marks), dtype=bool)
        regular[self.n_columns - 1 :: self.n_columns] = True
        return len(marks) % self.n_columns == 0 and bool((marks == regular).all())

    def _parsed(self, data: bytes, **options: Any) -> pd.DataFrame:
        # The parser of pandas in C, on one thread.
        return pd.read_csv(
            io.BytesIO(data),
            sep=self.delimiter,
            header=None,
            names=range(self.n_columns),
            index_col=False,
            keep_default_na=False,
            na_values=[""] if options.get("na_filter", True) else None,
            skip_blank_lines=False,
            encoding=self.encoding,
            engine="c",
            low_memory=False,
            **options,
        )


def _texts(column: pd.Series) -> tuple[FloatArray, dict[int, str]] | None:
    """Return the numbers of a column and the few cells that hold text; None: it is no such one."""
    if not isinstance(column.dtype, pd.StringDtype):
        return None
    cells = column.fillna("").to_numpy(dtype=object)
    numbers = np.asarray(pd.to_numeric(cells, errors="coerce"), dtype=np.float64)
    rows = np.flatnonzero(np.isnan(numbers) & (cells != ""))
    if len(rows) > _TEXT_SHARE * len(cells):
        return None
    return numbers, dict(zip(rows.tolist(), cells[rows], strict=True))
