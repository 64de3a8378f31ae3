"""LRT, W-LRT and F-LRT in bags: ranking trees on bootstrap samples."""

from typing import ClassVar

from labelrank_core.methods.trees._bags import BaggedRankingTrees


class BaggedTreesLabelRanker(BaggedRankingTrees):
    """Merge the rankings of trees grown like LRT on bootstrap samples (LRT+bag) [aledo2017]_.

    All features and thresholds are tried at every node.

    Parameters
    ----------
    n_estimators : int, default=50
        Number of trees.
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
        the largest mean tau_x there: exactly for up to 8 labels, beyond by local search. Splits
        are then those with the greatest theta of half of Kemeny's distance to the best outcome of
        each pair: either order, or a tie. The confidence is 1 - mean distance / largest one.
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
    Incomplete rankings, ties and the spread theta of few rankings are treated as in
    `RankingTreeLabelRanker`.

    References
    ----------
    .. [aledo2017] J. Aledo, J. Gámez, D. Molina: Tackling the supervised label ranking problem by
       bagging weak learners. Information Fusion 35, 2017.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0]] * 4
    >>> Y = [[1, 2, 3], [1, 2, 3], [3, 2, 1], [3, 2, 1]] * 4
    >>> BaggedTreesLabelRanker(n_estimators=20).fit(X, Y).predict([[0.4], [2.9]])
    array([[1, 2, 3],
           [3, 2, 1]])
    """


class WidthBaggedTreesLabelRanker(BaggedRankingTrees):
    """Merge the rankings of trees that halve the range of a feature (W-LRT+bag) [aledo2017]_.

    A node tries one threshold per feature, the middle between its smallest and largest value there,
    which is quick and makes the trees differ more.

    Parameters
    ----------
    n_estimators : int, default=50
        Number of trees.
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
        the largest mean tau_x there: exactly for up to 8 labels, beyond by local search. Splits
        are then those with the greatest theta of half of Kemeny's distance to the best outcome of
        each pair: either order, or a tie. The confidence is 1 - mean distance / largest one.
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
    Incomplete rankings, ties and the spread theta of few rankings are treated as in
    `RankingTreeLabelRanker`.

    References
    ----------
    .. [aledo2017] J. Aledo, J. Gámez, D. Molina: Tackling the supervised label ranking problem by
       bagging weak learners. Information Fusion 35, 2017.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0]] * 4
    >>> Y = [[1, 2, 3], [1, 2, 3], [3, 2, 1], [3, 2, 1]] * 4
    >>> WidthBaggedTreesLabelRanker(n_estimators=20).fit(X, Y).predict([[0.4], [2.9]])
    array([[1, 2, 3],
           [3, 2, 1]])
    """

    _candidates: ClassVar[str] = "width"


class FrequencyBaggedTreesLabelRanker(BaggedRankingTrees):
    """Merge the rankings of trees that split a feature at its median (F-LRT+bag) [aledo2017]_.

    A node tries one threshold per feature, the median of its values there. If more than half of the
    cases have the largest value, all of those go to the right.

    Parameters
    ----------
    n_estimators : int, default=50
        Number of trees.
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
        the largest mean tau_x there: exactly for up to 8 labels, beyond by local search. Splits
        are then those with the greatest theta of half of Kemeny's distance to the best outcome of
        each pair: either order, or a tie. The confidence is 1 - mean distance / largest one.
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
    Incomplete rankings, ties and the spread theta of few rankings are treated as in
    `RankingTreeLabelRanker`.

    References
    ----------
    .. [aledo2017] J. Aledo, J. Gámez, D. Molina: Tackling the supervised label ranking problem by
       bagging weak learners. Information Fusion 35, 2017.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0]] * 4
    >>> Y = [[1, 2, 3], [1, 2, 3], [3, 2, 1], [3, 2, 1]] * 4
    >>> FrequencyBaggedTreesLabelRanker(n_estimators=20).fit(X, Y).predict([[0.4], [2.9]])
    array([[1, 2, 3],
           [3, 2, 1]])
    """

    _candidates: ClassVar[str] = "frequency"
