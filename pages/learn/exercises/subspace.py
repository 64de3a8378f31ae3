"""Exercises on shared subspaces: a direction that all labels share, and labels' own weights."""

from dataclasses import dataclass

import numpy as np

from labelrank_core import SharedSubspaceClassifier
from labelrank_core.explain.evidence import ScoreParts
from labelrank_core.rankings import FloatArray, IntArray
from pages.learn.exercises.base import (
    MUSIC,
    Exercise,
    GivenTable,
    NumberAnswer,
    Several,
    Sheet,
    Topic,
    decimal,
)

_ROWS, _LABELS = 12, 3
ALPHA, BETA = 0.01, 0.1
_NAMES = MUSIC[:_LABELS]
# Scores that are nearer to 0 could be rounded to the other side.
_CLEAR = 0.15


@dataclass(frozen=True, eq=False)
class SubspaceSituation:
    """Rows with two features and label sets, and a new case."""

    X: IntArray
    Y: IntArray
    x: IntArray


def fitted(situation: SubspaceSituation) -> SharedSubspaceClassifier:
    """Fit the model with one shared direction."""
    model = SharedSubspaceClassifier(alpha=ALPHA, beta=BETA, n_components=1, threshold="zero")
    return model.fit(situation.X, situation.Y)


def draw_situation(rng: np.random.Generator) -> SubspaceSituation:
    """Draw labels that depend on one direction, and a case whose scores are not near 0."""
    while True:
        X = rng.integers(0, 7, (_ROWS, 2))
        side = (X - X.mean(axis=0)) @ rng.normal(size=2)
        Y = side[:, None] * rng.choice([-1, 1], _LABELS) + rng.normal(size=(_ROWS, _LABELS)) > 0
        situation = SubspaceSituation(X, Y.astype(np.int64), rng.integers(0, 7, 2))
        # Of rank 1, X'Y leaves nothing that is not shared.
        if np.linalg.matrix_rank((X - X.mean(axis=0)).T @ (Y - Y.mean(axis=0))) == 2:
            scores = fitted(situation).explain(situation.x).find(ScoreParts).scores
            if np.abs(scores).min() > _CLEAR and 0 < (scores > 0).sum() < _LABELS:
                return situation


def make_sheet(situation: SubspaceSituation) -> Sheet:
    """Ask for the place along the direction, a score, and the predicted labels."""
    model = fitted(situation)
    parts = model.explain(situation.x).find(ScoreParts)
    direction, away = model.components_[0], parts.inputs
    along, scores = float(direction @ away), parts.scores
    total = parts.weights["own part"] + parts.weights["shared part"]
    pull = direction @ total
    label_weights = total - np.outer(direction, pull)
    rows = [
        (
            name,
            decimal(parts.baseline[j]),
            *map(decimal, label_weights[:, j]),
            decimal(pull[j]),
        )
        for j, name in enumerate(_NAMES)
    ]
    return Sheet(
        f"A new song differs from the mean by {decimal(away[0])} in tempo and {decimal(away[1])} "
        f"in volume. All labels share the direction {_two(direction[0])} × tempo + "
        f"{_two(direction[1])} × volume; "
        "each also has weights of its own.",
        GivenTable(
            ("label", "baseline", "own: tempo", "own: volume", "along the direction"),
            tuple(rows),
        ),
        (
            Exercise(
                "How far along the shared direction does the song lie (one decimal)?",
                NumberAnswer(along, 1),
                "Multiply each difference by the direction's weight, and add.",
                f"{_sum(direction, away)} = {decimal(along)}, about {decimal(along, 1)}.",
            ),
            Exercise(
                f"What is the score of {_NAMES[0]} (one decimal)?",
                NumberAnswer(float(scores[0]), 1),
                "Baseline, plus its own weights times the differences, plus its weight along the "
                "direction times the place along it.",
                f"{_two(parts.baseline[0])} + {_sum(label_weights[:, 0], away)} + {_two(pull[0])} "
                f"× {_two(along)} = {decimal(scores[0])}, about {decimal(scores[0], 1)}.",
            ),
            Exercise(
                "Which labels are predicted? Their scores are above 0.",
                Several(_NAMES, frozenset(np.flatnonzero(scores > 0).tolist())),
                "The shared part alone often shows the sign.",
                "Scores: "
                + ", ".join(
                    f"{n} {decimal(value)}" for n, value in zip(_NAMES, scores, strict=True)
                )
                + ".",
            ),
        ),
    )


def _sum(weights: FloatArray, values: FloatArray) -> str:
    return " + ".join(f"{_two(w)} × {_two(v)}" for w, v in zip(weights, values, strict=True))


def _two(value: float) -> str:
    text = decimal(value)
    return f"({text})" if text.startswith("−") else text


TOPIC = Topic("Shared subspace", draw_situation, make_sheet)
