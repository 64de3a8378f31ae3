"""Exercises on confidence and on guarantees."""

from dataclasses import dataclass

import numpy as np

from labelrank_core.data.schema import decimal_text
from labelrank_core.evaluation.confidence.risk import risk_coverage
from labelrank_core.evaluation.guarantees.calibration import ANY_PAIR, Calibration, Losses
from labelrank_core.evaluation.guarantees.semiorder import score_gaps, sure_pairs
from labelrank_core.rankings import FloatArray, IntArray
from pages.learn.exercises.base import (
    DRINKS,
    Exercise,
    GivenTable,
    NumberAnswer,
    Several,
    Sheet,
    Topic,
)

_CASES, _KEPT = 9, 4
RISK = 0.2
_PAIRS = ((0, 1), (0, 2), (1, 2))


@dataclass(frozen=True, eq=False)
class ConfidenceSituation:
    """Confidence and largest wrong gap of some cases, 0 where all is right; a new case's scores."""

    confidence: FloatArray
    gap: FloatArray
    scores: FloatArray

    @property
    def right(self) -> IntArray:
        """Whether no pair of a case is wrong."""
        return (self.gap == 0).astype(np.int64)


def draw_situation(rng: np.random.Generator) -> ConfidenceSituation:
    """Draw cases with different confidences and gaps, and a new case with one sure pair or two."""
    while True:
        confidence = np.sort(rng.choice(np.arange(50, 100), _CASES, replace=False))[::-1] / 100
        gap = rng.choice(np.arange(1, 30), _CASES, replace=False) / 10
        gap[rng.random(_CASES) < confidence - 0.2] = 0.0
        scores = np.sort(rng.choice(np.arange(0, 60), 3, replace=False))[::-1] / 10
        situation = ConfidenceSituation(confidence, gap, scores)
        gaps = np.array([scores[i] - scores[j] for i, j in _PAIRS])
        limit = _threshold(situation)
        clear = np.abs(gaps - limit).min() > 0.05
        if 2 <= (gap > 0).sum() <= 6 and clear and 0 < (gaps > limit).sum() < len(_PAIRS):
            return situation


def _threshold(situation: ConfidenceSituation) -> float:
    wrong = np.flatnonzero(situation.gap)
    losses = Losses(wrong, situation.gap[wrong], np.ones(len(wrong)), _CASES)
    return Calibration(losses, ANY_PAIR).threshold(RISK)


def make_sheet(situation: ConfidenceSituation) -> Sheet:
    """Ask for the accuracy of the surest cases, the threshold, and the pairs it decides."""
    accuracy = 1 - risk_coverage(situation.confidence, situation.right).frame()["risk"][_KEPT - 1]
    limit = _threshold(situation)
    sure = sure_pairs(score_gaps(situation.scores[None]), limit)[0]
    options = tuple(f"{DRINKS[i]} before {DRINKS[j]}" for i, j in _PAIRS)
    n_right = int(situation.right[:_KEPT].sum())
    gaps = [situation.scores[i] - situation.scores[j] for i, j in _PAIRS]
    scores_text = ", ".join(
        f"{name} {score:.1f}" for name, score in zip(DRINKS, situation.scores, strict=True)
    )
    return Sheet(
        "Nine test cases: how sure each prediction was, and the largest gap between the scores of "
        "two labels in the wrong order, 0 where all pairs are right.",
        GivenTable(
            ("case", "confidence", "largest wrong gap"),
            tuple(
                (str(i + 1), decimal_text(sure), f"{gap:.1f}")
                for i, (sure, gap) in enumerate(
                    zip(situation.confidence, situation.gap, strict=True)
                )
            ),
        ),
        (
            Exercise(
                "Only the four surest predictions are kept. Which share of them has no wrong pair?",
                NumberAnswer(float(accuracy)),
                "The cases are sorted by confidence: look at the first four.",
                f"{n_right} of {_KEPT}: {decimal_text(accuracy)}.",
            ),
            Exercise(
                "A pair is predicted only if its scores differ by more than t. Which t guarantees "
                "that at most 20 % of new cases have any wrong pair?",
                NumberAnswer(limit, 1),
                "Of 9 gaps, take the ⌈0.8 × (9 + 1)⌉ = 8th smallest.",
                f"Sorted: {', '.join(f'{value:.1f}' for value in np.sort(situation.gap))}; the 8th "
                f"is {limit:.1f}.",
            ),
            Exercise(
                f"A new case has the scores {scores_text}. Which pairs are predicted with this t?",
                Several(
                    options, frozenset(p for p, (i, j) in enumerate(_PAIRS) if sure[i, j] == 1)
                ),
                "Compare each difference of two scores with t.",
                "Gaps: "
                + ", ".join(f"{o} {g:.1f}" for o, g in zip(options, gaps, strict=True))
                + f"; t = {limit:.1f}.",
            ),
        ),
    )


TOPIC = Topic("Confidence", draw_situation, make_sheet)
