"""Exercises on statistical models of rankings: Mallows and Plackett-Luce."""

from dataclasses import dataclass
from itertools import permutations

import numpy as np

from labelrank_core.aggregation import mallows
from labelrank_core.data.schema import decimal_text
from labelrank_core.explain.evidence import ChoiceChances
from labelrank_core.rankings import IntArray, format_ranking, strict_order
from pages.learn.exercises.base import DRINKS, Exercise, GivenTable, NumberAnswer, Sheet, Topic

_RANKINGS = np.array(list(permutations((1, 2, 3))))


@dataclass(frozen=True, eq=False)
class ModelsSituation:
    """A centre, another ranking, the factor in probability of each reversed pair, and strengths."""

    centre: IntArray
    ranking: IntArray
    factor: int
    strengths: IntArray


def draw_situation(rng: np.random.Generator) -> ModelsSituation:
    """Draw two rankings that differ, and three strengths that differ."""
    while True:
        centre, ranking = rng.permutation(_RANKINGS)[:2]
        strengths = rng.integers(1, 7, 3)
        if len(set(strengths.tolist())) == 3:
            return ModelsSituation(centre, ranking, int(rng.integers(2, 5)), strengths)


def make_sheet(situation: ModelsSituation) -> Sheet:
    """Ask for a distance, and for the probability of a ranking by both models."""
    distances = mallows.distances(_RANKINGS[None], situation.centre[None])[0]
    reversed_pairs = int(
        mallows.distances(situation.ranking[None, None], situation.centre[None])[0, 0]
    )
    theta = float(np.log(situation.factor))
    alike = int((distances == reversed_pairs).sum())
    by_mallows = mallows.distance_probabilities(theta, 3)[reversed_pairs] / alike
    chances = np.diag(ChoiceChances(situation.strengths.astype(float), situation.ranking).chances)
    names = [DRINKS[label] for label in strict_order(situation.ranking)]
    strengths = situation.strengths[strict_order(situation.ranking)]
    ranking_text = format_ranking(situation.ranking, DRINKS)
    weights = [f"1/{situation.factor**d}" for d in range(4)]
    total = sum(situation.factor ** -float(d) for d in distances)
    return Sheet(
        f"Mallows' model has the centre {format_ranking(situation.centre, DRINKS)}; each reversed "
        f"pair makes a ranking {situation.factor} times less likely (θ = {decimal_text(theta)}). "
        "The Plackett–Luce model has the strengths below.",
        GivenTable(("drink", *DRINKS), (("strength", *map(str, situation.strengths)),)),
        (
            Exercise(
                f"How many pairs does {ranking_text} reverse of the centre?",
                NumberAnswer(float(reversed_pairs), 0),
                "Check the three pairs one by one.",
                f"{reversed_pairs} of the three pairs stand in the opposite order.",
            ),
            Exercise(
                f"How probable is {ranking_text} by Mallows' model?",
                NumberAnswer(float(by_mallows)),
                "Of the six rankings, one reverses no pair, two one pair, two two, one all three: "
                f"weights 1, {weights[1]}, {weights[2]} and {weights[3]}.",
                f"{weights[reversed_pairs]} / (1 + 2 × {weights[1]} + 2 × {weights[2]} + "
                f"{weights[3]}) = {situation.factor ** -float(reversed_pairs):.3f} / {total:.3f} = "
                f"{decimal_text(by_mallows)}.",
            ),
            Exercise(
                f"How probable is {ranking_text} by the Plackett–Luce model?",
                NumberAnswer(float(chances.prod())),
                "Choose from the top: each label with its strength over the sum of those left.",
                f"{names[0]} {strengths[0]}/{strengths.sum()}, then {names[1]} "
                f"{strengths[1]}/{strengths[1:].sum()}: {decimal_text(chances.prod())}.",
            ),
        ),
    )


TOPIC = Topic("Ranking models", draw_situation, make_sheet)
