"""Explanations of bucket orders, which all methods that predict ties share."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from labelrank_core.explain.closest import closest_pair
from labelrank_core.explain.evidence import (
    Confidence,
    Explanation,
    Label,
    LabelScores,
    SharedPlace,
    Step,
    Text,
    WinShares,
)
from labelrank_core.rankings import label_buckets, strict_order

# Why labels share a position, by what a method does with the votes.
NEAREST = (
    "No ranking, with or without ties, was found that fits {voters} better. It puts "
    "one label ahead of another where more than half of the votes do, as far as these fit "
    "together. In the table a tie counts one half."
)

LISTED = "Labels that share a position are listed by their {title}."
IN_LEAF, IN_LEAVES = "the training cases in the leaf", "the training cases in the leaves"


def explain_ties(
    point: Any,
    case: int,
    *,
    voters: str,
    first: Sequence[Step],
    scores: LabelScores,
    order: str = LISTED,
    reason: Text | None = None,
    fits_best: bool | None = None,
    lowest: float = 0.5,
    defined: bool = True,
) -> Explanation:
    """Explain a case of a `RankingPoint` that predicts ties, by the votes on pairs of labels.

    `first` are the steps that come before the votes. `order` says what `scores` do, and `reason`
    why labels share a position; None: as `NEAREST`. `fits_best`: whether to part tied labels fits
    the votes no better; None: as `reason` is None.
    """
    if fits_best is None:
        fits_best = reason is None
    votes = point.pair_votes(slice(case, case + 1))
    ahead = votes.ahead[0] / np.maximum(votes.compared[0], 1)
    positions = point.positions[case]
    confidence = Confidence(
        value=float(point.confidence[case]),
        lowest=lowest,
        meaning=f"How far {voters} and this ranking, with its ties, agree (1 = all).",
        definition=(
            "1 - mean Kemeny distance between the prediction and the votes / largest distance, "
            "which is (1 + mean tau x) / 2"
        ),
        defined=defined,
    )
    sure = Text(
        _CONFIDENCE if defined else _NO_CONFIDENCE, {"value": confidence.value, "lowest": lowest}
    )
    return Explanation(
        prediction=point.prediction[case],
        positions=positions,
        summary=_summary(point.prediction[case], positions, ahead, voters, fits_best),
        steps=(
            *first,
            Step("Scores", Text(order, {"title": scores.title}), scores),
            Step(
                "Which labels tie",
                # In the template, not a value, they are called by the nouns of the data.
                reason or Text(NEAREST.replace("{voters}", voters)),
                WinShares(votes.win_shares[0], positions),
            ),
            Step("Confidence", sure, confidence),
        ),
        has_ties=True,
        closest_pair=closest_pair(point, case),
    )


def _summary(tied: Any, positions: Any, ahead: Any, voters: str, fits_best: bool) -> Text:
    """Say which labels come first and how the votes compare them, and why others tie."""
    top, second = strict_order(positions)[:2]
    buckets = label_buckets(tied)
    shares = ahead[top, second], ahead[second, top]
    values = {
        "top": Label(top),
        "second": Label(second),
        "first": SharedPlace(Label(label) for label in buckets[0]),
        "ahead": f"{shares[0]:.0%}",
        "behind": f"{shares[1]:.0%}",
        "tied": f"{max(0.0, 1 - sum(shares)):.0%}",
    }
    template = (_SHARED if len(buckets[0]) > 1 else _ALONE) + _VOTES.replace("{voters}", voters)
    level = next((bucket for bucket in buckets[1:] if len(bucket) > 1), None)
    if fits_best and level is not None:
        values["level"] = SharedPlace(Label(label) for label in level)
        template += _LEVEL
    return Text(template, values)


_SHARED = "{first} share the first position. "
_ALONE = "{top} comes first. "
_VOTES = (
    "Of {voters}, {ahead} put {top} ahead of {second}, {behind} put {second} ahead of {top}, and "
    "{tied} tie the two."
)
_LEVEL = " {level} tie: to part them fits no better."
_CONFIDENCE = "Confidence {value}, where {lowest} to 1 is possible."
_NO_CONFIDENCE = "With a single case there is no agreement to measure."
