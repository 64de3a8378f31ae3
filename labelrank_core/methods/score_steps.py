"""Explanations of label scores: their terms, and all steps but the parts of the scores."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from labelrank_core.explain.capabilities import Point
from labelrank_core.explain.evidence import (
    LABELS_EXPECTED,
    Confidence,
    Label,
    LabelScores,
    ScoreParts,
    Step,
    Text,
)
from labelrank_core.methods.pairs import linear_crossings
from labelrank_core.rankings import FloatArray, strict_order


@dataclass(frozen=True)
class ScoreTerms:
    """A method's terms for its scores, and its sentences on the relevant labels.

    In the last three texts, MADE_OF stands for what the score of the label is made of. What is
    shown is `line` above the point's scores.
    """

    score: str
    bar: str
    title: str
    rule: str
    scores: str
    no_label: str
    one_label: str
    some_labels: str
    line: float = 0.0


THRESHOLDS = ScoreTerms(
    score="score minus threshold",
    bar="threshold",
    title="Scores against their thresholds",
    rule="A label is relevant where its score exceeds its threshold: {n_relevant} of {m} labels "
    "are. Labels are ordered by how far they exceed it.",
    scores="scores",
    no_label="No label is relevant: even {edge}, the first, scores {score}MADE_OF, not above its "
    "threshold {threshold}.",
    one_label="Of the {m} labels, only {edge} scores above its threshold {threshold}: "
    "{score}MADE_OF.",
    some_labels="Above their thresholds: {relevant} ({n_relevant} of {m} labels). {top} comes "
    "first, {top_lead} above its own. The last, {edge}, scores {score}MADE_OF; its threshold is "
    "{threshold}.",
)
MARGINS = ScoreTerms(
    score="margin",
    bar="zero line",
    title="Margins that decide",
    rule="A label is relevant where its margin is above 0: {n_relevant} of {m} labels are. Labels "
    "are ordered by their margins.",
    scores="margins",
    no_label="No label is relevant: even {edge}, the first, has a margin of {score}MADE_OF, not "
    "above 0.",
    one_label="Of the {m} labels, only {edge} has a margin above 0: {score}MADE_OF.",
    some_labels="With a margin above 0: {relevant} ({n_relevant} of {m} labels). {top} has the "
    "largest, {top_score}; the last, {edge}, has {score}MADE_OF.",
)
PROBABILITIES = ScoreTerms(
    score="probability",
    bar="threshold",
    title="Probabilities that decide",
    rule="A label is relevant where its probability is above one half: {n_relevant} of {m} labels "
    "are. Labels are ordered by their probabilities.",
    scores="probabilities",
    no_label="No label is more probable than not: even {edge}, the first, has a probability of "
    "{score}MADE_OF.",
    one_label="Of the {m} labels, only {edge} is more probable than not: {score}MADE_OF.",
    some_labels="More probable than not: {relevant} ({n_relevant} of {m} labels). {top} has the "
    "highest probability, {top_score}; the last, {edge}, has {score}MADE_OF.",
    line=0.5,
)


def edge_values(point: Point, case: int) -> dict[str, Any]:
    """Return the values of texts about the first label and the last relevant one."""
    order = strict_order(point.positions[case])
    relevant = [label for label in order if point.prediction[case, label]]
    edge = relevant[-1] if relevant else order[0]
    return {
        "m": len(order),
        "n_relevant": len(relevant),
        "relevant": tuple(Label(label) for label in relevant),
        "top": Label(order[0]),
        "top_score": float(point.raw_scores[case, order[0]]),
        "top_lead": float(point.scores[case, order[0]]),
        "edge": Label(edge),
        "score": float(point.raw_scores[case, edge]),
    }


def values_of(point: Point, case: int, parts: ScoreParts) -> dict[str, Any]:
    """Return these values, and baseline and threshold of that label."""
    values = edge_values(point, case)
    edge = values["edge"].index
    values["baseline"] = float(parts.baseline[edge])
    values["threshold"] = float(parts.thresholds[edge])
    return values


def summary(terms: ScoreTerms, values: dict[str, Any], made_of: str = "") -> Text:
    """State which labels are relevant, and the parts of the last one's score."""
    texts = (terms.no_label, terms.one_label, terms.some_labels)
    template = texts[min(2, values["n_relevant"])]
    return Text(template.replace("MADE_OF", f" ({made_of})" if made_of else ""), values)


def scores_step(terms: ScoreTerms, point: Point, case: int, values: dict[str, Any]) -> Step:
    """Show each label's score relative to the line."""
    scores = LabelScores(
        terms.score,
        point.scores[case] + terms.line,
        point.positions[case],
        greater_is_better=True,
        bar=terms.line,
        bar_name=terms.bar,
    )
    return Step(terms.title, Text(terms.rule, values), scores)


def confidence_step(
    terms: ScoreTerms,
    value: float,
    thresholds: FloatArray,
    probabilities: Callable[[FloatArray], FloatArray],
    stands_for: str,
) -> Step:
    """Show the expected share of right decisions, by the probabilities of the scores."""
    at_threshold = probabilities(thresholds)
    confidence = Confidence(
        value=float(value),
        lowest=float(np.minimum(at_threshold, 1 - at_threshold).mean()),
        meaning=LABELS_EXPECTED,
        definition=f"expected share of right label decisions, where {stands_for}",
    )
    values = {"value": confidence.value, "lowest": confidence.lowest}
    text = _CONFIDENCE.replace("SCORES", terms.scores)
    return Step("Confidence", Text(text, values), confidence)


def crossings(
    leads: FloatArray, slopes: FloatArray, value: float, ends: tuple[float, float]
) -> FloatArray:
    """List where two labels change order, or one meets the line, as one feature moves.

    `leads`: how far the scores are above their thresholds at `value` of the feature, not rounded.
    """
    # The last is the line between relevant and irrelevant labels.
    leads, slopes = np.append(leads, 0.0), np.append(slopes, 0.0)
    first, second = np.triu_indices(len(slopes), k=1)
    return linear_crossings(
        leads[first] - leads[second], slopes[first] - slopes[second], value, ends
    )


_CONFIDENCE = (
    "The SCORES expect {value} of the label decisions to be right; {lowest} to 1 is possible."
)
TUNED = (
    "; thresholds are tuned, so a label below one half can be relevant, and one above it irrelevant"
)
