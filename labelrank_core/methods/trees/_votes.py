"""The summed votes of a forest's trees, for any number of cases in bounded memory."""

from dataclasses import dataclass

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils.parallel import Parallel, delayed

from labelrank_core.aggregation.bucket_orders import PairVotes
from labelrank_core.explain.evidence import (
    Confidence,
    agreement_with,
)
from labelrank_core.methods.trees._grown import UNITS, GrownTrees
from labelrank_core.rankings import FloatArray, IntArray

VOTING = ("scores", "rankings")
RANK_TITLES = {
    "scores": "mean rank",
    "rankings": "mean place in the trees' rankings",
}
CLOSEST_PAIR_IN_LEAVES = (
    "Each tree asks questions until it has a small group of training cases like this one, its "
    "leaf. Closest pair: {ahead} ahead of {behind}."
)
_BLOCK_ROWS = 1 << 13
# Numbers of a block's largest temporary (16 MB).
_BLOCK_CELLS = 1 << 21


@dataclass(frozen=True)
class Setting:
    """A setting of the path: number of trees, truncation and voting."""

    n_estimators: int
    max_depth: int | None
    min_entropy: float
    voting: str


def vote_unit(voting: str) -> int:
    """Return the divisor that turns a vote into a rank."""
    return 2 * UNITS if voting == "scores" else 1


def agreement_of_trees(
    value: float, voting: str, n_trees: int, *, has_weights: bool = False
) -> Confidence:
    """Return the agreement of the trees with a ranking as evidence."""
    loss = "weighted mean loss" if has_weights else "mean loss"
    return Confidence(
        value,
        lowest=0.5 if voting == "rankings" else 0.0,
        meaning=agreement_with("this ranking", "the trees"),
        definition=(
            f"1 - {loss} between the prediction and the trees' rankings / largest loss, in "
            "squared rank differences (eq. 5 of Brinker and Hüllermeier 2006 with trees for "
            "neighbours)"
        ),
        defined=n_trees > 1,
    )


def tree_votes(trees: GrownTrees, t: int, nodes: IntArray, voting: str) -> FloatArray | IntArray:
    """Return the votes of some nodes of tree t, whole numbers, low = preferred."""
    votes = trees.score_votes if voting == "scores" else trees.ranking_votes
    return votes(t, nodes)


def votes_of_cases(
    trees: GrownTrees,
    X: NDArray[np.float32],
    setting: Setting,
    kinds: tuple[str, ...],
    n_jobs: int | None,
) -> list[FloatArray]:
    """Sum the trees' votes of each kind, (n_cases, n_labels), exactly and in any order."""
    ends = tree_ends(trees, setting)
    totals = [np.zeros((len(X), trees.n_labels)) for _ in kinds]

    def add(share: range) -> None:
        # Tree by tree, so that a tree stays in the cache.
        for t, own_ends in enumerate(ends):
            for start in share:
                part = slice(start, min(start + share.step, share.stop))
                nodes = ends_above(own_ends, trees.leaves(t, X[part]))
                for total, kind in zip(totals, kinds, strict=True):
                    total[part] += tree_votes(trees, t, nodes, kind)

    shares = _shares(len(X), trees.n_labels, n_jobs)
    if len(shares) == 1:
        add(shares[0])
    else:
        Parallel(n_jobs=n_jobs, require="sharedmem")(delayed(add)(share) for share in shares)
    return totals


def tree_ends(trees: GrownTrees, setting: Setting) -> list[IntArray | None]:
    """List the leaves of each truncated tree; None: it is not truncated."""
    return [
        trees.ends(t, setting.max_depth, setting.min_entropy) for t in range(setting.n_estimators)
    ]


def pair_shares_of_trees(
    trees: GrownTrees, X: NDArray[np.float32], ends: list[IntArray | None]
) -> FloatArray:
    """Return the share of the trees with label i at a lower mean rank than j, ties counted half."""
    wins = np.zeros((len(X), trees.n_labels, trees.n_labels), dtype=np.int32)
    for t, own_ends in enumerate(ends):
        ranks = trees.score_votes(t, ends_above(own_ends, trees.leaves(t, X)))
        first, second = ranks[:, :, None], ranks[:, None, :]
        wins += first < second
        wins += first <= second
    return wins / (2 * len(ends))


def pair_votes_of_leaves(
    trees: GrownTrees,
    rankings: FloatArray,
    X: NDArray[np.float32],
    ends: list[IntArray | None],
) -> PairVotes:
    """Count the training rankings in each case's leaves that order two labels, or rank both.

    Every tree has one vote, shared out equally among the rankings that were drawn for its leaf.
    """
    weights = sparse.csr_matrix((len(X), len(rankings)))
    for t, own_ends in enumerate(ends):
        counts = trees.in_bag(t)
        in_bag = np.flatnonzero(counts)
        nodes = ends_above(own_ends, trees.leaves(t, trees.X[in_bag]))
        sizes = np.bincount(nodes, counts[in_bag], minlength=trees.tree(t).node_count)
        shape = (len(sizes), len(rankings))
        of_nodes = sparse.csr_matrix((counts[in_bag] / sizes[nodes], (nodes, in_bag)), shape=shape)
        weights = weights + of_nodes[ends_above(own_ends, trees.leaves(t, X))]
    n_labels = rankings.shape[1]
    ahead = np.empty((len(X), n_labels, n_labels))
    compared = np.empty_like(ahead)
    ranked = ~np.isnan(rankings)
    for label in range(n_labels):
        ahead[:, label] = weights @ (rankings[:, [label]] < rankings).astype(np.float64)
        compared[:, label] = weights @ (ranked[:, [label]] & ranked).astype(np.float64)
    return PairVotes.of_shares(ahead / len(ends), compared / len(ends))


def _shares(n_cases: int, n_labels: int, n_jobs: int | None) -> list[range]:
    """Divide the cases among the threads, in blocks; no share is too small to be worth it."""
    size = max(1024, -(-n_cases // effective_n_jobs(n_jobs)))
    step = max(1, min(_BLOCK_ROWS, _BLOCK_CELLS // n_labels))
    return [range(start, min(start + size, n_cases), step) for start in range(0, n_cases, size)]


def ends_above(ends: IntArray | None, leaves: IntArray) -> IntArray:
    """Return the leaf of a truncated tree above each leaf; None: the leaf itself."""
    return leaves if ends is None else ends[np.searchsorted(ends, leaves, side="right") - 1]
