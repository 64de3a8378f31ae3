"""The forms of a ranking, and the only conversions between them.

*Positions* are the form used everywhere: an array of shape (n_samples, n_labels) in which entry
``[i, j]`` is the position of label ``j`` for sample ``i``, 1 = most preferred, NaN = not ranked.
Tied labels share a position and positions have no gaps: ``[1, 1, 2]``. `check_rankings`, through
which all targets go, closes those that ties leave in competition and average ranks.

An *ordering* lists label indices from best to worst. A *calibrated ranking* has one column more,
the last: the position of the virtual label that separates relevant from irrelevant labels.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

# Sums that should be equal differ in their last bits: 0.9 - 0.8 is not 0.8 - 0.7. Numbers that
# differ by less than this, absolutely or relatively, are equal wherever a verdict depends on it.
ROUNDING = 1e-9

# Controls that turn the text behind them round, and letters and marks that run from right to left.
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")
_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)

# Every label takes a bit of a 64-bit number; 0, too large numbers and the sign take the others.
_MAX_BITS = 61
_CELLS_AT_ONCE = 65_536
# How ranks may skip the places of tied labels, as in `scipy.stats.rankdata`.
_PLACES_OF_TIES = ("min", "average", "max")


def check_rankings(
    rankings: ArrayLike, *, name: str = "Y", allow_partial: bool = False, allow_ties: bool = True
) -> FloatArray:
    """Return rankings as a new float array of positions, or raise an error naming the bad row.

    Parameters
    ----------
    rankings : array-like of shape (n_samples, n_labels)
        Positions, 1 = most preferred; tied labels share one; no gaps, unless all rows skip the
        places of tied labels in the same way: as in competitions (1, 2, 2, 4 or 1, 3, 3, 4) or by
        average ranks (1, 2.5, 2.5, 4). Positions from 0 are refused, because a 0 may also mean
        'not ranked' or be a label's index in an ordering.
    name : str, default="Y"
        What the error message calls the array.
    allow_partial : bool, default=False
        Whether NaN (not ranked) may occur. A row without any ranked label is allowed then.
    allow_ties : bool, default=True
        Whether labels may share a position.

    Returns
    -------
    ndarray of shape (n_samples, n_labels)
        The positions without gaps, float64.

    Raises
    ------
    ValueError
        If the array is not two-dimensional, has no row or fewer than two labels, or holds a row
        that is not a ranking. The message shows the first such row, and names the function that
        turns such rows into positions.

    Examples
    --------
    >>> check_rankings([[2, 1, 3]])
    array([[2., 1., 3.]])
    >>> check_rankings([[1, 2, 2, 4]])
    array([[1., 2., 2., 3.]])
    """
    positions = np.array(numeric_array(rankings, name), dtype=np.float64)
    if positions.ndim != 2:
        raise ValueError(
            f"Expected {name} of shape (n_samples, n_labels), got {positions.ndim} dimension(s)."
        )
    if positions.shape[0] == 0:
        raise ValueError(f"Expected at least one ranking in {name}, got 0 sample(s).")
    if positions.shape[1] < 2:
        raise ValueError(f"Expected at least two labels in {name}, got {positions.shape[1]}.")
    if are_permutations(positions).all():
        return positions
    missing = np.isnan(positions)
    if not allow_partial:
        _refuse(
            missing.any(axis=1), positions, f"complete rankings in {name}, without unranked labels"
        )
    ascending = np.sort(positions, axis=1)  # NaN goes last
    steps = np.diff(ascending, axis=1, prepend=0.0)
    allowed = np.isnan(steps) | (steps == 1)
    if allow_ties:
        allowed[:, 1:] |= steps[:, 1:] == 0
    is_bad = ~allowed.all(axis=1)
    if allow_ties and is_bad.any() and _skip_tied_places(positions[is_bad], positions):
        return dense_positions(positions)
    kind = "positions 1, 2, ... without gaps" if allow_ties else "positions 1, 2, ... without ties"
    _refuse(is_bad, positions, f"{kind} in every row of {name}", _cure(positions, name))
    return positions


def _skip_tied_places(suspects: FloatArray, positions: FloatArray) -> bool:
    """Tell whether all rows count the places of tied labels in one of the three usual ways."""
    return any(
        np.array_equal(suspects, _ranks(suspects, method), equal_nan=True)
        and np.array_equal(positions, _ranks(positions, method), equal_nan=True)
        for method in _PLACES_OF_TIES
    )


def _cure(positions: FloatArray, name: str) -> str:
    """Say which functions turn other numbers into positions."""
    finite = positions[np.isfinite(positions)]
    if not finite.size or finite.min() != 0:
        return (
            f"`dense_positions({name})` of `labelrank_core.rankings` closes gaps where lower is "
            f"better, `dense_positions(-{name})` where higher is better."
        )
    ways = [] if finite.max() > 1 else ["0 and 1 as relevant labels need a multi-label method"]
    ways += [f"`dense_positions({name})` of `labelrank_core.rankings` counts from 1 instead of 0"]
    if are_permutations(positions + 1).all():
        ways.append(f"`positions_from_orderings({name})` reads label indices, best first")
    ways.append("NaN instead of 0 means 'not ranked'")
    return "; ".join(ways) + "."


def numeric_array(values: ArrayLike, name: str) -> NDArray[Any]:
    """Return values as an array of real numbers, not copied where it is one.

    Parameters
    ----------
    values : array-like
        Anything; numbers may be objects or texts, and booleans stay booleans.
    name : str
        What the error message calls the array.

    Returns
    -------
    ndarray
        Booleans, integers or floats.

    Raises
    ------
    ValueError
        For lists of different lengths, complex numbers and what is no number.

    Examples
    --------
    >>> numeric_array([[1, 2], ["2", 1.0]], "Y")
    array([[1., 2.],
           [2., 1.]])
    """
    try:
        array = np.asarray(values)
    except (ValueError, OverflowError):
        raise ValueError(
            f"Expected equally many numbers in every row of {name}, got lists of different lengths."
        ) from None
    if array.dtype.kind in "biuf":
        return array
    if array.dtype.kind == "c":
        raise ValueError(f"Expected real numbers in {name}, got complex ones.")
    try:
        if hasattr(values, "to_numpy") and hasattr(values, "iloc"):
            # Of pandas: NA of its nullable columns becomes NaN.
            return values.to_numpy(dtype=np.float64, na_value=np.nan)
        return array.astype(np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"Expected numbers in {name}, got others: {error}.") from None


def _refuse(bad_rows: Any, positions: FloatArray, expected: str, cure: str = "") -> None:
    if bad_rows.any():
        row = int(np.argmax(bad_rows))
        raise ValueError(f"Expected {expected}, got row {row}: {positions[row]}. {cure}".rstrip())


def are_permutations(positions: FloatArray) -> NDArray[np.bool_]:
    """Tell which rows hold each of the numbers 1 ... n_labels once.

    Parameters
    ----------
    positions : ndarray of shape (n_samples, n_labels)
        Any numbers.

    Returns
    -------
    ndarray of bool of shape (n_samples,)
        True where a row is a permutation.

    Examples
    --------
    >>> are_permutations(np.array([[2.0, 1.0], [1.0, 1.0], [1.0, np.nan]]))
    array([ True, False, False])
    """
    n_samples, n_labels = positions.shape
    if n_labels > _MAX_BITS:
        return np.asarray((np.sort(positions, axis=1) == np.arange(1, n_labels + 1)).all(axis=1))
    permutations = np.empty(n_samples, dtype=bool)
    n_together = max(1, _CELLS_AT_ONCE // max(1, n_labels))
    for start in range(0, n_samples, n_together):
        rows = slice(start, start + n_together)
        columns = positions[rows].T.copy()
        clipped = np.where(np.isnan(columns), 0, np.clip(columns, 0, n_labels + 1))
        numbers = clipped.astype(np.int64)
        bits = np.bitwise_or.reduce(np.left_shift(1, numbers), axis=0)
        are_integers = (numbers == columns).all(axis=0)
        permutations[rows] = are_integers & (bits == (1 << (n_labels + 1)) - 2)
    return permutations


def equal_up_to_rounding(first: ArrayLike, second: ArrayLike) -> NDArray[np.bool_]:
    """Tell which numbers differ by no more than rounding, so that neither is the better one.

    Parameters
    ----------
    first, second : array-like
        Measured values, of shapes that broadcast. NaN equals nothing; infinities equal themselves.

    Returns
    -------
    ndarray of bool
        True where the difference is at most `ROUNDING`, absolutely or relative to `second`.

    Examples
    --------
    >>> equal_up_to_rounding([0.9 - 0.8, 0.5], [0.8 - 0.7, 0.5001])
    array([ True, False])
    """
    return np.asarray(np.isclose(first, second, rtol=ROUNDING, atol=ROUNDING))


def without_rounding(values: ArrayLike) -> FloatArray:
    """Make numbers that differ only by rounding the same number, row by row.

    Parameters
    ----------
    values : array-like of shape (n_rows, n_values) or (n_values,)
        Measured values, without NaN.

    Returns
    -------
    ndarray of the same shape
        The values; each that equals the next smaller one of its row up to rounding is replaced by
        it. Ranking or counting them then sees ties as ties.

    Examples
    --------
    >>> without_rounding([0.1 + 0.2, 0.3, 0.4]).tolist()
    [0.3, 0.3, 0.4]
    """
    array = np.asarray(values, dtype=np.float64)
    order = np.argsort(array, axis=-1, kind="stable")
    ascending = np.take_along_axis(array, order, axis=-1)
    for j in range(1, ascending.shape[-1]):
        same = equal_up_to_rounding(ascending[..., j], ascending[..., j - 1])
        ascending[..., j] = np.where(same, ascending[..., j - 1], ascending[..., j])
    result = np.empty_like(ascending)
    np.put_along_axis(result, order, ascending, axis=-1)
    return result


def strict_positions(keys: ArrayLike, *ties: ArrayLike) -> IntArray:
    """Rank labels by key, the lowest first; of equal keys the lower label index comes first.

    Parameters
    ----------
    keys : array-like of shape (n_samples, n_labels)
        Anything that sorts, without NaN. For scores (higher is better) pass ``-scores``.
    *ties : array-like of shape (n_samples, n_labels)
        Further keys, each of which orders labels that are equal in all before it.

    Returns
    -------
    ndarray of shape (n_samples, n_labels)
        A permutation of 1 ... n_labels in every row.

    Examples
    --------
    >>> strict_positions([[0.5, 0.1, 0.5]])
    array([[2, 1, 3]])
    >>> strict_positions([[0.5, 0.1, 0.5]], [[2, 9, 1]])
    array([[3, 1, 2]])
    """
    if ties:
        orderings = np.lexsort((*map(np.asarray, reversed(ties)), np.asarray(keys)), axis=1)
    else:
        orderings = np.argsort(np.asarray(keys), axis=1, kind="stable")
    return positions_from_orderings(orderings)


def dense_positions(keys: ArrayLike) -> FloatArray:
    """Rank labels by key, the lowest first; equal keys share a position, NaN stays not ranked.

    Parameters
    ----------
    keys : array-like of shape (n_samples, n_labels)
        Numbers; NaN = not ranked.

    Returns
    -------
    ndarray of shape (n_samples, n_labels)
        Positions without gaps.

    Examples
    --------
    >>> dense_positions([[30, 10, 30, float("nan")]])
    array([[ 2.,  1.,  2., nan]])
    """
    return _ranks(np.asarray(keys, dtype=np.float64), method="dense")


def generalised_ranks(positions: ArrayLike) -> FloatArray:
    """Give every label the mean of the places its bucket of tied labels fills.

    A complete row sums to m(m+1)/2, as [brinker2007]_ (section 4) and Spearman's measure need.

    Parameters
    ----------
    positions : array-like of shape (n_samples, n_labels)
        Positions or any keys, lower = better; NaN = not ranked.

    Returns
    -------
    ndarray of shape (n_samples, n_labels)
        Ranks; for rows without ties the places themselves.

    References
    ----------
    .. [brinker2007] K. Brinker, E. Hüllermeier: Case-based multilabel ranking. IJCAI 2007.

    Examples
    --------
    >>> generalised_ranks([[1, 2, 2, 3]])
    array([[1. , 2.5, 2.5, 4. ]])
    """
    return _ranks(np.asarray(positions, dtype=np.float64), method="average")


def place_ranges(positions: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return the first and the last place that the bucket of each label fills.

    Parameters
    ----------
    positions : array-like of shape (n_samples, n_labels)
        Positions or any keys, lower = better; NaN = not ranked.

    Returns
    -------
    first, last : ndarray of shape (n_samples, n_labels)
        Places among the ranked labels, from 1; the same for labels that tie with no other.

    Examples
    --------
    >>> place_ranges([[1, 2, 2, float("nan")]])
    (array([[ 1.,  2.,  2., nan]]), array([[ 1.,  3.,  3., nan]]))
    """
    keys = np.asarray(positions, dtype=np.float64)
    return _ranks(keys, method="min"), _ranks(keys, method="max")


