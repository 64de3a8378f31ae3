"""Exercises on rankings that leave labels out: why a middle rank misleads."""

from dataclasses import dataclass

import numpy as np

from labelrank_core.aggregation import CONSENSUS_RULES, aggregate
from labelrank_core.data.schema import decimal_text
from labelrank_core.explain.tally import numbers_of, tally_of
from labelrank_core.rankings import FloatArray, dense_positions, format_ranking
from pages.learn.exercises.base import (
    DRINKS,
    Exercise,
    GivenTable,
    NumberAnswer,
    Sheet,
    Topic,
    all_orders,
    orders,
)

_PEOPLE = 5
_MIDDLE = 2.0


@dataclass(frozen=True, eq=False)
class MissingLabelsSituation:
    """Rankings of three labels; NaN where one was left out."""

    Y: FloatArray


def draw_situation(rng: np.random.Generator) -> MissingLabelsSituation:
    """Draw rankings whose order depends on the treatment of the gaps, without ties."""
    while True:
        Y = orders(3, rng, _PEOPLE).astype(np.float64)
        out = rng.random(_PEOPLE) < 0.7
        Y[out, rng.integers(0, 3, _PEOPLE)[out]] = np.nan
        Y = dense_positions(Y)
        situation = MissingLabelsSituation(Y)
        shares, middle = _ranks(situation), filled(situation).mean(axis=0)
        is_ranked = ~np.isnan(Y)
        compared = (is_ranked.T.astype(int) @ is_ranked).min()
        clear = min(np.diff(np.sort(values)).min() for values in (shares, middle)) > 1e-9
        differ = bool((np.argsort(shares) != np.argsort(middle)).any())
        if np.isnan(Y).sum() >= 2 and compared >= 2 and clear and differ:
            return situation


def filled(situation: MissingLabelsSituation) -> FloatArray:
    """Put every label that was left out between the two others."""
    out = np.isnan(situation.Y)
    spread = np.where(out, _MIDDLE, 2 * situation.Y - 1)
    return np.where(out.any(axis=1, keepdims=True), spread, situation.Y)


def _ranks(situation: MissingLabelsSituation) -> FloatArray:
    return numbers_of(CONSENSUS_RULES["borda"], situation.Y).values


def make_sheet(situation: MissingLabelsSituation) -> Sheet:
    """Ask for a win share, the order by win shares, and that with a middle rank."""
    both = ~np.isnan(situation.Y[:, :2]).any(axis=1)
    wins = int((situation.Y[both, 0] < situation.Y[both, 1]).sum())
    share = _share(situation)
    middle = filled(situation)
    sums = len(DRINKS) - _ranks(situation)
    return Sheet(
        "Five people rank three drinks; some leave one out.",
        GivenTable(
            ("person", "ranking"),
            tuple((str(i + 1), format_ranking(row, DRINKS)) for i, row in enumerate(situation.Y)),
        ),
        (
            Exercise(
                f"Of those who rank both {DRINKS[0]} and {DRINKS[1]}, which share puts "
                f"{DRINKS[0]} ahead?",
                NumberAnswer(share),
                "Leave out everybody who does not rank both.",
                f"{wins} of {int(both.sum())}: {decimal_text(share)}.",
            ),
            Exercise(
                "Which order do the win shares give? Each drink's shares against the two others "
                "are added.",
                all_orders(DRINKS, aggregate(situation.Y).tolist()),
                "Work out the share for each of the three pairs; of a pair they add up to 1.",
                f"Sums of win shares: {_listed(sums)}.",
            ),
            Exercise(
                "Which order do mean ranks give if each drink left out gets the middle rank, 2, "
                "between the others?",
                all_orders(DRINKS, aggregate(middle).tolist()),
                "A ranking of two then has the ranks 1 and 3, and 2 for the one left out.",
                f"Mean ranks: {_listed(middle.mean(axis=0))}. The middle pulls towards 2 what was "
                "only not ranked.",
            ),
        ),
    )


def _share(situation: MissingLabelsSituation) -> float:
    ahead = tally_of(situation.Y).ahead
    return float(ahead[0, 1] / (ahead[0, 1] + ahead[1, 0]))


def _listed(values: FloatArray) -> str:
    pairs = zip(DRINKS, values, strict=True)
    return ", ".join(f"{name} {decimal_text(value)}" for name, value in pairs)


TOPIC = Topic("Missing labels", draw_situation, make_sheet)
