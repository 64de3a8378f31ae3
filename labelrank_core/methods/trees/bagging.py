"""Ranking trees on bootstrap samples: LRT in bags, with one threshold a feature, and forests."""

import warnings
from typing import Any, ClassVar, Self

from numpy.typing import ArrayLike

from labelrank_core._sklearn import StrOptions, fit_context
from labelrank_core.methods.trees._bags import BaggedRankingTrees
from labelrank_core.methods.trees._criteria import CRITERIA

_OF_COMPLETE_RANKINGS = ("correlation", "entropy")


class BaggedTreesLabelRanker(BaggedRankingTrees):
    """Merge the rankings of trees on bootstrap samples [aledo2017]_, [desa2017]_.

    With the defaults the trees are those of LRT (LRT+bag); the others of the papers are

    - W-LRT+bag: ``thresholds="middle"``, F-LRT+bag: ``thresholds="median"`` [aledo2017]_;
    - LRF-RT: ``criterion="correlation"``, LRF-ERT: ``criterion="entropy"``, both with
      ``max_features="sqrt", min_samples_split=2`` [desa2017]_.

    Parameters
    ----------
    n_estimators : int, default=50
        Number of trees.
    criterion : {"mallows", "kemeny", "correlation", "entropy"}, default="mallows"
        By what a node is split: the first three as in `RankingTreeLabelRanker`; ``"entropy"``:
        where the entropy of the rankings on both sides, weighted by their dissimilarity, is least.
    thresholds : {"all", "middle", "median"}, default="all"
        Which thresholds of a feature a node tries: all; the middle between its smallest and its
        largest value there; or the median of its values. If more than half of the cases have the
        largest value, all of those go to the right. One threshold is quicker, and the trees differ
        more.
    max_features : {"sqrt"} or None, default=None
        The features that a node tries: the square root of their number, drawn anew; None: all.
    max_depth : int or None, default=None
        The largest depth of the trees; None: not limited.
    min_samples_split : int or None, default=None
        A node with fewer training cases (repeated draws counted) is a leaf; None: twice the
        number of labels.
    voting : {"rankings", "scores"}, default="rankings"
        How a tree votes: ``"rankings"`` with its leaf's centre, whose places are averaged over the
        trees, as in the paper (tied labels share the mean of their places); ``"scores"`` with the
        mean ranks in its leaf.
    ties : {"break", "predict"}, default="break"
        ``"predict"``: labels may share a position. The prediction is then the bucket order with
        the least mean Kemeny distance to the training rankings in the case's leaves, and so with
        the largest mean tau_x there: exactly for up to 8 labels, beyond by local search. With
        ``"mallows"`` splits are then those with the greatest theta of half of Kemeny's distance to
        the best outcome of each pair: either order, or a tie. The confidence is 1 - mean distance /
        largest one.
    random_state : int, RandomState instance or None, default=0
        Seed. The same number gives the same trees.

    Attributes
    ----------
    n_labels_ : int
        Number of labels.
    n_features_in_ : int
        Number of features.

    Notes
    -----
    Ties, incomplete rankings and the spread theta of few rankings are treated as in
    `RankingTreeLabelRanker`; ``"correlation"`` and ``"entropy"`` need complete rankings, and split
    a node as long as that increases the criterion. Our own choice: LRF draws the square root of the
    number of features, and splits nodes of two cases; the paper's stopping rule by description
    length is left out.

    References
    ----------
    .. [aledo2017] J. Aledo, J. Gámez, D. Molina: Tackling the supervised label ranking problem by
       bagging weak learners. Information Fusion 35, 2017.
    .. [desa2017] C. de Sá, C. Soares, A. Knobbe, P. Cortez: Label ranking forests. Expert
       Systems 34(1), 2017.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0]] * 4
    >>> Y = [[1, 2, 3], [1, 2, 3], [3, 2, 1], [3, 2, 1]] * 4
    >>> BaggedTreesLabelRanker(n_estimators=20).fit(X, Y).predict([[0.4], [2.9]])
    array([[1, 2, 3],
           [3, 2, 1]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaggedRankingTrees._parameter_constraints,
        "criterion": [StrOptions(set(CRITERIA))],
        "thresholds": [StrOptions({"all", "middle", "median"})],
        "max_features": [StrOptions({"sqrt"}), None],
    }

    def __init__(
        self,
        n_estimators: int = 50,
        *,
        criterion: str = "mallows",
        thresholds: str = "all",
        max_features: str | None = None,
        max_depth: int | None = None,
        min_samples_split: int | None = None,
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
        self.criterion = criterion
        self.thresholds = thresholds
        self.max_features = max_features

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, Y: ArrayLike) -> Self:
        """Grow the trees.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training cases. Sparse ones are made dense, which must not take more than 512 MB.
        Y : array-like of shape (n_samples, n_labels)
            Their positions; labels may tie; NaN = not ranked, which ``"correlation"`` and
            ``"entropy"`` do not allow.

        Returns
        -------
        self
            Fitted.

        Raises
        ------
        ValueError
            If a parameter or an array is not as described.
        """
        return self._fit_trees(
            X,
            Y,
            criterion=self.criterion,
            thresholds=self.thresholds,
            max_features=self.max_features,
            n_trees=self.n_estimators,
            min_samples_split=self.min_samples_split,
            allow_partial=self.criterion not in _OF_COMPLETE_RANKINGS,
            random_state=self.random_state,
        )


class _FormerName(BaggedTreesLabelRanker):
    """A class that is a setting of `BaggedTreesLabelRanker` now; gone with version 0.4."""

    _setting: ClassVar[dict[str, str]] = {}

    def __init__(
        self,
        n_estimators: int = 50,
        *,
        max_depth: int | None = None,
        min_samples_split: int | None = None,
        voting: str = "rankings",
        ties: str = "break",
        random_state: Any = 0,
    ) -> None:
        arguments = ", ".join(f"{name}={value!r}" for name, value in self._setting.items())
        warnings.warn(
            f"{type(self).__name__} is BaggedTreesLabelRanker({arguments}) now. The old name goes "
            "with version 0.4.",
            FutureWarning,
            stacklevel=2,
        )
        super().__init__(
            n_estimators,
            **self._setting,
            max_depth=max_depth,
            min_samples_split=min_samples_split,
            voting=voting,
            ties=ties,
            random_state=random_state,
        )


class WidthBaggedTreesLabelRanker(_FormerName):
    """The former name of ``BaggedTreesLabelRanker(thresholds="middle")``."""

    _setting: ClassVar[dict[str, str]] = {"thresholds": "middle"}


class FrequencyBaggedTreesLabelRanker(_FormerName):
    """The former name of ``BaggedTreesLabelRanker(thresholds="median")``."""

    _setting: ClassVar[dict[str, str]] = {"thresholds": "median"}


class _FormerForest(_FormerName):
    def __init__(
        self,
        n_estimators: int = 50,
        *,
        max_depth: int | None = None,
        min_samples_split: int | None = 2,
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


class RankingTreeForest(_FormerForest):
    """The former name of ``BaggedTreesLabelRanker(criterion="correlation", ...)``, LRF-RT."""

    _setting: ClassVar[dict[str, str]] = {"criterion": "correlation", "max_features": "sqrt"}


class EntropyRankingTreeForest(_FormerForest):
    """The former name of ``BaggedTreesLabelRanker(criterion="entropy", ...)``, LRF-ERT."""

    _setting: ClassVar[dict[str, str]] = {"criterion": "entropy", "max_features": "sqrt"}
