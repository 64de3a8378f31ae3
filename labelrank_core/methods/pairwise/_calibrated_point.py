"""Predictions of label sets by the votes of all pairs of labels and zero line, and why."""

from functools import cached_property
from typing import Any

import numpy as np

from labelrank_core.explain.evidence import (
    PAIRS_EXPECTED,
    Confidence,
    Explanation,
    Label,
    PairMatrix,
    PairParts,
    ScoreParts,
    Step,
    Text,
)
from labelrank_core.methods.base import LabelSetPoint
from labelrank_core.methods.base_classifiers import BaseClassifiers
from labelrank_core.methods.machines import Margins
from labelrank_core.methods.pair_ranker import votes_of
from labelrank_core.methods.pairs import DECIMALS, linear_crossings, parts_steps, square, summed
from labelrank_core.methods.score_steps import ScoreTerms, edge_values, scores_step, summary
from labelrank_core.rankings import FloatArray, IntArray


def line_pairs(n_labels: int) -> IntArray:
    """Return the indices of the pairs of a label, in their order, with the zero line."""
    return np.flatnonzero(np.triu_indices(n_labels + 1, 1)[1] == n_labels)


class CalibratedPath:
    """Checked cases to predict by votes."""

    def __init__(
        self, model: Any, X: Any, margins: Margins | BaseClassifiers, observed: FloatArray
    ) -> None:
        self.model, self.X, self.margins, self.observed = model, X, margins, observed

    def at(self) -> "CalibratedPoint":
        """Predict the cases."""
        return CalibratedPoint(self)


class CalibratedPoint(LabelSetPoint):
    """Predictions by votes, computed when first needed; the zero line is the last of all."""

    def __init__(self, path: CalibratedPath) -> None:
        self.path = path
        self.n_labels = int(path.model.n_labels_)

    @cached_property
    def margins(self) -> FloatArray:
        """The margins of all pairs, (n_cases, n_pairs)."""
        margins = self.path.margins
        return margins.of(self.path.X).round(DECIMALS)

    @cached_property
    def votes(self) -> FloatArray:
        """1 where a pair's first is ahead, 0 behind, 1/2 undecided, (n_cases, n_pairs)."""
        return votes_of(self.margins)

    @cached_property
    def totals(self) -> FloatArray:
        """The votes of every label and, last, of the zero line."""
        return summed(self.votes, self.n_labels + 1)

    @cached_property
    def scores(self) -> FloatArray:
        """The votes of each label minus those of the zero line, (n_cases, n_labels)."""
        return self.totals[:, :-1] - self.totals[:, -1:]

    @cached_property
    def confidence(self) -> FloatArray:
        """The share of the pairs that the margins expect to be ordered correctly, (n_cases,)."""
        first, second = np.triu_indices(self.n_labels + 1, 1)
        # The zero line stands behind the relevant labels.
        n_relevant = self.prediction.sum(axis=1, keepdims=True)
        calibrated = np.hstack([self.positions, n_relevant + 0.5])
        ahead = calibrated[:, first] < calibrated[:, second]
        return np.clip((1 + np.where(ahead, 1, -1) * self.margins) / 2, 0, 1).mean(axis=1)

    def breakpoints(
        self, x: FloatArray, feature: int, ends: tuple[float, float]
    ) -> FloatArray | None:
        """List where a vote changes; None unless margins are linear."""
        margins = self.path.margins
        if not isinstance(margins, Margins) or margins.kernel is not None:
            return None
        slopes = margins.machines.weights[feature]
        return linear_crossings(margins.of(x[None])[0], slopes, float(x[feature]), ends)

    def explain(self, case: int) -> Explanation:
        """Explain one case: votes, contributions to them, zero line and confidence."""
        matrix = PairMatrix(
            square(self.votes[case : case + 1], self.n_labels + 1)[0, :-1, :-1],
            self.positions[case],
            self.path.observed[:-1, :-1],
        )
        values = self._values(case, matrix)
        margins = self.path.margins
        made_of: list[Step] = []
        if isinstance(margins, Margins):
            x = self.path.X[case : case + 1]
            made_of += parts_steps(self._pair_parts(margins, x, case), values)
            parts = margins.parts(x, line_pairs(self.n_labels))
            made_of.append(self._line_step(case, parts, values))
        return Explanation(
            prediction=self.prediction[case],
            positions=self.positions[case],
            summary=summary(_VOTES, values),
            steps=(
                Step("Pair by pair", Text(_PAIRS[min(len(matrix.against), 1)], values), matrix),
                *made_of,
                scores_step(_VOTES, self, case, values),
                self._confidence_step(case),
            ),
        )

    def _values(self, case: int, matrix: PairMatrix) -> dict[str, Any]:
        values = edge_values(self, case)
        (top, second), totals = matrix.pairs[0], self.totals[case]
        return {
            **values,
            "most": _count(totals[top]),
            "own": _count(totals[values["edge"].index]),
            "line": _count(totals[-1]),
            "own_votes": _votes_text(totals[values["edge"].index]),
            "line_votes": _votes_text(totals[-1]),
            "top": Label(top),
            "second": Label(second),
            "pairs": len(matrix.pairs),
            "against": len(matrix.against),
        }

    def _pair_parts(self, margins: Margins, x: Any, case: int) -> PairParts:
        """Split the margins of all pairs of labels."""
        positions = self.positions[case]
        inputs, baseline = margins.split(x)
        machines = margins.machines
        among = np.delete(np.arange(len(baseline)), line_pairs(self.n_labels))
        # All cases agree on these, so that nothing contributes to them.
        certain = np.where(machines.is_constant, np.copysign(np.inf, machines.intercept), baseline)
        weights: FloatArray = machines.weights[:, among]
        return PairParts("margin", certain[among], inputs, weights, positions, margins.input_kind)

    def _line_step(self, case: int, parts: ScoreParts, values: dict[str, Any]) -> Step:
        edge = values["edge"].index
        vote = self.votes[case, line_pairs(self.n_labels)[edge]]
        step_values = {
            **values,
            "margin": float(parts.scores[edge]),
            "baseline": parts.baseline[edge],
        }
        if not parts.weights["own part"][:, edge].any():
            template = _ALWAYS if vote > 0 else _NEVER
        else:
            template = _LINE[parts.input_kind] + _FOR[int(2 * vote)]
        return Step("Each label against the zero line", Text(template, step_values), parts)

    def _confidence_step(self, case: int) -> Step:
        confidence = Confidence(
            value=float(self.confidence[case]),
            lowest=0.0,
            meaning=PAIRS_EXPECTED,
            definition=(
                "expected share of the pairs, of labels and of labels with the zero line, ordered "
                "correctly, where a margin f stands for the "
                "probability (1 + f) / 2, at least 0 and at most 1, that the first is ahead"
            ),
        )
        values = {"value": confidence.value, "lowest": confidence.lowest}
        return Step("Confidence", Text(_CONFIDENCE, values), confidence)


