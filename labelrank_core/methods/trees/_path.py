"""Label rankings of some cases at every number of trees and every depth of the same trees."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelrank_core.aggregation import LOSSES
from labelrank_core.aggregation.bucket_orders import PairVotes
from labelrank_core.explain.evidence import Explanation
from labelrank_core.methods.base import RankingPoint, check_count
from labelrank_core.methods.random_ties import RandomTies
from labelrank_core.methods.trees._breakpoints import tree_breakpoints
from labelrank_core.methods.trees._explain import explain_case
from labelrank_core.methods.trees._grown import GrownTrees
from labelrank_core.methods.trees._votes import (
    VOTING,
    Setting,
    pair_shares_of_trees,
    pair_votes_of_leaves,
    tree_ends,
    tree_votes,
    vote_unit,
    votes_of_cases,
)
from labelrank_core.rankings import FloatArray, IntArray

# Votes of every tree at every depth are kept for up to this many numbers (32 MB).
_TABLE_CELLS = 1 << 22


@dataclass(frozen=True)
class LearnedForest:
    """The trees of a fitted forest, with what they were grown from.

    Attributes
    ----------
    trees : GrownTrees
        The trees, with the rankings in their leaves.
    setting : Setting
        The parameters that the trees were grown with.
    rankings : ndarray of shape (n_samples, n_labels)
        The training rankings.
    rows : ndarray of shape (n_samples,)
        Their rows in the data that were given.
    tie_seed : int or None
        The seed that breaks ties; None: the label index does.
    """

    trees: GrownTrees
    setting: Setting
    rankings: FloatArray
    rows: IntArray
    tie_seed: int | None

    def last_keys(self, X: NDArray[np.float32]) -> tuple[IntArray, ...]:
        """Return the keys that order labels with equal votes; none: the label index does."""
        if self.tie_seed is None:
            return ()
        return (RandomTies.draw(self.tie_seed, X, self.trees.n_labels).label_keys,)


class ForestPath:
    """Some cases sent down all trees once."""

    # For a few cases the votes of every node they pass are kept, summed over the trees, so that
    # another number of trees or depth is a look-up. For many cases, or without `several_settings`,
    # they are sent down the trees again.
    def __init__(
        self,
        model: Any,
        X: NDArray[np.float32],
        learned: LearnedForest,
        *,
        several_settings: bool = True,
    ) -> None:
        self.several_settings = several_settings
        self.model = model
        self.X = X
        self.learned = learned
        self.trees = learned.trees
        self._tables: dict[str, IntArray] = {}
        self._reaches: dict[int, NDArray[np.int16]] = {}

    def at(
        self,
        *,
        n_estimators: int | None = None,
        max_depth: int | None = None,
        min_entropy: float | None = None,
        voting: str | None = None,
    ) -> "ForestPoint":
        """Predict with the first n trees, truncated by depth or entropy; None: the model's.

        Fewer trees equal a fresh fit with the same seed. A fresh fit with a smaller depth draws
        other features, so truncated trees differ from it. ValueError if a value is out of range or
        beyond what the model has grown.
        """
        params: dict[str, Any] = {
            "n_estimators": n_estimators,
            "max_depth": max_depth,
            "min_entropy": min_entropy,
            "voting": voting,
        }
        fitted = self.learned.setting
        setting = replace(fitted, **{name: v for name, v in params.items() if v is not None})
        check_count("n_estimators", setting.n_estimators, fitted.n_estimators, "the trees grown")
        if setting.max_depth is not None:
            check_count("max_depth", setting.max_depth, fitted.max_depth, "the depth grown to")
        # Also refuses NaN.
        if not setting.min_entropy >= 0:
            raise ValueError(f"Expected min_entropy of at least 0, got {setting.min_entropy!r}.")
        if setting.voting not in VOTING:
            raise ValueError(f"Expected voting in {sorted(VOTING)}, got {setting.voting!r}.")
        return ForestPoint(self, setting)

    @cached_property
    def last_keys(self) -> tuple[IntArray, ...]:
        """The keys that order labels with equal votes; none: the label index does."""
        return self.learned.last_keys(self.X)

    @cached_property
    def is_small(self) -> bool:
        """Whether the votes of every node that cases pass are kept."""
        deepest = max(self.trees.tree(t).max_depth for t in range(len(self.trees)))
        cells = len(self.trees) * (deepest + 1) * self.trees.n_labels
        return self.several_settings and len(self.X) * cells <= _TABLE_CELLS

    @cached_property
    def chains(self) -> IntArray:
        """The nodes each case passes, shape (n_trees, n_cases, depth + 1)."""
        return self.trees.chains(self.X)

    @cached_property
    def entropies(self) -> FloatArray:
        """The entropies of these nodes."""
        return np.stack([self.trees.entropies(t)[nodes] for t, nodes in enumerate(self.chains)])

    def running_votes(self, kind: str) -> IntArray:
        """Return these nodes' votes summed over the first 1, 2, ... trees, with a label axis."""
        if kind not in self._tables:
            votes = [tree_votes(self.trees, t, nodes, kind) for t, nodes in enumerate(self.chains)]
            self._tables[kind] = np.cumsum(np.stack(votes), axis=0, dtype=np.int64)
        return self._tables[kind]

    def reach(self, case: int) -> NDArray[np.int16]:
        """Return `GrownTrees.reach` of a case for every tree, shape (n_trees, n_samples)."""
        if case not in self._reaches:
            x = self.X[case]
            trees = self.trees
            self._reaches = {case: np.stack([trees.reach(t, x) for t in range(len(trees))])}
        return self._reaches[case]

    @cached_property
    def in_bag_counts(self) -> NDArray[np.int16]:
        """The number of times each training row was drawn for every tree, (n_trees, n_samples)."""
        counts = [self.trees.in_bag(t).astype(np.int16) for t in range(len(self.trees))]
        return np.stack(counts)

    def stops(self, setting: Setting) -> IntArray:
        """Return the depth at which each case ends, shape (n_trees, n_cases)."""
        last = self.chains.shape[2] - 1
        depth = last if setting.max_depth is None else min(last, setting.max_depth)
        ending = self.chains[: setting.n_estimators] == self.chains[: setting.n_estimators, :, -1:]
        ending[:, :, depth:] = True
        if setting.min_entropy > 0:
            ending |= self.entropies[: setting.n_estimators] < setting.min_entropy
        return np.argmax(ending, axis=2)

    def votes(self, setting: Setting, kind: str) -> NDArray[Any]:
        """Sum the votes of one kind over the trees, shape (n_cases, n_labels)."""
        if not self.is_small:
            return votes_of_cases(self.trees, self.X, setting, (kind,), self.model.n_jobs)[0]
        running = self.running_votes(kind)
        if setting.min_entropy <= 0:
            last = running.shape[2] - 1
            depth = last if setting.max_depth is None else min(last, setting.max_depth)
            return running[setting.n_estimators - 1, :, depth]
        tree_votes = np.diff(running[: setting.n_estimators], axis=0, prepend=0)
        stops = self.stops(setting)[:, :, None, None]
        return np.take_along_axis(tree_votes, stops, axis=2)[:, :, 0].sum(axis=0)


