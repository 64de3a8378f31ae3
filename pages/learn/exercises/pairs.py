"""Exercises on pairwise comparison and its cycles."""

from dataclasses import dataclass

import numpy as np

from labelrank_core.aggregation import aggregate, consensus_losses
from labelrank_core.explain.tally import tally_of
from labelrank_core.rankings import IntArray, format_ranking, strict_order
from pages.learn.exercises.base import (
    DRINKS,
    Choice,
    Exercise,
    GivenTable,
    NumberAnswer,
    Sheet,
    Topic,
    orders,
)

_PEOPLE = 5
_CYCLES = ((0, 1, 2), (0, 2, 1))


@dataclass(frozen=True, eq=False)
class PairsSituation:
    """Rankings of three labels by an odd number of people."""

    Y: IntArray


def draw_situation(rng: np.random.Generator) -> PairsSituation:
    """Draw rankings; in half of the draws the majorities contain a cycle."""
    cyclic = bool(rng.integers(2))
    while True:
        Y = orders(3, rng, _PEOPLE)
        wins = 2 * (Y[:, :, None] < Y[:, None, :]).sum(axis=0) > _PEOPLE
        # Of three labels in a cycle each beats one.
        if bool((wins.sum(axis=1) == 1).all()) == cyclic:
            return PairsSituation(Y)


def make_sheet(situation: PairsSituation) -> Sheet:
    """Ask for a majority, the winner or the cycle, and the preferences an order contradicts."""
    tally = tally_of(situation.Y)
    best = aggregate(situation.Y, method="kemeny")
    contradicted = consensus_losses(situation.Y, best).kendall * _PEOPLE
    options = (
        *(f"{name} beats both others" for name in DRINKS),
        *(_chain(cycle) for cycle in _CYCLES),
    )
    right = len(DRINKS) + _CYCLES.index(tally.cycle) if tally.cycle else tally.beats_all
    assert right is not None
    ahead = [
        f"{DRINKS[i]} against {DRINKS[j]} {tally.ahead[i, j]} to {tally.ahead[j, i]}"
        for i, j in ((0, 1), (0, 2), (1, 2))
    ]
    return Sheet(
        "Five people rank three drinks. Compare them two by two: the majority decides each pair.",
        GivenTable(
            ("person", "ranking"),
            tuple((str(i + 1), format_ranking(row, DRINKS)) for i, row in enumerate(situation.Y)),
        ),
        (
            Exercise(
                f"How many people rank {DRINKS[0]} ahead of {DRINKS[1]}?",
                NumberAnswer(float(tally.ahead[0, 1]), 0),
                "Look only at these two in each ranking.",
                f"{ahead[0]}.",
            ),
            Exercise(
                "What do the three majorities say together?",
                Choice(options, right),
                "Find the winner of each pair; then see whether one label wins twice.",
                f"{'; '.join(ahead)}.",
            ),
            Exercise(
                f"How many preferences does the order {format_ranking(best, DRINKS)} contradict, "
                "over all five people?",
                NumberAnswer(float(round(contradicted)), 0),
                "For each pair count those who prefer the label that stands behind.",
                _against(tally.ahead, best),
            ),
        ),
    )


def _chain(cycle: tuple[int, ...]) -> str:
    return " > ".join(DRINKS[label] for label in (*cycle, cycle[0])) + ", a cycle"


def _against(ahead: IntArray, positions: IntArray) -> str:
    order = strict_order(positions)
    pairs = [(order[i], order[j]) for i in range(3) for j in range(i + 1, 3)]
    terms = [int(ahead[behind, first]) for first, behind in pairs]
    counts_text = ", ".join(
        f"{DRINKS[behind]} ahead of {DRINKS[first]} {count}"
        for (first, behind), count in zip(pairs, terms, strict=True)
    )
    return f"{counts_text}: {' + '.join(map(str, terms))} = {sum(terms)}. No other order has fewer."


TOPIC = Topic("Pairwise comparison", draw_situation, make_sheet)
