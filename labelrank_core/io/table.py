"""A file as a table of text, numbers and categories, before anyone says what its columns mean."""

import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse

from labelrank_core.data.findings import Finding
from labelrank_core.io.cells import Cells, Coded, Column, Dialect, is_missing, written
from labelrank_core.io.vocabulary import Role, TargetForm
from labelrank_core.rankings import FloatArray, IntArray

BoolArray = NDArray[np.bool_]
T = TypeVar("T")

_DECIMAL_COMMA = re.compile(r"\s*[+-]?(\d+,\d*|,\d+)([eE][+-]?\d+)?\s*")
_THOUSANDS = re.compile(r"\s*[+-]?[1-9]\d{0,2},\d{3}\s*")


class Latest:
    """The last results of a computation, kept because a page asks for them again and again."""

    def __init__(self, size: int = 3) -> None:
        self._results: deque[tuple[object, Any]] = deque(maxlen=size)

    def get(self, key: object, compute: Callable[[], T]) -> T:
        """Return the result kept for a key, or compute it."""
        for known, result in self._results:
            if known == key:
                kept: T = result
                return kept
        computed = compute()
        self._results.append((key, computed))
        return computed


@dataclass(frozen=True, eq=False)
class SparseFeatures:
    """Features of which most values are 0, beside the columns of a table."""

    matrix: sparse.csr_matrix
    names: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class RawTable:
    """A table with the numbers it holds, and what its format says about it."""

    name: str
    frame: pd.DataFrame | None
    dialect: Dialect | None = None
    findings: tuple[Finding, ...] = ()
    ragged: tuple[Finding, ...] = ()
    ragged_lines: tuple[int, ...] = ()
    format: str = ""
    declared_roles: Mapping[str, Role] = field(default_factory=dict)
    declared_form: TargetForm | None = None
    declared_labels: tuple[str, ...] = ()
    doubt: str = ""
    sparse: SparseFeatures | None = None
    split: BoolArray | None = None
    files: tuple[str, ...] = ()
    ragged_files: tuple[str, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)
    nominal: frozenset[str] = frozenset()
    complete: bool = False
    blocks: Latest = field(default_factory=lambda: Latest(1), repr=False)
    readings: Latest = field(default_factory=Latest, repr=False)

    @cached_property
    def lines(self) -> NDArray[np.int64]:
        """The line in the file where each row begins."""
        assert self.frame is not None
        return self.frame.index.to_numpy(dtype=np.int64)

    @cached_property
    def names(self) -> list[str]:
        """The names of the columns."""
        assert self.frame is not None
        return [str(name) for name in self.frame.columns]

    @cached_property
    def _dtypes(self) -> list[Any]:
        assert self.frame is not None
        return list(self.frame.dtypes)

    def title(self, column: int) -> str:
        """Return what the feature or label of a column is called in a data set."""
        return self.titles.get(self.names[column], self.names[column])

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return 0 if self.frame is None else len(self.frame)

    @property
    def numbers(self) -> FloatArray:
        """The cells as numbers, NaN where there is none; shape (n_rows, n_columns)."""
        return self._parsed[0]

    @property
    def missing(self) -> BoolArray:
        """Where a cell is blank or holds a word for 'no value'; shape (n_rows, n_columns)."""
        return self._parsed[1]

    def block(self, columns: Sequence[int]) -> tuple[FloatArray, BoolArray]:
        """Return the numbers of some columns, and where they are missing, not to be changed."""
        return self.blocks.get(tuple(columns), lambda: self._block(columns))

    def _block(self, columns: Sequence[int]) -> tuple[FloatArray, BoolArray]:
        numbers = np.ascontiguousarray(self.numbers[:, columns])
        if self.complete:
            missing = np.zeros(numbers.shape, dtype=bool)
        else:
            missing = np.ascontiguousarray(self.missing[:, columns])
        for part in (numbers, missing):
            part.setflags(write=False)
        return numbers, missing

    @cached_property
    def is_complete(self) -> BoolArray:
        """Whether all cells of a column are finite numbers; shape (n_columns,)."""
        if self.complete:
            return np.ones(self.numbers.shape[1], dtype=bool)
        return np.asarray(np.isfinite(self.numbers).all(axis=0))

    @cached_property
    def n_given(self) -> IntArray:
        """How many cells of a column hold something; shape (n_columns,)."""
        if self.complete:
            return np.full(self.missing.shape[1], self.n_rows)
        return self.n_rows - np.asarray(self.missing.sum(axis=0))

    @property
    def decimal(self) -> str:
        """The decimal sign of the numbers."""
        return self._parsed[2]

    @property
    def decimal_doubtful(self) -> bool:
        """Whether every comma taken for a decimal sign could as well separate thousands."""
        return self._parsed[3]

    @cached_property
    def row_files(self) -> NDArray[Any] | None:
        """The name of the file of each row, None where there is only one."""
        if not self.files or self.split is None:
            return None
        return np.array(self.files, dtype=object)[self.split.astype(np.intp)]

    @cached_property
    def _parsed(self) -> tuple[FloatArray, BoolArray, str, bool]:
        assert self.frame is not None
        if all(dtype == np.float64 for dtype in self.frame.dtypes):
            numbers = self.frame.to_numpy(dtype=np.float64)
            missing = np.zeros(numbers.shape, dtype=bool) if self.complete else np.isnan(numbers)
            return numbers, missing, ".", False
        numbers = np.empty(self.frame.shape, dtype=np.float64, order="F")
        missing = np.zeros(self.frame.shape, dtype=bool, order="F")
        comma_columns: list[int] = []
        n_commas = n_thousands = 0
        for j in range(self.frame.shape[1]):
            if not self.is_text(j):
                numbers[:, j], missing[:, j] = _numbers_of(self.frame.iloc[:, j])
                continue
            cells = self.cells(j)
            numbers[:, j] = _to_numbers(cells)
            # Where the fast conversion found nothing, every different cell is looked at.
            places = np.flatnonzero(np.isnan(numbers[:, j]))
            codes, texts = pd.factorize(cells[places])
            missing[places, j] = _told(texts, is_missing)[codes]
            commas = _told(texts, _DECIMAL_COMMA.fullmatch)[codes]
            if commas.any():
                n_commas += int(commas.sum())
                n_thousands += int(_told(texts, _THOUSANDS.fullmatch)[codes].sum())
                comma_columns.append(j)
        if not n_commas or n_commas < self._n_points(numbers):
            return numbers, missing, ".", False
        self._read_decimal_commas(numbers, comma_columns)
        return numbers, missing, ",", n_thousands == n_commas

    def _n_points(self, numbers: FloatArray) -> int:
        """Count the numbers that are written with a decimal point."""
        count = 0
        for j in range(numbers.shape[1]):
            if self.is_text(j):
                count += sum("." in cell for cell in self.cells(j)[~np.isnan(numbers[:, j])])
            elif self.dialect is not None:
                count += int(np.count_nonzero(np.nan_to_num(numbers[:, j]) % 1))
        return count

    def _read_decimal_commas(self, numbers: FloatArray, columns: list[int]) -> None:
        for j in columns:
            # A point in such a column is not a number: nobody can tell 1.234 from 1234 there.
            cells = [cell.replace(".", "x").replace(",", ".") for cell in self.cells(j)]
            numbers[:, j] = _to_numbers(np.array(cells, dtype=object))

    def is_text(self, column: int) -> bool:
        """Tell whether a column holds text as it stands in a file."""
        dtype = self._dtypes[column]
        return not (isinstance(dtype, pd.CategoricalDtype) or pd.api.types.is_numeric_dtype(dtype))

    def categories(self, column: int) -> tuple[str, ...]:
        """Return the categories a format declares for a column, none where it declares none."""
        dtype = self._dtypes[column]
        return tuple(map(str, dtype.categories)) if isinstance(dtype, pd.CategoricalDtype) else ()

    def cells(self, column: int, rows: Any = slice(None)) -> NDArray[Any]:
        """Return one column's cells as an array of str."""
        assert self.frame is not None
        values = self.frame.iloc[:, column].iloc[rows]
        if self.is_text(column):
            return values.to_numpy(dtype=object)
        if isinstance(values.dtype, pd.CategoricalDtype):
            # One text for all the cells that hold it: a long one must not be copied for each.
            words = np.array([*self.categories(column), ""], dtype=object)
            return np.asarray(words[values.cat.codes.to_numpy()])
        return np.array([written(value) for value in values.tolist()], dtype=object)

    def cell(self, row: int, column: int) -> str:
        """Return one cell as text."""
        return str(self.cells(column, [row])[0])

    def subset(self, rows: BoolArray) -> "RawTable":
        """Return the table with some of its rows."""
        assert self.frame is not None
        extra = self.sparse
        smaller = replace(
            self,
            frame=self.frame[rows],
            sparse=None if extra is None else replace(extra, matrix=extra.matrix[rows]),
            split=None if self.split is None else self.split[rows],
            blocks=Latest(1),
            readings=Latest(),
        )
        numbers, missing, decimal, doubtful = self._parsed
        # The decimal sign was decided on the whole table and must not change with the rows.
        smaller.__dict__["_parsed"] = (numbers[rows], missing[rows], decimal, doubtful)
        return smaller


