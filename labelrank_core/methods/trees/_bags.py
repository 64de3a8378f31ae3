"""Bags and forests of ranking trees: parameters, paths and points that they share."""

from functools import cached_property
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from labelrank_core._sklearn import Interval, StrOptions
from labelrank_core.aggregation import LOSSES, TIES
from labelrank_core.explain.evidence import Explanation
from labelrank_core.methods.base import check_count
from labelrank_core.methods.trees._ranking_trees import (
    RankingTrees,
    RankingTreesPath,
    RankingTreesPoint,
)
from labelrank_core.methods.trees._ranking_trees_explain import explain_trees
from labelrank_core.methods.trees._votes import RANK_TITLES, VOTING
from labelrank_core.rankings import FloatArray

# A tree votes with the places of its ranking, as in the papers, or the scores of its leaf.
_VOTE_ATTRIBUTES = {"rankings": "ranks", "scores": "scores"}


class BaggedRankingTrees(RankingTrees):
    """Many ranking trees, each grown on a bootstrap sample, that vote on the ranking."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "max_depth": [Interval(Integral, 1, None, closed="left"), None],
        "min_samples_split": [Interval(Integral, 2, None, closed="left"), None],
        "voting": [StrOptions(set(VOTING))],
        "ties": [StrOptions(set(TIES))],
        "random_state": ["random_state"],
    }

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
        self.n_estimators = n_estimators
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.voting = voting
        self.ties = ties
        self.random_state = random_state

    def predict_confidence(self, X: ArrayLike) -> FloatArray:
        """Return the agreement of the trees with each prediction.

        1 - mean squared rank difference between the prediction and each tree's ranking / largest
        one; labels that tie in a tree share the mean of their places. With one tree there is no
        agreement to measure. With ``ties="predict"`` 1 - mean Kemeny distance to the rankings in
        the leaves / largest one.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases,)
            Between 0 and 1.
        """
        return self.point(X).confidence

    def predict_pair_support(self, X: ArrayLike) -> FloatArray:
        """Return the share of the trees that prefer each label to each other.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases, n_labels, n_labels)
            ``[c, i, j]``: the share of the trees in whose leaf label i scores higher than j; equal
            scores count one half, 0.5 on the diagonal.
        """
        return self.point(X).pair_support()

    def path(self, X: ArrayLike) -> "BaggedTreesPath":
        """Send cases down the trees once, then predict with fewer or shallower trees.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        BaggedTreesPath
            ``path.at(n_estimators=..., max_depth=..., voting=...)`` equals a fresh fit with these
            and the same seed.
        """
        return BaggedTreesPath(self, self._check_cases(X), self._learned)


class BaggedTreesPath(RankingTreesPath):
    """Some cases sent down all trees."""

    def at(
        self,
        *,
        n_estimators: int | None = None,
        max_depth: int | None = None,
        voting: str | None = None,
    ) -> "BaggedTreesPoint":
        """Predict with the first n trees, truncated at a depth; None: the model's own."""
        grown = len(self.trees)
        n_trees = grown if n_estimators is None else n_estimators
        check_count("n_estimators", n_trees, grown, "the trees grown")
        voting = self.model.voting if voting is None else voting
        if voting not in VOTING:
            raise ValueError(f"Expected voting in {sorted(VOTING)}, got {voting!r}.")
        return BaggedTreesPoint(self, n_trees, self.check_depth(max_depth), voting)


class BaggedTreesPoint(RankingTreesPoint):
    """Predictions of some cases at one setting."""

    def __init__(
        self, path: BaggedTreesPath, n_trees: int, max_depth: int | None, voting: str
    ) -> None:
        super().__init__(path, n_trees, max_depth)
        self.vote, self.voting = voting, _VOTE_ATTRIBUTES[voting]
        self.rank_title = RANK_TITLES[voting]
        if path.has_weights:
            self.rank_title = f"weighted {self.rank_title}"

    @cached_property
    def _mean_ranks(self) -> FloatArray:
        return np.asarray(self.summed("ranks") / self.weights.sum())

    @cached_property
    def scores(self) -> FloatArray:
        """The mean number of labels beaten over the trees: higher = better."""
        if self.vote == "rankings":
            return self.path.model.n_labels_ - np.round(self._mean_ranks, 9)
        # Sums in another order may differ in their last bits.
        return np.round(self.summed("scores") / self.weights.sum(), 9)

    def keys_of(self, sums: Any) -> Any:
        """Return keys that order the labels, lowest first, from summed, weighted votes."""
        means = np.round(sums / self.weights.sum(), 9)
        return means if self.vote == "rankings" else -means

    @cached_property
    def confidence(self) -> FloatArray:
        """Agreement of the trees with the prediction, shape (n_cases,)."""
        if self.predicts_ties:
            return self.agreement_with_ties
        positions, m = self.prediction, self.path.model.n_labels_
        loss = m * (m + 1) * (2 * m + 1) / 6 + self.summed("rank_squares") / self.weights.sum()
        loss -= 2 * (positions * self._mean_ranks).sum(axis=1)
        return np.clip(1 - loss / LOSSES["squared"].largest(m), 0.0, 1.0)

    def pair_support(self, cases: slice = slice(None)) -> FloatArray:
        """Return the share of the trees that prefer each label to each other, (n_cases, m, m)."""
        m = self.path.model.n_labels_
        shares = np.zeros((len(self.ends[0][cases]), m, m))
        for table, ends, weight in self.weighted_trees:
            scores = table.scores[ends[cases]]
            shares += weight * np.sign(scores[:, :, None] - scores[:, None, :])
        return (shares / self.weights.sum() + 1) / 2

    def explain(self, case: int) -> Explanation:
        """Explain the prediction of one of the path's cases."""
        return explain_trees(self, case)
