"""Explanations of distributions over label sets."""

from typing import TYPE_CHECKING, Any

import numpy as np

from labelrank_core.aggregation.label_sets import f1_by_size
from labelrank_core.explain.evidence import (
    LABELS_EXPECTED,
    Confidence,
    Explanation,
    Label,
    LabelScores,
    SetValues,
    Step,
    Text,
)
from labelrank_core.methods.label_probabilities import probability_values
from labelrank_core.methods.score_steps import PROBABILITIES, summary

if TYPE_CHECKING:
    from labelrank_core.methods.label_sets._distribution import SetDistributionPoint


def explain_case(point: "SetDistributionPoint", case: int) -> Explanation:
    """Explain one case: the likeliest sets, the labels, the decision, the confidence."""
    values = probability_values(point, case)
    likeliest = _likeliest_sets(point, case)
    steps = [_sets_step(point, likeliest), _labels_step(point, case, values)]
    if point.decision == "hamming":
        text = summary(PROBABILITIES, values)
    else:
        if point.decision == "f1":
            steps.append(_f1_step(point, case))
            values["best"] = steps[-1].text.values["best"]
        values.setdefault("best", float(likeliest.values[0]))
        template = _SUMMARIES[point.decision][values["n_relevant"] > 0]
        if point.decision == "subset" and len(likeliest.values) > 1:
            rivals = tuple(Label(int(label)) for label in np.flatnonzero(likeliest.sets[1]))
            values |= {"second": float(likeliest.values[1]), "rivals": rivals}
            template += _NEXT if rivals else _NEXT_EMPTY
        text = Text(template, values)
    return Explanation(
        prediction=point.prediction[case],
        positions=point.positions[case],
        summary=text,
        steps=(*steps, _confidence_step(point, case)),
    )


def _likeliest_sets(point: "SetDistributionPoint", case: int) -> SetValues:
    return SetValues.by_share(
        "probability",
        point.sets,
        point.set_probabilities[case],
        point.prediction[case],
        point.positions[case],
    )


def _sets_step(point: "SetDistributionPoint", likeliest: SetValues) -> Step:
    values = {
        "n": len(likeliest.sets),
        "total": len(point.sets),
        "best": float(likeliest.values[0]),
    }
    return Step("Whole label sets", Text(_SETS, values), likeliest)


def _labels_step(point: "SetDistributionPoint", case: int, values: dict[str, Any]) -> Step:
    decides_labels = not point.decides_whole_sets
    scores = LabelScores(
        "probability",
        point.probabilities[case],
        point.positions[case],
        greater_is_better=True,
        bar=0.5 if decides_labels else None,
        highest=1.0,
    )
    template = _LABELS + (_MAJORITY if decides_labels else _ORDER)
    return Step("Labels", Text(template, values), scores)


def _f1_step(point: "SetDistributionPoint", case: int) -> Step:
    one = slice(case, case + 1)
    by_size = f1_by_size(point.sets, np.arange(len(point.sets))[None], point.weights[one])
    evidence = SetValues("expected F1", *by_size.best_first(0), point.positions[case])
    values = {"best": float(evidence.values[0]), "size": int(evidence.sets[0].sum())}
    return Step("Sets that could be predicted", Text(_BEST_F1, values), evidence)


def _confidence_step(point: "SetDistributionPoint", case: int) -> Step:
    confidence = Confidence(
        value=float(point.confidence[case]),
        lowest=0.0 if point.decides_whole_sets else 0.5,
        meaning=LABELS_EXPECTED,
        definition="mean probability of the label decisions taken",
    )
    values = {"value": confidence.value, "lowest": confidence.lowest}
    return Step("Confidence", Text(_CONFIDENCE, values), confidence)


_SETS = (
    "Of the {total} label sets that are compared, {n} are possible here; the likeliest has a "
    "probability of {best}."
)
_LABELS = "The probability of a label is that of all sets that have it. "
_MAJORITY = "Labels above one half are relevant: {n_relevant} of {m}."
_ORDER = "Labels of the predicted set come first; in it, and behind it, the likelier ones."
_BEST_F1 = (
    "What F1 can be expected of a set? For every number of labels the best set is compared: with "
    "{size} labels it is {best}, the largest."
)
_CONFIDENCE = (
    "The probabilities expect {value} of the label decisions to be right; {lowest} to 1 is "
    "possible."
)
_NEXT = " The next likely set, with {second}: {rivals}."
_NEXT_EMPTY = " The next likely set, with {second}, is empty."
_SUMMARIES = {
    "f1": (
        "No label is relevant: the empty set has the largest expected F1, {best}.",
        "This set has the largest expected F1, {best}: {relevant} ({n_relevant} of {m} labels).",
    ),
    "subset": (
        "No label is relevant: the empty set is the likeliest, with a probability of {best}.",
        "The likeliest label set, with a probability of {best}: {relevant} ({n_relevant} of {m} "
        "labels).",
    ),
}
