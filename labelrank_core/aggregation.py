"""Consensus rules: many rankings in, one out, for one set of rankings or for thousands at once.

Rules work on *doubled ranks*: twice the generalised rank, so that ties have whole numbers, and on
whole-number weights. Labels are therefore compared exactly, never by rounded means.
Arguments of the batch functions are not checked.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from labelrank_core.rankings import (
    FloatArray,
    IntArray,
    check_rankings,
    generalised_ranks,
    strict_positions,
)

# Weights are kept to this fraction of the largest one.
WEIGHT_UNIT = 1 << 30
_CHUNK_CELLS = 1 << 16


def doubled_ranks(positions: FloatArray) -> NDArray[np.int32]:
    """Return twice the generalised ranks of complete rankings, as whole numbers."""
    return np.rint(2 * generalised_ranks(positions)).astype(np.int32)


def whole_weights(weights: FloatArray) -> IntArray:
    """Express the weights of every row in units of 2**-30 of the row's largest, rounded."""
    return np.rint(weights / weights.max(axis=1, keepdims=True) * WEIGHT_UNIT).astype(np.int64)


def total_weights(rows: IntArray, weights: IntArray | None) -> IntArray:
    """Sum the weights of each query's rows; without weights every row counts 1."""
    if weights is None:
        return np.full((len(rows), 1), rows.shape[1], dtype=np.int64)
    return weights.sum(axis=1, keepdims=True)


def weighted_sums(table: NDArray[Any], rows: IntArray, weights: IntArray | None) -> IntArray:
    """Add up the table rows named for each query.

    Parameters
    ----------
    table : ndarray of int, shape (n_rows, n_columns)
        What to add.
    rows : ndarray of int, shape (n_queries, k)
        Which rows.
    weights : ndarray of int, shape (n_queries, k), or None
        How often each counts; None: once.

    Returns
    -------
    ndarray of shape (n_queries, n_columns)
        The exact sums.
    """
    sums = np.zeros((len(rows), table.shape[1]), dtype=np.int64)
    for part in chunks(len(rows), table.shape[1]):
        total = sums[part]
        for place in range(rows.shape[1]):
            added = table[rows[part, place]]
            total += added if weights is None else weights[part, place, None] * added
    return sums


def lower_medians(ranks: NDArray[Any], rows: IntArray, weights: IntArray | None) -> IntArray:
    """Find each label's lower (weighted) median among the rankings named for each query.

    The lower median is the smallest rank that at least half of the weight does not exceed.
    Shapes as in `weighted_sums`.
    """
    medians = np.empty((len(rows), ranks.shape[1]), dtype=np.int64)
    middle = (rows.shape[1] - 1) // 2
    for part in chunks(len(rows), rows.shape[1] * ranks.shape[1]):
        gathered = ranks[rows[part]]
        if weights is None:
            medians[part] = np.partition(gathered, middle, axis=1)[:, middle]
            continue
        order = np.argsort(gathered, axis=1, kind="stable")
        reached = np.cumsum(np.take_along_axis(weights[part, :, None], order, axis=1), axis=1)
        place = np.argmax(2 * reached >= reached[:, -1:], axis=1)[:, None]
        found = np.take_along_axis(order, place, axis=1)
        medians[part] = np.take_along_axis(gathered, found, axis=1)[:, 0]
    return medians


def squared_loss(difference: NDArray[Any]) -> IntArray:
    """Sum the squared rank differences over labels, from doubled differences, times 4."""
    return np.square(difference, dtype=np.int64).sum(axis=-1)


def footrule_loss(difference: NDArray[Any]) -> IntArray:
    """Sum the absolute rank differences over labels, from doubled differences, times 4."""
    return 2 * np.abs(difference).sum(axis=-1, dtype=np.int64)


@dataclass(frozen=True)
class ConsensusRule:
    """How rankings become one.

    Parameters
    ----------
    title : str
        The number each label gets, in words.
    keys : callable
        (doubled ranks, rows, weights) -> (n_queries, n_labels); the lowest key comes first.
    summed : bool
        Whether keys are sums over the weights, or single doubled ranks.
    loss : callable
        The loss it minimises, and confidence measures, from doubled rank differences, times 4.
    largest_loss, largest_mean_loss : callable
        Of n_labels: the largest loss of two rankings, and an upper bound of the mean loss of an
        optimal consensus, which is the mean over all rankings. Borda's is always optimal, the
        median's where the medians are a ranking.
    loss_name : str
        The loss in words.
    """

    title: str
    keys: Callable[[NDArray[Any], IntArray, IntArray | None], IntArray]
    summed: bool
    loss: Callable[[NDArray[Any]], IntArray]
    largest_loss: Callable[[int], float]
    largest_mean_loss: Callable[[int], float]
    loss_name: str


