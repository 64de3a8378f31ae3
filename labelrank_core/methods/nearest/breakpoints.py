"""Where the k nearest rows change as one feature of a case varies.

As the value t of the feature varies, the squared distance to row i is (t - a_i)^2 + c_i; less t^2,
which all rows share, it is a line in t. The k nearest rows are the k lowest lines, and one of them
is replaced where its line crosses one of the others.
"""

import numpy as np
from numpy.typing import NDArray

from labelrank_core.methods.nearest.directions import DirectionSearch
from labelrank_core.methods.nearest.searches import Search
from labelrank_core.rankings import FloatArray, IntArray

_EUCLIDEAN = ("euclidean", "l2", "sqeuclidean")
# The most work for one feature: pairs of a neighbour and another row, over all changes.
_MOST_PAIRS = 200_000_000


def neighbor_breakpoints(
    search: Search,
    x: FloatArray,
    feature: int,
    ends: tuple[float, float],
    sizes: IntArray,
) -> FloatArray | None:
    """List, ascending, the values at which one of the sets of `sizes` nearest rows changes."""
    # None where distances are not such lines, or there are too many changes.
    if isinstance(search, DirectionSearch) or search.metric not in _EUCLIDEAN:
        return None
    # Relative to the case's own value, to lose little by rounding.
    centre = float(x[feature])
    a = search.column(feature) - centre
    c = search.squared_distances(x) - np.square(a)
    low, high = ends[0] - centre, ends[1] - centre
    breakpoints: list[FloatArray] = []
    n_pairs_left = float(_MOST_PAIRS)
    for k in np.unique(sizes).tolist():
        if k >= search.n_rows:
            continue
        changes = _changes(a, c, k, low, high, n_pairs_left)
        if changes is None:
            return None
        n_pairs_left -= (len(changes) + 1) * k * search.n_rows
        breakpoints.append(changes)
    return np.unique(np.concatenate([np.empty(0), *breakpoints])) + centre


def _changes(
    a: FloatArray, c: FloatArray, k: int, low: float, high: float, most_pairs: float
) -> FloatArray | None:
    """Follow the k lowest of the lines a^2 + c - 2 a t from one end to the other."""
    near = _reachable(a, c, k, low, high)
    a, b = a[near], a[near] ** 2 + c[near]
    order = np.argsort(b - 2 * a * low, kind="stable")
    inside, outside = order[:k], order[k:]
    (a_in, b_in), (a_out, b_out) = ((a[side], b[side]) for side in (inside, outside))
    crossings = _crossings(a_out - a_in[:, None], b_out - b_in[:, None])
    changes: list[float] = []
    t = low
    while len(outside):
        if (len(changes) + 1) * k * len(a) > most_pairs:
            return None
        i, j = divmod(int(crossings.argmin()), len(outside))
        # A crossing just passed may be before t by a rounding error.
        t = max(t, float(crossings[i, j]))
        if t >= high:
            break
        changes.append(t)
        crosses = crossings <= t
        if np.count_nonzero(crosses) > 1:
            i, j = _next_swap(crosses, inside, outside)
        for ours, theirs in ((inside, outside), (a_in, a_out), (b_in, b_out)):
            ours[i], theirs[j] = theirs[j], ours[i]
        crossings[i] = _crossings(a_out - a_in[i], b_out - b_in[i])
        crossings[:, j] = _crossings(a_out[j] - a_in, b_out[j] - b_in)
    return np.array(changes)


def _crossings(slower: FloatArray, lead: FloatArray) -> FloatArray:
    """Return where lines outside get below lines inside, by their differences; or infinity."""
    never = np.empty(slower.shape)
    never.fill(np.inf)
    return np.divide(lead, 2 * slower, out=never, where=slower > 0)


def _next_swap(crosses: NDArray[np.bool_], inside: IntArray, outside: IntArray) -> tuple[int, int]:
    """Choose the places that are swapped among several whose lines cross."""
    rows, columns = crosses.nonzero()
    # Of equal rows the one with the higher index leaves first, the lower one enters first.
    first = np.lexsort((outside[columns], -inside[rows]))[0]
    return int(rows[first]), int(columns[first])


def _reachable(a: FloatArray, c: FloatArray, k: int, low: float, high: float) -> IntArray:
    """List the rows that can be among the k nearest anywhere between the ends."""
    nearest_rows = np.argpartition(c, k - 1)[:k]
    # The k-th distance is nowhere more than the largest of some k rows, which is largest at an end.
    bound = max(
        float((np.square(t - a[nearest_rows]) + c[nearest_rows]).max()) for t in (low, high)
    )
    nearest = np.square(a - np.clip(a, low, high)) + c
    return np.flatnonzero(nearest <= bound * (1 + 1e-9))
