"""A file as a table of text, numbers and categories, before its columns have roles."""

import re
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from labelrank_core.data.findings import Finding, Severity
from labelrank_core.io.cells import (
    FRAME,
    Cells,
    Coded,
    Column,
    SparseCells,
    Texts,
    columns_at_once,
    is_missing,
    row_blocks,
    side_by_side,
    text_column,
    written,
)
from labelrank_core.rankings import FloatArray, IntArray

BoolArray = NDArray[np.bool_]
# Of more different texts in a column nobody needs to know more than that.
MAX_DIFFERENT = 10_000

# Text is kept as pandas' array of text, which takes a tenth of the memory of Python's.
KeptColumn: TypeAlias = FloatArray | Coded | Texts

# Before 3.1, pandas errs in the last digit of a number in words.
_PANDAS_ROUNDS = pd.to_numeric("0.30000000000000004") != 0.30000000000000004
_DECIMAL_COMMA = re.compile(r"\s*[+-]?(\d+,\d*|,\d+)([eE][+-]?\d+)?\s*")
_THOUSANDS = re.compile(r"\s*[+-]?[1-9]\d{0,2},\d{3}\s*")


@dataclass(frozen=True, eq=False)
class RawTable:
    """The columns of a table, and the file's declarations (`file`, itself without them).

    `numbers`, NaN where there is none, and `missing`, where a cell is blank or holds a word for 'no
    value', have the shape (n_rows, n_columns).
    """

    file: Cells
    columns: Mapping[str, KeptColumn] | None
    numbers: FloatArray
    missing: BoolArray
    decimal_comma: bool
    _results: deque[tuple[object, Any]] = field(default_factory=lambda: deque(maxlen=4), repr=False)
    _texts: dict[int, Counter[str]] = field(default_factory=dict, repr=False)
    _by_column: dict[Callable[..., Any], list[Any]] = field(default_factory=dict, repr=False)

    def of_columns(self, look: Callable[["RawTable", int], Any]) -> list[Any]:
        """Return a function's result for each column, called once for the life of the table."""
        if look not in self._by_column:
            self._by_column[look] = [look(self, j) for j in range(len(self.names))]
        return self._by_column[look]

    def once(self, key: object, compute: Callable[[], Any]) -> Any:
        """Compute something that is kept for a while: a page asks for it again and again."""
        for stored_key, result in self._results:
            if stored_key == key:
                return result
        result = compute()
        self._results.append((key, result))
        return result

    @property
    def n_bytes(self) -> int:
        """The memory of the table in bytes, with its cached results."""
        columns = sum(map(_n_bytes, (self.columns or {}).values()))
        arrays = [self.numbers, self.missing, self.lines]
        if self.sparse is not None:
            arrays += [self.sparse.values, self.sparse.indices, self.sparse.starts]
        results = sum(getattr(result, "n_bytes", 0) for _, result in [*self._results])
        return columns + results + sum(array.nbytes for array in arrays)

    @property
    def sparse(self) -> SparseCells | None:
        """Features of which most values are 0, beside the columns."""
        return self.file.sparse

    @property
    def lines(self) -> NDArray[np.int64]:
        """The line in the file where each row begins."""
        return self.file.lines

    @property
    def line_unit(self) -> str:
        """The unit of `lines`: "line" of a file, or "row" of a data frame."""
        return "row" if self.file.format == FRAME else "line"

    @cached_property
    def names(self) -> list[str]:
        """The names of the columns."""
        return list(self.columns or ())

    @cached_property
    def _columns(self) -> list[KeptColumn]:
        return list((self.columns or {}).values())

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.lines)

    @cached_property
    def frame(self) -> pd.DataFrame | None:
        """The cells as they are shown; the index holds the lines."""
        if self.columns is None:
            return None
        index = pd.Index(self.lines, name="line")
        is_numeric = all(isinstance(column, np.ndarray) for column in self._columns)
        if is_numeric and self.numbers.flags.c_contiguous:
            return pd.DataFrame(self.numbers, columns=self.names, index=index, copy=False)
        cells = {name: self._shown(column, slice(None)) for name, column in self.columns.items()}
        return pd.DataFrame(cells, index=index)

    def head(self, n_rows: int, n_columns: int) -> pd.DataFrame:
        """Return the first rows of the first columns as they are shown."""
        cells = {
            name: self._shown(column, slice(n_rows))
            for name, column in islice((self.columns or {}).items(), n_columns)
        }
        return pd.DataFrame(cells, index=pd.Index(self.lines[:n_rows], name="line"))

    @staticmethod
    def _shown(column: KeptColumn, rows: slice) -> Any:
        if isinstance(column, Coded):
            categories = pd.Index(column.categories, dtype="str")
            return pd.Categorical.from_codes(column.codes[rows], categories)
        return column[rows]

    def title(self, column: int) -> str:
        """Return the name of a column's feature or label in a data set."""
        return self.file.titles.get(self.names[column], self.names[column])

    def block(self, columns: Sequence[int]) -> tuple[FloatArray, BoolArray]:
        """Return the numbers of some columns, and where they are missing."""
        return self.numbers[:, columns], self.missing[:, columns]

    @cached_property
    def is_complete(self) -> BoolArray:
        """Whether all cells of a column are finite numbers; shape (n_columns,)."""
        return np.asarray(np.isfinite(self.numbers).all(axis=0))

    @cached_property
    def n_given(self) -> IntArray:
        """The number of cells with content of each column; shape (n_columns,)."""
        return self.n_rows - np.asarray(self.missing.sum(axis=0))

    @cached_property
    def row_files(self) -> NDArray[Any] | None:
        """The name of the file of each row, None where there is only one."""
        if not self.file.files or self.file.split is None:
            return None
        return np.array(self.file.files, dtype=object)[self.file.split.astype(np.intp)]

    def is_text(self, column: int) -> bool:
        """Tell whether a column holds text as it stands in a file."""
        return is_text(self._columns[column])

    def categories(self, column: int) -> tuple[str, ...]:
        """Return the categories a format declares for a column, none where it declares none."""
        stored = self._columns[column]
        return tuple(stored.categories) if isinstance(stored, Coded) else ()

    def cells(self, column: int, rows: Any = slice(None)) -> NDArray[Any]:
        """Return one column's cells as an array of str."""
        stored = self._columns[column]
        if isinstance(stored, Coded):
            # One text for all the cells that hold it: a long one must not be copied for each.
            return np.array([*stored.categories, ""], dtype=object)[stored.codes[rows]]
        values = np.asarray(stored[rows], dtype=object)
        return values if self.is_text(column) else np.array([*map(written, values)], dtype=object)

    def blocks(self, column: int) -> Iterator[tuple[slice, NDArray[Any]]]:
        """Yield the cells of a column as text, so many at a time that other threads can run."""
        for rows in row_blocks(self.n_rows):
            yield rows, self.cells(column, rows)

    def map_texts(self, column: int, function: Callable[[str], Any], dtype: Any) -> NDArray[Any]:
        """Return a function's result for each cell's text, called once for equal ones."""
        results = np.empty(self.n_rows, dtype=dtype)
        for rows, cells in self.blocks(column):
            codes, texts = pd.factorize(cells)
            results[rows] = np.array([function(text) for text in texts], dtype=dtype)[codes]
        return results

    def coded(self, column: int, limit: float = np.inf) -> tuple[IntArray, NDArray[Any]]:
        """Return which of the different texts of a column each cell is, and these texts.

        Of more than `limit` different texts, the cells that are left count as the first of them.
        The garbage collector does not look through an array of texts, as it does through a list.
        """
        stored = self._columns[column]
        if isinstance(stored, Coded):
            used_codes, codes = np.unique(stored.codes, return_inverse=True)
            categories = [*stored.categories, ""]
            return codes, np.array([categories[code] for code in used_codes], dtype=object)
        codes = np.empty(self.n_rows, dtype=np.int64)
        numbers: dict[str, int] = {}
        for rows, cells in self.blocks(column):
            block_codes, texts = pd.factorize(cells)
            codes[rows] = np.array([numbers.setdefault(text, len(numbers)) for text in texts])[
                block_codes
            ]
            if len(numbers) > limit:
                codes[rows.stop :] = 0
                break
        texts = np.array([*numbers], dtype=object)
        while numbers:  # to free all at once would let no other thread run
            numbers.popitem()
        return codes, texts

    def count_texts(self, column: int) -> Counter[str]:
        """Count the cells of each different text, without missing ones and spaces around them.

        Of a column with more than `MAX_DIFFERENT` texts, only some more than these are counted.
        """
        if column not in self._texts:
            self._texts[column] = self._count_texts(column)
        return self._texts[column]

    def _count_texts(self, column: int) -> Counter[str]:
        stored, counts = self._columns[column], Counter[str]()
        if isinstance(stored, Coded):
            codes = stored.codes[~self.missing[:, column]]
            used_codes, numbers = np.unique(codes, return_counts=True)
            for code, number in zip(
                used_codes[: MAX_DIFFERENT + 1], numbers.tolist(), strict=False
            ):
                counts[stored.categories[code].strip()] += number
            return counts
        for rows, cells in self.blocks(column):
            for text, number in Counter(cells[~self.missing[rows, column]].tolist()).items():
                counts[text.strip()] += number
            if len(counts) > MAX_DIFFERENT:
                break
        return counts

    def cell(self, row: int, column: int) -> str:
        """Return one cell as text."""
        stored = self._columns[column]
        if isinstance(stored, Coded):
            code = stored.codes[row]
            return stored.categories[code] if code >= 0 else ""
        return written(float(stored[row]) if isinstance(stored, np.ndarray) else stored[row])

    def subset(self, rows: BoolArray) -> "RawTable":
        """Return the table with some of its rows; its numbers keep their decimal sign."""
        file = self.file
        split = None if file.split is None else file.split[rows]
        sparse = None if file.sparse is None else file.sparse.subset(rows)
        return RawTable(
            replace(file, lines=file.lines[rows], split=split, sparse=sparse),
            {name: _some_of(column, rows) for name, column in (self.columns or {}).items()},
            self.numbers[rows],
            self.missing[rows],
            self.decimal_comma,
        )


