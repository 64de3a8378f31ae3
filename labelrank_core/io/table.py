"""A file as a table of text, numbers and categories, before anyone says what its columns mean."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from labelrank_core.io.cells import Cells, Coded, Column, SparseCells, written
from labelrank_core.io.numbers import BoolArray, KeptColumn, is_text, parse_numbers
from labelrank_core.rankings import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class RawTable:
    """The columns of a table, and what the file says about it (`file`, itself without them).

    `numbers`, NaN where there is none, and `missing`, where a cell is blank or holds a word for 'no
    value', have the shape (n_rows, n_columns).
    """

    file: Cells
    columns: Mapping[str, KeptColumn] | None
    numbers: FloatArray
    missing: BoolArray
    decimal_comma: bool
    _results: deque[tuple[object, Any]] = field(default_factory=lambda: deque(maxlen=3), repr=False)

    def once(self, key: object, compute: Callable[[], Any]) -> Any:
        """Compute something that is kept for a while: a page asks for it again and again."""
        for known, result in self._results:
            if known == key:
                return result
        result = compute()
        self._results.append((key, result))
        return result

    @property
    def sparse(self) -> SparseCells | None:
        """Features of which most values are 0, beside the columns."""
        return self.file.sparse

    @property
    def lines(self) -> NDArray[np.int64]:
        """The line in the file where each row begins."""
        return self.file.lines

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
        shown = {name: _shown(column) for name, column in self.columns.items()}
        return pd.DataFrame(shown, index=index)

    def title(self, column: int) -> str:
        """Return what the feature or label of a column is called in a data set."""
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
        """How many cells of a column hold something; shape (n_columns,)."""
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
        kept = self._columns[column]
        return tuple(kept.words) if isinstance(kept, Coded) else ()

    def cells(self, column: int, rows: Any = slice(None)) -> NDArray[Any]:
        """Return one column's cells as an array of str."""
        kept = self._columns[column]
        if isinstance(kept, Coded):
            # One text for all the cells that hold it: a long one must not be copied for each.
            return np.array([*kept.words, ""], dtype=object)[kept.codes[rows]]
        values = np.asarray(kept[rows], dtype=object)
        return values if self.is_text(column) else np.array([*map(written, values)], dtype=object)

    def cell(self, row: int, column: int) -> str:
        """Return one cell as text."""
        return str(self.cells(column, [row])[0])

    def subset(self, rows: BoolArray) -> "RawTable":
        """Return the table with some of its rows; its numbers keep their decimal sign."""
        file = self.file
        split = None if file.split is None else file.split[rows]
        sparse = None if file.sparse is None else file.sparse.subset(rows)
        return RawTable(
            replace(file, lines=file.lines[rows], split=split, sparse=sparse),
            {
                name: Coded(kept.codes[rows], kept.words) if isinstance(kept, Coded) else kept[rows]
                for name, kept in (self.columns or {}).items()
            },
            self.numbers[rows],
            self.missing[rows],
            self.decimal_comma,
        )


def table_of(cells: Cells) -> RawTable:
    """Return what a reader has found as a table."""
    columns = {name: _kept(column) for name, column in (cells.columns or {}).items()}
    numbers, missing, found = parse_numbers(
        list(columns.values()), len(cells.lines), typed=not cells.encoding
    )
    file = replace(cells, columns=None, findings=[*cells.findings, *found])
    if all(isinstance(column, np.ndarray) for column in columns.values()):
        columns = dict(zip(columns, numbers.T, strict=True))  # so that they stand once
    return RawTable(file, None if cells.columns is None else columns, numbers, missing, bool(found))


def _kept(column: Column) -> KeptColumn:
    if isinstance(column, Coded):
        return Coded(column.codes, tuple(column.words))
    return pd.array(column, dtype="str") if isinstance(column, list) else column


def _shown(column: KeptColumn) -> Any:
    if isinstance(column, Coded):
        return pd.Categorical.from_codes(column.codes, pd.Index(column.words, dtype="str"))
    return column
