"""The base classes of single ranking trees, bags and forests of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from labelrank_core.aggregation.bucket_orders import PairVotes
from labelrank_core.methods.base import (
    LabelRankerMixin,
    PathMixin,
    RankingPoint,
    check_count,
    checked_cases,
    dense_cases,
    require_as_many_rows,
    require_targets,
)
from labelrank_core.methods.trees._criteria import CRITERIA, PairCounts, SpreadWithTies
from labelrank_core.methods.trees._ranking_tree import Growth, RankingTree, grow_trees
from labelrank_core.rankings import (
    FloatArray,
    IntArray,
    check_rankings,
    generalised_ranks,
    strict_positions,
)

# Sums of shares that are equal to this many decimals are ties.
_DECIMALS = 9


class TreeVotesTable:
    """A grown tree with pair counts, scores and positions of the rankings in each node."""

    # For incomplete rankings each pair is smoothed by one pseudo-vote, the share in the parent
    # node, so that pairs without a preference are not decided by label index.
    def __init__(self, tree: RankingTree, pairs: PairCounts) -> None:
        self.tree = tree
        running = np.zeros((len(tree.rows) + 1, pairs.table.shape[1]), dtype=np.int64)
        np.cumsum(pairs.table[tree.rows], axis=0, out=running[1:])
        self.sums = running[tree.end] - running[tree.start]
        shares = pairs.shares(self.sums)
        if not pairs.complete:
            wins, losses = pairs.split(self.sums)
            # Parents come before their children.
            for node, parent in enumerate(tree.parent[1:], start=1):
                n_ordered = wins[node] + losses[node]
                shares[node] = (wins[node] + shares[parent]) / (n_ordered + 1)
        self.scores = np.round(pairs.label_sums(shares), _DECIMALS)
        self.positions = strict_positions(-self.scores)
        # In votes tied labels share the mean of their places.
        self.ranks = generalised_ranks(-self.scores)
        self.rank_squares = np.square(self.ranks).sum(axis=1)
        # How many rankings rank both labels of each pair; counted when ties are predicted.
        self._compared: IntArray | None = None

    def pair_counts(self, nodes: IntArray, pairs: PairCounts) -> tuple[IntArray, IntArray]:
        """Count the rankings of some nodes for either order of a pair, and that rank both; all."""
        tree = self.tree
        if self._compared is None:
            running = np.zeros((len(tree.rows) + 1, len(pairs.first)), dtype=np.int64)
            np.cumsum(pairs.known[tree.rows], axis=0, out=running[1:])
            self._compared = running[tree.end] - running[tree.start]
        sizes = (tree.end - tree.start)[nodes]
        return np.hstack([self.sums[nodes], self._compared[nodes]]), sizes


class RankingTrees(PathMixin, LabelRankerMixin, BaseEstimator):
    """Estimator of one or more ranking trees, grown by a split criterion."""

    max_depth: int | None

    def _split_criterion(self, criterion: str = "mallows") -> Any:
        """Return the class of the criterion by which nodes are split."""
        if criterion == "mallows" and self.ties == "predict":
            return SpreadWithTies
        return CRITERIA[criterion]

    def _fit_trees(
        self,
        X: ArrayLike,
        Y: ArrayLike,
        *,
        criterion: str = "mallows",
        thresholds: str = "all",
        max_features: str | None = None,
        n_trees: int = 1,
        bootstrap: bool = True,
        min_samples_split: int | None = None,
        allow_partial: bool = True,
        random_state: Any = 0,
    ) -> Self:
        features = self._checked_features(X, Y, allow_partial=allow_partial)
        n, d = features.shape
        split_criterion = self._split_criterion(criterion)(self._rankings)
        growth = self._growth(
            min_samples_split,
            n_features=d if max_features is None else max(1, int(np.sqrt(d))),
            thresholds=thresholds,
        )
        seeds = tree_seeds(random_state, n_trees)
        draws: list[IntArray] = [np.arange(n)]
        if bootstrap:
            draws = list(np.stack([_drawn_rows(n, seed) for seed in seeds]))
        trees = grow_trees(features, draws, split_criterion, growth, seeds)
        self._keep_trees([TreeVotesTable(tree, self._pairs) for tree in trees])
        return self

    def _keep_trees(
        self, trees: Sequence[TreeVotesTable], weights: FloatArray | None = None
    ) -> None:
        """Keep trees with the weights of their votes; None: all count alike."""
        self._trees = trees
        self._tree_weights = np.ones(len(trees)) if weights is None else weights

    @property
    def _learned(self) -> "LearnedTrees":
        return LearnedTrees(self._trees, self._tree_weights, self._rankings, self._pairs)

    def _checked_features(
        self, X: ArrayLike, Y: ArrayLike, *, allow_partial: bool = True
    ) -> FloatArray:
        """Check the training data; keep the rankings, return the features."""
        require_targets(self, Y)
        rankings = check_rankings(Y, allow_partial=allow_partial)
        # A copy, because the model keeps it and a caller may change X.
        checked = checked_cases(self, X, copy=not sparse.issparse(X))
        require_as_many_rows(checked, len(rankings))
        features: FloatArray = dense_cases(checked, self)
        self.n_labels_ = rankings.shape[1]
        self._rankings = rankings
        self._pairs = PairCounts(rankings)
        return features

    def _growth(
        self, min_samples_split: int | None, *, n_features: int, thresholds: str = "all"
    ) -> Growth:
        """Return the rules of growth, with `n_features` tried at a node."""
        fewest = 2 * self.n_labels_ if min_samples_split is None else min_samples_split
        return Growth(thresholds, fewest, self.max_depth, n_features)

    def _check_cases(self, X: Any) -> FloatArray:
        check_is_fitted(self)
        cases: FloatArray = dense_cases(checked_cases(self, X, reset=False), self)
        return cases


def square_votes(votes: NDArray[Any], n_labels: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Turn wins, losses and all votes on each pair, side by side, into matrices ``[q, i, j]``.

    The first has the votes for label i ahead of j, the second all on both; 0 on the diagonals.
    """
    first, second = np.triu_indices(n_labels, 1)
    wins, losses, compared = np.hsplit(votes, 3)
    ahead = np.zeros((len(votes), n_labels, n_labels), dtype=votes.dtype)
    ahead[:, first, second], ahead[:, second, first] = wins, losses
    both = np.zeros_like(ahead)
    both[:, first, second] = both[:, second, first] = compared
    return ahead, both


