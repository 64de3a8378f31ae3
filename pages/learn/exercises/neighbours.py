"""Exercises on nearest neighbours and their mean ranks."""

from dataclasses import dataclass

import numpy as np

from labelrank_core import KNeighborsLabelRanker
from labelrank_core.data.schema import decimal_text
from labelrank_core.explain.evidence import Neighbors
from labelrank_core.explain.tally import tally_of
from labelrank_core.rankings import IntArray, format_ranking
from pages.learn.exercises.base import (
    DAYS,
    DRINKS,
    Exercise,
    GivenTable,
    NumberAnswer,
    Several,
    Sheet,
    Topic,
    all_orders,
    mean,
    orders,
)

_K = 3


@dataclass(frozen=True, eq=False)
class NeighboursSituation:
    """Rows with two features and a ranking each, and a new case."""

    X: IntArray
    Y: IntArray
    x: IntArray


def draw_situation(rng: np.random.Generator) -> NeighboursSituation:
    """Draw rows of which three are nearer than the others, and agree without a tie."""
    while True:
        situation = NeighboursSituation(
            rng.integers(0, 10, (len(DAYS), 2)), orders(3, rng, len(DAYS)), rng.integers(2, 8, 2)
        )
        squared_distances = _squared(situation)
        near = np.argsort(squared_distances, kind="stable")
        sums = situation.Y[near[:_K]].sum(axis=0)
        if (
            squared_distances.min() > 0
            and squared_distances[near[_K - 1]] < squared_distances[near[_K]]
            and len(set(sums)) == 3
        ):
            return situation


def make_sheet(situation: NeighboursSituation) -> Sheet:
    """Ask for the neighbours, a mean rank, and the consensus."""
    model = KNeighborsLabelRanker(n_neighbors=_K).fit(situation.X, situation.Y)
    neighbors = model.explain(situation.x).find(Neighbors)
    rows = sorted(neighbors.rows.tolist())
    means = tally_of(situation.Y[rows]).numbers[0].values
    squared_distances = _squared(situation)
    by_distance = np.argsort(squared_distances, kind="stable")[: _K + 1]
    return Sheet(
        f"A kiosk ranks three drinks by their sales on seven days. A new day has sunshine "
        f"{situation.x[0]} and wind {situation.x[1]}; k = 3, by Euclidean distance.",
        GivenTable(
            ("day", "sunshine (of 10)", "wind (of 10)", "ranking"),
            tuple(
                (day, *map(str, features), format_ranking(ranking, DRINKS))
                for day, features, ranking in zip(DAYS, situation.X, situation.Y, strict=True)
            ),
        ),
        (
            Exercise(
                "Which days are the three nearest neighbours?",
                Several(DAYS, frozenset(rows)),
                "Add the squared differences of both features; the root changes no order.",
                "Squared distances: "
                + ", ".join(f"{DAYS[row]}: {squared_distances[row]}" for row in by_distance)
                + ". The first three count.",
            ),
            Exercise(
                f"What is the mean rank of {DRINKS[0]} among these three?",
                NumberAnswer(float(means[0])),
                "First place counts 1, last place 3.",
                f"{mean(situation.Y[rows, 0].tolist())}.",
            ),
            Exercise(
                "Which ranking is predicted by mean ranks?",
                all_orders(DRINKS, model.predict(situation.x[None])[0].tolist()),
                "The label with the lowest mean rank comes first.",
                "Mean ranks: "
                + ", ".join(
                    f"{name} {decimal_text(value)}"
                    for name, value in zip(DRINKS, means, strict=True)
                )
                + ".",
            ),
        ),
    )


def _squared(situation: NeighboursSituation) -> IntArray:
    return ((situation.X - situation.x) ** 2).sum(axis=1)


TOPIC = Topic("Neighbours", draw_situation, make_sheet)
