"""The losses between a strict consensus and rankings, eqs 2, 3 and 5 of [brinker2006]."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelrank_core.aggregation.sums import chunks
from labelrank_core.aggregation.table import RankTable
from labelrank_core.rankings import FloatArray, IntArray, orderings_from_positions


@dataclass(frozen=True)
class RankingLoss:
    """A loss between a strict ranking and one that may be tied or incomplete."""

    title: str
    compute: Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]]
    largest: Callable[[Any], Any]
    largest_mean: Callable[[int, int], float]


def _squared(ranks: NDArray[Any], positions: NDArray[Any]) -> NDArray[Any]:
    return np.square(positions - ranks, dtype=np.int64).sum(axis=-1) / 4


def _footrule(ranks: NDArray[Any], positions: NDArray[Any]) -> NDArray[Any]:
    return np.abs(positions - ranks).sum(axis=-1, dtype=np.int64) / 2


def _kendall(ranks: NDArray[Any], positions: NDArray[Any]) -> NDArray[Any]:  # noqa: ARG001
    """Count the pairs in reverse order; a tied pair is not."""
    losses = np.zeros(ranks.shape[:-1], dtype=np.int64)
    for ahead in range(ranks.shape[-1] - 1):
        behind = ranks[..., ahead + 1 :]
        losses += ((behind > 0) & (behind < ranks[..., ahead, None])).sum(axis=-1)
    return losses


def _contradicted(ranks: NDArray[Any], positions: NDArray[Any]) -> NDArray[Any]:
    return (_kendall(ranks, positions) > 0).astype(np.int64)


# `largest_mean` bounds the mean loss of the best consensus of k rankings: for the first three it is
# the mean over all strict orders.
LOSSES = {
    "squared": RankingLoss(
        title="squared rank differences",
        compute=_squared,
        largest=lambda m: m * (m * m - 1) / 3,
        largest_mean=lambda m, k: m * (m * m - 1) / 6,  # noqa: ARG005
    ),
    "footrule": RankingLoss(
        title="absolute rank differences",
        compute=_footrule,
        largest=lambda m: m * m // 2,
        largest_mean=lambda m, k: (m * m - 1) / 3,  # noqa: ARG005
    ),
    "kendall": RankingLoss(
        title="pairs of labels in reverse order",
        compute=_kendall,
        largest=lambda m: m * (m - 1) / 2,
        largest_mean=lambda m, k: m * (m - 1) / 4,  # noqa: ARG005
    ),
    "contradicted": RankingLoss(
        title="rankings with any pair in reverse order",
        compute=_contradicted,
        largest=lambda m: m * 0 + 1,
        largest_mean=lambda m, k: 1 - 1 / k,  # noqa: ARG005
    ),
}


@dataclass(frozen=True, eq=False)
class LossTable:
    """Losses between each consensus and the rankings it was made from, shape (n_queries, k)."""

    losses: FloatArray
    # The largest losses possible for the labels that each ranking ranks.
    largest: FloatArray
    # 0 for rankings that compare nothing.
    weights: FloatArray

    @property
    def mean(self) -> FloatArray:
        """The (weighted) mean loss, shape (n_queries,); 0 where nothing can be compared."""
        return self._average(self.losses)

    @property
    def agreement(self) -> FloatArray:
        """1 - the mean share of the largest loss, eq. 5; 0 where nothing can be compared."""
        shares = self.losses / np.maximum(self.largest, 1)
        agreement = np.clip(1 - self._average(shares), 0.0, 1.0)
        return np.where(self.weights.any(axis=1), agreement, 0.0)

    def _average(self, values: FloatArray) -> FloatArray:
        totals = self.weights.sum(axis=1)
        return (values * self.weights).sum(axis=1) / np.where(totals > 0, totals, 1.0)


def losses_to(
    loss: RankingLoss,
    consensus: IntArray,
    table: RankTable,
    rows: IntArray,
    weights: IntArray | None,
) -> LossTable:
    """Measure a loss between each query's consensus (strict positions) and its rankings."""
    orderings = orderings_from_positions(consensus)
    losses, largest = np.empty(rows.shape), np.empty(rows.shape)
    counting = np.ones(rows.shape) if weights is None else weights.astype(np.float64)
    for part in chunks(len(rows), rows.shape[1] * table.n_labels):
        ranks = np.take_along_axis(table.doubled[rows[part]], orderings[part, None, :], axis=2)
        if table.complete:
            positions = 2 * np.arange(1, table.n_labels + 1, dtype=np.int32)
            largest[part] = loss.largest(table.n_labels)
        else:
            ranked = ranks > 0
            # Places among the labels that the ranking ranks: others leave no gap.
            positions = np.where(ranked, 2 * ranked.cumsum(axis=2), 0)
            largest[part] = loss.largest(ranked.sum(axis=2))
            counting[part] *= ranked.any(axis=2)
        losses[part] = loss.compute(ranks, positions)
    return LossTable(losses, largest, counting)
