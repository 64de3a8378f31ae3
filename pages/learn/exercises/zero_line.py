"""Exercises on calibrated rankings: the zero line and virtual labels."""

from dataclasses import dataclass

import numpy as np

from labelrank_core import KNeighborsMultilabelRanker
from labelrank_core.aggregation.virtual_labels import CalibratedTargets
from labelrank_core.data.schema import decimal_text
from labelrank_core.rankings import IntArray
from pages.learn.exercises.base import (
    MUSIC,
    Exercise,
    GivenTable,
    NumberAnswer,
    Several,
    Sheet,
    Topic,
    mean,
)

_CASES, _LABELS = 5, 4
_GAPS = (1, 3)


@dataclass(frozen=True, eq=False)
class ZeroLineSituation:
    """The label sets of the neighbours, as a 0/1 matrix."""

    Y: IntArray


def draw_situation(rng: np.random.Generator) -> ZeroLineSituation:
    """Draw sets of which three virtual labels make others relevant than one does; no ties."""
    while True:
        Y = (rng.random((_CASES, _LABELS)) < rng.uniform(0.2, 0.8, _LABELS)).astype(np.int64)
        shares = Y.mean(axis=0)
        # With shares in fifths, equality is exact in sixths and tenths only where it is a tie.
        bars = [_bar(Y, p) for p in _GAPS]
        clear = all(np.abs(shares - bar).min() > 1e-9 for bar in bars)
        if Y.any(axis=1).all() and clear and ((shares > bars[0]) != (shares > bars[1])).any():
            return ZeroLineSituation(Y)


def _bar(Y: IntArray, p: int) -> float:
    return float((_LABELS - Y.sum(axis=1).mean() + p) / (_LABELS + 2 * p))


def make_sheet(situation: ZeroLineSituation) -> Sheet:
    """Ask for the line's mean rank, and for the relevant labels with one and with three."""
    sizes = situation.Y.sum(axis=1)
    line = CalibratedTargets.from_targets(situation.Y).ranks[:, -1].mean() / 2
    one, three = (_relevant(situation, p) for p in _GAPS)
    return Sheet(
        "The five most similar songs have these moods, of four in all. In each set the zero line "
        "stands behind the moods it has and ahead of the others.",
        GivenTable(
            ("song", "moods"),
            tuple(
                (str(i + 1), ", ".join(name for name, has in zip(MUSIC, row, strict=True) if has))
                for i, row in enumerate(situation.Y)
            ),
        ),
        (
            Exercise(
                "What is the mean rank of the zero line, with one virtual label (p = 1)?",
                NumberAnswer(float(line)),
                "In each set its rank is one more than the number of moods.",
                f"{mean((sizes + 1).tolist())}.",
            ),
            Exercise(
                "Which moods are relevant with p = 1?",
                Several(MUSIC, one),
                "A mood must occur in more than (4 − mean set size + p) / (4 + 2p) of the songs.",
                _reason(situation, _GAPS[0]),
            ),
            Exercise(
                "Which moods are relevant with p = 3?",
                Several(MUSIC, three),
                "More virtual labels move the bar towards one half.",
                _reason(situation, _GAPS[1]),
            ),
        ),
    )


def _relevant(situation: ZeroLineSituation, p: int) -> frozenset[int]:
    model = KNeighborsMultilabelRanker(n_neighbors=_CASES, n_virtual_labels=p)
    is_relevant = model.fit(np.zeros((_CASES, 1)), situation.Y).predict(np.zeros((1, 1)))[0]
    return frozenset(np.flatnonzero(is_relevant).tolist())


def _reason(situation: ZeroLineSituation, p: int) -> str:
    size = situation.Y.sum(axis=1).mean()
    shares = ", ".join(
        f"{name} {decimal_text(share)}"
        for name, share in zip(MUSIC, situation.Y.mean(axis=0), strict=True)
    )
    line = decimal_text(_bar(situation.Y, p))
    return f"(4 − {decimal_text(size)} + {p}) / (4 + {2 * p}) = {line}; shares: {shares}."


TOPIC = Topic("Zero line", draw_situation, make_sheet)
