"""Exercises on statistical models of rankings: Mallows and Plackett-Luce."""

from dataclasses import dataclass
from itertools import permutations

import numpy as np

from labelrank_core.aggregation import mallows
from labelrank_core.data.schema import decimal_text
from labelrank_core.explain.evidence import ChoiceChances
from labelrank_core.rankings import IntArray, format_ranking, strict_order
from pages.learn.exercises.base import DRINKS, Exercise, Given, Number, Sheet, Topic

_RANKINGS = np.array(list(permutations((1, 2, 3))))


@dataclass(frozen=True, eq=False)
class Situation:
    """A centre, another ranking, how much less likely each reversed pair is, and strengths."""

    centre: IntArray
    ranking: IntArray
    factor: int
    strengths: IntArray


def draw(rng: np.random.Generator) -> Situation:
    """Draw two rankings that differ, and three strengths that differ."""
    while True:
        centre, ranking = rng.permutation(_RANKINGS)[:2]
        strengths = rng.integers(1, 7, 3)
        if len(set(strengths.tolist())) == 3:
            return Situation(centre, ranking, int(rng.integers(2, 5)), strengths)


def ask(of: Situation) -> Sheet:
    """Ask for a distance, and for the probability of a ranking by both models."""
    distances = mallows.distances(_RANKINGS[None], of.centre[None])[0]
    reversed_pairs = int(mallows.distances(of.ranking[None, None], of.centre[None])[0, 0])
    theta = float(np.log(of.factor))
    alike = int((distances == reversed_pairs).sum())
    by_mallows = mallows.distance_probabilities(theta, 3)[reversed_pairs] / alike
    chances = np.diag(ChoiceChances(of.strengths.astype(float), of.ranking).chances)
    names = [DRINKS[label] for label in strict_order(of.ranking)]
    left = of.strengths[strict_order(of.ranking)]
    said, weights = format_ranking(of.ranking, DRINKS), [f"1/{of.factor**d}" for d in range(4)]
    total = sum(of.factor ** -float(d) for d in distances)
    return Sheet(
        f"Mallows' model has the centre {format_ranking(of.centre, DRINKS)}; each reversed pair "
        f"makes a ranking {of.factor} times less likely (θ = {decimal_text(theta)}). The "
        "Plackett–Luce model has the strengths below.",
        Given(("drink", *DRINKS), (("strength", *map(str, of.strengths)),)),
        (
            Exercise(
                f"How many pairs does {said} reverse of the centre?",
                Number(float(reversed_pairs), 0),
                "Check the three pairs one by one.",
                f"{reversed_pairs} of the three pairs stand in the opposite order.",
            ),
            Exercise(
                f"How probable is {said} by Mallows' model?",
                Number(float(by_mallows)),
                "Of the six rankings, one reverses no pair, two one pair, two two, one all three: "
                f"weights 1, {weights[1]}, {weights[2]} and {weights[3]}.",
                f"{weights[reversed_pairs]} / (1 + 2 × {weights[1]} + 2 × {weights[2]} + "
                f"{weights[3]}) = {of.factor ** -float(reversed_pairs):.3f} / {total:.3f} = "
                f"{decimal_text(by_mallows)}.",
            ),
            Exercise(
                f"How probable is {said} by the Plackett–Luce model?",
                Number(float(chances.prod())),
                "Choose from the top: each label with its strength over the sum of those left.",
                f"{names[0]} {left[0]}/{left.sum()}, then {names[1]} {left[1]}/{left[1:].sum()}: "
                f"{decimal_text(chances.prod())}.",
            ),
        ),
    )


TOPIC = Topic("Ranking models", draw, ask)