def table_of(cells: Cells) -> RawTable:
    """Return a reader's result as a table."""
    columns = {name: _storable(column) for name, column in (cells.columns or {}).items()}
    numbers, missing, findings = parse_numbers(
        list(columns.values()), len(cells.lines), typed=not cells.encoding
    )
    file = replace(cells, columns=None, findings=[*cells.findings, *findings])
    if all(isinstance(column, np.ndarray) for column in columns.values()):
        columns = dict(zip(columns, numbers.T, strict=True))  # so that they stand once
    return RawTable(
        file, None if cells.columns is None else columns, numbers, missing, bool(findings)
    )


def _storable(column: Column) -> KeptColumn:
    if isinstance(column, Coded):
        return Coded(column.codes, tuple(column.categories))
    return text_column(column) if isinstance(column, list) else column


def _some_of(column: KeptColumn, rows: BoolArray) -> KeptColumn:
    """Return some rows of a column."""
    if isinstance(column, Coded):
        return Coded(column.codes[rows], column.categories)
    if isinstance(column, Texts):
        array = column[rows]
        return Texts(array, 0, len(array))
    return column[rows]


def _n_bytes(column: KeptColumn) -> int:
    """Return the bytes of a column; numbers lie in the matrix of all of them."""
    if isinstance(column, Coded):
        return int(column.codes.nbytes) + sum(map(len, column.categories))
    return int(column.array.nbytes) if isinstance(column, Texts) else 0


