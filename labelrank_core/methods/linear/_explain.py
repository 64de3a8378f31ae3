"""Explanations of shared-subspace predictions."""

from typing import TYPE_CHECKING, Any

from labelrank_core.data.schema import add_up_as_written
from labelrank_core.explain.evidence import Explanation, ScoreParts, Step, Text
from labelrank_core.methods.linear._solution import probabilities
from labelrank_core.methods.linear._subspace_step import SHARED, subspace_step
from labelrank_core.methods.score_steps import (
    THRESHOLDS,
    TUNED,
    confidence_step,
    scores_step,
    summary,
    values_of,
)

if TYPE_CHECKING:
    from labelrank_core.methods.linear._path import SharedSubspacePoint


def explain_case(point: "SharedSubspacePoint", case: int) -> Explanation:
    """Explain one case: the parts of each score, the thresholds and the confidence."""
    parts = _parts(point, case)
    values = _values(point, case, parts)
    return Explanation(
        prediction=point.prediction[case],
        positions=point.positions[case],
        summary=summary(THRESHOLDS, values, _made_of(values)),
        steps=(
            Step("What each score is made of", Text(_PARTS, values), parts),
            subspace_step(parts, *point.solution.shared_coordinates),
            scores_step(THRESHOLDS, point, case, values),
            _confidence_step(point, case),
        ),
    )


def _parts(point: "SharedSubspacePoint", case: int) -> ScoreParts:
    inputs, solution = point.path.cases.row(case), point.solution
    return ScoreParts(
        baseline=solution.decomposition.baseline,
        thresholds=solution.thresholds,
        inputs=inputs,
        weights={"own part": solution.own_weights, SHARED: solution.shared_weights},
        input_kind="feature" if point.path.kernel == "linear" else "training row",
    )


def _values(point: "SharedSubspacePoint", case: int, parts: ScoreParts) -> dict[str, Any]:
    values = values_of(point, case, parts)
    edge = values["edge"].index
    own_part, shared_part = (float(part[edge]) for part in parts.parts.values())
    return {**values, "r": point.n_components, "own": own_part, "shared": shared_part}


def _made_of(values: dict[str, Any]) -> str:
    """Name the parts of a score, and say that they are rounded where their sum shows it."""
    parts = [values["baseline"], values["own"], values["shared"]]
    return _MADE_OF if add_up_as_written(parts, values["score"]) else f"{_MADE_OF}; rounded"


def _confidence_step(point: "SharedSubspacePoint", case: int) -> Step:
    value, thresholds = point.confidence[case], point.solution.thresholds
    return confidence_step(THRESHOLDS, value, thresholds, probabilities, _STANDS_FOR)


_PARTS = (
    "A label's score is that of the mean case, its baseline, plus what its own weights and the "
    "subspace that all labels share (r = {r}) add for this case: {edge} scores {score}."
)
_STANDS_FOR = "a score f stands for the probability (1 + f) / 2 that the label is relevant" + TUNED
_MADE_OF = "baseline {baseline}, own part {own}, shared part {shared}"
