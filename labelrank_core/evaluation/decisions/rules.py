"""A decision rule, and the thresholds that are best by a measure on given scores."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from labelrank_core.metrics import ranking_loss
from labelrank_core.metrics.thresholds import (
    DECIMALS,
    global_subset,
    joint_micro_f1,
    label_hamming,
    label_macro_f1,
    label_subset,
)
from labelrank_core.rankings import FloatArray, IntArray, strict_positions

OWN, PLAIN = "own", "plain"


@dataclass(frozen=True, eq=False)
class DecisionRule:
    """The thresholds that labels' scores must exceed to be predicted; a tie is irrelevant."""

    # One of `TARGETS`, "own" for the method's own rule or "plain" for a zero line at 0.
    key: str
    title: str
    thresholds: FloatArray
    # The rule whose thresholds are also best for this one, if they were found in that way.
    taken_from: str | None = None

    def leads(self, scores: ArrayLike) -> FloatArray:
        """Return the distances of scores above the thresholds, without rounding errors."""
        return np.round(np.asarray(scores) - self.thresholds, DECIMALS)

    def decide(self, scores: ArrayLike) -> IntArray:
        """Decide which labels are relevant, 1 = relevant."""
        return (self.leads(scores) > 0).astype(np.int64)

    def rank(self, scores: ArrayLike, positions: ArrayLike | None = None) -> IntArray:
        """Rank the labels by their distance above the thresholds, as `predict_ranking` does.

        Labels equally far above keep the order of `positions`, else that of their indices.
        """
        return strict_positions(-self.leads(scores), *([] if positions is None else [positions]))


@dataclass(frozen=True, eq=False)
class PredictedSets(DecisionRule):
    """Sets that a method decides on as a whole for some cases, with its rankings of the labels.

    No thresholds give them: those are NaN. The scores to decide must be of the same cases.
    """

    sets: IntArray | None = None
    positions: IntArray | None = None

    def decide(self, scores: ArrayLike) -> IntArray:  # noqa: ARG002
        """Return the sets, 1 = relevant."""
        return np.asarray(self.sets)

    def rank(self, scores: ArrayLike, positions: ArrayLike | None = None) -> IntArray:  # noqa: ARG002
        """Return the rankings, in which the labels of the set come first."""
        return np.asarray(self.positions)


def fit_rule(
    scores: ArrayLike, relevance: ArrayLike, *, target: str, positions: ArrayLike | None = None
) -> DecisionRule:
    """Find the thresholds that are best for one of `TARGETS` on scores of unseen cases.

    Thresholds lie midway between two different scores; of equally good ones the highest is taken.
    ``"hamming"``, ``"macro_f1"`` and ``"micro_f1"`` (over all thresholds together,
    [dinkelbach1967]_) are exact. ``"subset"`` starts from the best of those and of one threshold
    for all labels, and moves one label's threshold after the other until none helps: a local
    optimum. ``"ranking"`` takes, of the orders by distance above the other targets' thresholds and
    the order of the scores, the one with the least ranking loss; the scores' own wins ties.
    Labels of one score keep the order of `positions`, those of the method, else of their indices.

    The label is rare: most decisions are right if it is never predicted, F1 is best if both cases
    that have it are found.

    >>> scores, relevance = [[0.9], [0.8], [0.7], [0.6], [0.1]], [[0], [0], [1], [1], [0]]
    >>> fit_rule(scores, relevance, target="hamming").decide(scores).ravel()
    array([0, 0, 0, 0, 0])
    >>> fit_rule(scores, relevance, target="macro_f1").decide(scores).ravel()
    array([1, 1, 1, 1, 0])
    """
    if target not in TARGETS:
        raise ValueError(f"Expected target in {sorted(TARGETS)}, got {target!r}.")
    scores, relevance = np.asarray(scores, dtype=np.float64), np.asarray(relevance)
    if scores.ndim != 2 or scores.shape != relevance.shape or not scores.size:
        raise ValueError(
            "Expected scores and relevance of one shape (n_samples, n_labels), "
            f"got {scores.shape} and {relevance.shape}."
        )
    definition = TARGETS[target]
    if definition.thresholds is None:
        return _best_order(target, scores, relevance, positions)
    return DecisionRule(target, definition.title, definition.thresholds(scores, relevance))


def _best_order(
    target: str, scores: FloatArray, relevance: IntArray, positions: ArrayLike | None
) -> DecisionRule:
    rules = [DecisionRule(PLAIN, "", np.zeros(scores.shape[1]))]
    rules += [
        DecisionRule(key, "", definition.thresholds(scores, relevance))
        for key, definition in TARGETS.items()
        if definition.thresholds is not None
    ]
    losses = [ranking_loss(relevance, -rule.rank(scores, positions)) for rule in rules]
    best = rules[int(np.argmin(np.round(losses, DECIMALS)))]
    return DecisionRule(target, TARGETS[target].title, best.thresholds, best.key)


def _macro_f1(scores: FloatArray, relevance: IntArray) -> FloatArray:
    # A label that all or no cases have is predicted always or never.
    varies = relevance.min(axis=0) < relevance.max(axis=0)
    best = label_macro_f1(scores, relevance)
    return np.where(varies, best, label_hamming(scores, relevance))


def _subset(scores: FloatArray, relevance: IntArray) -> FloatArray:
    rules = (global_subset, label_hamming, _macro_f1, joint_micro_f1)
    starts = [rule(scores, relevance) for rule in rules]
    right = [((scores > start) == (relevance == 1)).all(axis=1).sum() for start in starts]
    return label_subset(scores, relevance, start=starts[int(np.argmax(right))])


@dataclass(frozen=True)
class Target:
    """A measure that a rule can be tuned for, and the function that finds its thresholds."""

    title: str
    measure: str
    # None: the thresholds of the target whose order is best.
    thresholds: Callable[[FloatArray, IntArray], FloatArray] | None


TARGETS: Mapping[str, Target] = {
    "hamming": Target("Hamming loss", "hamming_loss", label_hamming),
    "macro_f1": Target("macro F1", "macro_f1_score", _macro_f1),
    "micro_f1": Target("micro F1", "micro_f1_score", joint_micro_f1),
    "subset": Target("whole sets", "subset_accuracy_score", _subset),
    "ranking": Target("the order", "ranking_loss", None),
}
