"""Pairwise forest: one forest of trees that predict all pairs of labels at once."""

from functools import cached_property
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.ensemble import ExtraTreesRegressor, RandomForestRegressor

from labelrank_core._sklearn import Interval, StrOptions, fit_context
from labelrank_core.aggregation import TIES
from labelrank_core.explain.evidence import agreement_with
from labelrank_core.methods.base import check_count
from labelrank_core.methods.pair_ranker import PairwiseRanker, common_scale
from labelrank_core.methods.pairs import PairPath, PairPoint, PairTerms, split_signs
from labelrank_core.rankings import FloatArray, IntArray

# Predictions of every tree are kept for up to this many numbers (32 MB).
_TABLE_CELLS = 1 << 22
_KINDS = {"best": RandomForestRegressor, "random": ExtraTreesRegressor}
_TERMS = PairTerms(
    score="sum of preferences",
    pair="{ahead} ahead of {behind}: the mean vote is {share}.",
    meaning=agreement_with("this ranking", "the trees"),
    definition=(
        "mean over all pairs of labels of the preference, averaged over the trees, for the label "
        "that is predicted ahead"
    ),
    voters="the votes of the trees",
    sums_shares=True,
)


class PairwiseForestRanker(PairwiseRanker):
    """Rank labels by a forest that predicts the sign of every pair [gkrinias2023]_.

    The target of a pair i < j is 1 where i is preferred, -1 where j is, 0 where they tie. One
    forest of regression trees predicts all pairs; labels are ordered by their summed preferences.

    Parameters
    ----------
    n_estimators : int, default=50
        Number of trees.
    splitter : {"best", "random"}, default="best"
        ``"best"``: the best threshold of every feature drawn, on bootstrap samples (a random
        forest); ``"random"``: thresholds drawn at random, on all training cases (extra trees).
    max_features : float, default=0.5
        The share of the features to draw at each split.
    ties : {"break", "predict"}, default="break"
        ``"predict"``: labels may share a position. The targets of a pair are then two, each 1 where
        one of both labels is strictly ahead, else -1; the prediction is the bucket order with the
        least expected Kemeny distance, and so with the largest expected tau_x: exactly for up to 8
        labels, beyond by local search. The confidence is 1 - expected distance / largest one.
    random_state : int, RandomState instance or None, default=0
        Seed. The same number gives the same forest, whatever ``n_jobs``.
    n_jobs : int or None, default=None
        Threads, as in scikit-learn.

    Attributes
    ----------
    forest_ : RandomForestRegressor or ExtraTreesRegressor
        The trees.
    n_labels_ : int
        Number of labels.
    n_features_in_ : int
        Number of features.

    Notes
    -----
    Incomplete rankings (our own choice): while the trees grow, the target of a pair that a case
    does not rank is the mean of the cases that do, or 0 if none does. In the leaves only cases that
    rank the pair count; the sum over all trees is divided by these counts, and the mean is
    predicted where all of them are 0. Complete rankings give the mean of the trees. Numbers are
    rounded to 12 decimals; ties are broken by label index. Sparse cases are made dense.

    References
    ----------
    .. [gkrinias2023] G. Gkrinias: Label ranking with pairwise and label-wise random forests.
       Diploma thesis, National Technical University of Athens, 2023.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> Y = [[1, 2, 3], [1, 2, 3], [3, 2, 1], [3, 2, 1]]
    >>> PairwiseForestRanker(n_estimators=20).fit(X, Y).predict([[0.4], [2.9]])
    array([[1, 2, 3],
           [3, 2, 1]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "splitter": [StrOptions(set(_KINDS))],
        "max_features": [Interval(Real, 0.0, 1.0, closed="right")],
        "ties": [StrOptions(set(TIES))],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        n_estimators: int = 50,
        *,
        splitter: str = "best",
        max_features: float = 0.5,
        ties: str = "break",
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.splitter = splitter
        self.max_features = max_features
        self.ties = ties
        self.random_state = random_state
        self.n_jobs = n_jobs

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, Y: ArrayLike) -> Self:
        """Grow the trees.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training cases. Sparse ones are made dense, which must not take more than 512 MB.
        Y : array-like of shape (n_samples, n_labels) or PairPreferences
            Their positions; labels may tie, NaN = not ranked. Or preferences between any pairs
            of labels.

        Returns
        -------
        self
            Fitted.

        Raises
        ------
        ValueError
            If a parameter or an array is not as described.
        """
        features, signs = self._training_data(X, Y)
        if self.ties == "predict":
            signs = split_signs(signs)
        is_known = ~np.isnan(signs)
        means = np.nan_to_num(signs).sum(axis=0) / np.maximum(is_known.sum(axis=0), 1)
        targets = np.where(is_known, signs, means)
        self._scale = common_scale(features)
        self.forest_ = _KINDS[self.splitter](
            self.n_estimators,
            max_features=self.max_features,
            random_state=self.random_state,
            n_jobs=self.n_jobs,
        )
        scaled = (features / self._scale).astype(np.float32)
        self.forest_.fit(scaled, targets if targets.shape[1] > 1 else targets[:, 0])
        self._means = means
        self._leaves: list[tuple[IntArray, FloatArray]] | None = None
        if not is_known.all():
            both = np.hstack([np.nan_to_num(signs), is_known])
            trees = zip(self.forest_, self.forest_.estimators_samples_, strict=True)
            self._leaves = [_leaf_table(tree.tree_, rows, scaled, both) for tree, rows in trees]
        return self

    def path(self, X: ArrayLike) -> "PairForestPath":
        """Send cases down all trees once, then predict with the first n of them.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        PairForestPath
            ``path.at(n_estimators=...)`` equals a fresh fit with that number and the same seed.
        """
        return PairForestPath(
            self, self._cases(X), self._observed, self._scale, self._means, self._leaves
        )


def _leaf_table(
    tree: Any, sampled: IntArray, X: NDArray[np.float32], values: FloatArray
) -> tuple[IntArray, FloatArray]:
    """Return the table row of each node, and the leaves' means of values over the cases drawn."""
    times = np.bincount(sampled, minlength=len(X))
    leaves, row_of_case = np.unique(tree.apply(X), return_inverse=True)
    row_of_node = np.zeros(tree.node_count, dtype=np.int64)
    row_of_node[leaves] = np.arange(len(leaves))
    cases_of = sparse.csr_matrix((times.astype(float), (row_of_case, np.arange(len(X)))))
    return row_of_node, np.asarray(cases_of @ values) / np.asarray(cases_of.sum(axis=1))


