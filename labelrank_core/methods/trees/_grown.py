"""The grown trees of a forest: the rankings in each node, and the nodes that cases pass.

scikit-learn numbers the nodes of a tree depth first, the left subtree before the right one, so that
a subtree is a range of numbers. `_subtree_ends` relies on that.
"""

from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_regressor
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.utils.parallel import Parallel, delayed

from labelrank_core._sklearn import generate_sample_indices
from labelrank_core.aggregation.win_shares import WHOLE
from labelrank_core.rankings import FloatArray, IntArray, strict_positions

# Mean ranks of leaves are in whole units of 1 / (2 * UNITS), where UNITS is the least common
# multiple of 1 ... 22, so that the means of up to 22 rankings are exact, and so are their sums over
# the trees in any order.
UNITS = WHOLE
_LEAF = -1

Forest: TypeAlias = (
    RandomForestRegressor | RandomForestClassifier | ExtraTreesRegressor | ExtraTreesClassifier
)


class GrownTrees:
    """The trees of a forest fitted on X, and the training rankings in their nodes."""

    # `doubled` are the doubled ranks of the training rankings, the targets of a regression forest;
    # `tops` is the first label of each. `tie_seed` breaks the ties of a node's ranking at random;
    # None: the label index does.
    def __init__(
        self,
        forest: Forest,
        X: NDArray[np.float32],
        doubled: FloatArray,
        tops: IntArray,
        tie_seed: int | None = None,
    ) -> None:
        self.forest = forest
        self.X = X
        self.doubled = doubled
        self.tops = tops
        self.tie_seed = tie_seed
        self.regresses = is_regressor(forest)
        self.n_labels = doubled.shape[1]
        self._means: dict[int, FloatArray] = {}
        self._entropies: dict[int, FloatArray] = {}

    def __len__(self) -> int:
        return len(self.forest.estimators_)

    def tree(self, t: int) -> Any:
        """Return scikit-learn's tree t."""
        return self.forest.estimators_[t].tree_

    def leaves(self, t: int, X: NDArray[np.float32]) -> IntArray:
        """Return the leaf of every case in tree t."""
        return self.tree(t).apply(X)

    def in_bag(self, t: int) -> IntArray:
        """Return the number of times each training row was drawn for tree t."""
        n_samples = len(self.X)
        seed = self.forest.estimators_[t].random_state
        rows = generate_sample_indices(seed, n_samples, n_samples)
        return np.bincount(rows, minlength=n_samples)

    def sizes(self, t: int) -> FloatArray:
        """Count the in-bag rankings in every node of tree t, with multiplicity."""
        return self.tree(t).weighted_n_node_samples

    def store_means(self, n_jobs: int | None) -> None:
        """Average the doubled ranks in every node, for trees that do not hold them."""

        def store(t: int) -> None:
            sums = self._node_sums(t, self.doubled)
            self._means[t] = sums / self.sizes(t)[:, None]

        if not self.regresses:
            parallel = Parallel(n_jobs=n_jobs, require="sharedmem")
            parallel(delayed(store)(t) for t in range(len(self)))

    def means(self, t: int) -> FloatArray:
        """Return the mean doubled ranks in every node of tree t, shape (n_nodes, n_labels)."""
        return self.tree(t).value[:, :, 0] if self.regresses else self._means[t]

    def entropies(self, t: int) -> FloatArray:
        """Return the entropy in bits of every node of tree t."""
        # Of the classes for a classification tree, of the first label for a regression tree.
        if not self.regresses:
            return self.tree(t).impurity
        if t not in self._entropies:
            first = (self.tops[:, None] == np.arange(self.n_labels)).astype(np.float64)
            shares = self._node_sums(t, first) / self.sizes(t)[:, None]
            logs = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
            self._entropies[t] = -(shares * logs).sum(axis=1)
        return self._entropies[t]

    def _node_sums(self, t: int, table: FloatArray) -> FloatArray:
        """Sum table rows over the in-bag rows of every node, exactly for whole numbers."""
        tree, counts = self.tree(t), self.in_bag(t)
        rows = np.flatnonzero(counts)
        leaves, weights = tree.apply(self.X[rows]), counts[rows]
        running = np.zeros((tree.node_count + 1, table.shape[1]))
        for column in range(table.shape[1]):
            weighted = weights * table[rows, column]
            running[1:, column] = np.bincount(leaves, weighted, tree.node_count)
        np.cumsum(running, axis=0, out=running)
        return running[_subtree_ends(tree)] - running[:-1]

    def score_votes(self, t: int, nodes: IntArray) -> FloatArray:
        """Return the mean ranks in some nodes of tree t, in whole units of 1 / (2 * UNITS)."""
        votes = np.take(self.means(t), nodes, axis=0)
        votes *= UNITS
        return np.rint(votes, out=votes)

    def ranking_votes(self, t: int, nodes: IntArray) -> IntArray:
        """Return the strict Borda rankings of some nodes of tree t, without ties."""
        distinct, index = np.unique(nodes, return_inverse=True)
        votes = self.score_votes(t, distinct)
        last: tuple[IntArray, ...] = ()
        if self.tie_seed is not None:
            # Each node has a draw of its own, so that no batch of cases changes it.
            seeds = ([self.tie_seed, t, node] for node in distinct.tolist())
            tie_orders = [np.random.default_rng(seed).permutation(self.n_labels) for seed in seeds]
            last = (np.array(tie_orders).reshape(votes.shape),)
        return strict_positions(votes, *last)[index.reshape(nodes.shape)]

    def ends(self, t: int, max_depth: int | None, min_entropy: float) -> IntArray | None:
        """List the leaves of the truncated tree t, ascending; None: it is not truncated."""
        tree = self.tree(t)
        if min_entropy <= 0 and (max_depth is None or max_depth >= tree.max_depth):
            return None
        open_nodes, ends, depth = np.zeros(1, dtype=np.int64), [], 0
        while len(open_nodes):
            ending = tree.children_left[open_nodes] == _LEAF
            if depth == max_depth:
                ending[:] = True
            if min_entropy > 0:
                ending |= self.entropies(t)[open_nodes] < min_entropy
            ends.append(open_nodes[ending])
            inner = open_nodes[~ending]
            open_nodes = np.concatenate([tree.children_left[inner], tree.children_right[inner]])
            depth += 1
        return np.sort(np.concatenate(ends))

    def chains(self, X: NDArray[np.float32]) -> IntArray:
        """List the nodes each case passes, the leaf repeated; (n_trees, n_cases, depth + 1)."""
        deepest = max(self.tree(t).max_depth for t in range(len(self)))
        chains = np.empty((len(self), len(X), deepest + 1), dtype=np.int64)
        for t in range(len(self)):
            passed = self.tree(t).decision_path(X)
            for case, (start, end) in enumerate(pairwise(passed.indptr)):
                nodes = np.sort(passed.indices[start:end])
                chains[t, case, : len(nodes)] = nodes
                chains[t, case, len(nodes) :] = nodes[-1]
        return chains

    def reach(self, t: int, x: NDArray[np.float32]) -> NDArray[np.int16]:
        """Return the depth down to which each training row shares nodes with x; -1: out of bag."""
        tree = self.tree(t)
        children_left, children_right = tree.children_left, tree.children_right
        feature, threshold = tree.feature, tree.threshold
        depths = np.full(len(self.X), -1, dtype=np.int16)
        rows = np.flatnonzero(self.in_bag(t))
        depths[rows] = node = depth = 0
        while children_left[node] != _LEAF:
            goes_left = x[feature[node]] <= threshold[node]
            rows = rows[(self.X[rows, feature[node]] <= threshold[node]) == goes_left]
            node = children_left[node] if goes_left else children_right[node]
            depth += 1
            depths[rows] = depth
        return depths


def _subtree_ends(tree: Any) -> IntArray:
    """Return the end (exclusive) of every node's subtree, by following right children."""
    last = np.arange(tree.node_count)
    while True:
        inner = np.flatnonzero(tree.children_left[last] != _LEAF)
        if not len(inner):
            return last + 1
        last[inner] = tree.children_right[last[inner]]
