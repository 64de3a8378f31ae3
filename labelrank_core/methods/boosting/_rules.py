"""Rules that vote on all labels, as boosting found them, and their votes on cases."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit

from labelrank_core.rankings import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Rules:
    """Rules in the order in which they were found; each asks whether a feature is above a value.

    A rule applies to the cases that end in its parent: 0 = all cases, 2 r + 1 and 2 r + 2 = those
    that rule r finds below and above its threshold.

    Parameters
    ----------
    features, parents : ndarray of int, shape (n_rules,)
        What each rule asks, and of which cases.
    thresholds : ndarray of shape (n_rules,)
        A value is above if it is larger.
    votes : ndarray of shape (1 + 2 * n_rules, n_labels)
        What is added to the scores of all cases, then of the cases of either side of each rule.
    """

    features: IntArray
    thresholds: FloatArray
    parents: IntArray
    votes: FloatArray

    def __len__(self) -> int:
        return len(self.features)

    def sides(self, X: Any) -> NDArray[np.int8]:
        """Return 1 where a case is above a rule's threshold, 0 below, -1 where it does not apply.

        The shape is (n_rules, n_cases).
        """
        used_features, column_of_rule = np.unique(self.features, return_inverse=True)
        values = X[:, used_features]
        values = np.asarray(values.toarray() if sparse.issparse(values) else values).T
        sides = (values[column_of_rule] > self.thresholds[:, None]).astype(np.int8)
        for rule in np.flatnonzero(self.parents):
            parent, parent_side = divmod(int(self.parents[rule]) - 1, 2)
            sides[rule, sides[parent] != parent_side] = -1
        return sides

    def scores(self, sides: NDArray[np.int8], n_rules: int) -> FloatArray:
        """Sum the votes of the first rules on cases, given their `sides`."""
        scores = np.tile(self.votes[0], (sides.shape[1], 1))
        for rule in range(n_rules):
            rule_sides, side_votes = sides[rule], self.votes[2 * rule + 1 : 2 * rule + 3]
            if self.parents[rule]:
                cases = np.flatnonzero(rule_sides >= 0)
                scores[cases] += side_votes[rule_sides[cases]]
            else:
                scores += side_votes[rule_sides]
        return scores

    def met(self, x: FloatArray, feature: int, n_rules: int) -> FloatArray:
        """List the thresholds of a feature that a case can meet at the first rules, ascending."""
        reached = np.ones(2 * n_rules + 1, dtype=bool)
        met: list[float] = []
        for rule in range(n_rules):
            if not reached[self.parents[rule]]:
                reached[2 * rule + 1 : 2 * rule + 3] = False
            elif self.features[rule] == feature:
                met.append(float(self.thresholds[rule]))
            else:
                is_above = x[self.features[rule]] > self.thresholds[rule]
                reached[2 * rule + 2 - int(is_above)] = False
        return np.unique(met)


def vote(weights: FloatArray, relevance: Any, least: float) -> FloatArray:
    """Return ½ ln((W₊ + ε) / (W₋ + ε)) of every label over some cases."""
    having = np.where(relevance, weights, 0.0).sum(axis=0)
    lacking = np.where(relevance, 0.0, weights).sum(axis=0)
    votes: FloatArray = 0.5 * np.log((having + least) / (lacking + least))
    return votes


def probabilities(scores: FloatArray) -> FloatArray:
    """Return the probability that a label is relevant, for each score."""
    return expit(2 * scores)
