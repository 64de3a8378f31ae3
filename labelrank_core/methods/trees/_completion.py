"""Completing incomplete training rankings from the rankings of similar training cases."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils.parallel import Parallel, delayed

from labelrank_core.aggregation.table import RankTable
from labelrank_core.aggregation.win_shares import SHARE_UNIT, PairTable
from labelrank_core.methods.trees._grown import GrownTrees
from labelrank_core.methods.trees._targets import REGRESSORS, features_per_split, top_labels
from labelrank_core.rankings import FloatArray, IntArray

# The forests that find similar cases: their trees and smallest leaves.
_N_TREES = 100
_LEAF = 3
# Completed ranks are rounded to this fraction, so that their sums are exact.
_GRAIN = 1 << 16
_BLOCK_CELLS = 1 << 22


def generalised_borda(rankings: FloatArray) -> FloatArray:
    """Return twice the ranks of Definition 2 of [zhou2018], missing labels in the middle."""
    table = RankTable.from_rankings(rankings)
    doubled = table.expected_in(2 * _GRAIN)
    return np.where(doubled > 0, doubled / _GRAIN, table.n_labels + 1)


def complete_rankings(
    X: NDArray[np.float32],
    rankings: FloatArray,
    *,
    rounds: int,
    splitter: str,
    max_features: Any,
    random_state: np.random.RandomState,
    n_jobs: int | None,
) -> FloatArray:
    """Return doubled ranks of all labels, missing ones estimated from similar rows."""
    # Each round grows a forest on the last estimate, the first one on `generalised_borda`. Similar
    # rows share leaves in the trees a row was not drawn for. Pairs that the row ranks are kept; any
    # other gets the similar rows' win share, among the original rankings. A label's score is the
    # sum over its pairs. The result is the mean over the rounds, because single rounds drift.
    estimates = [generalised_borda(rankings)]
    pairs = PairTable.from_rankings(rankings)
    for _ in range(rounds):
        forest = REGRESSORS[splitter](
            _N_TREES,
            min_samples_leaf=_LEAF,
            max_features=features_per_split(max_features, X.shape[1]),
            random_state=random_state.randint(np.iinfo(np.int32).max),
            n_jobs=n_jobs,
        ).fit(X, estimates[-1])
        trees = GrownTrees(forest, X, estimates[-1], top_labels(estimates[-1]))
        sums = _completed_sums(trees, pairs, n_jobs)
        estimates.append(_on_grid(2 * (pairs.n_labels - sums / SHARE_UNIT)))
    return _on_grid(np.mean(estimates[1:] or estimates, axis=0))


def _completed_sums(trees: GrownTrees, pairs: PairTable, n_jobs: int | None) -> IntArray:
    """Sum each row's win shares: its own where it ranks both labels, else of similar rows."""
    # By first labels, as many at a time as memory allows.
    n_samples, n_labels = pairs.keys.shape
    leaves = np.stack([trees.leaves(t, trees.X).astype(np.int32) for t in range(len(trees))])
    everything = slice(None)

    def sums(firsts: range) -> IntArray:
        own_wins, own_compared = pairs.compare(everything, firsts)
        wins, compared = np.zeros((2, n_samples, len(own_wins)))
        votes = [counted.T.astype(np.float64) for counted in (own_wins, own_compared)]
        for t in range(len(trees)):
            counts = trees.in_bag(t)
            in_bag, out_of_bag = np.flatnonzero(counts), np.flatnonzero(counts == 0)
            shape = (trees.tree(t).node_count, n_samples)
            parts = counts[in_bag] / trees.sizes(t)[leaves[t, in_bag]]
            share = sparse.csr_array((parts, (leaves[t, in_bag], in_bag)), shape=shape)
            ends = leaves[t, out_of_bag]
            wins[out_of_bag] += (share @ votes[0])[ends]
            compared[out_of_bag] += (share @ votes[1])[ends]
        shares = pairs.shares(wins.T, compared.T, firsts)
        return pairs.summed(np.where(own_compared > 0, own_wins / 2, shares), firsts)

    width = max(1, _BLOCK_CELLS // (n_samples * n_labels))
    blocks = [range(i, min(i + width, n_labels - 1)) for i in range(0, n_labels - 1, width)]
    parallel = Parallel(n_jobs=n_jobs, require="sharedmem")
    return np.sum(parallel(delayed(sums)(block) for block in blocks), axis=0)


def _on_grid(ranks: FloatArray) -> FloatArray:
    return np.rint(ranks * _GRAIN) / _GRAIN
