"""Explanations of k-NN label ranking from preferences between pairs of labels."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from labelrank_core.aggregation.sums import WEIGHT_UNIT
from labelrank_core.data.pair_preferences import PairPreferences
from labelrank_core.explain.closest import closest_pair
from labelrank_core.explain.evidence import (
    Confidence,
    Explanation,
    Label,
    LabelScores,
    Neighbors,
    Step,
    Text,
    WinShares,
    agreement_with,
)
from labelrank_core.methods.random_ties import broken_tie, tie_rule
from labelrank_core.methods.tied_labels import LISTED, explain_ties
from labelrank_core.rankings import strict_order

if TYPE_CHECKING:
    from labelrank_core.methods.neighbors._pair_path import PairPreferencePoint

_TITLE = "summed win shares"


def explain_case(point: "PairPreferencePoint", case: int) -> Explanation:
    """Explain one case: the pairs its neighbours know, win shares, scores and confidence."""
    neighbors = _neighbors(point, case)
    values = _values(point, case, neighbors)
    similar = Step(
        "Similar cases", Text(_similar(values["knowing"], values["agreeing"]), values), neighbors
    )
    weighted = "weighted " if point.path.weights is not None else ""
    scores = LabelScores(
        weighted + _TITLE,
        point.scores[case],
        point.positions[case],
        greater_is_better=True,
        tie_rule=tie_rule(point.path.model.random_state),
    )
    values["title"] = scores.title
    if point.predicts_ties:
        gap = point.path.model.tie_gap
        return explain_ties(
            point,
            case,
            voters=f"the {point.n_neighbors} most similar cases",
            first=(similar,),
            scores=scores,
            order=LISTED,
            reason=Text(_BY_CUT if gap is None else _BY_GAP, {**values, "gap": gap}),
            fits_best=gap is None,
            lowest=0.0,
            defined=bool(values["known"]),
        )
    shares = point.pair_support(slice(case, case + 1))[0]
    wider = "" if point.table.complete else _WIDER
    is_tie = values["top_score"] == values["second_score"]
    return Explanation(
        prediction=point.prediction[case],
        positions=point.positions[case],
        summary=Text(_TIE if is_tie else _TOP, values),
        steps=(
            similar,
            Step(
                "Pair by pair",
                Text(_PAIRS + wider, values),
                WinShares(shares, point.positions[case]),
            ),
            Step("Scores that decide", Text(_BY_SCORES, values), scores),
            _confidence_step(point, case, values),
        ),
        closest_pair=closest_pair(point, case),
    )


def _neighbors(point: "PairPreferencePoint", case: int) -> Neighbors:
    k, table = point.n_neighbors, point.table
    signs = table.keys[point.path.rows[case, :k]].astype(np.float64)
    no_rankings = np.full((k, table.n_labels), np.nan)
    neighbors: Neighbors = point.path.evidence(case, k, no_rankings, has_zero_line=False)
    return replace(neighbors, preferences=PairPreferences(signs))


def _values(point: "PairPreferencePoint", case: int, neighbors: Neighbors) -> dict[str, Any]:
    order = strict_order(point.positions[case])
    top, second = int(order[0]), int(order[1])
    ahead, behind = closest_pair(point, case)
    votes = point.table.votes(neighbors.rows[None], None)
    right, compared = point.agreeing_votes(slice(case, case + 1))
    unit = 1 if point.path.weights is None else WEIGHT_UNIT
    return {
        "k": point.n_neighbors,
        "top": Label(top),
        "second": Label(second),
        "top_score": float(point.scores[case, top]),
        "second_score": float(point.scores[case, second]),
        "ahead": Label(ahead),
        "behind": Label(behind),
        "knowing": int(votes[1][0, ahead, behind]),
        "agreeing": int(votes[0][0, ahead, behind]),
        "right": _whole(right[0] / unit),
        "known": _whole(compared[0] / unit),
        "widest": point.sizes[-1],
        "tie": broken_tie(point.path.model.random_state),
    }


def _similar(n_knowing: int, n_agreeing: int) -> str:
    """Return the sentence on the similar cases that compare the closest pair."""
    if not n_knowing:
        return _NOT_COMPARED
    if n_knowing == 1:
        return _ONE_COMPARES + ("prefers {ahead}." if n_agreeing else "does not prefer {ahead}.")
    return _SIMILAR


def _whole(number: float) -> float:
    """Return a number as a whole one where it is, so that it is written without decimals."""
    return int(number) if number == int(number) else float(number)


def _confidence_step(point: "PairPreferencePoint", case: int, values: dict[str, Any]) -> Step:
    defined = bool(values["known"])
    confidence = Confidence(
        value=float(point.confidence[case]),
        lowest=0.0,
        meaning=agreement_with("this ranking", "the similar cases"),
        definition=(
            "share of the (weighted) pairs of labels known to the neighbours whose preferred label "
            "is predicted ahead, a tie counts one half"
        ),
        defined=defined,
    )
    template = _CONFIDENCE if point.path.weights is None else _WEIGHTED_CONFIDENCE
    text = Text(template if defined else _NO_CONFIDENCE, {**values, "value": confidence.value})
    return Step("Confidence", text, confidence)


_SIMILAR = (
    "{ahead} is preferred to {behind} by {agreeing} of the {knowing} cases that compare the two, "
    "among the {k} most similar."
)
_ONE_COMPARES = "Only one of the {k} most similar cases compares {ahead} with {behind}: it "
_NOT_COMPARED = "None of the {k} most similar cases compares {ahead} with {behind}."
_PAIRS = (
    "How often one label is preferred to another among those of these cases that know the pair."
)
_WIDER = (
    " One vote is added for what wider neighbourhoods of up to {widest} similar cases, and at last "
    "all training cases, prefer."
)
_BY_SCORES = "Labels are ordered by their {title}: a label has one share for every other label."
_TOP = "{top} comes first. Its {title} are {top_score}, those of {second} are {second_score}."
_TIE = "{top} and {second} have the same {title}, {top_score}; {tie}."
_TIES_COUNT = " In the table a tie counts one half."
_BY_CUT = (
    "Labels in the order of their {title} share a position where no cut between them fits the "
    "known pairs of the similar cases better." + _TIES_COUNT
)
_BY_GAP = (
    "Labels share a position if their {title} differ by at most {gap} from those of the first of "
    "them." + _TIES_COUNT
)
_CONFIDENCE = (
    "Confidence {value}: of {known} known pairs of the similar cases, {right} are in this order."
)
_WEIGHTED_CONFIDENCE = (
    "Confidence {value}: the share of the known pairs of the similar cases, each with the weight "
    "of its case, that are in this order."
)
_NO_CONFIDENCE = "The similar cases know no pair, so there is no agreement to measure."