def _told(texts: Iterable[str], test: Callable[[str], Any]) -> BoolArray:
    """Ask the same of several texts."""
    return np.array([bool(test(text)) for text in texts], dtype=bool)


def _numbers_of(column: pd.Series) -> tuple[FloatArray, BoolArray]:
    """Return a column of numbers or categories as numbers, and where nothing is given."""
    if not isinstance(column.dtype, pd.CategoricalDtype):
        numbers = column.to_numpy(dtype=np.float64)
        return numbers, np.isnan(numbers)
    texts = np.array([*map(str, column.cat.categories), ""], dtype=object)
    codes = column.cat.codes.to_numpy()  # -1, where nothing is given, is the blank at the end
    # A category that is declared is a value, be it called 'none'.
    return _to_numbers(texts)[codes], codes == -1


def _to_numbers(cells: NDArray[Any]) -> FloatArray:
    return np.asarray(pd.to_numeric(cells, errors="coerce"), dtype=np.float64)


def table_of(cells: Cells) -> RawTable:
    """Return what a reader has found as a table."""
    extra = cells.sparse
    if extra is not None:
        shape = (len(extra.starts) - 1, len(extra.names))
        matrix = sparse.csr_matrix((extra.values, extra.indices, extra.starts), shape=shape)
    frame = None if cells.columns is None else _frame(cells.columns, cells.lines)
    return RawTable(
        name=cells.name,
        frame=frame,
        dialect=cells.dialect,
        findings=tuple(cells.findings),
        ragged=tuple(cells.ragged),
        ragged_lines=tuple(cells.ragged_lines),
        format=cells.format,
        declared_roles=cells.roles,
        declared_form=cells.form,
        declared_labels=tuple(cells.labels),
        doubt=cells.doubt,
        sparse=None if extra is None else SparseFeatures(matrix, tuple(extra.names)),
        split=cells.split,
        files=tuple(cells.files),
        ragged_files=tuple(cells.ragged_files),
        titles=cells.titles,
        nominal=frozenset(cells.nominal),
        complete=frame is not None and _is_complete(frame),
    )


def _frame(columns: Mapping[str, Column], lines: NDArray[np.int64]) -> pd.DataFrame:
    index = pd.Index(lines, name="line")
    first = next(iter(columns.values()), None)
    # Columns that lie side by side are one block, which is not copied.
    block = first.base if isinstance(first, np.ndarray) else None
    if block is not None and block.shape == (len(lines), len(columns)):
        block.setflags(write=False)
        return pd.DataFrame(block, columns=list(columns), index=index, copy=False)
    typed = {name: _typed(column) for name, column in columns.items()}
    return pd.DataFrame(typed, index=index)


def _typed(column: Column) -> Any:
    if isinstance(column, Coded):
        words = pd.Index(column.words, dtype="str")
        return pd.Categorical.from_codes(column.codes, words)
    return pd.array(column, dtype="str") if isinstance(column, list) else column


def _is_complete(frame: pd.DataFrame) -> bool:
    if not all(dtype == np.float64 for dtype in frame.dtypes):
        return False
    return bool(np.isfinite(frame.to_numpy()).all())
