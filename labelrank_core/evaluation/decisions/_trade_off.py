"""What several rules make of the same scores, by several measures."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from labelrank_core.data.dataset import Dataset, Task
from labelrank_core.evaluation.decisions._rules import DecisionRule
from labelrank_core.evaluation.evaluate import prediction_for
from labelrank_core.explain.predictions import Predictions, path_cases
from labelrank_core.metrics import METRICS
from labelrank_core.rankings import IntArray

# Columns of `trade_off`.
MEASURES = (
    *("hamming_loss", "macro_f1_score", "micro_f1_score", "subset_accuracy_score"),
    *("ranking_loss", "average_precision_score"),
)


def trade_off(
    rules: Sequence[DecisionRule], scores: ArrayLike, relevance: ArrayLike
) -> pd.DataFrame:
    """Measure what several rules make of the same scores.

    Parameters
    ----------
    rules : sequence of DecisionRule
        The rules.
    scores : array-like of shape (n_samples, n_labels)
        As `case_scores` returns them; at least two labels.
    relevance : array-like of shape (n_samples, n_labels)
        True relevance, 0 or 1.

    Returns
    -------
    DataFrame
        One row a rule: ``rule, title, hamming_loss, macro_f1_score, micro_f1_score,
        subset_accuracy_score, ranking_loss, average_precision_score, labels_per_case``. The sets
        are decided by the rule; the ranking is the one that agrees with them, by `rank`. Without
        relevant and predicted labels an F1 is 0.

    Examples
    --------
    >>> rules = [DecisionRule("own", "own", np.zeros(2)),
    ...          DecisionRule("macro_f1", "macro F1", np.array([0.5, -0.5]))]
    >>> scores, relevance = [[0.9, -0.2], [0.4, -0.6]], [[1, 1], [0, 0]]
    >>> table = trade_off(rules, scores, relevance)
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


def along_zero_line(
    model: Any, dataset: Dataset, rows: IntArray, parameter: str, values: Sequence[Any]
) -> pd.DataFrame:
    """Measure a fitted model while a parameter of its path moves the zero line.

    One row per value: the parameter; ``votes_needed``, the share of votes a label needs on average
    over the cases (NaN where a point does not say, or targets are rankings, whose order counts
    too); and the measures of `trade_off`.
    """
    path, truth = path_cases(model, dataset.X[rows]), dataset.relevance[rows]
    table = []
    for value in values:
        point = path.at(**{parameter: value})
        bar = getattr(point, "bar", None) if dataset.task is Task.MULTILABEL else None
        needed = np.mean([bar(case) for case in range(len(truth))]) if bar else np.nan
        table.append(
            {parameter: value, "votes_needed": float(needed)}
            | _measured(truth, point.prediction, point.positions)
        )
    return pd.DataFrame(table)


def _measured(truth: IntArray, decided: IntArray, positions: IntArray) -> dict[str, float]:
    predicted = Predictions(positions=positions, relevance=decided)
    values = {
        key: METRICS[key].mean(truth, prediction_for(METRICS[key], predicted)) for key in MEASURES
    }
    return values | {"labels_per_case": float(decided.sum(axis=1).mean())}
