"""LRF-RT and LRF-ERT: forests of ranking trees."""

from typing import Any, ClassVar

from labelrank_core.methods.trees._bags import BaggedRankingTrees
from labelrank_core.methods.trees._criteria import RankCorrelation, RankingEntropy


class _RankingForest(BaggedRankingTrees):
    """Bagged ranking trees that draw features at each node and grow deep."""

    _partial: ClassVar[bool] = False
    _all_features: ClassVar[bool] = False

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


class RankingTreeForest(_RankingForest):
    """Merge the rankings of random trees grown by rank correlation (LRF-RT) [desa2017]_.

    A node is split where the mean rank correlation (Spearman) of the rankings with the mean ranking
    of their side is greatest.

    Parameters
    ----------
    n_estimators : int, default=50
        Number of trees.
    max_depth : int or None, default=None
        The largest depth of the trees; None: not limited.
    min_samples_split : int or None, default=2
        A node with fewer training cases (repeated draws counted) is a leaf; None: twice the
        number of labels.
    voting : {"rankings", "scores"}, default="rankings"
        How a tree votes: ``"rankings"`` with its leaf's centre, whose places are averaged over the
        trees, as in the paper (tied labels share the mean of their places); ``"scores"`` with the
        mean ranks in its leaf.
    ties : {"break", "predict"}, default="break"
        ``"predict"``: labels may share a position. The prediction is then the bucket order with
        the least mean Kemeny distance to the training rankings in the case's leaves, and so with
        the largest mean tau_x there: exactly for up to 8 labels, beyond by local search. The trees
        are the same; the confidence is 1 - mean distance / largest one.
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
    Complete rankings only; labels may tie. A node splits as long as that increases its criterion.
    Our own choice: the square root of the number of features is drawn at every node, and a node of
    two cases may be split.

    References
    ----------
    .. [desa2017] C. de Sá, C. Soares, A. Knobbe, P. Cortez: Label ranking forests. Expert
       Systems 34(1), 2017.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0]] * 4
    >>> Y = [[1, 2, 3], [1, 2, 3], [3, 2, 1], [3, 2, 1]] * 4
    >>> RankingTreeForest(n_estimators=20).fit(X, Y).predict([[0.4], [2.9]])
    array([[1, 2, 3],
           [3, 2, 1]])
    """

    _criterion: ClassVar[Any] = RankCorrelation
    _criterion_with_ties: ClassVar[Any] = RankCorrelation


class EntropyRankingTreeForest(_RankingForest):
    """Merge the rankings of random trees grown by entropy (LRF-ERT) [desa2017]_.

    A node is split where the entropy of the rankings on both sides, weighted by their
    dissimilarity, is least.

    Parameters
    ----------
    n_estimators : int, default=50
        Number of trees.
    max_depth : int or None, default=None
        The largest depth of the trees; None: not limited.
    min_samples_split : int or None, default=2
        A node with fewer training cases (repeated draws counted) is a leaf; None: twice the
        number of labels.
    voting : {"rankings", "scores"}, default="rankings"
        How a tree votes: ``"rankings"`` with its leaf's centre, whose places are averaged over the
        trees, as in the paper (tied labels share the mean of their places); ``"scores"`` with the
        mean ranks in its leaf.
    ties : {"break", "predict"}, default="break"
        ``"predict"``: labels may share a position. The prediction is then the bucket order with
        the least mean Kemeny distance to the training rankings in the case's leaves, and so with
        the largest mean tau_x there: exactly for up to 8 labels, beyond by local search. The trees
        are the same; the confidence is 1 - mean distance / largest one.
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
    Complete rankings only; labels may tie. A node splits as long as that increases its criterion.
    Our own choice: the square root of the number of features is drawn at every node, and a node of
    two cases may be split. The paper's stopping rule by description length is left out.

    References
    ----------
    .. [desa2017] C. de Sá, C. Soares, A. Knobbe, P. Cortez: Label ranking forests. Expert
       Systems 34(1), 2017.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0]] * 4
    >>> Y = [[1, 2, 3], [1, 2, 3], [3, 2, 1], [3, 2, 1]] * 4
    >>> EntropyRankingTreeForest(n_estimators=20).fit(X, Y).predict([[0.4], [2.9]])
    array([[1, 2, 3],
           [3, 2, 1]])
    """

    _criterion: ClassVar[Any] = RankingEntropy
    _criterion_with_ties: ClassVar[Any] = RankingEntropy