def _ranks(keys: FloatArray, method: str) -> FloatArray:
    from scipy.stats import rankdata  # slow to import, and not needed by measures

    missing = np.isnan(keys)
    ranks = rankdata(np.where(missing, np.inf, keys), method=method, axis=1).astype(np.float64)
    ranks[missing] = np.nan
    return ranks


def positions_from_orderings(orderings: ArrayLike) -> IntArray:
    """Turn complete strict orderings (label indices, best first) into positions.

    Parameters
    ----------
    orderings : array-like of int, shape (n_samples, n_labels)
        Every row a permutation of 0 ... n_labels - 1.

    Returns
    -------
    ndarray of shape (n_samples, n_labels)
        Positions, 1 = most preferred.

    Examples
    --------
    >>> positions_from_orderings([[2, 0, 1]])
    array([[2, 3, 1]])
    """
    orderings = np.asarray(orderings)
    positions = np.empty(orderings.shape, dtype=np.int64)
    np.put_along_axis(positions, orderings, np.arange(1, orderings.shape[1] + 1), axis=1)
    return positions


def orderings_from_positions(positions: ArrayLike) -> IntArray:
    """List label indices from best to worst; tied labels by index, unranked ones last.

    Parameters
    ----------
    positions : array-like of shape (n_samples, n_labels)
        Positions, 1 = most preferred; NaN = not ranked.

    Returns
    -------
    ndarray of shape (n_samples, n_labels)
        Label indices.

    Examples
    --------
    >>> orderings_from_positions([[2, 3, 1]])
    array([[2, 0, 1]])
    """
    return np.argsort(np.asarray(positions), axis=1, kind="stable")


