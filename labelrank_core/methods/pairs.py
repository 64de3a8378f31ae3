"""Predictions and explanations from a preference for every pair of labels.

Pairs are those of ``numpy.triu_indices(n_labels, 1)``: label 0 with every later one, then label 1,
... A preference is a number between 0 and 1: how likely the first label is ahead of the second.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelrank_core.aggregation.bucket_orders import PairVotes
from labelrank_core.explain.closest import closest_pair
from labelrank_core.explain.evidence import (
    Confidence,
    Explanation,
    Label,
    LabelScores,
    PairMatrix,
    PairParts,
    Step,
    Text,
)
from labelrank_core.methods.base import RankingPoint, require_few_pairs
from labelrank_core.methods.tied_labels import explain_ties
from labelrank_core.rankings import FloatArray

# Numbers that are equal in exact arithmetic may differ in their last bits; rounded, they tie.
DECIMALS = 12


def pair_signs(rankings: FloatArray) -> FloatArray:
    """Return which label of every pair each ranking prefers, shape (n_rankings, n_pairs)."""
    # 1: the first; -1: the second; 0: a tie; NaN: not both ranked.
    require_few_pairs(rankings.shape[1], len(rankings))
    first, second = np.triu_indices(rankings.shape[1], 1)
    return np.sign(rankings[:, second] - rankings[:, first])


def split_signs(signs: FloatArray) -> FloatArray:
    """Return signs of 'the first label is strictly ahead' and 'the second one is', side by side.

    Shape (n_rankings, 2 * n_pairs): 1 where it is, -1 where it is not, as in a tie; NaN stays.
    """
    unknown = np.isnan(signs)
    either = np.hstack([np.where(signs > 0, 1.0, -1.0), np.where(signs < 0, 1.0, -1.0)])
    return np.where(np.hstack([unknown, unknown]), np.nan, either)


def ahead_of(both: FloatArray, n_labels: int) -> FloatArray:
    """Turn preferences in the order of `split_signs` into matrices, 0 on the diagonal."""
    first, second = np.triu_indices(n_labels, 1)
    matrices = np.zeros((len(both), n_labels, n_labels))
    matrices[:, first, second], matrices[:, second, first] = np.hsplit(both, 2)
    return matrices


def square(pairs: FloatArray, n_labels: int) -> FloatArray:
    """Turn preferences (n_cases, n_pairs) into matrices (n_cases, n_labels, n_labels)."""
    first, second = np.triu_indices(n_labels, 1)
    matrices = np.full((len(pairs), n_labels, n_labels), 0.5)
    matrices[:, first, second] = pairs
    matrices[:, second, first] = 1 - pairs
    return matrices


def summed(pairs: NDArray[Any], n_labels: int) -> FloatArray:
    """Add up each label's preferences over all others, shape (n_cases, n_labels)."""
    sums = np.zeros((len(pairs), n_labels))
    start = 0
    for label in range(n_labels - 1):
        preferences = pairs[:, start : start + n_labels - 1 - label]
        sums[:, label] += preferences.sum(axis=1)
        sums[:, label + 1 :] += 1 - preferences
        start += preferences.shape[1]
    return sums


def observed_shares(
    signs: FloatArray, n_labels: int, weights: FloatArray | None = None
) -> FloatArray:
    """Return the share of cases that prefer i, of those that prefer i or j; NaN without any."""
    counts = np.ones(len(signs)) if weights is None else weights
    wins, losses = counts @ (signs > 0), counts @ (signs < 0)
    with np.errstate(invalid="ignore"):
        return square((wins / (wins + losses))[None], n_labels)[0]


@dataclass(frozen=True)
class PairTerms:
    """A method's terms for its scores, its preferences and its confidence."""

    score: str
    # A template with `top`, `second` and `share`.
    pair: str
    # Of the confidence, as in `Confidence`.
    meaning: str
    definition: str
    lowest: float = 0.0
    # Who votes on the pairs, for predictions with ties.
    voters: str = "the votes of the models"
    # Whether the scores add up a share from 0 to 1 for every other label.
    sums_shares: bool = False
    # Whether the summary needs a margin, because scores are often equal.
    with_margin: bool = False


