"""Exercises on measures: which of two predictions is better, and by which measure."""

from dataclasses import dataclass

import numpy as np

from labelrank_core.metrics import kendall_distance, kendall_tau_score, position_error
from labelrank_core.rankings import IntArray, format_ranking, strict_order
from pages.learn.exercises.base import (
    MUSIC,
    Choice,
    Exercise,
    Given,
    Number,
    Sheet,
    Topic,
    decimal,
    orders,
)

_PAIRS = 6
_OPTIONS = ("A by both", "B by both", "A by τ, B by place", "B by τ, A by place")


@dataclass(frozen=True, eq=False)
class Situation:
    """A true ranking of four labels, and two predictions."""

    truth: IntArray
    A: IntArray
    B: IntArray


def draw(rng: np.random.Generator) -> Situation:
    """Draw predictions of which one is better by either measure, in half of the draws another."""
    differ = bool(rng.integers(2))
    while True:
        found = Situation(*orders(4, rng, 3))
        tau, place = _better(found)
        if 0 not in (tau, place) and differ == (tau != place):
            return found


def _better(of: Situation) -> tuple[int, int]:
    """Return by either measure 1 where A is better, -1 where B is."""
    both, truth = np.array([of.A, of.B]), np.array([of.truth, of.truth])
    wrong = [measure(truth, both, average=None) for measure in (kendall_distance, position_error)]
    tau, place = (int(np.sign(b - a)) for a, b in wrong)
    return tau, place


def ask(of: Situation) -> Sheet:
    """Ask for reversed pairs, Kendall's tau, and which prediction is better."""
    tau, place = _better(of)
    truth, both = np.array([of.truth, of.truth]), np.array([of.A, of.B])
    wrong, taus = (
        kendall_distance(truth, both, average=None),
        kendall_tau_score(truth, both, average=None),
    )
    places = 1 + position_error(truth, both, average=None)
    # By the signs of both measures, in the order of the options.
    right = [(1, 1), (-1, -1), (1, -1), (-1, 1)].index((tau, place))
    return Sheet(
        "Two predictions of the same true ranking.",
        Given(
            ("", "ranking"),
            tuple(
                (name, format_ranking(row, MUSIC))
                for name, row in (("truth", of.truth), ("A", of.A), ("B", of.B))
            ),
        ),
        (
            Exercise(
                "How many of the six pairs of labels does A put in the wrong order?",
                Number(float(wrong[0]), 0),
                "Go through the pairs of the truth, and look each one up in A.",
                f"{_wrong_pairs(of.truth, of.A)}.",
            ),
            Exercise(
                "What is Kendall's τ of A?",
                Number(float(taus[0])),
                "Pairs in the right order minus pairs in the wrong order, over all pairs.",
                f"({_PAIRS - wrong[0]:.0f} − {wrong[0]:.0f}) / {_PAIRS} = {decimal(taus[0])}.",
            ),
            Exercise(
                "Which prediction is better by Kendall's τ, and which by the place at which it "
                "puts the truly first label?",
                Choice(_OPTIONS, right),
                "τ counts all pairs alike; the place looks at one label only.",
                f"τ is {decimal(taus[0])} for A and {decimal(taus[1])} for B; "
                f"{MUSIC[int(np.argmin(of.truth))]} is in place {places[0]:.0f} of A and "
                f"{places[1]:.0f} of B.",
            ),
        ),
    )


def _wrong_pairs(truth: IntArray, prediction: IntArray) -> str:
    order = strict_order(truth)
    found = [
        f"{MUSIC[first]} before {MUSIC[second]}"
        for i, first in enumerate(order)
        for second in order[i + 1 :]
        if prediction[first] > prediction[second]
    ]
    return f"{len(found)} of the truth are not in A" + (f": {', '.join(found)}" if found else "")


TOPIC = Topic("Measures", draw, ask)