def calibrate(relevance: ArrayLike) -> FloatArray:
    """Turn a 0/1 matrix into calibrated rankings: relevant labels, virtual label, the others.

    Parameters
    ----------
    relevance : array-like of shape (n_samples, n_labels)
        1 = relevant, 0 = irrelevant.

    Returns
    -------
    ndarray of shape (n_samples, n_labels + 1)
        Positions of the labels and, in the last column, of the virtual label.

    Examples
    --------
    >>> calibrate([[1, 0, 0], [0, 0, 0]])
    array([[1., 3., 3., 2.],
           [2., 2., 2., 1.]])
    """
    relevance = np.asarray(relevance)
    keys = np.hstack([np.where(relevance > 0, 0, 2), np.ones((len(relevance), 1), dtype=int)])
    return dense_positions(keys)


def calibrated_positions(positions: ArrayLike, relevance: ArrayLike) -> FloatArray:
    """Put the virtual label into rankings: behind the relevant labels, ahead of the others.

    Parameters
    ----------
    positions : array-like of shape (n_samples, n_labels)
        Complete positions of the labels.
    relevance : array-like of shape (n_samples, n_labels)
        1 = relevant, 0 = irrelevant; relevant labels come first even where positions disagree.

    Returns
    -------
    ndarray of shape (n_samples, n_labels + 1)
        Positions of the labels and, in the last column, of the virtual label.

    Examples
    --------
    >>> calibrated_positions([[2, 1, 3]], [[1, 1, 0]])
    array([[2., 1., 4., 3.]])
    """
    keys = np.asarray(positions, dtype=np.float64)
    line = np.full((len(keys), 1), keys.shape[1] + 1.0)
    behind = np.where(np.asarray(relevance) > 0, 0.0, line)
    return dense_positions(np.hstack([keys + behind, line - 0.5]))


