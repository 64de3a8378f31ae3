"""ADTBoost.MH: an alternating decision tree that votes on all labels."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelrank_core.methods.boosting._boosted import BoostedRules
from labelrank_core.methods.boosting._rules import Rules, vote
from labelrank_core.methods.boosting._stumps import TIE, Stump, StumpSearch
from labelrank_core.rankings import FloatArray, IntArray

# Weights are divided by their sum only before they become too small for floats.
_LEAST_TOTAL = 1e-100


class ADTBoostMHClassifier(BoostedRules):
    """Predict label sets by an alternating decision tree, grown by boosting [comite2003]_.

    Every node of the tree votes on all labels. A boosting step hangs one more question, 'is this
    feature above that threshold?', under the root or under one side of an earlier question, where
    it leaves the least weight mixed; cases that end elsewhere get no vote of it. A case goes down
    all questions that it reaches, and the score of a label is the sum of all votes on the way; it
    is relevant where the score is above 0. Votes and weights are those of AdaBoost.MH.

    Parameters
    ----------
    n_estimators : int, default=30
        The number of boosting steps, so of questions, at least 1. [zhang2005]_ has 30.
    max_thresholds : int or None, default=32
        The most thresholds to try per feature, at least 1, at even numbers of cases; None: between
        all neighbouring values.

    Attributes
    ----------
    n_labels_ : int
        Number of labels.
    n_features_in_ : int
        Number of features.

    Notes
    -----
    A node's vote on a label is ½ ln((W₊ + ε) / (W₋ + ε)), W₊ and W₋ being the weights there of the
    cases with and without the label, as shares of all weights. ε is 1 / (n_samples n_labels), as
    in BoosTexter. Thresholds lie halfway between two values. Questions whose mixed weights differ
    by less than 1e-9 tie: the earlier node first, then the lower feature, then the lower threshold.

    Scores are rounded to 12 decimals; labels with equal scores are ranked by label index, and a
    label with score 0 is irrelevant. Cases are sparse (CSR) or dense; sparse ones stay sparse.
    Of calibrated rankings only the relevance is learned, not the order among relevant labels or
    among the others.

    References
    ----------
    .. [comite2003] F. De Comité, R. Gilleron, M. Tommasi: Learning multi-label alternating decision
       trees from texts and data. Machine Learning and Data Mining in Pattern Recognition, 2003.
    .. [zhang2005] M.-L. Zhang, Z.-H. Zhou: A k-nearest neighbor based algorithm for multi-label
       classification. IEEE International Conference on Granular Computing 2005.

    Examples
    --------
    >>> X = [[0.0, 1.0], [0.2, 0.8], [0.9, 0.1], [1.0, 0.0]]
    >>> Y = [[0, 1, 1], [0, 1, 0], [1, 0, 0], [1, 0, 0]]
    >>> model = ADTBoostMHClassifier(n_estimators=3).fit(X, Y)
    >>> model.predict([[0.0, 1.0], [0.8, 0.2]])
    array([[0, 1, 1],
           [1, 0, 0]])
    >>> model.path([[0.0, 1.0]]).at(n_estimators=1).prediction
    array([[0, 1, 0]])
    """

    _is_tree = True

    def __init__(self, n_estimators: int = 30, *, max_thresholds: int | None = 32) -> None:
        self.n_estimators = n_estimators
        self.max_thresholds = max_thresholds

    def _boost(self, search: StumpSearch, X: Any, relevance: IntArray, counts: FloatArray) -> Rules:
        """Grow the tree."""
        is_relevant = relevance == 1
        tree = _GrowingTree(search, is_relevant, counts)
        for _ in range(self.n_estimators):
            node, stump = tree.best()
            tree.hang(node, stump, self._column(X, stump.feature) > stump.threshold)
        return Rules(
            np.array([stump.feature for _, stump in tree.rules]),
            np.array([stump.threshold for _, stump in tree.rules]),
            np.array([node for node, _ in tree.rules]),
            np.array(tree.votes),
        )


class _GrowingTree:
    """An alternating tree, the weights left by its votes, and the best question of each node."""

    def __init__(
        self, search: StumpSearch, is_relevant: NDArray[np.bool_], counts: FloatArray
    ) -> None:
        n, m = is_relevant.shape
        self.search = search
        self.is_relevant = is_relevant
        self.least = 1 / (counts.sum() * m)
        # They are not divided by their sum: so weights that no vote touches stay as they are.
        self.weights = np.repeat(counts[:, None] * self.least, m, axis=1)
        self.rules: list[tuple[int, Stump]] = []
        self.votes: list[FloatArray] = []
        self.cases: list[IntArray] = []
        self.best_stumps: list[tuple[float, Stump] | None] = []
        self._add_node(np.arange(n), self.weights.sum())

    def best(self) -> tuple[int, Stump]:
        """Return the node and the question there that leave the least weight mixed."""
        for node, best_stump in enumerate(self.best_stumps):
            if best_stump is None:
                self.best_stumps[node] = self._best_at(node)
        gains = np.array([stump[0] for stump in self.best_stumps if stump is not None])
        node = int(np.argmax(gains >= gains.max() - TIE * self.weights.sum()))
        best_stump = self.best_stumps[node]
        assert best_stump is not None
        return node, best_stump[1]

    def _best_at(self, node: int) -> tuple[float, Stump]:
        rows = self.cases[node]
        weights = self.weights[rows]
        total = float(weights.sum())
        if total == 0:
            return -np.inf, Stump(np.inf, 0, np.inf)
        # The search takes weights as shares.
        stump = self.search.best(weights / total, self.is_relevant[rows], rows)
        return total * (1 - stump.mixed), stump

    def hang(self, node: int, stump: Stump, is_above: NDArray[np.bool_]) -> None:
        """Put a question under a node, with its two sides, and weigh the cases there again."""
        rows = self.cases[node]
        touched = np.zeros(len(self.weights), dtype=bool)
        touched[rows] = True
        for other_node, cases in enumerate(self.cases):
            if touched[cases].any():
                self.best_stumps[other_node] = None
        self.rules.append((node, stump))
        total = self.weights.sum()
        if total < _LEAST_TOTAL:
            self.weights /= total
            self.best_stumps, total = [None] * len(self.best_stumps), 1.0
        for side in (rows[~is_above[rows]], rows[is_above[rows]]):
            self._add_node(side, total)

    def _add_node(self, rows: IntArray, total: float) -> None:
        weights, is_relevant = self.weights[rows], self.is_relevant[rows]
        cast = vote(weights / total, is_relevant, self.least)
        self.weights[rows] = weights * np.exp(np.where(is_relevant, -cast, cast))
        self.votes.append(cast)
        self.cases.append(rows)
        self.best_stumps.append(None)
