"""Evidence of trees and forests, besides similar cases."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd

from labelrank_core.data import Schema
from labelrank_core.data.schema import number_text
from labelrank_core.rankings import FloatArray, IntArray, format_ranking, strict_order


@dataclass(frozen=True)
class Question:
    """A split that a case passes on its path down a tree.

    Parameters
    ----------
    feature : int
        The feature of the split, from 0.
    threshold : float
        The threshold of the split, in the units of the features given to the method.
    is_above : bool
        Whether the case's value is larger.
    """

    feature: int
    threshold: float
    is_above: bool

    def words(self, schema: Schema, shift: float = 0.0, scale: float = 1.0) -> str:
        """Write the answer, such as "size > 2.5" or "colour is not red".

        A threshold t is shift + scale * t in the units of the data.
        """
        index = int(schema.column_of_feature[self.feature])
        column, category = schema.columns[index], self.feature - schema.starts[index]
        if column.kind == "numeric":
            threshold = number_text(shift + scale * self.threshold)
            return f"{column.name} {'>' if self.is_above else '≤'} {threshold}"
        if len(column.categories) == 2:
            return f"{column.name} is {column.categories[int(self.is_above)]}"
        return f"{column.name} is {'' if self.is_above else 'not '}{column.categories[category]}"


@dataclass(frozen=True, eq=False)
class TreeNode:
    """A node of a tree with its descendants, as far down as they are drawn.

    Parameters
    ----------
    size : int
        Number of training rankings in it; those drawn repeatedly count each time.
    ranking : ndarray of int, shape (n_labels,)
        Their strict consensus.
    is_passed : bool
        Whether the case passes it.
    question : Question or None
        What it asks, as those on the left answer; None in a leaf.
    children : tuple of TreeNode
        The left and the right child; none of a leaf, nor where more splits follow than are drawn.
    """

    size: int
    ranking: IntArray
    is_passed: bool
    question: Question | None = None
    children: tuple["TreeNode", ...] = ()


@dataclass(frozen=True, eq=False)
class TreeVotes:
    """The votes of the trees of a forest.

    Parameters
    ----------
    rankings : ndarray of shape (n_trees, n_labels)
        The strict consensus of the rankings in the leaf of each tree.
    sizes : ndarray of shape (n_trees,)
        Number of training rankings in the leaf; those drawn repeatedly count each time.
    depths : ndarray of shape (n_trees,)
        Number of splits on the path to the leaf.
    running : ndarray of int, shape (n_trees, n_labels)
        The consensus of the first tree, of the first two, ...; the last is the prediction.
    ways : tuple of tuple of Question
        The splits on the path to the leaf of each tree, the root first.
    leaves : tuple of ndarray of shape (n_rankings, n_labels)
        Generalised ranks of the distinct training rows in the leaf of each tree, at most 50.
    draws : tuple of ndarray of int, shape (n_rankings,)
        How often each of these rows was drawn for the tree: together its size, unless there are
        more than 50.
    roots : tuple of TreeNode
        The roots of the first trees; none where trees are not drawn.
    weights : ndarray of shape (n_trees,) or None
        The weights of the trees' votes; None: all count alike.
    first_draws : ndarray of int, shape (n_samples,) or None
        How often each training row was drawn for the first tree; None where trees are not drawn.
    """

    rankings: IntArray
    sizes: IntArray
    depths: IntArray
    running: IntArray
    ways: tuple[tuple[Question, ...], ...]
    leaves: tuple[FloatArray, ...]
    draws: tuple[IntArray, ...]
    roots: tuple[TreeNode, ...] = ()
    weights: FloatArray | None = None
    first_draws: IntArray | None = None

    def reversed_pair(self, tree: int) -> tuple[int, int, int] | None:
        """Return two neighbours of the predicted ranking that a tree ranks the other way round.

        Parameters
        ----------
        tree : int
            The tree.

        Returns
        -------
        tuple of int or None
            The label that is predicted ahead, the one behind it, and the number of trees that
            rank them as predicted. Of several pairs that with the fewest such trees; None: there
            is no such pair.
        """
        ranking = self.rankings[tree]
        reversed_pairs = [
            pair for pair in self._neighboring_pairs() if ranking[pair[0]] > ranking[pair[1]]
        ]
        return min(reversed_pairs, key=lambda pair: pair[2], default=None)

    def closest_pair(self) -> tuple[int, int, int] | None:
        """Return two neighbours of the predicted ranking on which the trees agree least.

        Returns
        -------
        tuple of int or None
            The label that is predicted ahead, the one behind it, and the number of trees that
            rank them as predicted. None: there is a single label.
        """
        return min(self._neighboring_pairs(), key=lambda pair: pair[2], default=None)

    def typical_tree(self) -> int:
        """Return the tree that ranks most pairs of labels as the forest does.

        Of several the one with the fewest questions, and of these the first.
        """
        places = self.rankings[:, strict_order(self.prediction)]
        n_reversed = np.zeros(len(places), dtype=np.int64)
        for label in range(places.shape[1]):
            n_reversed += (places[:, [label]] > places[:, label + 1 :]).sum(axis=1)
        return min(range(len(n_reversed)), key=lambda t: (n_reversed[t], len(self.ways[t]), t))

    def _neighboring_pairs(self) -> list[tuple[int, int, int]]:
        """Return neighbours of the prediction, with the number of trees that rank them so."""
        return [
            (first, second, int((self.rankings[:, first] < self.rankings[:, second]).sum()))
            for first, second in pairwise(strict_order(self.prediction))
        ]

    @property
    def prediction(self) -> IntArray:
        """The consensus of all trees, shape (n_labels,)."""
        return self.running[-1]

    @property
    def settled(self) -> int:
        """The number of trees from which on the consensus is the prediction."""
        unsettled = np.flatnonzero((self.running != self.prediction).any(axis=1))
        return int(unsettled[-1]) + 2 if len(unsettled) else 1

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate ranking, leaf size and depth of each tree, and its weight if it has one."""
        table = pd.DataFrame(
            {
                "tree": np.arange(1, len(self.rankings) + 1),
                "ranking": [format_ranking(row, label_names) for row in self.rankings],
                "rankings in the leaf": self.sizes,
                "depth": self.depths,
                "consensus so far": [format_ranking(row, label_names) for row in self.running],
            }
        )
        if self.weights is not None:
            table.insert(2, "weight of its vote", self.weights)
        return table