def tree_seeds(random_state: Any, n_trees: int) -> list[int]:
    """Draw a seed for every tree."""
    # Nothing depends on global random state.
    random = np.random.RandomState() if random_state is None else random_state
    seeds = check_random_state(random).randint(np.iinfo(np.int32).max, size=int(n_trees))
    return [int(seed) for seed in seeds]


def _drawn_rows(n_rows: int, seed: int) -> IntArray:
    return np.asarray(np.random.default_rng(seed).integers(0, n_rows, size=n_rows))


@dataclass(frozen=True, eq=False)
class LearnedTrees:
    """Trees and the training rankings that they were grown from."""

    trees: Sequence[TreeVotesTable]
    # Of the trees' votes.
    weights: FloatArray
    rankings: FloatArray
    pairs: PairCounts


class RankingTreesPath:
    """Some cases sent down all trees once."""

    # Whether the votes of the trees have weights.
    has_weights: ClassVar[bool] = False

    def __init__(self, model: Any, X: FloatArray, learned: LearnedTrees) -> None:
        self.model, self.X, self.learned = model, X, learned
        self.trees = learned.trees
        self._chains: dict[int, IntArray] = {}

    def ends(self, tree: int, max_depth: int | None) -> IntArray:
        """Return the node where each case ends in a tree truncated at a depth, (n_cases,)."""
        if tree not in self._chains:
            self._chains[tree] = self.trees[tree].tree.chains(self.X)
        chains = self._chains[tree]
        last = chains.shape[1] - 1
        return chains[:, last if max_depth is None else min(last, max_depth)]

    def check_depth(self, max_depth: int | None) -> int | None:
        """Check the depth to truncate at; None: the model's own."""
        max_depth_grown = self.model.max_depth
        if max_depth is None:
            return max_depth_grown
        return check_count("max_depth", max_depth, max_depth_grown, "the depth grown to")


class RankingTreesPoint(RankingPoint):
    """Label rankings of some cases by the first n trees, truncated at a depth."""

    def __init__(self, path: RankingTreesPath, n_trees: int, max_depth: int | None) -> None:
        self.path, self.n_trees, self.max_depth = path, n_trees, max_depth
        self.weights: FloatArray = path.learned.weights[:n_trees]

    @cached_property
    def ends(self) -> IntArray:
        """The node where each case ends in each tree, (n_trees, n_cases)."""
        return np.stack([self.path.ends(t, self.max_depth) for t in range(self.n_trees)])

    def summed(self, attribute: str) -> Any:
        """Sum an attribute of `TreeVotesTable`, weighted, over the nodes where cases end."""
        return sum(
            weight * getattr(table, attribute)[ends] for table, ends, weight in self.weighted_trees
        )

    @property
    def weighted_trees(self) -> Iterator[tuple[TreeVotesTable, IntArray, float]]:
        """The trees with the nodes where the cases end and the weight of their votes."""
        return zip(self.path.trees[: self.n_trees], self.ends, self.weights, strict=True)

    @property
    def scores(self) -> FloatArray:
        """The scores that order the labels, higher = better, shape (n_cases, n_labels)."""
        raise NotImplementedError

    @property
    def order_keys(self) -> tuple[NDArray[Any], ...]:
        """The key that orders the labels: their scores."""
        return (-self.scores,)

    def pair_votes(self, cases: slice) -> PairVotes:
        """Return the votes of the training rankings in the leaves on every pair of labels.

        Every tree has one vote, shared out equally among the rankings that were drawn for its leaf;
        votes have the weights of their trees.
        """
        pairs, m = self.path.learned.pairs, self.path.model.n_labels_
        shares = np.zeros((len(self.ends[0][cases]), 3 * len(pairs.first)))
        for table, ends, weight in self.weighted_trees:
            counts, sizes = table.pair_counts(ends[cases], pairs)
            shares += weight * (counts / sizes[:, None])
        return PairVotes.of_shares(*square_votes(shares / self.weights.sum(), m))

    def breakpoints(self, x: FloatArray, feature: int, ends: tuple[float, float]) -> FloatArray:
        """List the thresholds of a feature that the case can meet in the trees."""
        tables = self.path.trees[: self.n_trees]
        met = set().union(*(t.tree.breakpoints(x, feature, self.max_depth) for t in tables))
        return np.array(sorted(value for value in met if ends[0] < value < ends[1]))