def relevance_from_calibrated(calibrated: ArrayLike) -> IntArray:
    """Tell which labels stand strictly ahead of the virtual label.

    Parameters
    ----------
    calibrated : array-like of shape (n_samples, n_labels + 1)
        Positions, the virtual label's last.

    Returns
    -------
    ndarray of shape (n_samples, n_labels)
        1 = relevant; a label that ties with the virtual label is irrelevant.

    Examples
    --------
    >>> relevance_from_calibrated([[1, 2, 3, 2]])
    array([[1, 0, 0]])
    """
    calibrated = np.asarray(calibrated)
    return (calibrated[:, :-1] < calibrated[:, -1:]).astype(np.int64)


def label_positions(calibrated: ArrayLike) -> FloatArray:
    """Rank the labels alone, leaving the virtual label out.

    Parameters
    ----------
    calibrated : array-like of shape (n_samples, n_labels + 1)
        Positions, the virtual label's last.

    Returns
    -------
    ndarray of shape (n_samples, n_labels)
        Positions of the labels without gaps.

    Examples
    --------
    >>> label_positions([[1, 4, 3, 2]])
    array([[1., 3., 2.]])
    """
    return dense_positions(np.asarray(calibrated)[:, :-1])


def label_buckets(positions: Sequence[float] | NDArray[np.generic]) -> list[list[int]]:
    """Group the ranked labels of one ranking by position, best first.

    Every drawing, sentence and file that shows a ranking to people takes its order from here.

    Parameters
    ----------
    positions : array-like of shape (n_labels,)
        Positions or generalised ranks, lower = better; NaN = not ranked.

    Returns
    -------
    list of list of int
        Label indices. Tied labels share a bucket, by index; labels that are not ranked are in none.

    Examples
    --------
    >>> label_buckets([2, 1, 2, float("nan")])
    [[1], [0, 2]]
    """
    keys = np.asarray(positions, dtype=np.float64).tolist()
    # Only NaN differs from itself.
    ranked = [label for label, key in enumerate(keys) if key == key]
    ranked.sort(key=keys.__getitem__)
    return [list(bucket) for _, bucket in groupby(ranked, key=keys.__getitem__)]


