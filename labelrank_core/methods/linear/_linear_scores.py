"""Linear scores of labels with thresholds and probabilities, both from out-of-fold scores."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.special import expit, logit
from sklearn.linear_model import LogisticRegression

from labelrank_core.explain.evidence import Explanation, ScoreParts, Step, Text
from labelrank_core.methods.base import LabelSetPoint
from labelrank_core.methods.convergence import platt_fits
from labelrank_core.methods.linear._basis import CentredCases, subtract_mean
from labelrank_core.methods.linear._subspace_step import SHARED, subspace_step
from labelrank_core.methods.score_steps import (
    THRESHOLDS,
    TUNED,
    confidence_step,
    crossings,
    scores_step,
    summary,
    values_of,
)
from labelrank_core.metrics.thresholds import DECIMALS, RULES
from labelrank_core.rankings import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Subspace:
    """The factors of weights."""

    # Turn features into coordinates, (n_features, r).
    inside: FloatArray
    # The labels', (r, n_labels).
    directions: FloatArray


@dataclass(frozen=True, eq=False)
class LinearScores:
    """Fitted linear scores, and those of the training rows by folds without them."""

    # Weights of the features, (n_features, n_labels).
    weights: FloatArray
    # The scores of the mean case.
    baseline: FloatArray
    mean: FloatArray
    # Of every training row; None for a single one.
    out_of_fold: FloatArray | None
    relevance: IntArray
    # Through which all weights go, or all but the own ones, if any.
    subspace: Subspace | None = None
    # The weights outside the subspace, (n_features, n_labels).
    own_weights: FloatArray | None = None

    def thresholds(self, rule: str) -> FloatArray:
        """Return the threshold of each label by one of `RULES`."""
        if self.out_of_fold is None:
            return np.zeros(len(self.baseline))
        return RULES[rule](self.out_of_fold, self.relevance)

    def probabilities(self, scores: FloatArray) -> FloatArray:
        """Return the probability that a label is relevant, for each score."""
        slopes, intercepts = self._sigmoids
        return expit(slopes * scores + intercepts)

    @cached_property
    def _sigmoids(self) -> tuple[FloatArray, FloatArray]:
        scores = self.out_of_fold
        if scores is None:
            scores = np.zeros(self.relevance.shape)
        columns = zip(scores.T, self.relevance.T, strict=True)
        with platt_fits():
            slopes, intercepts = zip(*(sigmoid(*column) for column in columns), strict=True)
        return np.array(slopes), np.array(intercepts)


def sigmoid(scores: FloatArray, relevance: IntArray) -> tuple[float, float]:
    """Return slope and intercept of the log-odds that a label is relevant, by its score [platt].

    The targets are (n⁺ + 1) / (n⁺ + 2) and 1 / (n⁻ + 2), so that they are never 0 or 1. Where a
    higher score would make the label less likely, the score is ignored: the slope is 0.
    """
    n_relevant = relevance.sum()
    n_irrelevant = len(relevance) - n_relevant
    targets = np.where(relevance, (n_relevant + 1) / (n_relevant + 2), 1 / (n_irrelevant + 2))
    centre, spread = scores.mean(), scores.std()
    share = float(logit(targets.mean()))
    if spread <= 1e-9 * np.abs(scores).max(initial=0.0):
        return 0.0, share
    # Each row counts as relevant and as irrelevant, with its target and the rest as weights. The
    # penalty of this C is far below the loss of a single row.
    model = LogisticRegression(C=1e8, solver="newton-cholesky", tol=1e-9, max_iter=1000)
    rows = np.tile((scores - centre) / spread, 2)[:, None]
    sides = np.repeat([1, 0], len(scores))
    model.fit(rows, sides, sample_weight=np.concatenate([targets, 1 - targets]))
    slope = float(model.coef_[0, 0])
    if slope <= 0:
        return 0.0, share
    return slope / spread, float(model.intercept_[0]) - slope * centre / spread


class LinearScoresPath:
    """Cases to predict by linear scores with any threshold rule."""

    # `scores_at` returns the scores at values of the path's other parameters.
    def __init__(
        self, model: Any, X: Any, scores_at: Callable[..., LinearScores], threshold: str
    ) -> None:
        self.model = model
        self.X = X
        self.scores_at = scores_at
        self.threshold = threshold

    def at(self, *, threshold: str | None = None) -> "LinearScoresPoint":
        """Predict with another threshold rule; None: the model's."""
        return self._point(self.scores_at(), threshold)

    def _point(self, solution: LinearScores, threshold: str | None) -> "LinearScoresPoint":
        threshold = self.threshold if threshold is None else threshold
        if threshold not in RULES:
            raise ValueError(f"Expected threshold in {sorted(RULES)}, got {threshold!r}.")
        return LinearScoresPoint(self, solution, threshold)


