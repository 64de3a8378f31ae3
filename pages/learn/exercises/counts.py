"""Exercises on ML-kNN: prior, likelihood and posterior from counts."""

from dataclasses import dataclass

import numpy as np

from labelrank_core import MLkNNClassifier
from labelrank_core.data.schema import decimal_text
from labelrank_core.explain.evidence import CountEvidence
from labelrank_core.rankings import IntArray
from pages.learn.exercises.base import Exercise, GivenTable, NumberAnswer, Sheet, Topic

K, _ROWS = 3, 9


@dataclass(frozen=True, eq=False)
class CountsSituation:
    """Rows with one feature and two labels, and a new case; the first label is asked about."""

    X: IntArray
    Y: IntArray
    x: IntArray


def draw_situation(rng: np.random.Generator) -> CountsSituation:
    """Draw rows of which some have the label and some do not."""
    while True:
        X = np.sort(rng.choice(30, _ROWS, replace=False))[:, None]
        Y = rng.integers(0, 2, (_ROWS, 2))
        if 3 <= Y[:, 0].sum() <= _ROWS - 3 and 0 < Y[:, 1].sum() < _ROWS:
            return CountsSituation(X, Y, rng.integers(5, 25, 1))


def make_sheet(situation: CountsSituation) -> Sheet:
    """Ask for the three steps from counts to a posterior."""
    model = MLkNNClassifier(n_neighbors=K, smoothing=1.0).fit(situation.X, situation.Y)
    evidence = model.explain(situation.x).find(CountEvidence)
    with_it, without = evidence.cases_with[0], evidence.cases_without[0]
    own_count, n_with = int(evidence.case_counts[0]), int(with_it.sum())
    prior, likely = float(evidence.prior[0]), float(evidence.likelihood_with[0, own_count])
    rarely = float(evidence.likelihood_without[0, own_count])
    posterior = float(evidence.posterior[0])
    return Sheet(
        f"{n_with} of nine training cases have the label. How many of their k = 3 similar cases "
        f"have it too was counted; of the new case's three similar cases, {own_count} have it. "
        "Each count is smoothed by s = 1.",
        GivenTable(
            ("similar cases with it", *map(str, range(K + 1))),
            (
                ("training cases with the label", *map(str, with_it)),
                ("training cases without it", *map(str, without)),
            ),
        ),
        (
            Exercise(
                "What is the prior, the probability of the label before we ask similar cases?",
                NumberAnswer(prior),
                "(s + cases with the label) / (2s + all cases).",
                f"(1 + {n_with}) / (2 + {_ROWS}) = {decimal_text(prior)}.",
            ),
            Exercise(
                f"How likely is a count of {own_count} for a case with the label?",
                NumberAnswer(likely),
                "(s + cases with the label and this count) / (4s + cases with the label).",
                f"(1 + {with_it[own_count]}) / (4 + {n_with}) = {decimal_text(likely)}.",
            ),
            Exercise(
                "What is the posterior, the probability that the new case has the label?",
                NumberAnswer(posterior),
                "Multiply prior and likelihood, with the label and without; then divide the first "
                "product by the sum of both.",
                f"{prior:.3f} × {likely:.3f} against {1 - prior:.3f} × {rarely:.3f}: "
                f"{prior * likely:.3f} / ({prior * likely:.3f} + {(1 - prior) * rarely:.3f}) = "
                f"{decimal_text(posterior)}.",
            ),
        ),
    )


TOPIC = Topic("Counts", draw_situation, make_sheet)