def has_ties(positions: ArrayLike) -> bool:
    """Tell whether a ranking gives two labels the same position.

    Parameters
    ----------
    positions : array-like of shape (n_samples, n_labels)
        Positions, NaN = not ranked.

    Returns
    -------
    bool
        Whether any row does; labels that are not ranked tie with none.

    Examples
    --------
    >>> has_ties([[1, 2, 2]]), has_ties([[1, 2, 3]]), has_ties([[1, float("nan"), float("nan")]])
    (True, False, False)
    """
    # NaN, which goes last, is the same as nothing.
    return bool((np.diff(np.sort(np.asarray(positions), axis=1), axis=1) == 0).any())


def strict_order(positions: Sequence[float] | NDArray[np.generic]) -> list[int]:
    """List the labels of a complete strict ranking, such as a prediction, best first.

    Parameters
    ----------
    positions : array-like of shape (n_labels,)
        Positions, 1 = most preferred, without ties.

    Returns
    -------
    list of int
        Label indices.

    Raises
    ------
    ValueError
        If labels tie or are not ranked: no order says that.

    Examples
    --------
    >>> strict_order([2, 3, 1])
    [2, 0, 1]
    """
    order = [bucket[0] for bucket in label_buckets(positions)]
    if len(order) != len(positions):
        raise ValueError(f"Expected a complete ranking without ties, got {np.asarray(positions)}.")
    return order


def isolated(name: str) -> str:
    """Keep a name from reversing the text beside it, such as its value.

    Parameters
    ----------
    name : str
        Any text.

    Returns
    -------
    str
        The name without controls that turn text round; between Unicode's marks of an isolate if
        letters of it run from right to left.

    Examples
    --------
    >>> isolated("a"), len(isolated("א"))
    ('a', 3)
    """
    plain = _TURNING.sub("", name)
    return f"\u2068{plain}\u2069" if _RIGHT_TO_LEFT.search(plain) else plain


def join_names(names: Iterable[str], separator: str) -> str:
    """Join names from left to right, in whichever direction each is written.

    Parameters
    ----------
    names : iterable of str
        The names.
    separator : str
        What stands between two of them.

    Returns
    -------
    str
        The names, each isolated; with a mark from left to right if the first needs one.

    Examples
    --------
    >>> join_names(["b", "a"], " > ")
    'b > a'
    """
    text = separator.join(map(isolated, names))
    return f"\u200e{text}" if text.startswith("\u2068") else text


def list_names(names: Iterable[str], conjunction: str = "and") -> str:
    """List names in a sentence, such as labels that share a place.

    Parameters
    ----------
    names : iterable of str
        The names, as they are.
    conjunction : str, default="and"
        The word before the last one.

    Returns
    -------
    str
        ``a``, ``a and b`` or ``a, b and c``; empty without names.

    Examples
    --------
    >>> list_names(["cola", "milk"]), list_names("abc", "or")
    ('cola and milk', 'a, b or c')
    """
    *start, last = [*names] or [""]
    return f"{', '.join(start)} {conjunction} {last}" if start else last


def format_ranking(positions: Sequence[float] | NDArray[np.generic], names: Sequence[str]) -> str:
    """Write one ranking in words, such as ``b > a = c``; unranked labels are left out.

    Parameters
    ----------
    positions : array-like of shape (n_labels,)
        Positions, 1 = most preferred; NaN = not ranked.
    names : sequence of str
        The labels' names.

    Returns
    -------
    str
        The names, best first; those from right to left are isolated, so that they turn nothing.

    Examples
    --------
    >>> format_ranking([2, 1, 2], ["a", "b", "c"])
    'b > a = c'
    """
    buckets = label_buckets(positions)
    return " > ".join(join_names((names[label] for label in bucket), " = ") for bucket in buckets)