class LinearScoresPoint(LabelSetPoint):
    """Predictions by linear scores with one threshold rule, computed when first needed."""

    def __init__(self, path: LinearScoresPath, solution: LinearScores, threshold: str) -> None:
        self.path = path
        self.solution = solution
        self.threshold = threshold
        self.cases: CentredCases = subtract_mean(path.X, solution.mean)

    @cached_property
    def thresholds(self) -> FloatArray:
        """The threshold that each label's score must exceed."""
        return self.solution.thresholds(self.threshold)

    @cached_property
    def raw_scores(self) -> FloatArray:
        """Scores before thresholds, shape (n_cases, n_labels)."""
        return np.round(self.solution.baseline + self.cases.dot(self.solution.weights), DECIMALS)

    @cached_property
    def scores(self) -> FloatArray:
        """Each label's score minus its threshold, shape (n_cases, n_labels)."""
        return np.round(self.raw_scores - self.thresholds, DECIMALS)

    @cached_property
    def confidence(self) -> FloatArray:
        """Estimated share of the label decisions that are right, shape (n_cases,)."""
        relevant = self.solution.probabilities(self.raw_scores)
        return np.where(self.prediction == 1, relevant, 1 - relevant).mean(axis=1)

    def breakpoints(self, x: FloatArray, feature: int, ends: tuple[float, float]) -> FloatArray:
        """List where two labels change order or one meets its threshold."""
        leads = (
            self.solution.baseline
            + (x - self.solution.mean) @ self.solution.weights
            - self.thresholds
        )
        return crossings(leads, self.solution.weights[feature], float(x[feature]), ends)

    def explain(self, case: int) -> Explanation:
        """Explain one case: the parts of each score, the thresholds and the confidence."""
        parts = self._parts(case)
        values = values_of(self, case, parts)
        edge = values["edge"].index
        keys = {"own part": "own", SHARED: "shared"}
        values |= {keys[name]: float(part[edge]) for name, part in parts.parts.items()}
        made_of = [
            "baseline {baseline}",
            *(f"{name} {{{keys[name]}}}" for name in parts.parts),
        ]
        steps = [
            Step("What each score is made of", Text(_PARTS[tuple(parts.parts)], values), parts),
            scores_step(THRESHOLDS, self, case, values),
            self._confidence_step(case),
        ]
        space = self.solution.subspace
        if space is not None:
            values["r"] = len(space.directions)
            steps.insert(1, subspace_step(parts, space.inside, space.directions))
        return Explanation(
            prediction=self.prediction[case],
            positions=self.positions[case],
            summary=summary(THRESHOLDS, values, ", ".join(made_of)),
            steps=tuple(steps),
        )

    def _parts(self, case: int) -> ScoreParts:
        inputs, solution = self.cases.row(case), self.solution
        weights = {"own part" if solution.subspace is None else SHARED: solution.weights}
        if solution.own_weights is not None:
            weights = {
                "own part": solution.own_weights,
                SHARED: solution.weights - solution.own_weights,
            }
        return ScoreParts(
            baseline=solution.baseline,
            thresholds=self.thresholds,
            inputs=inputs,
            weights=weights,
        )

    def _confidence_step(self, case: int) -> Step:
        value, solution = self.confidence[case], self.solution
        return confidence_step(
            THRESHOLDS, value, self.thresholds, solution.probabilities, _STANDS_FOR
        )


_MEAN = "A label's score is that of the mean case, its baseline, plus what "
_PARTS = {
    ("own part",): _MEAN + "its own weights add for this case: {edge} scores {score}.",
    (SHARED,): _MEAN
    + "the subspace that all labels share (r = {r}) adds for this case: {edge} scores {score}.",
    ("own part", SHARED): _MEAN
    + "its own weights and the subspace that all labels share (r = {r}) add for this case: {edge} "
    "scores {score}.",
}
_STANDS_FOR = (
    "the probability that a label is relevant is a logistic function of its score, fitted to "
    "out-of-fold scores" + TUNED
)
