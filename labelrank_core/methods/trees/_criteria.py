"""The split criteria of label-ranking trees, computed for many splits at once.

Each criterion has a table of whole numbers, one row per ranking. It tells which parts need no split
(`settled`) and gives the value of parts (`of_parts`) and of their splits (`of_splits`): the mean of
both sides weighted by size, greater is better. Parts are those of `_ranking_tree.Parts`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelrank_core.aggregation.mallows import largest_distance, rough_spread
from labelrank_core.methods.base import require_few_pairs
from labelrank_core.rankings import FloatArray, IntArray, generalised_ranks

# Sums of shares that are equal to this many decimals are ties.
_DECIMALS = 9


class PairCounts:
    """Rankings as pairwise preferences, pairs as in ``numpy.triu_indices(n_labels, 1)``."""

    def __init__(self, rankings: FloatArray) -> None:
        self.n_labels = rankings.shape[1]
        require_few_pairs(self.n_labels, len(rankings))
        self.first, self.second = np.triu_indices(self.n_labels, 1)
        ahead, behind = rankings[:, self.first], rankings[:, self.second]
        # Ties and NaN are not preferences.
        self.table = np.hstack([ahead < behind, behind < ahead]).astype(np.int32)
        self.complete = bool((self.table.sum(axis=1) == len(self.first)).all())
        # Which rankings rank both labels of each pair.
        self.known = ~(np.isnan(ahead) | np.isnan(behind))
        # The signs with which a pair's share enters the sums of its two labels.
        self._adds = np.zeros((len(self.first), self.n_labels))
        pairs = np.arange(len(self.first))
        self._adds[pairs, self.first], self._adds[pairs, self.second] = 1, -1

    def split(self, sums: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Count for each pair the rankings with its first label ahead, and with its second."""
        half = len(self.first)
        return sums[..., :half], sums[..., half:]

    def shares(self, sums: NDArray[Any]) -> FloatArray:
        """Return the share of preferences for the first label of each pair; 1/2 without any."""
        wins, losses = self.split(sums)
        n_ordered = wins + losses
        half = np.full(n_ordered.shape, 0.5)
        return np.divide(wins, n_ordered, out=half, where=n_ordered > 0)

    def label_sums(self, shares: FloatArray) -> FloatArray:
        """Sum each label's shares over the others: m - mean rank for complete rankings."""
        n_as_second = np.arange(self.n_labels)
        return shares @ self._adds + n_as_second

    def disagreement(self, sums: NDArray[Any]) -> FloatArray:
        """Return the share of preferences that the centre, the order by shares, reverses."""
        # A pair tied in the centre counts half. A pseudo-ranking at random distance is added, so
        # that a single ranking is less certain than a hundred that agree.
        wins, losses = self.split(sums)
        scores = np.round(self.label_sums(self.shares(sums)), _DECIMALS)
        lead = scores[..., self.first] - scores[..., self.second]
        against = np.where(lead > 0, losses, np.where(lead < 0, wins, (wins + losses) / 2))
        n_pairs = len(self.first)
        n_ordered = (wins + losses).sum(axis=-1)
        return (against.sum(axis=-1) + n_pairs / 2) / (n_ordered + n_pairs)


class _OfSums:
    """A criterion that depends only on the sums of its table and on sizes."""

    table: NDArray[Any]

    def of_sums(self, sums: NDArray[Any], sizes: NDArray[Any]) -> FloatArray:
        """Return the value of sets of rankings from their sums."""
        raise NotImplementedError

    def of_parts(self, parts: Any) -> FloatArray:
        """Return the value of each part."""
        return self.of_sums(np.add.reduceat(self.table[parts.rows], parts.start), parts.size)

    def of_splits(
        self, parts: Any, order: IntArray, at: IntArray, table: NDArray[Any]
    ) -> FloatArray:
        """Return the values of splits after some rows of an order of the parts."""
        running = parts.running(table[order])
        part = parts.of_row[at]
        n, n_left = parts.size[part], at - parts.start[part] + 1
        sums = running[at]
        value: FloatArray = n_left * self.of_sums(sums, n_left)
        value = value + (n - n_left) * self.of_sums(parts.last(running)[part] - sums, n - n_left)
        return value / n


class MallowsSpread(_OfSums):
    """The spread theta of a Mallows model of each part [cheng2009]."""

    must_gain = False

    def __init__(self, rankings: FloatArray) -> None:
        self.pairs = PairCounts(rankings)
        self.table = self.pairs.table

    def settled(self, table: NDArray[Any], parts: Any) -> NDArray[np.bool_]:
        """Tell in which parts no two rankings contradict each other."""
        wins, losses = self.pairs.split(np.add.reduceat(table, parts.start))
        return ~np.asarray(((wins > 0) & (losses > 0)).any(axis=1))

    def of_sums(self, sums: NDArray[Any], sizes: NDArray[Any]) -> FloatArray:  # noqa: ARG002
        """Return theta of sets of rankings from their sums."""
        m = self.pairs.n_labels
        return rough_spread(self.pairs.disagreement(sums) * largest_distance(m), m)


