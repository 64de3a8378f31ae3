"""Exercises on measures: which of two predictions is better, and by which measure."""

from dataclasses import dataclass

import numpy as np

from labelrank_core.metrics import kendall_distance, kendall_tau_score, position_error
from labelrank_core.rankings import IntArray, format_ranking, strict_order
from pages.learn.exercises.base import (
    MUSIC,
    Choice,
    Exercise,
    GivenTable,
    NumberAnswer,
    Sheet,
    Topic,
    decimal,
    orders,
)

_PAIRS = 6
_OPTIONS = ("A by both", "B by both", "A by τ, B by place", "B by τ, A by place")


@dataclass(frozen=True, eq=False)
class MeasuresSituation:
    """A true ranking of four labels, and two predictions."""

    truth: IntArray
    A: IntArray
    B: IntArray


def draw_situation(rng: np.random.Generator) -> MeasuresSituation:
    """Draw predictions of which one is better by either measure, in half of the draws another."""
    differ = bool(rng.integers(2))
    while True:
        situation = MeasuresSituation(*orders(4, rng, 3))
        tau, error_sign = _better(situation)
        if 0 not in (tau, error_sign) and differ == (tau != error_sign):
            return situation


def _better(situation: MeasuresSituation) -> tuple[int, int]:
    """Return by either measure 1 where A is better, -1 where B is."""
    both, truth = np.array([situation.A, situation.B]), np.array([situation.truth, situation.truth])
    wrong = [measure(truth, both, average=None) for measure in (kendall_distance, position_error)]
    tau, error_sign = (int(np.sign(b - a)) for a, b in wrong)
    return tau, error_sign


def make_sheet(situation: MeasuresSituation) -> Sheet:
    """Ask for reversed pairs, Kendall's tau, and which prediction is better."""
    tau, error_sign = _better(situation)
    truth, both = np.array([situation.truth, situation.truth]), np.array([situation.A, situation.B])
    wrong, taus = (
        kendall_distance(truth, both, average=None),
        kendall_tau_score(truth, both, average=None),
    )
    true_first_positions = 1 + position_error(truth, both, average=None)
    # By the signs of both measures, in the order of the options.
    right = [(1, 1), (-1, -1), (1, -1), (-1, 1)].index((tau, error_sign))
    return Sheet(
        "Two predictions of the same true ranking.",
        GivenTable(
            ("", "ranking"),
            tuple(
                (name, format_ranking(row, MUSIC))
                for name, row in (
                    ("truth", situation.truth),
                    ("A", situation.A),
                    ("B", situation.B),
                )
            ),
        ),
        (
            Exercise(
                "How many of the six pairs of labels does A put in the wrong order?",
                NumberAnswer(float(wrong[0]), 0),
                "Go through the pairs of the truth, and look each one up in A.",
                f"{_wrong_pairs(situation.truth, situation.A)}.",
            ),
            Exercise(
                "What is Kendall's τ of A?",
                NumberAnswer(float(taus[0])),
                "Pairs in the right order minus pairs in the wrong order, over all pairs.",
                f"({_PAIRS - wrong[0]:.0f} − {wrong[0]:.0f}) / {_PAIRS} = {decimal(taus[0])}.",
            ),
            Exercise(
                "Which prediction is better by Kendall's τ, and which by the place at which it "
                "puts the truly first label?",
                Choice(_OPTIONS, right),
                "τ counts all pairs alike; the place looks at one label only.",
                f"τ is {decimal(taus[0])} for A and {decimal(taus[1])} for B; "
                f"{MUSIC[int(np.argmin(situation.truth))]} is in place "
                f"{true_first_positions[0]:.0f} of A and {true_first_positions[1]:.0f} of B.",
            ),
        ),
    )


def _wrong_pairs(truth: IntArray, prediction: IntArray) -> str:
    order = strict_order(truth)
    reversed_pairs = [
        f"{MUSIC[first]} before {MUSIC[second]}"
        for i, first in enumerate(order)
        for second in order[i + 1 :]
        if prediction[first] > prediction[second]
    ]
    return f"{len(reversed_pairs)} of the truth are not in A" + (
        f": {', '.join(reversed_pairs)}" if reversed_pairs else ""
    )


TOPIC = Topic("Measures", draw_situation, make_sheet)
