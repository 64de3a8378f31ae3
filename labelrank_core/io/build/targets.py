"""Columns of numbers as rankings: positions, orders, relevance."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import rankdata

from labelrank_core.io.table import BoolArray
from labelrank_core.rankings import FloatArray, are_permutations, dense_positions

_PLACE = re.compile(
    r"(rank|place|pos|position|top|choice|pref|order)[\s_.-]*\d+|\d+(st|nd|rd|th)"
    r"|first|second|third|fourth|fifth",
    re.IGNORECASE,
)


@dataclass(frozen=True, eq=False)
class Positions:
    """Rankings read from numbers, and what is wrong with them.

    Parameters
    ----------
    values : ndarray of shape (n_rows, n_labels)
        Positions without gaps, NaN = not ranked; meaningful only in the rows that are right.
    bad_cells : ndarray of bool of shape (n_rows, n_labels)
        Cells whose value cannot stand there.
    bad_rows : ndarray of bool of shape (n_rows,)
        Rows whose values do not form a ranking although each could stand there.
    closed_gaps : ndarray of bool of shape (n_rows,)
        Rows with gaps after ties (1, 1, 3) or for unranked labels (1, 3, blank), now closed.
    """

    values: FloatArray
    bad_cells: BoolArray
    bad_rows: BoolArray
    closed_gaps: BoolArray

    @property
    def right(self) -> BoolArray:
        """Rows that form a ranking."""
        return ~(self.bad_rows | self.bad_cells.any(axis=1))


def read_positions(numbers: FloatArray) -> Positions:
    """Read a column a label: its position, 1 = best.

    Gaps are closed where the row itself explains them: by ties (1, 1, 3; 1, 3, 3; 1.5, 1.5, 3)
    or by labels without a position (1, 3, blank). Any other gap makes the row a bad one.

    Parameters
    ----------
    numbers : ndarray of shape (n_rows, n_labels)
        The values; NaN = not ranked.

    Returns
    -------
    Positions
        The rankings.

    Examples
    --------
    >>> read_positions(np.array([[1.0, 1.0, 3.0], [1.0, 2.0, 4.0]])).values[0]
    array([1., 1., 2.])
    """
    # Permutations, by far the most frequent case, need no ranking.
    loose = ~are_permutations(numbers)
    read = Positions(
        numbers.copy(),
        np.zeros(numbers.shape, dtype=bool),
        np.zeros(len(numbers), dtype=bool),
        np.zeros(len(numbers), dtype=bool),
    )
    if loose.any():
        rest = _read_loose(numbers[loose])
        read.values[loose], read.bad_cells[loose] = rest.values, rest.bad_cells
        read.bad_rows[loose], read.closed_gaps[loose] = rest.bad_rows, rest.closed_gaps
    return read


def _read_loose(numbers: FloatArray) -> Positions:
    """Read rows that may have ties, gaps, blanks and errors."""
    n_labels = numbers.shape[1]
    given = ~np.isnan(numbers)
    dense = dense_positions(np.where(np.isfinite(numbers), numbers, np.nan))
    padded = np.where(given, numbers, np.inf)
    averaged = same_rows(_ranked(padded, given, "average"), numbers)
    whole = np.where(given, numbers, 1.0) == np.floor(np.where(given, numbers, 1.0))
    fits = (numbers >= 1) & (numbers <= n_labels) & (whole | averaged[:, None])
    bad_cells = given & ~fits
    tied = averaged | same_rows(_ranked(padded, given, "min"), numbers)
    tied |= same_rows(_ranked(padded, given, "max"), numbers)
    n_missing = (~given).sum(axis=1)
    n_gaps = np.where(given, numbers, 0).max(axis=1) - np.where(given, dense, 0).max(axis=1)
    without_gap = same_rows(dense, numbers)
    explained = tied | (n_gaps <= n_missing)
    bad_rows = ~bad_cells.any(axis=1) & ~without_gap & ~explained
    closed = ~bad_cells.any(axis=1) & ~without_gap & explained
    return Positions(dense, bad_cells, bad_rows, closed)


def read_orders(numbers: FloatArray) -> Positions:
    """Read a column a place: the number of the label that stands there, 1 = the first label.

    Parameters
    ----------
    numbers : ndarray of shape (n_rows, n_labels)
        The numbers of labels; NaN, at a row's end only, = no label any more.

    Returns
    -------
    Positions
        The rankings; labels that do not occur in a row are not ranked.

    Examples
    --------
    >>> read_orders(np.array([[3.0, 1.0, 2.0]])).values
    array([[2., 3., 1.]])
    """
    # A permutation's order is its inverse.
    loose = ~are_permutations(numbers)
    read = Positions(
        np.argsort(numbers, axis=1).astype(np.float64) + 1,
        np.zeros(numbers.shape, dtype=bool),
        np.zeros(len(numbers), dtype=bool),
        np.zeros(len(numbers), dtype=bool),
    )
    if loose.any():
        rest = _read_loose_orders(numbers[loose])
        read.values[loose], read.bad_cells[loose] = rest.values, rest.bad_cells
        read.bad_rows[loose] = rest.bad_rows
    return read


def _read_loose_orders(numbers: FloatArray) -> Positions:
    """Read rows that may have blanks and errors."""
    n_rows, n_labels = numbers.shape
    given = ~np.isnan(numbers)
    fits = (numbers >= 1) & (numbers <= n_labels) & (numbers == np.floor(numbers))
    bad_cells = given & ~fits
    values = np.full(numbers.shape, np.nan)
    rows, places = np.nonzero(fits)
    values[rows, numbers[rows, places].astype(np.int64) - 1] = places + 1
    repeated = (~np.isnan(values)).sum(axis=1) != fits.sum(axis=1)
    # A place left blank before a label that has one.
    interrupted = (given[:, 1:] & ~given[:, :-1]).any(axis=1)
    bad_rows = ~bad_cells.any(axis=1) & (repeated | interrupted)
    return Positions(values, bad_cells, bad_rows, np.zeros(n_rows, dtype=bool))


def same_rows(left: FloatArray, right: FloatArray) -> BoolArray:
    """Tell which rows are equal, NaN counting as equal to NaN.

    Parameters
    ----------
    left, right : ndarray of shape (n_rows, n_columns)
        The numbers.

    Returns
    -------
    ndarray of bool of shape (n_rows,)
        True where all are equal.
    """
    return ((left == right) | (np.isnan(left) & np.isnan(right))).all(axis=1)


def _ranked(padded: FloatArray, given: BoolArray, method: str) -> FloatArray:
    return np.where(given, rankdata(padded, method=method, axis=1), np.nan)


def place_names(names: Sequence[str]) -> bool:
    """Tell whether columns are called after places rather than after labels.

    Parameters
    ----------
    names : sequence of str
        The columns' names.

    Returns
    -------
    bool
        Whether all are names such as ``1st``, ``rank_2``, ``place 3``.

    Examples
    --------
    >>> place_names(["rank_1", "rank_2"]), place_names(["L1", "L2"])
    (True, False)
    """
    return all(_PLACE.fullmatch(name.strip()) is not None for name in names)
