"""What explanations of scores with thresholds share: the summary and the step of the scores."""

from typing import Any

import numpy as np

from labelrank_core.explain.evidence import Label, LabelScores, ScoreParts, Step, Text


def values_of(point: Any, case: int, parts: ScoreParts) -> dict[str, Any]:
    """Return the values of the texts, which are about the last relevant label."""
    order = [int(label) for label in np.argsort(point.positions[case])]
    relevant = [label for label in order if point.prediction[case, label]]
    edge = relevant[-1] if relevant else order[0]
    return {
        "m": len(order),
        "n_relevant": len(relevant),
        "relevant": tuple(Label(label) for label in relevant),
        "edge": Label(edge),
        "score": float(point.raw_scores[case, edge]),
        "baseline": float(parts.baseline[edge]),
        "threshold": float(parts.thresholds[edge]),
    }


def summary(values: dict[str, Any], made_of: str) -> Text:
    """Say which labels are relevant, and what the score of the last one is made of."""
    template = (_NO_LABEL, _ONE_LABEL, _SOME_LABELS)[min(2, values["n_relevant"])]
    return Text(template.replace("MADE_OF", f"{{score}} ({made_of})"), values)


def scores_step(point: Any, case: int, values: dict[str, Any]) -> Step:
    """Show how far each label's score is above its threshold."""
    scores = LabelScores(
        "score above its threshold",
        point.scores[case],
        point.positions[case],
        greater_is_better=True,
        bar=0.0,
    )
    return Step("Scores against their thresholds", Text(_THRESHOLDS, values), scores)


_THRESHOLDS = (
    "A label is relevant where its score exceeds its threshold: {n_relevant} of {m} labels are. "
    "Labels are ordered by how far they exceed it."
)
_NO_LABEL = (
    "No label is relevant: even {edge}, the first, scores MADE_OF, not above its threshold "
    "{threshold}."
)
_ONE_LABEL = "Of the {m} labels, only {edge} scores above its threshold {threshold}: MADE_OF."
_SOME_LABELS = (
    "Above their thresholds: {relevant} ({n_relevant} of {m} labels). The last of them, {edge}, "
    "scores MADE_OF, its threshold is {threshold}."
)
