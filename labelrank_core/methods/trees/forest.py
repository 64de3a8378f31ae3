"""Label-ranking random forest: the consensus of training rankings in the leaves of trees."""

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from labelrank_core._sklearn import Interval, StrOptions, fit_context
from labelrank_core.aggregation import TIES
from labelrank_core.aggregation.sums import doubled_ranks
from labelrank_core.methods.base import (
    LabelRankerMixin,
    PathMixin,
    checked_cases,
    dense_cases,
    require_as_many_rows,
    require_targets,
)
from labelrank_core.methods.trees._completion import complete_rankings
from labelrank_core.methods.trees._grown import GrownTrees
from labelrank_core.methods.trees._path import ForestPath, ForestPoint, LearnedForest, agreement
from labelrank_core.methods.trees._targets import REGRESSORS, SPLIT_TARGETS, grow, top_labels
from labelrank_core.methods.trees._votes import VOTING, Setting, votes_of_cases
from labelrank_core.rankings import FloatArray, IntArray, check_rankings, strict_positions


class LabelRankingForest(PathMixin, LabelRankerMixin, BaseEstimator):
    """Predict the consensus of the training rankings in the leaves of random trees [zhou2018]_.

    Each tree is grown by scikit-learn on a bootstrap sample. Its leaves hold the rankings of the
    rows drawn for it, as often as they were drawn.

    Parameters
    ----------
    n_estimators : int, default=50
        Number of trees.
    max_depth : int or None, default=None
        The largest depth of the trees; None: until the rankings in each leaf are the same. The
        paper has 8.
    split_on : {"borda", "top_label", "ranking"}, default="borda"
        The target of the splits: ``"borda"`` the ranks of all labels (least variance summed over
        the labels); ``"top_label"`` the first label (least entropy; the paper's text);
        ``"ranking"`` every distinct ranking as a class (the authors' published program; slow and
        large with many rankings). On the paper's data ``"borda"`` predicts best and
        ``"top_label"`` clearly worst.
    voting : {"scores", "rankings"}, default="scores"
        How a tree votes: ``"scores"`` with the mean ranks in the case's leaf, which are averaged
        over the trees; ``"rankings"`` with a strict ranking by mean rank, whose positions are
        averaged (the two steps of the paper's section 4.2).
    splitter : {"best", "random"}, default="best"
        ``"best"``: the best threshold of every feature drawn (a random forest, the paper);
        ``"random"``: one drawn at random for each of them (extra trees, on bootstrap samples too).
        With ``max_features="all"`` the random ones predict better from incomplete rankings.
    max_features : {"log2+1", "sqrt", "log2", "all"}, int, float or None, default="log2+1"
        The number of features to draw at each split; ``"log2+1"`` is the paper's
        floor(log2(n_features)) + 1, the others are scikit-learn's.
    min_entropy : float, default=0
        Minimum entropy (bits) to split: of the first label for ``split_on="borda"``, else of the
        classes. The grown trees are truncated, not grown differently. The paper gives no value.
    min_samples_leaf : int, default=1
        The smallest number of rankings in a leaf.
    completion_rounds : int, default=3
        For incomplete training rankings: the number of rounds in which they are completed from
        similar training cases by pairwise win shares, see Notes. 0: missing labels get the middle
        score (the paper's Definition 2). No effect on complete rankings.
    ties : {"break", "predict"}, default="break"
        ``"predict"``: labels may share a position. The prediction is then the bucket order with
        the least mean Kemeny distance to the training rankings in the case's leaves, and so with
        the largest mean tau_x there: exactly for up to 8 labels, beyond by local search (see
        `labelrank_core.aggregation.bucket_orders`). Every tree has one vote, shared out equally
        among the rankings in its leaf; `voting` only orders labels that tie where a strict order
        is shown. The trees are the same, and the confidence is 1 - mean distance / largest one.
        Labels that a ranking leaves out have no vote of it.
    random_state : int, RandomState instance or None, default=0
        Seed. The same number gives the same forest, whatever ``n_jobs``; None: not reproducible.
    random_ties : bool, default=False
        Whether ties are broken at random, seeded by `random_state`, and not by label index: in the
        ranking of each node of a tree and between the summed votes. All labels have the same
        chance. The trees are the same. The draw of a node depends on the seed and the node alone,
        that of a case on the seed and the case, so that a case is predicted alike in any batch.
    n_jobs : int or None, default=None
        Threads, as in scikit-learn.

    Attributes
    ----------
    forest_ : RandomForestRegressor, RandomForestClassifier or extra trees of these kinds
        The trees. A regressor's values are twice the ranks.
    n_labels_ : int
        Number of labels.
    n_features_in_ : int
        Number of features.

    Notes
    -----
    Ties are broken by label index, unless `random_ties`. Votes are compared in whole numbers:
    exactly for ``"rankings"``, and for ``"scores"`` where leaves hold up to 22 rankings; the mean
    ranks of larger leaves are rounded to 2e-9.

    Incomplete training rankings are completed in rounds: a forest finds the rows similar to each
    row, which share leaves with it in trees it was not drawn for; a pair of labels that the row
    does not rank gets its win share among the similar rows that rank both; the trees of the next
    round are grown on the completed scores. The forest learns the mean over the rounds. A row that
    ranks fewer than two labels is completed from similar rows alone; with 0 rounds it is left out.
    The middle score of Definition 2 pulls every consensus to the middle and predicts clearly worse,
    the more so the more labels are missing.

    Differs from the paper, whose program grows its trees on the complete rankings and deletes
    labels only from the votes: its Tables 5 and 6 cannot be reached from incomplete rankings.
    Differs also in Definition 1, which must sort by increasing mean rank, and in its defaults:
    `VARIANTS` has the paper's.

    References
    ----------
    .. [zhou2018] Y. Zhou, G. Qiu: Random forest for label ranking. Expert Systems with
       Applications 112, 2018.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> Y = [[1, 2, 3], [1, 2, 3], [3, 2, 1], [3, 2, 1]]
    >>> LabelRankingForest(n_estimators=20).fit(X, Y).predict([[0.4], [2.9]])
    array([[1, 2, 3],
           [3, 2, 1]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "max_depth": [Interval(Integral, 1, None, closed="left"), None],
        "split_on": [StrOptions(set(SPLIT_TARGETS))],
        "voting": [StrOptions(set(VOTING))],
        "splitter": [StrOptions(set(REGRESSORS))],
        "max_features": [
            StrOptions({"log2+1", "sqrt", "log2", "all"}),
            Interval(Integral, 1, None, closed="left"),
            Interval(Real, 0.0, 1.0, closed="right"),
            None,
        ],
        "min_entropy": [Interval(Real, 0, None, closed="left")],
        "min_samples_leaf": [Interval(Integral, 1, None, closed="left")],
        "completion_rounds": [Interval(Integral, 0, None, closed="left")],
        "ties": [StrOptions(set(TIES))],
        "random_state": ["random_state"],
        "random_ties": ["boolean"],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        n_estimators: int = 50,
        *,
        max_depth: int | None = None,
        split_on: str = "borda",
        voting: str = "scores",
        splitter: str = "best",
        max_features: Any = "log2+1",
        min_entropy: float = 0,
        min_samples_leaf: int = 1,
        completion_rounds: int = 3,
        ties: str = "break",
        random_state: Any = 0,
        random_ties: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.max_depth = max_depth
        self.split_on = split_on
        self.voting = voting
        self.splitter = splitter
        self.max_features = max_features
        self.min_entropy = min_entropy
        self.min_samples_leaf = min_samples_leaf
        self.completion_rounds = completion_rounds
        self.ties = ties
        self.random_state = random_state
        self.random_ties = random_ties
        self.n_jobs = n_jobs

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, Y: ArrayLike) -> Self:
        """Grow the trees.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training cases. Sparse ones are made dense, which must not take more than 256 MB.
        Y : array-like of shape (n_samples, n_labels)
            Their positions; labels may tie, NaN = not ranked.

        Returns
        -------
        self
            Fitted.

        Raises
        ------
        ValueError
            If a parameter or an array is not as described, or no row ranks two labels.
        """
        require_targets(self, Y)
        rankings = check_rankings(Y, allow_partial=True)
        # A copy, because the model keeps it and a caller may change X.
        checked = self._checked(X, reset=True, copy=not sparse.issparse(X))
        require_as_many_rows(checked, len(rankings))
        features = dense_cases(checked, self)
        compares = (~np.isnan(rankings)).sum(axis=1) >= 2
        if not compares.any():
            raise ValueError("Expected a row in Y that ranks at least two labels, got none.")
        self._rows = np.flatnonzero(compares | (self.completion_rounds > 0))
        if len(self._rows) < len(rankings):
            features, rankings = features[self._rows], rankings[self._rows]
        self.n_labels_ = rankings.shape[1]
        self._rankings = rankings
        self._setting = Setting(self.n_estimators, self.max_depth, self.min_entropy, self.voting)
        self._grow(features)
        return self

    def _grow(self, X: NDArray[np.float32]) -> None:
        random = np.random.RandomState() if self.random_state is None else self.random_state
        doubled = self._complete(X, random)
        self.forest_ = grow(
            X,
            doubled,
            self.split_on,
            self.splitter,
            n_estimators=self.n_estimators,
            max_depth=self.max_depth,
            max_features=self.max_features,
            min_samples_leaf=self.min_samples_leaf,
            random_state=random,
            n_jobs=self.n_jobs,
        )
        self._tie_seed = self._drawn_tie_seed(random) if self.random_ties else None
        self._trees = GrownTrees(
            self.forest_, X, doubled, top_labels(doubled), tie_seed=self._tie_seed
        )
        self._trees.store_means(self.n_jobs)

    @staticmethod
    def _drawn_tie_seed(random: Any) -> int:
        """Return a whole number as it is, of a generator that grew the trees the next number."""
        if isinstance(random, Integral):
            return int(random)
        return int(random.randint(2**31 - 1))

    def _complete(self, X: NDArray[np.float32], random: Any) -> FloatArray:
        """Return twice the ranks of all labels."""
        if not np.isnan(self._rankings).any():
            return doubled_ranks(self._rankings).astype(np.float64)
        return complete_rankings(
            X,
            self._rankings,
            rounds=self.completion_rounds,
            splitter=self.splitter,
            max_features=self.max_features,
            random_state=check_random_state(random),
            n_jobs=self.n_jobs,
        )

    def predict(self, X: ArrayLike) -> IntArray:
        """Predict a complete ranking for every case.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases, n_labels)
            Positions; strict, or with ``ties="predict"`` without gaps.
        """
        if self.ties == "predict":
            return super().predict(X)
        cases = self._check(X)
        return strict_positions(self._votes(cases, self.voting)[0], *self._learned.last_keys(cases))

    def predict_confidence(self, X: ArrayLike) -> FloatArray:
        """Return the agreement of the trees with each prediction.

        1 - mean squared rank difference between the prediction and each tree's strict ranking /
        largest one: eq. 5 of [brinker2006]_ with the trees for neighbours. With one tree it is
        always 1, which has no meaning. The paper has no confidence. With ``ties="predict"`` 1 -
        mean Kemeny distance to the rankings in the leaves / largest one.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases,)
            Between 0 and 1.

        References
        ----------
        .. [brinker2006] K. Brinker, E. Hüllermeier: Case-based label ranking. ECML 2006.
        """
        if self.ties == "predict":
            return self.point(X).confidence
        cases = self._check(X)
        votes = self._votes(cases, *dict.fromkeys((self.voting, "rankings")))
        positions = strict_positions(votes[0], *self._learned.last_keys(cases))
        return agreement(positions, votes[-1], self._setting.n_estimators)

    def predict_pair_support(self, X: ArrayLike) -> FloatArray:
        """Return the share of the trees that prefer each label to each other.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases, n_labels, n_labels)
            ``[c, i, j]``: the share of the trees in whose leaf label i has a lower mean rank than
            j, whatever `voting`; equal mean ranks count one half, 0.5 on the diagonal.
        """
        return self.point(X).pair_support()

    def path(self, X: ArrayLike) -> ForestPath:
        """Send cases down the trees once, then predict with fewer or shallower trees.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ForestPath
            ``path.at(n_estimators=..., max_depth=..., min_entropy=..., voting=...)`` predicts.
            Fewer trees equal a fresh fit. A smaller depth or a higher entropy cuts the trees that
            are grown: a fresh fit with that depth draws other features and differs.
        """
        return ForestPath(self, self._check(X), self._learned)

    def point(self, X: ArrayLike, **setting: Any) -> ForestPoint:
        """Predict everything for some cases at once.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.
        **setting
            Parameters of the path; others have the model's own values.

        Returns
        -------
        ForestPoint
            Prediction, positions, scores, confidence and explanations.
        """
        path = ForestPath(self, self._check(X), self._learned, several_settings=False)
        return path.at(**setting)

    @property
    def _learned(self) -> LearnedForest:
        return LearnedForest(self._trees, self._setting, self._rankings, self._rows, self._tie_seed)

    def _check(self, X: ArrayLike) -> NDArray[np.float32]:
        check_is_fitted(self)
        cases = dense_cases(checked_cases(self, X, reset=False), self)
        # Cases may be far beyond the training cases; which side of a question they are on stays.
        largest = np.finfo(np.float32).max
        return np.clip(cases, -largest, largest).astype(np.float32)

    def _checked(self, X: Any, **options: bool) -> Any:
        # Values that overflow single precision are refused as infinite; no warning is needed.
        with np.errstate(over="ignore"):
            return checked_cases(self, X, dtype=np.float32, **options)

    def _votes(self, X: NDArray[np.float32], *kinds: str) -> list[FloatArray]:
        return votes_of_cases(self._trees, X, self._setting, kinds, self.n_jobs)
