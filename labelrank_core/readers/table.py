"""A file as a table of text, before anything is known about what its columns mean."""

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from labelrank_core.issues import Issue
from labelrank_core.rankings import FloatArray

BoolArray = NDArray[np.bool_]

# What programs write where there is no value. Only numbers and positions are looked up here:
# the names of columns and of labels are taken as they stand.
MISSING_WORDS = frozenset(
    ("", "?", "na", "n/a", "#n/a", "nan", "-nan", "null", "none", "<na>", "missing")
)
_DECIMAL_COMMA = re.compile(r"\s*[+-]?(\d+,\d*|,\d+)([eE][+-]?\d+)?\s*")
_THOUSANDS = re.compile(r"\s*[+-]?[1-9]\d{0,2},\d{3}\s*")


@dataclass(frozen=True)
class Dialect:
    """How a text file is written.

    Parameters
    ----------
    delimiter : str
        What separates fields: a comma, a semicolon or a tab.
    encoding : str
        Python's name of the text encoding.
    has_header : bool
        Whether the first line names the columns.
    """

    delimiter: str
    encoding: str
    has_header: bool = True


@dataclass(frozen=True, eq=False)
class RawTable:
    """A table of text with the numbers it holds.

    Parameters
    ----------
    name : str
        What to call the data: the file's name without its extension.
    frame : DataFrame of str or None
        The cells as in the file; the index, called ``line``, holds the line each row begins in.
        None: there is no table.
    dialect : Dialect or None
        How the file is written, None where that was not found out.
    findings : tuple of Issue
        What was found on the way here.
    ragged : tuple of Issue
        Rows with too few or too many fields; they are not in `frame`.
    ragged_lines : tuple of int
        Their lines.
    """

    name: str
    frame: pd.DataFrame | None
    dialect: Dialect | None = None
    findings: tuple[Issue, ...] = ()
    ragged: tuple[Issue, ...] = ()
    ragged_lines: tuple[int, ...] = ()

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

    @property
    def decimal(self) -> str:
        """The decimal sign of the numbers."""
        return self._parsed[2]

    @property
    def decimal_doubtful(self) -> bool:
        """Whether every comma taken for a decimal sign could as well separate thousands."""
        return self._parsed[3]

    @cached_property
    def _parsed(self) -> tuple[FloatArray, BoolArray, str, bool]:
        assert self.frame is not None
        numbers = np.empty(self.frame.shape, dtype=np.float64, order="F")
        missing = np.zeros(self.frame.shape, dtype=bool, order="F")
        comma_columns: list[int] = []
        n_commas = n_thousands = 0
        for j in range(self.frame.shape[1]):
            cells = self.cells(j)
            numbers[:, j] = _to_numbers(cells)
            # Only where the fast conversion found nothing is a cell looked at one by one.
            for i in np.flatnonzero(np.isnan(numbers[:, j])):
                missing[i, j] = is_missing(cells[i])
                if _DECIMAL_COMMA.fullmatch(cells[i]):
                    n_commas += 1
                    n_thousands += _THOUSANDS.fullmatch(cells[i]) is not None
                    if not comma_columns or comma_columns[-1] != j:
                        comma_columns.append(j)
        if not n_commas or n_commas < self._n_points(numbers):
            return numbers, missing, ".", False
        self._read_decimal_commas(numbers, comma_columns)
        return numbers, missing, ",", n_thousands == n_commas

    def _n_points(self, numbers: FloatArray) -> int:
        """Count the numbers that are written with a decimal point."""
        assert self.frame is not None
        return sum(
            sum("." in cell for cell in self.cells(j)[~np.isnan(numbers[:, j])])
            for j in range(numbers.shape[1])
        )

    def _read_decimal_commas(self, numbers: FloatArray, columns: list[int]) -> None:
        for j in columns:
            # A point in such a column is not a number: nobody can tell 1.234 from 1234 there.
            cells = [cell.replace(".", "x").replace(",", ".") for cell in self.cells(j)]
            numbers[:, j] = _to_numbers(np.array(cells, dtype=object))

    def cells(self, column: int) -> NDArray[Any]:
        """Return one column's cells as an array of str.

        Parameters
        ----------
        column : int
            Its index.

        Returns
        -------
        ndarray of shape (n_rows,)
            The text.
        """
        assert self.frame is not None
        return self.frame.iloc[:, column].to_numpy(dtype=object)

    def subset(self, rows: BoolArray) -> "RawTable":
        """Return the table with some of its rows.

        Parameters
        ----------
        rows : ndarray of bool of shape (n_rows,)
            Which rows to keep.

        Returns
        -------
        RawTable
            The smaller table; its cells mean what they meant in the whole one.
        """
        assert self.frame is not None
        smaller = replace(self, frame=self.frame[rows])
        numbers, missing, decimal, doubtful = self._parsed
        # The decimal sign was decided on the whole table and must not change with the rows.
        smaller.__dict__["_parsed"] = (numbers[rows], missing[rows], decimal, doubtful)
        return smaller


def is_missing(cell: str) -> bool:
    """Tell whether a cell is blank or holds a word for 'no value'.

    Parameters
    ----------
    cell : str
        The text.

    Returns
    -------
    bool
        Whether there is no value.
    """
    return cell.strip().lower() in MISSING_WORDS


def _to_numbers(cells: NDArray[Any]) -> FloatArray:
    return np.asarray(pd.to_numeric(cells, errors="coerce"), dtype=np.float64)
