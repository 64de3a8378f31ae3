"""Whether numbers in label columns are ratings, such as stars, rather than ranks."""

from collections.abc import Collection, Sequence
from itertools import takewhile
from math import isnan

import numpy as np
from scipy.special import gammaln
from scipy.stats import binom, rankdata

from labelrank_core.io.build.rankings import read_orders, read_positions, same_rows
from labelrank_core.io.table import BoolArray
from labelrank_core.io.vocabulary import TargetForm
from labelrank_core.rankings import FloatArray

# Fewer rows that break the pattern of the others, or one of several, are likely mistakes.
_FEW, _SEVERAL = 0.05, 5
_NEARLY_ALL = 0.9
# Columns are ranks for certain if rows fit by chance less often than this, and if rows that do not
# fit are this many times rarer than by chance.
_CHANCE, _RARER = 1e-3, 10
_N_ROWS, _N_DRAWN = 500, 2_000
# Of very many columns fewer rows are compared.
_FEWEST, _N_NUMBERS = 50, 100_000
# What is computed of more shuffled numbers at once would take too much memory.
_AT_ONCE = 50_000
# Ratings on a longer scale than that of 0 to 10 do not show that columns belong together.
_LONGEST_SCALE = 11
# All sequences of more columns would take long to compare.
_MOST_COLUMNS = 60

_TIES = ("dense", "min", "max", "average")


