"""Explanations of shared-subspace predictions."""

from typing import Any

import numpy as np

from labelrank_core.explain.evidence import (
    Confidence,
    Explanation,
    Label,
    LabelScores,
    ScoreParts,
    Step,
    SubspaceView,
    Text,
)
from labelrank_core.methods.linear._solution import probabilities


def explain_case(point: Any, case: int) -> Explanation:
    """Explain one case: the parts of each score, the thresholds and the confidence."""
    parts = _parts(point, case)
    values = _values(point, case, parts)
    scores = LabelScores(
        "score above its threshold",
        point.scores[case],
        point.positions[case],
        greater_is_better=True,
        bar=0.0,
    )
    template = (_NO_LABEL, _ONE_LABEL, _SOME_LABELS)[min(2, values["n_relevant"])]
    return Explanation(
        prediction=point.prediction[case],
        positions=point.positions[case],
        summary=Text(template, values),
        steps=(
            Step("What each score is made of", Text(_PARTS, values), parts),
            _view_step(point, parts),
            Step("Scores against their thresholds", Text(_THRESHOLDS, values), scores),
            _confidence_step(point, case),
        ),
    )


def _parts(point: Any, case: int) -> ScoreParts:
    carriers, solution = point.path.cases.row(case), point.solution
    return ScoreParts(
        baseline=solution.decomposition.baseline,
        own=carriers @ solution.own_weights,
        shared=carriers @ solution.shared_weights,
        thresholds=solution.thresholds,
        carriers=carriers,
        own_weights=solution.own_weights,
        shared_weights=solution.shared_weights,
        carrier="feature" if point.path.model._kernel.name == "linear" else "training row",
    )


def _values(point: Any, case: int, parts: ScoreParts) -> dict[str, Any]:
    """Return the values of the texts, which are about the last relevant label."""
    order = [int(label) for label in np.argsort(point.positions[case])]
    relevant = [label for label in order if point.prediction[case, label]]
    edge = relevant[-1] if relevant else order[0]
    return {
        "m": len(order),
        "r": point.n_components,
        "n_relevant": len(relevant),
        "relevant": tuple(Label(label) for label in relevant),
        "edge": Label(edge),
        "score": float(point.raw_scores[case, edge]),
        "baseline": float(parts.baseline[edge]),
        "own": float(parts.own[edge]),
        "shared": float(parts.parts["shared part"][edge]),
        "threshold": float(parts.thresholds[edge]),
    }


def _view_step(point: Any, parts: ScoreParts) -> Step:
    inside, directions = point.solution.shared_coordinates
    shared = parts.parts["shared part"]
    axes, lengths, _ = np.linalg.svd(directions, full_matrices=False)
    # With one shared dimension the other axis is flat.
    axes = np.pad(axes[:, :2], ((0, 0), (0, max(0, 2 - axes.shape[1]))))
    total = float(np.square(lengths).sum())
    view = SubspaceView(
        case=parts.carriers @ inside @ axes,
        directions=directions.T @ axes,
        shared=shared,
        n_components=point.n_components,
        kept=float(np.square(lengths[:2]).sum()) / total if total > 0 else 1.0,
    )
    order = np.argsort(-shared, kind="stable")
    values = {
        "r": point.n_components,
        "kept": f"{view.kept:.0%}",
        "most": Label(int(order[0])),
        "least": Label(int(order[-1])),
    }
    template = _VIEW + (_SOME_KEPT if point.n_components > 2 else _ALL_KEPT)
    return Step("The case in the shared subspace", Text(template, values), view)


def _confidence_step(point: Any, case: int) -> Step:
    at_threshold = probabilities(point.solution.thresholds)
    confidence = Confidence(
        value=float(point.confidence[case]),
        lowest=float(np.minimum(at_threshold, 1 - at_threshold).mean()),
        meaning="The share of these label decisions expected to be right (1 = all).",
        definition=(
            "expected share of right label decisions, where a score f stands for the probability "
            "(1 + f) / 2 that the label is relevant; thresholds are tuned, so a label below one "
            "half can be relevant, and one above it irrelevant"
        ),
    )
    said = Text(_CONFIDENCE, {"value": confidence.value, "lowest": confidence.lowest})
    return Step("Confidence", said, confidence)


_PARTS = (
    "A label's score is the mean of all cases, its baseline, plus what its own weights and what "
    "the shared subspace (r = {r}) add for this case."
)
_VIEW = (
    "The shared part is large where the case lies in a label's direction: largest for {most}, "
    "smallest for {least}."
)
_SOME_KEPT = " Of the {r} shared dimensions, the two shown keep {kept} of the directions."
_ALL_KEPT = " The subspace has no more dimensions than are shown."
_THRESHOLDS = (
    "A label is relevant where its score exceeds its threshold: {n_relevant} of {m} labels are. "
    "Labels are ordered by how far they exceed it."
)
_CONFIDENCE = (
    "The scores expect {value} of the label decisions to be right; {lowest} to 1 is possible."
)
_MADE_OF = "{score} (baseline {baseline}, own part {own}, shared part {shared})"
_NO_LABEL = (
    "No label is relevant: even {edge}, the first, scores "
    f"{_MADE_OF}, not above its threshold {{threshold}}."
)
_ONE_LABEL = (
    "Of the {m} labels, only {edge} scores above its threshold {threshold}: " + _MADE_OF + "."
)
_SOME_LABELS = (
    "Above their thresholds: {relevant} ({n_relevant} of {m} labels). The last of them, {edge}, "
    f"scores {_MADE_OF}, its threshold is {{threshold}}."
)
