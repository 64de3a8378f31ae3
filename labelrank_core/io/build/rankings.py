"""Columns of numbers as rankings: positions or orders, and their marks for 'not ranked'."""

import re
from collections.abc import Iterator, Sequence
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

# What is computed of more numbers at once would take ten times their memory.
_NUMBERS_AT_ONCE = 100_000


def number_blocks(n_rows: int, n_columns: int) -> Iterator[slice]:
    """Yield slices of rows that hold so many numbers that temporaries stay small."""
    step = max(1, _NUMBERS_AT_ONCE // max(1, n_columns))
    for start in range(0, n_rows, step):
        yield slice(start, start + step)


@dataclass(frozen=True, eq=False)
class ReadRankings:
    """Rankings read from numbers, shape (n_rows, n_labels), and the errors in them."""

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
    loose = np.flatnonzero(~are_permutations(numbers))
    values, bad_cells = numbers.copy(), np.zeros(numbers.shape, dtype=bool)
    explained, gaps = np.zeros((2, len(numbers)), dtype=bool)
    for block in number_blocks(len(loose), numbers.shape[1]):
        rows = loose[block]
        values[rows], bad_cells[rows], gaps[rows], explained[rows] = _read_loose(numbers[rows])
    return ReadRankings(values, bad_cells, gaps & ~explained, gaps & explained)


def _read_loose(numbers: FloatArray) -> tuple[FloatArray, BoolArray, BoolArray, BoolArray]:
    """Return positions without gaps, bad cells, which rows have gaps, and which explain them."""
    is_ranked = ~np.isnan(numbers)
    dense = dense_positions(np.where(np.isfinite(numbers), numbers, np.nan))
    padded = np.where(is_ranked, numbers, np.inf)
    averaged, lowest, highest = (
        same_rows(np.where(is_ranked, rankdata(padded, method=method, axis=1), np.nan), numbers)
        for method in ("average", "min", "max")
    )
    is_valid = (numbers == np.floor(numbers)) | averaged[:, None]
    fits = (numbers >= 1) & (numbers <= numbers.shape[1]) & is_valid
    # An empty row has no gap.
    last, n_different = (np.nan_to_num(part).max(axis=1, initial=0) for part in (numbers, dense))
    few = last - n_different <= (~is_ranked).sum(axis=1)
    gaps = ~same_rows(dense, numbers) & (is_ranked <= fits).all(axis=1)
    return dense, is_ranked & ~fits, gaps, averaged | lowest | highest | few


def read_orders(numbers: FloatArray) -> ReadRankings:
    """Read columns that hold the number of the label at a place each, 1 = the first label.

    NaN, only at the end of a row, means that no label follows; labels left out are not ranked.
    """
    is_filled = ~np.isnan(numbers)
    fits = (numbers >= 1) & (numbers <= numbers.shape[1]) & (numbers == np.floor(numbers))
    values = np.full(numbers.shape, np.nan)
    rows, positions = np.nonzero(fits)
    values[rows, numbers[rows, positions].astype(np.int64) - 1] = positions + 1
    repeated = (~np.isnan(values)).sum(axis=1) != fits.sum(axis=1)
    # A place left blank before a label that has one.
    interrupted = (is_filled[:, 1:] & ~is_filled[:, :-1]).any(axis=1)
    bad_cells, no_rows = is_filled & ~fits, np.zeros(len(numbers), dtype=bool)
    bad_rows = ~bad_cells.any(axis=1) & (repeated | interrupted)
    return ReadRankings(values, bad_cells, bad_rows, no_rows)


def read_ratings(numbers: FloatArray, *, higher_is_better: bool) -> FloatArray:
    """Return positions of labels with a number each: equal numbers tie, NaN = not ranked."""
    finite = np.where(np.isfinite(numbers), numbers, np.nan)
    return dense_positions(-finite if higher_is_better else finite)


def same_rows(first: FloatArray, second: FloatArray) -> BoolArray:
    """Tell which rows are equal; NaN equals NaN."""
    return ((first == second) | (np.isnan(first) & np.isnan(second))).all(axis=1)


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
