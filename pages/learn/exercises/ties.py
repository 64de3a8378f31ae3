"""Exercises on ties: the cost of the answers on a pair, and the ranking with the least cost."""

from dataclasses import dataclass
from itertools import product

import numpy as np

from labelrank_core.rankings import IntArray, dense_positions, format_ranking
from pages.learn.exercises.base import (
    DRINKS,
    Choice,
    Exercise,
    GivenTable,
    NumberAnswer,
    Sheet,
    Topic,
)
from pages.learn.lessons.ties import distance

_PEOPLE = 5
# All rankings of the drinks with or without ties: positions without gaps.
_RANKINGS = np.array([p for p in product((1, 2, 3), repeat=3) if set(p) == {*range(1, max(p) + 1)}])


@dataclass(frozen=True, eq=False)
class TiesSituation:
    """Rankings of three labels with ties."""

    Y: IntArray

    @property
    def costs(self) -> IntArray:
        """The summed distances of all rankings, in the order of `_RANKINGS`."""
        return np.array([distance(answer, self.Y) for answer in _RANKINGS])


def draw_situation(rng: np.random.Generator) -> TiesSituation:
    """Draw rankings with a single best ranking, which has a tie in half of the draws."""
    has_tie = bool(rng.integers(2))
    while True:
        Y = dense_positions(rng.integers(1, 4, (_PEOPLE, 3)).astype(float))
        situation = TiesSituation(Y.astype(np.int64))
        costs = situation.costs
        best = _RANKINGS[int(np.argmin(costs))]
        is_alone = int((costs == costs.min()).sum()) == 1
        # If all tie there is nothing to rank.
        if is_alone and best.max() > 1 and has_tie == (best.max() < len(DRINKS)):
            return situation


def make_sheet(situation: TiesSituation) -> Sheet:
    """Ask for the cost of a tie and of an order of two labels, and for the cheapest ranking."""
    Y, (a, b) = situation.Y, DRINKS[:2]
    ahead, behind = int((Y[:, 0] < Y[:, 1]).sum()), int((Y[:, 0] > Y[:, 1]).sum())
    ties = _PEOPLE - ahead - behind
    tie_cost, ahead_cost = (distance(np.array(pair), Y[:, :2]) for pair in ((1, 1), (1, 2)))
    costs = situation.costs
    best = int(np.argmin(costs))
    options = tuple(format_ranking(ranking, DRINKS) for ranking in _RANKINGS)
    return Sheet(
        "Five people rank three drinks; = means a tie. For each person an answer on two drinks "
        "costs 2 if it is the other way round, and 1 if only one of both is a tie.",
        GivenTable(
            ("person", "ranking"),
            tuple((str(i + 1), format_ranking(row, DRINKS)) for i, row in enumerate(Y)),
        ),
        (
            Exercise(
                f"What does the answer {a} = {b} cost?",
                NumberAnswer(float(tie_cost), 0),
                "Count the people who do not tie the two.",
                f"{ahead} put {a} ahead and {behind} put {b} ahead: {tie_cost}.",
            ),
            Exercise(
                f"What does the answer {a} > {b} cost?",
                NumberAnswer(float(ahead_cost), 0),
                f"People who put {b} ahead cost 2, people who tie the two cost 1.",
                f"2 · {behind} + {ties} = {ahead_cost}.",
            ),
            Exercise(
                "Which ranking, with or without ties, costs the least over all three pairs?",
                Choice(options, best),
                "Find the cheapest answer for each pair, then a ranking that has them.",
                f"{options[best]} costs {costs[best]}, and every other ranking costs more.",
            ),
        ),
    )


TOPIC = Topic("Ties", draw_situation, make_sheet)
