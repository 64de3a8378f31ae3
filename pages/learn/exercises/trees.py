"""Exercises on forests: the rankings in leaves, and the votes of trees."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from labelrank_core import LabelRankingForest
from labelrank_core.data.schema import decimal_text
from labelrank_core.explain.evidence import TreeVotes
from labelrank_core.rankings import FloatArray, IntArray, format_ranking
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

_ROWS, _TREES = 10, 3


@dataclass(frozen=True, eq=False)
class TreesSituation:
    """Rows with one feature and a ranking each, a new case, and the forest's seed."""

    X: IntArray
    Y: IntArray
    x: IntArray
    seed: int


def forest(situation: TreesSituation) -> LabelRankingForest:
    """Grow three trees of at most two splits."""
    model = LabelRankingForest(n_estimators=_TREES, max_depth=2, random_state=situation.seed)
    return model.fit(situation.X, situation.Y)


def _leaves(situation: TreesSituation, model: LabelRankingForest) -> list[list[int]]:
    """List the training rows in the new case's leaf of each tree, as often as they were drawn."""
    ends, leaf_of_case = model.forest_.apply(situation.X), model.forest_.apply(situation.x[None])[0]
    return [
        [int(row) for row in bootstrap_rows if ends[row, t] == leaf_of_case[t]]
        for t, bootstrap_rows in enumerate(model.forest_.estimators_samples_)
    ]


def draw_situation(rng: np.random.Generator) -> TreesSituation:
    """Draw a forest whose first leaf and whose trees together have no ties."""
    while True:
        X = np.sort(rng.choice(30, _ROWS, replace=False))[:, None]
        situation = TreesSituation(
            X, orders(3, rng, _ROWS), rng.integers(5, 25, 1), int(rng.integers(1000))
        )
        leaves = _leaves(situation, forest(situation))
        means = _means(situation, leaves)
        few = all(2 <= len(rows) <= 5 for rows in leaves)
        differ = len(np.unique(situation.Y[leaves[0]], axis=0)) > 1 and np.ptp(means, axis=0).any()
        if few and differ and min(_gap(means[0]), _gap(means.mean(axis=0))) > 1e-6:
            return situation


def _means(situation: TreesSituation, leaves: list[list[int]]) -> FloatArray:
    return np.array([situation.Y[rows].mean(axis=0) for rows in leaves])


def _gap(ranks: FloatArray) -> float:
    return float(np.diff(np.sort(ranks)).min())


def make_sheet(situation: TreesSituation) -> Sheet:
    """Ask for the vote of the first tree, for a mean over the trees, and the forest's ranking."""
    model = forest(situation)
    leaves = _leaves(situation, model)
    means = _means(situation, leaves)
    first = model.explain(situation.x).find(TreeVotes).rankings[0]
    mean_ranks = means.mean(axis=0)
    return Sheet(
        "A forest of three trees ranks three drinks. These training rankings lie in the leaves "
        "that the new case reaches. Each tree votes with the mean ranks in its leaf.",
        GivenTable(
            ("tree", "rankings in its leaf"),
            tuple((str(t + 1), _rankings_text(situation, rows)) for t, rows in enumerate(leaves)),
        ),
        (
            Exercise(
                "Which ranking do the mean ranks in the leaf of tree 1 give?",
                all_orders(DRINKS, first.tolist()),
                "Take the mean place of each drink over the rankings of tree 1.",
                f"Mean ranks in tree 1: {_listed(means[0])}.",
            ),
            Exercise(
                f"What is the mean rank of {DRINKS[0]} over the three trees?",
                NumberAnswer(float(mean_ranks[0])),
                "First the mean in each leaf, then the mean of the three: every tree counts once.",
                f"({' + '.join(map(decimal_text, means[:, 0]))}) / 3 = "
                f"{decimal_text(mean_ranks[0])}.",
            ),
            Exercise(
                "Which ranking does the forest predict?",
                all_orders(DRINKS, model.predict(situation.x[None])[0].tolist()),
                "Average the trees' mean ranks for each drink; the lowest comes first.",
                f"Means over the trees: {_listed(mean_ranks)}.",
            ),
        ),
    )


def _rankings_text(situation: TreesSituation, rows: list[int]) -> str:
    counts = Counter(format_ranking(situation.Y[row], DRINKS) for row in rows)
    return "; ".join(f"{count} × {order}" for order, count in counts.items())


def _listed(ranks: FloatArray) -> str:
    pairs = zip(DRINKS, ranks, strict=True)
    return ", ".join(f"{name} {decimal_text(rank)}" for name, rank in pairs)


TOPIC = Topic("Trees", draw_situation, make_sheet)
