"""What several rules make of the same scores, by several measures."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from labelrank_core.data.dataset import Dataset, Task
from labelrank_core.evaluation.decisions.rules import TARGETS, DecisionRule
from labelrank_core.evaluation.evaluate import prediction_for
from labelrank_core.explain.predictions import Predictions, path_cases
from labelrank_core.methods import ModelChoice
from labelrank_core.metrics import METRICS
from labelrank_core.rankings import IntArray

# Columns of `trade_off`: what rules are tuned for, and one measure more of the order.
MEASURES = (*(target.measure for target in TARGETS.values()), "average_precision_score")


def trade_off(
    rules: Sequence[DecisionRule], scores: ArrayLike, relevance: ArrayLike
) -> pd.DataFrame:
    """Measure what several rules make of the same scores of at least two labels.

    One row per rule: ``rule, title``, `MEASURES`, ``labels_per_case``. Sets and ranking are both
    those of the rule, so they agree. Without relevant and predicted labels an F1 is 0.

    >>> rules = [DecisionRule("own", "own", np.zeros(2)),
    ...          DecisionRule("macro_f1", "macro F1", np.array([0.5, -0.5]))]
    >>> table = trade_off(rules, [[0.9, -0.2], [0.4, -0.6]], [[1, 1], [0, 0]])
    >>> table[["rule", "hamming_loss", "macro_f1_score", "labels_per_case"]]
           rule  hamming_loss  macro_f1_score  labels_per_case
    0       own           0.5        0.333333              1.0
    1  macro_f1           0.0        1.000000              1.0
    """
    truth = np.asarray(relevance, dtype=np.int64)
    rows = [
        {"rule": rule.key, "title": rule.title}
        | _measured(truth, rule.decide(scores), rule.rank(scores))
        for rule in rules
    ]
    return pd.DataFrame(rows)


def zero_line_path(
    choice: ModelChoice, model: Any, dataset: Dataset, rows: IntArray
) -> pd.DataFrame | None:
    """Measure a fitted method as its zero line moves, without a new search; None if it has no knob.

    One row per value of the knob `Algorithm.zero_line`: the value; ``votes_needed``, the share of
    votes a label needs on average over the cases (NaN where a point does not say, or targets are
    rankings, whose order counts too); and the measures of `trade_off`.
    """
    knob = choice.algorithm.path_knobs.get(choice.algorithm.zero_line)
    if knob is None:
        return None
    path = path_cases(model, dataset.X[rows], **choice.path_limits)
    truth, binary = dataset.relevance[rows], dataset.task is Task.MULTILABEL
    table = []
    for value in knob.steps():
        point = path.at(**{**choice.path_params, knob.name: value})
        cases = range(len(truth)) if binary and hasattr(point, "bar") else ()
        votes = [point.bar(case) for case in cases]
        table.append(
            {knob.name: value, "votes_needed": np.mean(votes) if votes else np.nan}
            | _measured(truth, point.prediction, point.positions)
        )
    return pd.DataFrame(table)


def _measured(truth: IntArray, decided: IntArray, positions: IntArray) -> dict[str, float]:
    predicted = Predictions(positions=positions, relevance=decided)
    values = {
        key: METRICS[key].mean(truth, prediction_for(METRICS[key], predicted)) for key in MEASURES
    }
    return values | {"labels_per_case": float(decided.sum(axis=1).mean())}