class PairPath:
    """Cases whose labels are compared pair by pair.

    `observed` is what `observed_shares` returns for the training cases.
    """

    def __init__(self, model: Any, X: NDArray[Any], observed: FloatArray) -> None:
        self.model = model
        self.X = X
        self.observed = observed

    def parts(self, point: "PairPoint", case: int) -> PairParts | None:  # noqa: ARG002
        """Split the comparisons of one case into contributions; None where none are known."""
        return None


class PairPoint(RankingPoint):
    """Predictions of some cases from the preferences of all pairs, (n_cases, n_pairs).

    With ``ties="predict"`` from those of `split_signs` instead, (n_cases, 2 * n_pairs).
    """

    def __init__(
        self,
        path: PairPath,
        preferences: FloatArray,
        terms: PairTerms,
        scores: FloatArray | None = None,
    ) -> None:
        self.path = path
        self.terms = terms
        self.n_labels = int(path.model.n_labels_)
        self._scores = scores
        self._ahead = preferences if self.predicts_ties else None
        if self._ahead is not None:
            first, second = np.hsplit(self._ahead, 2)
            preferences = (1 + first - second) / 2
        self.preferences = preferences.round(DECIMALS)

    @cached_property
    def scores(self) -> FloatArray:
        """The scores that order the labels, higher = better, by default summed preferences."""
        scores = summed(self.preferences, self.n_labels) if self._scores is None else self._scores
        return scores.round(DECIMALS)

    @property
    def order_keys(self) -> tuple[NDArray[Any], ...]:
        """The key that orders the labels: their scores."""
        return (-self.scores,)

    def pair_votes(self, cases: slice) -> PairVotes:
        """Return the support for each label to be strictly ahead of each other, as votes."""
        if self._ahead is None:
            raise ValueError("Expected a model with ties='predict'.")
        return PairVotes.of_shares(ahead_of(self._ahead[cases], self.n_labels))

    @cached_property
    def confidence(self) -> FloatArray:
        """The mean preference for the label that is predicted ahead, over all pairs."""
        if self.predicts_ties:
            return self.agreement_with_ties
        first, second = np.triu_indices(self.n_labels, 1)
        ahead = self.prediction[:, first] < self.prediction[:, second]
        supports = np.where(ahead, self.preferences, 1 - self.preferences)
        return supports.mean(axis=1).round(DECIMALS)

    def pair_support(self, cases: slice = slice(None)) -> FloatArray:
        """Return the support for each label to be ahead of each other, (n_cases, m, m)."""
        return square(self.preferences[cases], self.n_labels)

    def explain(self, case: int) -> Explanation:
        """Explain the prediction of one of the path's cases."""
        if self.predicts_ties:
            scores = _scores(self, case)
            return explain_ties(self, case, voters=self.terms.voters, first=(), scores=scores)
        return _explain(self, case)


