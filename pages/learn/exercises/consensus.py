"""Exercises on consensus rules: mean rank and median rank."""

from dataclasses import dataclass

import numpy as np

from labelrank_core.aggregation import CONSENSUS_RULES
from labelrank_core.explain.tally import RuleNumbers, numbers_of
from labelrank_core.rankings import IntArray, format_ranking
from pages.learn.exercises.base import (
    DRINKS,
    Choice,
    Exercise,
    GivenTable,
    NumberAnswer,
    Sheet,
    Topic,
    mean,
    orders,
)

_PEOPLE = 5


@dataclass(frozen=True, eq=False)
class ConsensusSituation:
    """Rankings of three labels, and the label asked about."""

    Y: IntArray
    label: int


def draw_situation(rng: np.random.Generator) -> ConsensusSituation:
    """Draw rankings whose first label is not tied; the two rules differ in half of the draws."""
    differ = bool(rng.integers(2))
    while True:
        situation = ConsensusSituation(orders(3, rng, _PEOPLE), int(rng.integers(3)))
        by_mean, by_median = _numbers(situation)
        if not (by_mean.is_tied or by_median.is_tied) and differ == (
            by_mean.first != by_median.first
        ):
            return situation


def _numbers(situation: ConsensusSituation) -> tuple[RuleNumbers, RuleNumbers]:
    by_mean, by_median = (
        numbers_of(CONSENSUS_RULES[key], situation.Y) for key in ("borda", "median")
    )
    return by_mean, by_median


def make_sheet(situation: ConsensusSituation) -> Sheet:
    """Ask for a mean rank, a median rank, and whether both rules agree on the first label."""
    by_mean, by_median = _numbers(situation)
    name, positions = DRINKS[situation.label], situation.Y[:, situation.label].tolist()
    same = by_mean.first == by_median.first
    options = (*(f"both {drink}" for drink in DRINKS), "different labels")
    return Sheet(
        "Five people rank three drinks.",
        GivenTable(
            ("person", "ranking"),
            tuple((str(i + 1), format_ranking(row, DRINKS)) for i, row in enumerate(situation.Y)),
        ),
        (
            Exercise(
                f"What is the mean rank of {name}?",
                NumberAnswer(float(by_mean.values[situation.label])),
                f"Add the five places of {name} and divide by five.",
                f"{mean(positions)}.",
            ),
            Exercise(
                f"What is the median rank of {name}?",
                NumberAnswer(float(by_median.values[situation.label]), 0),
                "Sort its five places; the third is the median.",
                f"Sorted: {', '.join(map(str, sorted(positions)))}.",
            ),
            Exercise(
                "Which label does the mean rank put first, and which the median rank?",
                Choice(options, by_mean.first if same else len(DRINKS)),
                "The lowest number comes first, by either rule.",
                f"By mean ranks {DRINKS[by_mean.first]} ({_number_text(by_mean)}), by median ranks "
                f"{DRINKS[by_median.first]} ({_number_text(by_median)}).",
            ),
        ),
    )


def _number_text(numbers: RuleNumbers) -> str:
    return ", ".join(
        f"{name} {value:g}" for name, value in zip(DRINKS, numbers.values, strict=True)
    )


TOPIC = Topic("Consensus rules", draw_situation, make_sheet)