class ForestPoint(RankingPoint):
    """Label rankings of some cases at one setting, computed when first needed."""

    def __init__(self, path: ForestPath, setting: Setting) -> None:
        self.path: ForestPath = path
        self.setting = setting

    @cached_property
    def _votes(self) -> NDArray[Any]:
        return self.path.votes(self.setting, self.setting.voting)

    @property
    def order_keys(self) -> tuple[NDArray[Any], ...]:
        """The keys that order the labels: the summed votes, then the random orders, if any."""
        return (self._votes, *self.path.last_keys)

    def pair_votes(self, cases: slice) -> PairVotes:
        """Return the votes of the training rankings in the leaves on every pair of labels."""
        rankings, X = self.path.learned.rankings, self.path.X[cases]
        return pair_votes_of_leaves(self.path.trees, rankings, X, self._ends)

    @cached_property
    def ranks(self) -> FloatArray:
        """The mean rank of each label over the trees, shape (n_cases, n_labels)."""
        return self._votes / (vote_unit(self.setting.voting) * self.setting.n_estimators)

    @property
    def scores(self) -> FloatArray:
        """The mean number of labels beaten, n_labels - mean rank: higher = better."""
        return self.path.trees.n_labels - self.ranks

    @cached_property
    def confidence(self) -> FloatArray:
        """Agreement of the trees with the prediction, shape (n_cases,)."""
        if self.predicts_ties:
            return self.agreement_with_ties
        if self.setting.voting == "rankings":
            sums = self._votes
        else:
            sums = self.path.votes(self.setting, "rankings")
        return agreement(self.prediction, sums, self.setting.n_estimators)

    @cached_property
    def _ends(self) -> list[IntArray | None]:
        return tree_ends(self.path.trees, self.setting)

    def pair_support(self, cases: slice = slice(None)) -> FloatArray:
        """Return the share of the trees that prefer each label to each other, (n_cases, m, m)."""
        return pair_shares_of_trees(self.path.trees, self.path.X[cases], self._ends)

    def breakpoints(
        self, x: FloatArray, feature: int, ends: tuple[float, float]
    ) -> FloatArray | None:
        """List the thresholds of a feature that the case can meet in the trees."""
        if self.path.learned.tie_seed is not None:
            # Between them ties are drawn anew for every value.
            return None
        met = tree_breakpoints(
            self.path.trees,
            self.setting.n_estimators,
            x.astype(np.float32),
            feature,
            self.setting.max_depth,
        )
        return met[(met > ends[0]) & (met < ends[1])]

    def explain(self, case: int) -> Explanation:
        """Explain the prediction of one of the path's cases."""
        if len(self.path.X) > 1 and not self.path.is_small:
            x = self.path.X[case : case + 1]
            path = self.path
            alone = ForestPath(path.model, x, path.learned, several_settings=False)
            return ForestPoint(alone, self.setting).explain(0)
        return explain_case(self, case)


def agreement(positions: IntArray, sums: NDArray[Any], n_estimators: int) -> FloatArray:
    """Return 1 - mean squared loss between predictions and the trees' rankings / largest loss."""
    # Both are permutations, so only the mixed term of the squared differences varies, and the sums
    # of the trees' positions are enough.
    m = positions.shape[1]
    squares = m * (m + 1) * (2 * m + 1) / 6
    loss = 2 * squares - 2 * (positions * sums).sum(axis=1) / n_estimators
    return np.clip(1 - loss / LOSSES["squared"].largest(m), 0.0, 1.0)