class PairForestPath(PairPath):
    """Cases to send down the trees of a forest."""

    def __init__(
        self,
        model: PairwiseForestRanker,
        X: FloatArray,
        observed: FloatArray,
        scale: float,
        means: FloatArray,
        leaves: list[tuple[IntArray, FloatArray]] | None,
    ) -> None:
        # Of the training signs of every pair.
        self._means = means
        # Tables of the leaves of each tree; None: complete rankings.
        self._leaves = leaves
        # Cases may be far beyond the training cases; which side of a question they are on stays.
        largest = np.finfo(np.float32).max
        scaled = np.clip(X / scale, -largest, largest).astype(np.float32)
        super().__init__(model, scaled, observed)
        self._trees = [tree.tree_ for tree in model.forest_.estimators_]

    def _tree(self, t: int) -> FloatArray:
        """Return the mean signs in the leaves of a tree; of incomplete rankings with the counts."""
        if self._leaves is None:
            return np.asarray(self._trees[t].predict(self.X)).reshape(len(self.X), -1)
        row_of_node, table = self._leaves[t]
        return np.asarray(table[row_of_node[self._trees[t].apply(self.X)]])

    @cached_property
    def _running(self) -> FloatArray | None:
        """The sums over the first 1, 2, ... trees; None if too large."""
        n_sums = len(self._means) * (1 if self._leaves is None else 2)
        if len(self._trees) * len(self.X) * n_sums > _TABLE_CELLS:
            return None
        return np.cumsum([self._tree(t) for t in range(len(self._trees))], axis=0)

    def signs(self, n_estimators: int) -> FloatArray:
        """Return the mean signs of the first trees, (n_cases, n_pairs), or those of both orders."""
        if self._running is not None:
            total = self._running[n_estimators - 1]
        else:
            total = self._tree(0)
            for t in range(1, n_estimators):
                total = total + self._tree(t)
        if self._leaves is None:
            return np.asarray(total / n_estimators)
        wins, counts = np.hsplit(total, 2)
        signs = np.broadcast_to(self._means, wins.shape).copy()
        return np.divide(wins, counts, out=signs, where=counts > 0)

    def at(self, *, n_estimators: int | None = None) -> PairPoint:
        """Predict with the first n trees; None: all. ValueError if there are fewer."""
        grown = len(self._trees)
        n = grown if n_estimators is None else n_estimators
        n = check_count("n_estimators", n, grown, "the trees grown")
        return PairPoint(self, np.clip((1 + self.signs(n)) / 2, 0.0, 1.0), _TERMS)