def add_ratings(numbers: FloatArray, rankings: tuple[TargetForm, ...]) -> tuple[TargetForm, ...]:
    """Return the forms that columns of numbers can have besides rankings, the likelier first.

    Ratings repeat a number in a row, leave gaps or go beyond the number of columns. Ranks with ties
    can look like that, and ratings can look like ranks: rows that form a ranking say something only
    if rows do so less often once every column is shuffled on its own.

    Parameters
    ----------
    numbers : ndarray of shape (n_rows, n_labels)
        Numbers that are not negative; NaN = not ranked.
    rankings : tuple of TargetForm
        The likely ones of positions and orders.
    """
    max_rows = max(_FEWEST, _N_NUMBERS // max(1, numbers.shape[1]))
    n_rows, n_drawn = min(max_rows, _N_ROWS), min(max_rows, _N_DRAWN)
    numbers = numbers[:: max(1, len(numbers) // n_rows)]
    numbers = numbers[(~np.isnan(numbers)).sum(axis=1) > 1]
    if not len(numbers):
        return rankings
    ties = max(_TIES, key=lambda method: _are_ranked(numbers, rankings, method).sum())
    right = _are_ranked(numbers, rankings, ties)
    strict = right & ~_repeat(numbers)
    n_others = int((~strict).sum())
    are_mistakes = n_others < _FEW * len(strict) or (n_others <= 1 and len(strict) >= _SEVERAL)
    if n_others == 0 or (are_mistakes and _are_hardly_due_to_chance(numbers, strict)):
        return rankings
    rng = np.random.default_rng(0)
    n_times, n_together = max(1, n_drawn // len(numbers)), max(1, _AT_ONCE // numbers.size)
    n_ranked = 0
    for start in range(0, n_times, n_together):
        batch = range(start, min(start + n_together, n_times))
        shuffled = np.vstack([rng.permuted(numbers, axis=0) for _ in batch])
        n_ranked += int(_are_ranked(shuffled, rankings, ties).sum())
    by_chance = n_ranked / (n_times * len(numbers))
    rarer = _RARER * (1 - right.mean()) <= 1 - by_chance
    if rarer and binom.sf(right.sum() - 1, len(right), by_chance) < _CHANCE:
        return rankings
    if right.mean() >= _NEARLY_ALL:
        return (*rankings, TargetForm.RATINGS)
    if strict.mean() >= 0.5:
        return (*rankings, TargetForm.RATINGS, TargetForm.GRADES)
    if _are_ranked(numbers + 1, rankings, ties).mean() >= _NEARLY_ALL:
        return (TargetForm.GRADES, TargetForm.RATINGS)  # ranks that are counted from 0
    return (TargetForm.RATINGS, TargetForm.GRADES)


def could_be_ratings(numbers: FloatArray) -> bool:
    """Tell whether rows are permutations, but so few that as many ratings could be, too.

    Parameters
    ----------
    numbers : ndarray of shape (n_rows, n_labels)
        Positive numbers; NaN = not ranked.
    """
    numbers = numbers[(~np.isnan(numbers)).sum(axis=1) > 1]
    strict = read_positions(numbers).right & ~_repeat(numbers)
    return bool(strict.all()) and not _are_hardly_due_to_chance(numbers, strict)


def _are_hardly_due_to_chance(numbers: FloatArray, strict: BoolArray) -> bool:
    """Tell whether ratings hardly ever hold so many rows without a repeated number.

    k ratings from 1 to k, all equally probable, differ from each other with probability k! / k^k:
    1/2 for two labels, 2/9 for three.
    """
    k = (~np.isnan(numbers)).sum(axis=1)
    differ = np.exp(gammaln(k + 1) - k * np.log(k)).mean() if len(k) else 1.0
    return bool(binom.sf(strict.sum() - 1, len(strict), differ) < _CHANCE)


def _are_ranked(numbers: FloatArray, rankings: tuple[TargetForm, ...], ties: str) -> BoolArray:
    """Tell which rows are rankings of given forms, with ties that are numbered in a given way."""
    is_ranked = ~np.isnan(numbers)
    ranks = rankdata(np.where(is_ranked, numbers, np.inf), method=ties, axis=1)
    partial = ~is_ranked.all(axis=1) & ~_repeat(numbers)
    right = same_rows(np.where(is_ranked, ranks, np.nan), numbers)
    right |= partial & read_positions(numbers).right
    return right | read_orders(numbers).right if TargetForm.ORDERS in rankings else right


def scales(values: FloatArray) -> FloatArray:
    """Return the lowest and highest number of each column, shape (2, n_columns).

    NaN for a column that is no rating: less than three different numbers, or others than whole ones
    from a scale as long as that of 0 to 10.
    """
    lowest, highest = np.fmin.reduce(values, axis=0), np.fmax.reduce(values, axis=0)
    short = (lowest >= 0) & (highest < lowest + _LONGEST_SCALE)
    for column in np.flatnonzero(short):
        numbers = np.unique(values[~np.isnan(values[:, column]), column])
        short[column] = len(numbers) >= 3 and (numbers == np.floor(numbers)).all()
    return np.where(short, [lowest, highest], np.nan)


def share_a_scale(values: FloatArray) -> bool:
    """Tell whether columns hold ratings on one scale."""
    return _is_one_scale(set(zip(*scales(values).tolist(), strict=True)))


def rated_block(
    values: FloatArray, columns: Sequence[int], others: Collection[int] = ()
) -> list[int]:
    """Return the columns that hold ratings on one scale, as a person would see them.

    A scale is known by its ends, so each end must be the lowest or the highest number of at least
    two columns. Of all sequences of columns the one is chosen whose ends most columns reach, then
    the longest, then the last. `visits` from 1 to 7 before four columns from 1 to 5 is thereby none
    of them, and a dish that nobody gave a 1 or a 5 still is. A column with one or two different
    numbers is one of them too. Only at their edge, beside other columns of numbers, it is left out
    if it holds the lowest two numbers of the scale, as codes such as 0/1 or 1/2 do.

    Where no two columns reach the same end, the sequence is the longest of which each column covers
    half of the scale of all; failing that, the last columns that hold scores from 0 to 100.

    Parameters
    ----------
    values : ndarray of shape (n_rows, n_all_columns)
    columns : sequence of int
        Columns of numbers from left to right; columns of text may stand between them.
    others : collection of int
        Those of them that hold no ratings, as their names say.
    """
    if len(columns) > _MOST_COLUMNS:
        return _longest_run(values, columns)
    lowest, highest = np.fmin.reduce(values, axis=0), np.fmax.reduce(values, axis=0)
    could_be_rated = {
        column: column not in others and _could_be_rated(values[:, column]) for column in columns
    }
    best: list[int] = []
    best_rank = (2, 2)
    for first in range(len(columns)):
        for last in range(first, len(columns)):
            block = list(columns[first : last + 1])
            low, high = lowest[block], highest[block]
            if not could_be_rated[block[-1]] or high.max() - low.min() >= _LONGEST_SCALE:
                break
            n_ends = min(int((low == low.min()).sum()), int((high == high.max()).sum()))
            block = _without_codes(block, low.min(), highest, columns)
            if (n_ends, len(block)) >= best_rank and high.max() - low.min() > 1:
                best, best_rank = block, (n_ends, len(block))
    if best:
        return best
    columns = [column for column in columns if column not in others]
    longest = _longest_run(values, columns)
    return longest if len(longest) > 2 else _scored_block(lowest, highest, columns)


def _without_codes(
    block: Sequence[int], lowest: float, highest: FloatArray, columns: Sequence[int]
) -> list[int]:
    """Leave out codes at an end of a block that other columns of numbers follow."""
    start, stop = 0, len(block)
    while start < stop and highest[block[start]] <= lowest + 1 and block[start] != columns[0]:
        start += 1
    while (
        stop > start and highest[block[stop - 1]] <= lowest + 1 and block[stop - 1] != columns[-1]
    ):
        stop -= 1
    return list(block[start:stop])


def _could_be_rated(numbers: FloatArray) -> bool:
    """Tell whether a column holds whole or half numbers, none below 0, on a short scale."""
    numbers = np.unique(numbers[~np.isnan(numbers)])
    is_short = len(numbers) > 0 and numbers[0] >= 0 and numbers[-1] < numbers[0] + _LONGEST_SCALE
    return bool(is_short) and bool((2 * numbers == np.floor(2 * numbers)).all())


def _scored_block(lowest: FloatArray, highest: FloatArray, columns: Sequence[int]) -> list[int]:
    """Return the last columns whose numbers reach from the lower to the upper half of 0 to 100."""
    is_score = (lowest >= 0) & (lowest < 50) & (highest > 75) & (highest <= 100)
    return list(takewhile(lambda column: is_score[column], columns[::-1]))[::-1]


def _longest_run(values: FloatArray, columns: Sequence[int]) -> list[int]:
    """Return the most columns side by side that hold ratings on one scale, the last such ones."""
    longest: list[int] = []
    run: list[int] = []
    run_bounds: set[tuple[float, float]] = set()
    for j, low, high in zip(columns, *scales(values)[:, columns].tolist(), strict=True):
        if run and not (j == run[-1] + 1 and _is_one_scale({*run_bounds, (low, high)})):
            run, run_bounds = [], set()
        if not isnan(low):
            run.append(j)
            run_bounds.add((low, high))
            longest = max(longest, run, key=len)
    return list(longest)


def _is_one_scale(bounds: set[tuple[float, float]]) -> bool:
    """Tell whether each column covers at least half of the scale of all columns."""
    lows, highs = zip(*bounds, strict=True)
    length = max(highs) - min(lows)
    return length < _LONGEST_SCALE and all(2 * (high - low) >= length for low, high in bounds)


def _repeat(numbers: FloatArray) -> BoolArray:
    ordered = np.sort(numbers, axis=1)
    return np.asarray((ordered[:, 1:] == ordered[:, :-1]).any(axis=1))
