"""Explanations of shared-subspace predictions."""

from typing import Any

import numpy as np

from labelrank_core.explain.evidence import (
    Explanation,
    Label,
    ScoreParts,
    Step,
    SubspaceView,
    Text,
)
from labelrank_core.methods.linear._solution import probabilities
from labelrank_core.methods.score_steps import (
    THRESHOLDS,
    TUNED,
    confidence_step,
    scores_step,
    summary,
    values_of,
)


def explain_case(point: Any, case: int) -> Explanation:
    """Explain one case: the parts of each score, the thresholds and the confidence."""
    parts = _parts(point, case)
    values = _values(point, case, parts)
    return Explanation(
        prediction=point.prediction[case],
        positions=point.positions[case],
        summary=summary(THRESHOLDS, values, _MADE_OF),
        steps=(
            Step("What each score is made of", Text(_PARTS, values), parts),
            _view_step(point, parts),
            scores_step(THRESHOLDS, point, case, values),
            _confidence_step(point, case),
        ),
    )


def _parts(point: Any, case: int) -> ScoreParts:
    carriers, solution = point.path.cases.row(case), point.solution
    return ScoreParts(
        baseline=solution.decomposition.baseline,
        thresholds=solution.thresholds,
        carriers=carriers,
        weights={"own part": solution.own_weights, "shared part": solution.shared_weights},
        carrier="feature" if point.path.model._kernel.name == "linear" else "training row",
    )


def _values(point: Any, case: int, parts: ScoreParts) -> dict[str, Any]:
    values = values_of(point, case, parts)
    edge = values["edge"].index
    own, shared = (float(part[edge]) for part in parts.parts.values())
    return {**values, "r": point.n_components, "own": own, "shared": shared}


def _view_step(point: Any, parts: ScoreParts) -> Step:
    shared = parts.parts["shared part"]
    inside, directions = point.solution.shared_coordinates
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
    value, thresholds = point.confidence[case], point.solution.thresholds
    return confidence_step(THRESHOLDS, value, thresholds, probabilities, _STANDS_FOR)


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
_STANDS_FOR = "a score f stands for the probability (1 + f) / 2 that the label is relevant" + TUNED
_MADE_OF = "baseline {baseline}, own part {own}, shared part {shared}"
