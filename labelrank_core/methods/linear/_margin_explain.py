"""Explanations of label sets that are predicted by one margin per label."""

from typing import Any

import numpy as np

from labelrank_core.explain.evidence import (
    Confidence,
    Explanation,
    Label,
    LabelScores,
    ScoreParts,
    Step,
    Text,
)


def explain_case(point: Any, case: int) -> Explanation:
    """Explain one case: what each margin is made of, the zero line and the confidence."""
    parts = point.parts(case)
    values = _values(point, case, parts)
    scores = LabelScores(
        "margin",
        point.scores[case],
        point.positions[case],
        greater_is_better=True,
        bar=0.0,
        bar_name="zero line",
    )
    template = (_NO_LABEL, _ONE_LABEL, _SOME_LABELS)[min(2, values["n_relevant"])]
    made_of = _PARTS[parts.carrier]
    if not parts.own_weights[:, values["edge"].index].any():
        made_of = _ALL_HAVE_IT if values["margin"] > 0 else _NONE_HAS_IT
    return Explanation(
        prediction=point.prediction[case],
        positions=point.positions[case],
        summary=Text(template, values),
        steps=(
            Step("What each margin is made of", Text(made_of, values), parts),
            Step("Margins that decide", Text(_ZERO_LINE, values), scores),
            _confidence_step(point, case),
        ),
    )


def _values(point: Any, case: int, parts: ScoreParts) -> dict[str, Any]:
    """Return the values of the texts, which are about the last relevant label."""
    order = [int(label) for label in np.argsort(point.positions[case])]
    relevant = [label for label in order if point.prediction[case, label]]
    edge = relevant[-1] if relevant else order[0]
    weights = parts.own_weights[:, edge]
    return {
        "m": len(order),
        "n_relevant": len(relevant),
        "relevant": tuple(Label(label) for label in relevant),
        "edge": Label(edge),
        "margin": float(point.scores[case, edge]),
        "baseline": float(parts.baseline[edge]),
        "n": len(weights),
        "n_support": int(np.count_nonzero(weights)),
    }


def _confidence_step(point: Any, case: int) -> Step:
    confidence = Confidence(
        value=float(point.confidence[case]),
        lowest=0.5,
        meaning="The share of these label decisions expected to be right (1 = all).",
        definition=(
            "expected share of right label decisions, where a margin f stands for the probability "
            "(1 + f) / 2, at most 1, that the label is relevant"
        ),
    )
    said = Text(_CONFIDENCE, {"value": confidence.value, "lowest": confidence.lowest})
    return Step("Confidence", said, confidence)


_PARTS = {
    "feature": "The margin of {edge} is {margin}: {baseline} for the mean case, plus each "
    "feature's difference from its mean times its weight.",
    "training row": "The margin of {edge} is {margin}: {baseline} for a case similar to none, plus "
    "each training case's similarity times its weight. Only {n_support} of the {n} training cases "
    "have a weight: the support cases.",
}
_ALL_HAVE_IT = "All training cases have {edge}, so its margin is {margin} for every case."
_NONE_HAS_IT = "No training case has {edge}, so its margin is {margin} for every case."
_ZERO_LINE = (
    "A label is relevant where its margin is above 0: {n_relevant} of {m} labels are. Labels are "
    "ordered by their margins."
)
_CONFIDENCE = (
    "The margins expect {value} of the label decisions to be right; {lowest} to 1 is possible."
)
_NO_LABEL = "No label is relevant: even {edge}, the first, has a margin of {margin}, not above 0."
_ONE_LABEL = "Of the {m} labels, only {edge} has a margin above 0: {margin}."
_SOME_LABELS = (
    "With a margin above 0: {relevant} ({n_relevant} of {m} labels). The last of them, {edge}, "
    "has a margin of {margin}."
)