class _PairOutcomes(_OfSums):
    """A criterion of the frequencies of both orders and of ties, for each pair of labels."""

    def __init__(self, rankings: FloatArray) -> None:
        self.pairs = PairCounts(rankings)
        self.table = np.hstack([self.pairs.table, self.pairs.known])

    def outcomes(self, sums: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Count for each pair the rankings with the first label ahead, the second, and a tie."""
        n_pairs = len(self.pairs.first)
        wins, losses = self.pairs.split(sums[..., : 2 * n_pairs])
        return wins, losses, sums[..., 2 * n_pairs :] - wins - losses

    def settled(self, table: NDArray[Any], parts: Any) -> NDArray[np.bool_]:
        """Tell in which parts every pair has one outcome."""
        occurs = [np.sign(counts) for counts in self.outcomes(np.add.reduceat(table, parts.start))]
        return ~np.asarray((sum(occurs) > 1).any(axis=1))


class SpreadWithTies(_PairOutcomes):
    """The spread theta of each part around the best outcome of each pair, where a tie is one.

    Our own choice: as `MallowsSpread`, with half of Kemeny's distance in place of Kendall's and
    pairs decided each by itself, since a bucket order for every split would take too long.
    """

    must_gain = False

    def of_sums(self, sums: NDArray[Any], sizes: NDArray[Any]) -> FloatArray:  # noqa: ARG002
        """Return theta of sets of rankings from their sums."""
        wins, losses, ties = self.outcomes(sums)
        m, n_pairs = self.pairs.n_labels, len(self.pairs.first)
        # A tie costs every order half, and an order every tie.
        against = (wins + losses - np.maximum(np.abs(wins - losses) - ties, 0)) / 2
        n_compared = (wins + losses + ties).sum(axis=-1)
        # A pseudo-ranking that reverses half of the pairs, as in `PairCounts.disagreement`.
        share = (against.sum(axis=-1) + n_pairs / 2) / (n_compared + n_pairs)
        return rough_spread(share * largest_distance(m), m)


class KemenyDistance(_PairOutcomes):
    """Minus the mean Kemeny distance of two rankings of a part / pairs of labels [heiser2013]."""

    must_gain = True

    def of_sums(self, sums: NDArray[Any], sizes: NDArray[Any]) -> FloatArray:
        """Return minus the mean distance of sets of rankings from their sums."""
        wins, losses, ties = self.outcomes(sums)
        # Over all ordered pairs of rankings: opposite orders cost 2, an order and a tie 1.
        distances = 4.0 * wins * losses + 2.0 * ties * (wins + losses)
        n_compared = wins + losses + ties
        # A pair of labels counts by the share of the rankings that rank both.
        means = np.zeros(n_compared.shape)
        np.divide(distances, n_compared, out=means, where=n_compared > 0)
        return -means.sum(axis=-1) / (sizes * n_compared.shape[-1])


class RankCorrelation(_OfSums):
    """The mean rank correlation (Spearman) of a part's rankings with their mean ranking."""

    must_gain = True

    def __init__(self, rankings: FloatArray) -> None:
        doubled = 2 * _expected_ranks(rankings)
        if not np.isnan(rankings).any():
            doubled = np.rint(doubled).astype(np.int64)
        self.n_labels = rankings.shape[1]
        self.table = np.hstack([doubled, np.square(doubled).sum(axis=1, keepdims=True)])

    def settled(self, table: NDArray[Any], parts: Any) -> NDArray[np.bool_]:
        """Tell in which parts all rankings are the same."""
        return _all_same(table, parts)

    def of_sums(self, sums: NDArray[Any], sizes: NDArray[Any]) -> FloatArray:
        """Return the mean correlation of sets of rankings from their sums."""
        ranks, m = sums[..., :-1], self.n_labels
        rounded = np.round(ranks, _DECIMALS)
        # Twice the ranks of the mean ranks, where ties share the mean of their places.
        centre = np.full(ranks.shape, m + 1, dtype=np.int64)
        for i in range(m):
            for j in range(i):
                lead = np.sign(rounded[..., i] - rounded[..., j]).astype(np.int64)
                centre[..., i] += lead
                centre[..., j] -= lead
        squares = sums[..., -1] - 2 * (ranks * centre).sum(axis=-1)
        squares = squares + sizes * np.square(centre).sum(axis=-1)
        return 1 - 6 * squares / (4 * sizes * m * (m * m - 1))


def _expected_ranks(rankings: FloatArray) -> FloatArray:
    """Return generalised ranks; of incomplete rankings, means over all places of missing labels."""
    ranks, n_labels = generalised_ranks(rankings), rankings.shape[1]
    n_ranked = (~np.isnan(ranks)).sum(axis=1, keepdims=True)
    return np.where(np.isnan(ranks), (n_labels + 1) / 2, ranks * (n_labels + 1) / (n_ranked + 1))


class RankingEntropy:
    """The entropy of the rankings, weighted by their dissimilarity [desa2017]."""

    # sum_r P(r) log P(r) * log k, where k is the mean of (tau + 1) / 2 over pairs of a distinct
    # ranking and a ranking of the part; 0 where all are the same.
    must_gain = True

    def __init__(self, rankings: FloatArray) -> None:
        pairs = PairCounts(rankings)
        ahead, behind = pairs.split(pairs.table)
        self.table = ahead - behind
        self._kinds = np.unique(rankings, axis=0, return_inverse=True)[1].reshape(-1)

    def settled(self, table: NDArray[Any], parts: Any) -> NDArray[np.bool_]:
        """Tell in which parts all rankings are the same."""
        return _all_same(table, parts)

    def of_parts(self, parts: Any) -> FloatArray:
        """Return minus the entropy of each part."""
        entropies = self._left_and_right(parts, np.arange(len(parts.rows)))[0]
        return -np.asarray(parts.last(entropies))

    def of_splits(
        self,
        parts: Any,
        order: IntArray,
        at: IntArray,
        table: NDArray[Any],  # noqa: ARG002
    ) -> FloatArray:
        """Return minus the mean entropy of both sides of splits after some rows of an order."""
        left_entropy, right_entropy = (side[at] for side in self._left_and_right(parts, order))
        part = parts.of_row[at]
        n, n_left = parts.size[part], at - parts.start[part] + 1
        return -(n_left * left_entropy + (n - n_left) * right_entropy) / n

    def _left_and_right(self, parts: Any, order: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the entropies of the rows up to each row of an order, and after it."""
        rows = parts.rows[order]
        signs = self.table[rows]
        earlier, total = _count_equal(parts.of_row * (self._kinds.max() + 1) + self._kinds[rows])
        later = total - earlier - 1
        size = np.arange(len(rows)) - parts.start[parts.of_row] + 1

        def summed(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
            running = parts.running(values)
            return running, parts.last(running)[parts.of_row] - running

        def gains(counts: IntArray) -> FloatArray:
            return _count_terms(counts + 1) - _count_terms(counts)

        first, last = earlier == 0, later == 0
        sums, left_over = summed(signs)
        left_entropy = self._entropy(
            summed(gains(earlier))[0],
            size,
            sums,
            summed(signs * first[:, None])[0],
            summed(first.astype(np.int64))[0],
        )
        n_right = parts.size[parts.of_row] - size
        right_entropy = self._entropy(
            summed(gains(later))[1],
            np.maximum(n_right, 1),
            left_over,
            summed(signs * last[:, None])[1],
            np.maximum(summed(last.astype(np.int64))[1], 1),
        )
        return left_entropy, right_entropy

    def _entropy(
        self, terms: Any, sizes: Any, sums: Any, distinct: Any, n_distinct: Any
    ) -> FloatArray:
        n_pairs = self.table.shape[1]
        tau = (sums * distinct.astype(np.float64)).sum(axis=-1) / (sizes * n_distinct * n_pairs)
        alike = np.clip((tau + 1) / 2, 1e-12, 1.0)
        entropy: FloatArray = (np.log(sizes) - terms / sizes) * -np.log(alike)
        return entropy


def _count_terms(counts: NDArray[Any]) -> FloatArray:
    """Return c log c."""
    return counts * np.log(np.maximum(counts, 1))


def _all_same(table: NDArray[Any], parts: Any) -> NDArray[np.bool_]:
    low, high = (f.reduceat(table, parts.start) for f in (np.minimum, np.maximum))
    same: NDArray[np.bool_] = (low == high).all(axis=1)
    return same


def _count_equal(keys: IntArray) -> tuple[IntArray, IntArray]:
    """Count the equal keys before each entry, and all of them."""
    order = np.argsort(keys, kind="stable")
    _, start, counts = np.unique(keys[order], return_index=True, return_counts=True)
    earlier, total = np.empty((2, len(keys)), dtype=np.int64)
    earlier[order] = np.arange(len(keys)) - np.repeat(start, counts)
    total[order] = np.repeat(counts, counts)
    return earlier, total


# By the names that estimators give them.
CRITERIA = {
    "mallows": MallowsSpread,
    "kemeny": KemenyDistance,
    "correlation": RankCorrelation,
    "entropy": RankingEntropy,
}