def linear_crossings(
    values: FloatArray, slopes: FloatArray, x: float, ends: tuple[float, float]
) -> FloatArray:
    """List, ascending, where linear functions with some `values` at `x` are 0 between ends."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        crossings = x - values / slopes
    return np.unique(crossings[(crossings > ends[0]) & (crossings < ends[1])])


def _explain(point: PairPoint, case: int) -> Explanation:
    matrix = PairMatrix(
        point.pair_support(slice(case, case + 1))[0],
        point.positions[case],
        point.path.observed,
    )
    values = _values(point, case, matrix)
    pair_template = f"{point.terms.pair} {_AGREE[min(len(matrix.against), 1)]}"
    pair_template += _CYCLE if matrix.cycles else ""
    confidence = Confidence(
        value=float(point.confidence[case]),
        lowest=point.terms.lowest,
        meaning=point.terms.meaning,
        definition=point.terms.definition,
    )
    scores = _scores(point, case)
    sure = Text(_CONFIDENCE, {"value": confidence.value, "lowest": confidence.lowest})
    parts = point.path.parts(point, case)
    first = _FIRST_OF_MOST if point.terms.sums_shares else _FIRST
    if values["top_score"] == values["second_score"]:
        first = _TIE
    if parts is not None and point.terms.with_margin:
        values["margin"] = parts.total(values["top"].index, values["second"].index)
        first += _MARGIN if np.isfinite(values["margin"]) else ""
    return Explanation(
        prediction=point.prediction[case],
        positions=point.positions[case],
        summary=Text(first, values),
        steps=(
            Step("Pair by pair", Text(pair_template, values), matrix),
            *parts_steps(parts, values),
            Step("Scores that decide", Text(_BY_SCORES, values), scores),
            Step("Confidence", sure, confidence),
        ),
        closest_pair=closest_pair(point, case),
    )


def _scores(point: PairPoint, case: int) -> LabelScores:
    return LabelScores(
        point.terms.score, point.scores[case], point.positions[case], greater_is_better=True
    )


def _values(point: PairPoint, case: int, matrix: PairMatrix) -> dict[str, Any]:
    (top, second), scores = matrix.pairs[0], point.scores[case]
    ahead, behind = closest_pair(point, case)
    return {
        "top": Label(top),
        "second": Label(second),
        "ahead": Label(ahead),
        "behind": Label(behind),
        "share": float(matrix.preferences[ahead, behind]),
        "top_score": float(scores[top]),
        "second_score": float(scores[second]),
        "title": point.terms.score,
        "others": point.n_labels - 1,
        "pairs": len(matrix.pairs),
        "against": len(matrix.against),
        "cycle": tuple(Label(label) for label in (matrix.cycles or [()])[0]),
    }


def parts_steps(parts: PairParts | None, values: dict[str, Any]) -> list[Step]:
    """Show the contributions to the preference between `top` and `second`, if known."""
    if parts is None:
        return []
    top, second = values["top"].index, values["second"].index
    total = parts.total(top, second)
    if not np.isfinite(total):
        return [Step(_PARTS_TITLE, Text(_ONE_OUTCOME, values), parts)]
    baseline = total - float(parts.contributions(top, second)["adds"].sum())
    part_values = {**values, "title": parts.title, "sum": total, "baseline": baseline}
    return [Step(_PARTS_TITLE, Text(_PARTS[parts.input_kind], part_values), parts)]


_FIRST = "{top} comes first. Its {title} is {top_score}, that of {second} is {second_score}."
_FIRST_OF_MOST = (
    "{top} comes first. Its {title} is {top_score} of {others}, that of {second} is {second_score}."
)
_TIE = (
    "{top} and {second} share the best {title}, {top_score}; the tie goes to the first in the list "
    "of labels."
)
_MARGIN = " Its margin against {second} is {margin}."
_AGREE = (
    "The ranking agrees with all {pairs} pairs.",
    "The ranking contradicts {against} of the {pairs} pairs.",
)
_CYCLE = " A preference cycle ties {cycle} together: no ranking agrees with all of their pairs."
_BY_SCORES = "Labels are ordered by their {title}."
_CONFIDENCE = "Confidence {value}, where {lowest} to 1 is possible."
_PARTS_TITLE = "What pulls one label ahead of another"
_PARTS = {
    "feature": "The {title} of {top} against {second} is {sum}: {baseline} for the mean case, plus "
    "each feature's difference from its mean times its weight.",
    "training row": "The {title} of {top} against {second} is {sum}: {baseline} for a case similar "
    "to none, plus each training case's similarity times its weight.",
}
_ONE_OUTCOME = (
    "All training cases with a preference between {top} and {second} agree on it, so the features "
    "do not count."
)