def _count(votes: float) -> int | float:
    return int(votes) if votes == int(votes) else float(votes)


def _votes_text(votes: float) -> str:
    return f"{_count(votes)} {'vote' if votes == 1 else 'votes'}"


_VOTES = ScoreTerms(
    score="votes minus those of the zero line",
    bar="zero line",
    title="Votes that decide",
    rule="The zero line has {line_votes}, one for every label that its machine puts behind it. A "
    "label with more is relevant: {n_relevant} of {m} labels are. Labels are ordered by their "
    "votes.",
    scores="votes",
    no_label="No label is relevant: even {edge}, the first, has {own_votes}, not more than the "
    "{line} of the zero line.",
    one_label="Of the {m} labels, only {edge} has more votes than the zero line: {own} against "
    "{line}.",
    some_labels="Ahead of the zero line: {relevant} ({n_relevant} of {m} labels). {top} has the "
    "most votes, {most}; the last, {edge}, has {own}, the zero line {line}.",
)
_PAIRS = (
    "One machine votes on every pair of labels. The ranking agrees with all {pairs} votes.",
    "One machine votes on every pair of labels. The ranking contradicts {against} of {pairs}.",
)
_LINE = {
    "feature": "The margin of {edge} against the zero line is {margin}: {baseline} for the mean "
    "case, plus each feature's difference from its mean times its weight. ",
    "training row": "The margin of {edge} against the zero line is {margin}: {baseline} for a case "
    "similar to none, plus each training case's similarity times its weight. ",
}
_FOR = (
    "So this vote is for the zero line.",
    "So this vote counts one half for each.",
    "So this vote is for {edge}.",
)
_ALWAYS = "All training cases have {edge}, so its vote is always for {edge}."
_NEVER = "No training case has {edge}, so its vote is always for the zero line."
_CONFIDENCE = (
    "The margins expect {value} of the pairs, those with the zero line included, to be ordered "
    "correctly; {lowest} to 1 is possible."
)
