"""Mallows centres of many sets of rankings at once, with incomplete rankings completed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labelrank_core.aggregation import CONSENSUS_RULES
from labelrank_core.aggregation.mallows import completed, distances, spread
from labelrank_core.aggregation.sums import chunks
from labelrank_core.aggregation.table import RankTable
from labelrank_core.methods.convergence import warn_of_stopped
from labelrank_core.rankings import FloatArray, IntArray, are_permutations, strict_positions

_CHUNK_CELLS = 1 << 18
# Of random rankings of 100 labels some need 45. No cycle was observed, but none is ruled out.
_MOST_ROUNDS = 200


@dataclass(frozen=True, eq=False)
class Centres:
    """The Mallows models of some queries."""

    # The centres and the ranks that order their labels, (n_queries, n_labels).
    positions: IntArray
    ranks: FloatArray
    # Of each ranking, and whether it ranks at least two labels, (n_queries, k).
    distances: IntArray
    is_counted: NDArray[np.bool_]
    # Over the counted rankings, (n_queries,).
    mean_distances: FloatArray
    theta: FloatArray


def find_centres(rankings: FloatArray, rows: IntArray, rule: str) -> Centres:
    """Fit a model to the rankings in each query's rows, of shape (n_queries, k)."""
    n_labels = rankings.shape[1]
    strict = bool(are_permutations(rankings).all())
    parts = [
        _of_chunk(rankings, rows[part], rule, strict)
        for part in chunks(len(rows), rows.shape[1] * n_labels**2, at_once=_CHUNK_CELLS)
    ]
    positions, ranks, n_reversed = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    is_counted = _ranks_pairs(rankings)[rows]
    n_counted = is_counted.sum(axis=1)
    summed = (n_reversed * is_counted).sum(axis=1)
    largest = n_labels * (n_labels - 1) / 2
    # Without a counted ranking the mean distance is that of random rankings.
    means = np.where(n_counted > 0, summed / np.maximum(n_counted, 1), largest / 2)
    return Centres(positions, ranks, n_reversed, is_counted, means, spread(means, n_labels))


def _ranks_pairs(rankings: FloatArray) -> NDArray[np.bool_]:
    return np.asarray((~np.isnan(rankings)).sum(axis=1) >= 2)


def _of_chunk(
    rankings: FloatArray, rows: IntArray, rule: str, strict: bool
) -> tuple[IntArray, FloatArray, IntArray]:
    weights = _ranks_pairs(rankings)[rows].astype(np.int64)
    queried = rankings[rows]
    if strict:
        complete = queried.astype(np.int64)
        ranks = CENTRES[rule](complete, weights)
        centres = strict_positions(ranks)
        return centres, ranks, distances(complete, centres)
    centres = _first_centres(rankings, rows, rule)
    ranks = centres.astype(np.float64)
    moving = np.arange(len(rows))
    for _ in range(_MOST_ROUNDS):
        complete = completed(
            queried[moving],
            np.broadcast_to(centres[moving, None], queried[moving].shape),
        )
        ranks[moving] = CENTRES[rule](complete, weights[moving])
        previous = centres[moving]
        centres[moving] = strict_positions(ranks[moving])
        moving = moving[(centres[moving] != previous).any(axis=1)]
        if not len(moving):
            break
    else:
        remedy = "Raise n_neighbors, or use the other aggregation."
        warn_of_stopped(len(moving), "Mallows model", _MOST_ROUNDS, remedy)
    complete = completed(queried, np.broadcast_to(centres[:, None], queried.shape))
    return centres, ranks, distances(complete, centres)


def _first_centres(rankings: FloatArray, rows: IntArray, rule: str) -> IntArray:
    distinct, index = np.unique(rows, return_inverse=True)
    # An empty ranking makes this a table of incomplete rankings.
    nothing = np.full((1, rankings.shape[1]), np.nan)
    table = RankTable.from_rankings(np.vstack([rankings[distinct], nothing]))
    return strict_positions(CONSENSUS_RULES[rule].rank(table, index.reshape(rows.shape), None).keys)


def _mean_ranks(complete: IntArray, weights: IntArray) -> FloatArray:
    sums = (complete * weights[:, :, None]).sum(axis=1)
    return sums / np.maximum(weights.sum(axis=1, keepdims=True), 1)


def _kemeny_positions(complete: IntArray, weights: IntArray) -> FloatArray:
    n_queries, k, n_labels = complete.shape
    table = RankTable((2 * complete).reshape(-1, n_labels).astype(np.int32), complete=True)
    rows = np.arange(n_queries * k).reshape(n_queries, k)
    return CONSENSUS_RULES["kemeny"].rank(table, rows, weights).keys.astype(np.float64)


CENTRES: Mapping[str, Callable[[IntArray, IntArray], FloatArray]] = {
    "borda": _mean_ranks,
    "kemeny": _kemeny_positions,
}
