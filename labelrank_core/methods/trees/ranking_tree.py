"""LRT: one decision tree of rankings, split by Mallows models, distances or correlations."""

from functools import cached_property
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from labelrank_core._sklearn import Interval, StrOptions, fit_context
from labelrank_core.aggregation import TIES
from labelrank_core.explain.evidence import Explanation
from labelrank_core.methods.trees._criteria import CRITERIA
from labelrank_core.methods.trees._ranking_trees import (
    RankingTrees,
    RankingTreesPath,
    RankingTreesPoint,
)
from labelrank_core.methods.trees._ranking_trees_explain import explain_tree
from labelrank_core.rankings import FloatArray


class RankingTreeLabelRanker(RankingTrees):
    """Predict the Mallows centre of the training rankings in a tree's leaf (LRT) [cheng2009]_.

    A node is split where a criterion of the rankings on both sides, weighted by size, is best. All
    features and thresholds are tried.

    Parameters
    ----------
    max_depth : int or None, default=None
        The largest depth of the tree; None: not limited.
    criterion : {"mallows", "kemeny", "correlation"}, default="mallows"
        ``"mallows"``: the spread theta of the side's Mallows model, greatest [cheng2009]_.
        ``"kemeny"``: the mean Kemeny distance between two rankings of the side, least
        [heiser2013]_, [dambrosio2016]_. ``"correlation"``: the mean rank correlation (Spearman) of
        the rankings with the side's mean ranking, greatest, as in ranking trees [desa2015]_.
    min_samples_split : int or None, default=None
        A node with fewer training cases is a leaf; None: twice the number of labels (the paper).
    ties : {"break", "predict"}, default="break"
        ``"predict"``: labels may share a position. The prediction is then the bucket order with
        the least mean Kemeny distance to the training rankings in the case's leaf, and so with
        the largest mean tau_x there: exactly for up to 8 labels, beyond by local search. With
        ``"mallows"`` splits are then those with the greatest theta of half of Kemeny's distance to
        the best outcome of each pair: either order, or a tie. The confidence is 1 - mean distance /
        largest one.

    Attributes
    ----------
    n_labels_ : int
        Number of labels.
    n_features_in_ : int
        Number of features.

    Notes
    -----
    A node is also a leaf if no two of its rankings contradict each other (``"correlation"``: if all
    are the same), and with ``"kemeny"`` and ``"correlation"`` if no split improves them. The leaf's
    centre orders labels by their summed win shares, which is the order by mean rank (Borda, as in
    [cheng2009]_) for complete rankings. Incomplete rankings count on the pairs that they order;
    each pair of a node is smoothed by one pseudo-vote, the share in the parent node. Differs from
    [cheng2009]_, which scores missing labels by generalised Borda and so pulls them to the middle.
    Predictions break ties by label index; between equal splits the lower feature and threshold come
    first.

    ``"mallows"``: the mean distance that gives theta includes a pseudo-ranking that reverses half
    of the pairs: without it theta is infinite for a single ranking, and every split would separate
    one. In this distance a pair that ties in the centre counts as reversed by one half of its
    votes, so that splits do not depend on the order of the labels.

    ``"kemeny"``: the source sums the distances within a node. Our own choice: their mean over all
    ordered pairs of rankings, each with itself included, as in Gini's index; a pair of labels
    counts by the share of the rankings that rank both. The median ranking of [dambrosio2016]_ is
    the prediction with ``ties="predict"``; its pruning is left out.

    ``"correlation"``: our own choice for incomplete rankings is the mean rank over all completions,
    the middle for a missing label, and i(m + 1) / (r + 1) for the i-th of r.

    References
    ----------
    .. [cheng2009] W. Cheng, J. Hühn, E. Hüllermeier: Decision tree and instance-based learning for
       label ranking. ICML 2009.
    .. [heiser2013] W. Heiser, A. D'Ambrosio: Clustering and prediction of rankings within a Kemeny
       distance framework. Algorithms from and for Nature and Life, 2013.
    .. [dambrosio2016] A. D'Ambrosio, W. Heiser: A recursive partitioning method for the prediction
       of preference rankings based upon Kemeny distances. Psychometrika 81(3), 2016.
    .. [desa2015] C. de Sá, C. Rebelo, C. Soares, A. Knobbe: Distance-based decision tree algorithms
       for label ranking. EPIA 2015.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> Y = [[1, 2, 3], [1, 2, 3], [3, 2, 1], [3, 2, 1]]
    >>> RankingTreeLabelRanker(min_samples_split=2).fit(X, Y).predict([[0.4], [2.9]])
    array([[1, 2, 3],
           [3, 2, 1]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "max_depth": [Interval(Integral, 1, None, closed="left"), None],
        "criterion": [StrOptions(set(CRITERIA) - {"entropy"})],
        "min_samples_split": [Interval(Integral, 2, None, closed="left"), None],
        "ties": [StrOptions(set(TIES))],
    }

    def __init__(
        self,
        max_depth: int | None = None,
        *,
        criterion: str = "mallows",
        min_samples_split: int | None = None,
        ties: str = "break",
    ) -> None:
        self.max_depth = max_depth
        self.criterion = criterion
        self.min_samples_split = min_samples_split
        self.ties = ties

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, Y: ArrayLike) -> Self:
        """Grow the tree.

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
        return self._fit_trees(
            X,
            Y,
            criterion=self.criterion,
            bootstrap=False,
            min_samples_split=self.min_samples_split,
        )

    def predict_confidence(self, X: ArrayLike) -> FloatArray:
        """Return the agreement of the rankings of each case's leaf with the prediction.

        1 - the share of their preferences that it reverses, with a pseudo-ranking that reverses
        half of the pairs. The paper has no confidence. With ``ties="predict"`` 1 - mean Kemeny
        distance to the leaf's rankings / largest one.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases,)
            Between 0.5 and 1.
        """
        return self.point(X).confidence

    def path(self, X: ArrayLike) -> "RankingTreePath":
        """Send cases down the tree once, then predict at any smaller depth.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        RankingTreePath
            ``path.at(max_depth=...)`` equals a fresh fit with that depth.
        """
        return RankingTreePath(self, self._check_cases(X), self._learned)


class RankingTreePath(RankingTreesPath):
    """Some cases sent down the tree."""

    def at(self, *, max_depth: int | None = None) -> "RankingTreePoint":
        """Predict with the tree truncated at a depth; None: as deep as it is grown."""
        return RankingTreePoint(self, 1, self.check_depth(max_depth))


class RankingTreePoint(RankingTreesPoint):
    """Predictions of some cases at one depth."""

    voting, rank_title = "scores", "mean rank"

    @property
    def scores(self) -> FloatArray:
        """The number of labels beaten, n_labels - mean rank: higher = better."""
        scores: FloatArray = self.path.trees[0].scores[self.ends[0]]
        return scores

    @staticmethod
    def keys_of(sums: FloatArray) -> FloatArray:
        """Return keys that order the labels, lowest first."""
        return -sums

    @cached_property
    def confidence(self) -> FloatArray:
        """Agreement of the leaf's rankings with its centre, shape (n_cases,)."""
        if self.predicts_ties:
            return self.agreement_with_ties
        sums = self.path.trees[0].sums[self.ends[0]]
        return np.maximum(1 - self.path.learned.pairs.disagreement(sums), 0.5)

    def explain(self, case: int) -> Explanation:
        """Explain the prediction of one of the path's cases."""
        return explain_tree(self, case)