def parse_numbers(
    columns: Sequence[KeptColumn], n_rows: int, *, typed: bool
) -> tuple[FloatArray, BoolArray, list[Finding]]:
    """Return the numbers in columns, where nothing is given, and that there are decimal commas."""
    if all(isinstance(column, np.ndarray) for column in columns):
        values = side_by_side(columns, n_rows)
        return values, np.isnan(values), []
    values = np.empty((n_rows, len(columns)), dtype=np.float64, order="F")
    missing = np.zeros(values.shape, dtype=bool, order="F")
    with_commas: set[int] = set()
    n_commas = n_thousands = 0
    in_words = [j for j, column in enumerate(columns) if is_text(column)]
    for j, column in enumerate(columns):
        if not is_text(column):
            values[:, j], missing[:, j] = _typed_numbers(column)
    for batch, rows, cells in _text_blocks(columns, in_words, n_rows):
        numbers = _to_numbers(cells)
        # Where the fast conversion found nothing, every different cell is looked at.
        unparsed = np.flatnonzero(np.isnan(numbers))
        codes, texts = pd.factorize(cells[unparsed])
        is_blank = np.zeros(len(cells), dtype=bool)
        is_blank[unparsed], commas, thousands = (
            np.array([bool(test(text)) for text in texts], dtype=bool)[codes]
            for test in (is_missing, _DECIMAL_COMMA.fullmatch, _THOUSANDS.fullmatch)
        )
        values[rows, batch] = numbers.reshape(len(batch), -1).T
        missing[rows, batch] = is_blank.reshape(len(batch), -1).T
        n_commas, n_thousands = n_commas + commas.sum(), n_thousands + thousands.sum()
        n_of_column = len(cells) // len(batch)
        with_commas.update(batch[k] for k in np.unique(unparsed[commas] // n_of_column).tolist())
    if not n_commas or n_commas < _n_points(columns, values, typed=typed):
        return values, missing, []
    for batch, rows, cells in _text_blocks(columns, sorted(with_commas), n_rows):
        # A point in such a column is not a number: nobody can tell 1.234 from 1234 there.
        points = [text.replace(".", "x").replace(",", ".") for text in cells]
        numbers = _to_numbers(np.array(points, dtype=object))
        values[rows, batch] = numbers.reshape(len(batch), -1).T
    message = "numbers were read with a decimal comma, 1,5 as one and a half."
    finding = Finding("decimal-comma", Severity.INFO, message)
    if n_thousands == n_commas:
        hint = "If the comma separates thousands here, as in 1,500, remove it in the file."
        finding = Finding("decimal-comma", Severity.WARNING, message, hint)
    return values, missing, [finding]


def _text_blocks(
    columns: Sequence[KeptColumn], indices: Sequence[int], n_rows: int
) -> Iterator[tuple[list[int], slice, NDArray[Any]]]:
    """Yield cells of some columns of text, one column below the other, with columns and rows."""
    n_together = columns_at_once(n_rows)
    for start in range(0, len(indices), n_together):
        batch = [*indices[start : start + n_together]]
        for rows in row_blocks(n_rows):
            parts = [np.asarray(columns[j][rows], dtype=object) for j in batch]  # type: ignore[index]
            yield batch, rows, np.concatenate(parts)


def is_text(column: KeptColumn) -> bool:
    """Tell whether a column holds text as it stands in a file."""
    return isinstance(column, Texts)


def _n_points(columns: Sequence[KeptColumn], values: FloatArray, *, typed: bool) -> int:
    """Count the numbers that are written with a decimal point."""
    count = 0
    in_words = [j for j, column in enumerate(columns) if is_text(column)]
    for batch, rows, cells in _text_blocks(columns, in_words, len(values)):
        count += sum("." in cell for cell in cells[~np.isnan(values[rows, batch].T.ravel())])
    if not typed:
        numeric = [j for j, column in enumerate(columns) if not is_text(column)]
        count += sum(int(np.count_nonzero(np.nan_to_num(values[:, j]) % 1)) for j in numeric)
    return count


def _typed_numbers(column: KeptColumn) -> tuple[FloatArray, BoolArray]:
    """Return a column of numbers or categories as numbers, and where nothing is given."""
    if isinstance(column, Coded):
        # A category that is declared is a value, be it called 'none'; code -1 is the blank.
        numbers = _to_numbers(np.array([*column.categories, ""], dtype=object))
        return numbers[column.codes], column.codes == -1
    numbers = np.asarray(column, dtype=np.float64)
    return numbers, np.isnan(numbers)


def _to_numbers(cells: NDArray[Any]) -> FloatArray:
    numbers = np.asarray(pd.to_numeric(cells, errors="coerce"), dtype=np.float64)
    if _PANDAS_ROUNDS:
        parsed = ~np.isnan(numbers)
        numbers[parsed] = [float(cell) for cell in cells[parsed]]
    return numbers
