"""Evidence of boosted rules: their votes on the labels."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from labelrank_core.explain.evidence._trees import Question
from labelrank_core.rankings import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class RuleVotes:
    """The rules that apply to a case, in the order of their rounds, and their votes.

    Parameters
    ----------
    start : ndarray of shape (n_labels,)
        What every case gets before any rule.
    rounds : ndarray of int, shape (n_rules,)
        The round that found each rule, from 1.
    questions : tuple of Question
        What each rule asks, as the case answers.
    parents : ndarray of int, shape (n_rules,)
        The rule whose answer a rule depends on, by its place here; -1: it asks all cases.
    votes : ndarray of shape (n_rules, n_labels)
        What is added to the scores; above 0 = for the label.
    n_rounds : int
        The number of rounds, those with rules that do not apply included.
    is_tree : bool
        Whether rules may depend on others, and the start is part of a tree.
    """

    start: FloatArray
    rounds: IntArray
    questions: tuple[Question, ...]
    parents: IntArray
    votes: FloatArray
    n_rounds: int
    is_tree: bool

    @property
    def scores(self) -> FloatArray:
        """The sum of the start and all votes, (n_labels,)."""
        return self.start + self.votes.sum(axis=0)

    @property
    def running(self) -> FloatArray:
        """The scores before any round and after each, shape (n_rounds + 1, n_labels)."""
        added = np.zeros((self.n_rounds + 1, len(self.start)))
        added[0], added[self.rounds] = self.start, self.votes
        return np.cumsum(added, axis=0)

    @property
    def depths(self) -> list[int]:
        """Number of rules that each rule depends on."""
        depths: list[int] = []
        for parent in self.parents:
            depths.append(0 if parent < 0 else depths[parent] + 1)
        return depths

    @property
    def as_tree(self) -> list[int]:
        """The rules so that each stands below the one that it depends on."""
        children: dict[int, list[int]] = {}
        for rule, parent in enumerate(self.parents):
            children.setdefault(int(parent), []).append(rule)
        order: list[int] = []
        stack = children.get(-1, [])[::-1]
        while stack:
            order.append(stack.pop())
            stack += children.get(order[-1], [])[::-1]
        return order

    def by_feature(self) -> tuple[IntArray, FloatArray]:
        """Add up the votes of the rules that ask about the same feature, the largest first."""
        rule_features = np.array([question.feature for question in self.questions], dtype=np.int64)
        features, group = np.unique(rule_features, return_inverse=True)
        sums = np.zeros((len(features), self.votes.shape[1]))
        np.add.at(sums, group, self.votes)
        order = np.argsort(-np.abs(sums).sum(axis=1), kind="stable")
        return features[order], sums[order]

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate the rules in the order of their rounds; round 0, feature -1: the start."""
        first = slice(0 if self.is_tree else 1, None)
        table = pd.DataFrame(
            {
                "round": [0, *self.rounds][first],
                "depends on round": [
                    0,
                    *(0 if parent < 0 else self.rounds[parent] for parent in self.parents),
                ][first],
                "feature": [-1, *(question.feature for question in self.questions)][first],
                "threshold": [np.nan, *(question.threshold for question in self.questions)][first],
                "above": [False, *(question.is_above for question in self.questions)][first],
            }
        )
        votes = np.vstack([self.start, self.votes])[first]
        return pd.concat([table, pd.DataFrame(votes, columns=list(label_names))], axis=1)