@dataclass(frozen=True, eq=False)
class VotingOrders:
    """The orders of the labels by different ways of voting with the same leaves.

    Parameters
    ----------
    keys, titles : tuple of str
        The ways of voting: each tree votes with its ranking ("rankings") or its mean ranks
        ("scores"), or every ranking in a leaf is a vote ("pooled").
    ranks : ndarray of shape (n_ways, n_labels)
        The mean ranks or places that result.
    positions : ndarray of int, shape (n_ways, n_labels)
        The order of the labels by these.
    way_in_use : int
        The way of voting in use, from 0.
    """

    keys: tuple[str, ...]
    titles: tuple[str, ...]
    ranks: FloatArray
    positions: IntArray
    way_in_use: int

    @property
    def others(self) -> list[int]:
        """The ways whose order is not the predicted one."""
        different = (self.positions != self.positions[self.way_in_use]).any(axis=1)
        return [int(i) for i in np.flatnonzero(different)]

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate the order and the mean ranks of each way of voting."""
        orders = [format_ranking(row, label_names) for row in self.positions]
        table = pd.DataFrame({"what counts": self.titles, "order": orders})
        is_in_use = [i == self.way_in_use for i in range(len(self.keys))]
        table["in use"] = is_in_use
        ranks = pd.DataFrame(self.ranks, columns=list(label_names))
        return pd.concat([table, ranks], axis=1)


@dataclass(frozen=True, eq=False)
class RankParts:
    """The contributions of the features to the mean ranks of the labels, over the trees' splits.

    On a case's path down a tree the vote changes from node to node; each change belongs to the
    feature of the split. Averaged over the trees, the vote at the roots and all changes add up to
    the ranks that decide.

    Parameters
    ----------
    baseline : ndarray of shape (n_labels,)
        The mean vote at the roots.
    changes : ndarray of shape (n_features, n_labels)
        The sum of the changes at splits on each feature; below 0 = the label moves up.
    n_questions : ndarray of int, shape (n_features,)
        The number of splits on each.
    """

    baseline: FloatArray
    changes: FloatArray
    n_questions: IntArray

    @property
    def ranks(self) -> FloatArray:
        """The sum of all parts, (n_labels,)."""
        return self.baseline + self.changes.sum(axis=0)

    def of_columns(self, groups: IntArray) -> "RankParts":
        """Add up the encoded features of each column."""
        n_columns = int(groups.max()) + 1
        changes = np.zeros((n_columns, len(self.baseline)))
        np.add.at(changes, groups, self.changes)
        n_questions = np.bincount(groups, weights=self.n_questions, minlength=n_columns)
        return RankParts(self.baseline, changes, n_questions.astype(np.int64))

    def largest_changes(self, n_largest: int) -> IntArray:
        """List the features with the largest absolute changes, summed over the labels."""
        order = np.argsort(-np.abs(self.changes).sum(axis=1), kind="stable")
        return order[self.n_questions[order] > 0][:n_largest]

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate the parts: the roots (feature -1), then the features, the largest first."""
        order = self.largest_changes(len(self.changes))
        table = pd.DataFrame({"feature": [-1, *order], "questions": [0, *self.n_questions[order]]})
        parts = np.vstack([self.baseline, self.changes[order]])
        return pd.concat([table, pd.DataFrame(parts, columns=list(label_names))], axis=1)
