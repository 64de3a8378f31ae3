"""Boosting for label ranking: trees on cases that those before them rank badly."""

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from labelrank_core._sklearn import StrOptions, fit_context
from labelrank_core.aggregation.bucket_orders import PairVotes, bucket_orders
from labelrank_core.methods.base import check_count
from labelrank_core.methods.trees._bags import BaggedRankingTrees, BaggedTreesPath, BaggedTreesPoint
from labelrank_core.methods.trees._ranking_tree import grow_trees
from labelrank_core.methods.trees._ranking_trees import TreeVotesTable, square_votes, tree_seeds
from labelrank_core.metrics import kendall_tau_score, tau_x_score
from labelrank_core.rankings import FloatArray, IntArray

_LOSSES = ("share", "largest", "sum")


class BoostedTreesLabelRanker(BaggedRankingTrees):
    """Merge the rankings of trees that are boosted for label ranking [dery2020]_, [drucker1997]_.

    In every round a tree is grown like LRT on training cases drawn by their weights. Cases that it
    ranks badly gain weight, so that they are drawn more often in the next round, and the tree votes
    with a weight that is greater the better it ranks.

    Parameters
    ----------
    n_estimators : int, default=50
        Number of rounds, of one tree each.
    max_depth : int or None, default=None
        The largest depth of the trees; None: not limited.
    min_samples_split : int or None, default=None
        A node with fewer training cases (repeated draws counted) is a leaf; None: twice the
        number of labels.
    loss : {"share", "largest", "sum"}, default="share"
        The loss of a tree on a training case. ``"share"``: (1 - tau) / 2, the share of the pairs of
        labels in the case's ranking that the tree reverses; one that ties in its leaf counts half.
        ``"largest"``: this divided by the largest one of the round, the linear loss of AdaBoost.R2
        [drucker1997]_. ``"sum"``: divided by the sum over all cases, as a program named BoostLR
        does: weights then change less in a round.
    voting : {"rankings", "scores"}, default="rankings"
        How a tree votes: ``"rankings"`` with its leaf's centre, whose places are averaged over the
        trees (tied labels share the mean of their places); ``"scores"`` with the mean ranks in its
        leaf. The trees are the same.
    ties : {"break", "predict"}, default="break"
        ``"predict"``: labels may share a position. The prediction is then the bucket order with
        the least mean Kemeny distance to the training rankings in the case's leaves, weighted as
        their trees: exactly for up to 8 labels, beyond by local search. Splits are those of
        `RankingTreeLabelRanker` with ``ties="predict"``, and a tree's loss is (1 - tau_x) / 2 of
        such a bucket order of its own leaf. The confidence is 1 - mean distance / largest one.
    random_state : int, RandomState instance or None, default=0
        Seed. The same number gives the same trees.

    Attributes
    ----------
    n_labels_ : int
        Number of labels.
    n_features_in_ : int
        Number of features.
    estimator_weights_ : ndarray of shape (n_trees,)
        The weights of the trees' votes.
    estimator_errors_ : ndarray of shape (n_trees,)
        The mean loss of each tree on the training cases, by their weights in its round.

    Notes
    -----
    With weights w, which start equal and sum to 1, the losses L of a tree have the mean
    e = sum w L. Then b = e / (1 - e), weights are multiplied by b^(1 - L) and divided by their sum,
    and the tree votes with the weight log(1 / b). A tree with e of one half or more ends the
    boosting and is left out, unless it is the first, which then votes alone.

    Our own choices: e is at least 1 / (2 n_samples), so that a tree without any loss has a finite
    vote and boosting goes on; the vote is a weighted mean of places (Borda) where AdaBoost.R2 has
    a weighted median of numbers; a training case that ranks fewer than two labels has no loss.
    Of [dery2020]_ rounds, draws by weight, label-ranking trees and Kendall's tau are certain, while
    its pseudo-code was not at hand. Ties in targets, incomplete rankings and the trees are treated
    as in `RankingTreeLabelRanker`.

    References
    ----------
    .. [dery2020] L. Dery, E. Shmueli: BoostLR: A boosting-based learning ensemble for label ranking
       tasks. IEEE Access 8, 2020.
    .. [drucker1997] H. Drucker: Improving regressors using boosting techniques. ICML 1997.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0]] * 4
    >>> Y = [[1, 2, 3], [1, 2, 3], [3, 2, 1], [3, 2, 1]] * 4
    >>> BoostedTreesLabelRanker(n_estimators=20).fit(X, Y).predict([[0.4], [2.9]])
    array([[1, 2, 3],
           [3, 2, 1]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaggedRankingTrees._parameter_constraints,
        "loss": [StrOptions(set(_LOSSES))],
    }

    def __init__(
        self,
        n_estimators: int = 50,
        *,
        max_depth: int | None = None,
        min_samples_split: int | None = None,
        loss: str = "share",
        voting: str = "rankings",
        ties: str = "break",
        random_state: Any = 0,
    ) -> None:
        super().__init__(
            n_estimators,
            max_depth=max_depth,
            min_samples_split=min_samples_split,
            voting=voting,
            ties=ties,
            random_state=random_state,
        )
        self.loss = loss

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, Y: ArrayLike) -> Self:
        """Grow the trees, one after the other.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training cases. Sparse ones are made dense, which must not take more than 512 MB.
        Y : array-like of shape (n_samples, n_labels)
            Their positions; labels may tie, NaN = not ranked.

        Returns
        -------
        self
            Fitted.

        Raises
        ------
        ValueError
            If a parameter or an array is not as described.
        """
        features = self._checked_features(X, Y)
        n_samples, n_features = features.shape
        criterion = self._split_criterion()(self._rankings)
        growth = self._growth(self.min_samples_split, n_features=n_features)
        sample_weights = np.full(n_samples, 1 / n_samples)
        trees: list[TreeVotesTable] = []
        errors: list[float] = []
        for seed in tree_seeds(self.random_state, self.n_estimators):
            random = np.random.default_rng(seed)
            rows = np.asarray(random.choice(n_samples, size=n_samples, p=sample_weights))
            (grown,) = grow_trees(features, [rows], criterion, growth, [seed])
            tree = TreeVotesTable(grown, self._pairs)
            losses = self._losses(tree, features)
            error = max(float(sample_weights @ losses), 1 / (2 * n_samples))
            if error >= 0.5:
                if not trees:
                    trees, errors = [tree], [error]
                break
            trees.append(tree)
            errors.append(error)
            sample_weights = sample_weights * (error / (1 - error)) ** (1 - losses)
            sample_weights /= sample_weights.sum()
        self.estimator_errors_ = np.array(errors)
        self.estimator_weights_ = np.array([vote_weight(error) for error in errors])
        self._keep_trees(trees, self.estimator_weights_)
        return self

    def _losses(self, tree: TreeVotesTable, X: FloatArray) -> FloatArray:
        """Return the loss of a tree on each training case, between 0 and 1."""
        ends = tree.tree.chains(X)[:, -1]
        if self.ties == "predict":
            leaves, leaf = np.unique(ends, return_inverse=True)
            predicted = self._bucket_orders(tree, leaves)[leaf]
            agreement = tau_x_score(self._rankings, predicted, average=None)
        else:
            # Pairs that tie in the leaf are reversed by half, whatever the order of the labels.
            agreement = kendall_tau_score(self._rankings, tree.ranks[ends], average=None)
        losses = (1 - np.nan_to_num(agreement, nan=1.0)) / 2
        scale = {"share": 1.0, "largest": losses.max(), "sum": losses.sum()}[self.loss]
        scaled: FloatArray = losses / scale if scale > 0 else losses
        return scaled

    def _bucket_orders(self, tree: TreeVotesTable, nodes: IntArray) -> IntArray:
        """Return the bucket orders nearest to the rankings in some nodes, as positions."""
        counts, _ = tree.pair_counts(nodes, self._pairs)
        votes = PairVotes(*square_votes(counts.astype(np.int64), self.n_labels_))
        return bucket_orders(votes.gains)

    def path(self, X: ArrayLike) -> "BoostedTreesPath":
        """Send cases down the trees once, then predict with those of the first rounds.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        BoostedTreesPath
            ``path.at(n_estimators=..., voting=...)`` equals a fresh fit with these and the same
            seed.
        """
        return BoostedTreesPath(self, self._check_cases(X), self._learned)


def vote_weight(error: float) -> float:
    """Return the weight of a tree's vote, log((1 - e) / e); 1 for a first tree that is no use."""
    return float(np.log((1 - error) / error)) if error < 0.5 else 1.0


class BoostedTreesPath(BaggedTreesPath):
    """Some cases sent down all trees."""

    has_weights = True

    def at(  # type: ignore[override]
        self, *, n_estimators: int | None = None, voting: str | None = None
    ) -> BaggedTreesPoint:
        """Predict with the trees of the first rounds; None: the model's own."""
        n_rounds = self.model.n_estimators
        if n_estimators is not None:
            n_rounds = check_count("n_estimators", n_estimators, n_rounds, "the rounds learned")
        # Boosting may have ended before.
        return super().at(n_estimators=min(n_rounds, len(self.trees)), voting=voting)