CONSENSUS_RULES = {
    "borda": ConsensusRule(
        title="mean rank",
        keys=weighted_sums,
        summed=True,
        loss=squared_loss,
        largest_loss=lambda m: m * (m * m - 1) / 3,
        largest_mean_loss=lambda m: m * (m * m - 1) / 6,
        loss_name="squared rank differences",
    ),
    "median": ConsensusRule(
        title="median rank",
        keys=lower_medians,
        summed=False,
        loss=footrule_loss,
        largest_loss=lambda m: m * m // 2,
        largest_mean_loss=lambda m: (m * m - 1) / 3,
        loss_name="absolute rank differences",
    ),
}


def mean_loss(
    rule: ConsensusRule,
    consensus: NDArray[Any],
    ranks: NDArray[Any],
    rows: IntArray,
    weights: IntArray | None,
) -> FloatArray:
    """Average a rule's loss between each consensus and the rankings it was made from.

    Parameters
    ----------
    rule : ConsensusRule
        Whose loss.
    consensus : ndarray of shape (n_queries, n_labels)
        Positions.
    ranks, rows, weights
        As for the rule's keys.

    Returns
    -------
    ndarray of shape (n_queries,)
        The (weighted) mean loss.
    """
    losses = np.empty(rows.shape, dtype=np.int64)
    for part in chunks(len(rows), rows.shape[1] * ranks.shape[1]):
        losses[part] = rule.loss(2 * consensus[part, None, :] - ranks[rows[part]])
    weighted = losses.astype(np.float64) if weights is None else losses * weights.astype(np.float64)
    return weighted.sum(axis=1) / (4.0 * total_weights(rows, weights)[:, 0])


def aggregate(
    rankings: ArrayLike, *, method: str = "borda", weights: ArrayLike | None = None
) -> IntArray:
    """Return the consensus of some rankings.

    Parameters
    ----------
    rankings : array-like of shape (n_rankings, n_labels)
        Complete positions; labels may tie.
    method : {"borda", "median"}, default="borda"
        ``"borda"`` orders labels by mean rank, which minimises the summed squared rank
        differences; ``"median"`` by the lower median rank, which minimises the summed absolute
        ones where the medians are a ranking themselves (section 3 of [brinker2006]_), as unique
        medians of strict rankings are.
    weights : array-like of shape (n_rankings,) or None
        Not negative, not all zero; kept to 2**-30 of the largest. None: all equal.

    Returns
    -------
    ndarray of shape (n_labels,)
        A permutation of 1 ... n_labels. Labels with equal keys stand by label index.

    Raises
    ------
    ValueError
        If the rankings, the method or the weights are not as described.

    References
    ----------
    .. [brinker2006] K. Brinker, E. Hüllermeier: Case-based label ranking. ECML 2006.

    Examples
    --------
    >>> aggregate([[1, 2, 3], [1, 3, 2], [2, 1, 3]])
    array([1, 2, 3])
    """
    if method not in CONSENSUS_RULES:
        raise ValueError(f"Expected method in {sorted(CONSENSUS_RULES)}, got {method!r}.")
    ranks = doubled_ranks(check_rankings(rankings, name="rankings"))
    rows = np.arange(len(ranks))[None]
    whole = None
    if weights is not None:
        given = np.asarray(weights, dtype=np.float64)
        if given.shape != (len(ranks),) or not np.isfinite(given).all() or given.min() < 0:
            raise ValueError("Expected one finite weight, not negative, for each ranking.")
        if given.max() == 0:
            raise ValueError("Expected a weight above zero, got only zeros.")
        whole = whole_weights(given[None])
    return strict_positions(CONSENSUS_RULES[method].keys(ranks, rows, whole))[0]


def chunks(n_queries: int, cells: int) -> Iterator[slice]:
    """Cut queries into slices whose temporaries stay small; `cells` is what one query needs."""
    step = max(1, _CHUNK_CELLS // max(1, cells))
    for start in range(0, n_queries, step):
        yield slice(start, start + step)
