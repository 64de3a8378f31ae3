"""Columns of numbers as rankings: positions or orders, and what means 'not ranked' in them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import rankdata

from labelrank_core.io.table import BoolArray
from labelrank_core.io.vocabulary import Unranked
from labelrank_core.rankings import FloatArray, are_permutations, dense_positions

_PLACE = re.compile(
    r"(rank|place|pos|position|top|choice|pref|order)[\s_.-]*\d+|\d+(st|nd|rd|th)"
    r"|first|second|third|fourth|fifth",
    re.IGNORECASE,
)


@dataclass(frozen=True, eq=False)
class ReadRankings:
    """Rankings read from numbers, shape (n_rows, n_labels), and what is wrong with them."""

    # Positions without gaps, NaN = not ranked; meaningful only in the rows that are right.
    values: FloatArray
    # Cells with a value that is impossible there.
    bad_cells: BoolArray
    # Rows whose values are possible one by one but form no ranking.
    bad_rows: BoolArray
    # Rows in which gaps after ties (1, 1, 3) or for unranked labels (1, 3, blank) were closed.
    closed_gaps: BoolArray

    @property
    def right(self) -> BoolArray:
        """Rows that form a ranking."""
        return ~(self.bad_rows | self.bad_cells.any(axis=1))


def read_positions(numbers: FloatArray) -> ReadRankings:
    """Read columns that hold the position of a label each, 1 = best, NaN = not ranked.

    Gaps are closed where the row itself explains them: by ties (1, 1, 3; 1, 3, 3; 1.5, 1.5, 3) or
    by labels without a position (1, 3, blank). Any other gap makes the row a bad one.
    """
    # Permutations are by far the most frequent case.
    loose = ~are_permutations(numbers)
    values, bad_cells = numbers.copy(), np.zeros(numbers.shape, dtype=bool)
    explained, gaps = np.zeros((2, len(numbers)), dtype=bool)
    rest = numbers[loose]
    given = ~np.isnan(rest)
    values[loose] = dense = dense_positions(np.where(np.isfinite(rest), rest, np.nan))
    padded = np.where(given, rest, np.inf)
    averaged, lowest, highest = (
        same_rows(np.where(given, rankdata(padded, method=method, axis=1), np.nan), rest)
        for method in ("average", "min", "max")
    )
    fits = (rest >= 1) & (rest <= numbers.shape[1]) & ((rest == np.floor(rest)) | averaged[:, None])
    bad_cells[loose] = given & ~fits
    # An empty row has no gap.
    last, n_different = (np.nan_to_num(each).max(axis=1, initial=0) for each in (rest, dense))
    few = last - n_different <= (~given).sum(axis=1)
    explained[loose] = averaged | lowest | highest | few
    gaps[loose] = ~same_rows(dense, rest) & (given <= fits).all(axis=1)
    return ReadRankings(values, bad_cells, gaps & ~explained, gaps & explained)


def read_orders(numbers: FloatArray) -> ReadRankings:
    """Read columns that hold the number of the label at a place each, 1 = the first label.

    NaN, only at the end of a row, means that no label follows; labels left out are not ranked.
    """
    given = ~np.isnan(numbers)
    fits = (numbers >= 1) & (numbers <= numbers.shape[1]) & (numbers == np.floor(numbers))
    values = np.full(numbers.shape, np.nan)
    rows, places = np.nonzero(fits)
    values[rows, numbers[rows, places].astype(np.int64) - 1] = places + 1
    repeated = (~np.isnan(values)).sum(axis=1) != fits.sum(axis=1)
    # A place left blank before a label that has one.
    interrupted = (given[:, 1:] & ~given[:, :-1]).any(axis=1)
    bad_cells, nowhere = given & ~fits, np.zeros(len(numbers), dtype=bool)
    bad_rows = ~bad_cells.any(axis=1) & (repeated | interrupted)
    return ReadRankings(values, bad_cells, bad_rows, nowhere)


def read_ratings(numbers: FloatArray, *, higher_is_better: bool) -> FloatArray:
    """Return positions of labels with a number each: equal numbers tie, NaN = not ranked."""
    finite = np.where(np.isfinite(numbers), numbers, np.nan)
    return dense_positions(-finite if higher_is_better else finite)


def same_rows(left: FloatArray, right: FloatArray) -> BoolArray:
    """Tell which rows are equal; NaN equals NaN."""
    return ((left == right) | (np.isnan(left) & np.isnan(right))).all(axis=1)


def place_names(names: Sequence[str]) -> bool:
    """Tell whether columns are called after places rather than after labels."""
    return all(_PLACE.fullmatch(name.strip()) is not None for name in names)


def unranked_number(unranked: Unranked, n_labels: int) -> float:
    """Return the number that means 'not ranked'; NaN if only an empty cell does."""
    return {Unranked.ZERO: 0.0, Unranked.BEYOND: n_labels + 1.0}.get(unranked, np.nan)


def only_ranked(numbers: FloatArray, unranked: Unranked) -> FloatArray:
    """Return label columns with NaN for labels that are not ranked; never a changed original."""
    if unranked is Unranked.BLANK:
        return numbers
    number = unranked_number(unranked, numbers.shape[1])
    return np.where(numbers == number, np.nan, numbers)
