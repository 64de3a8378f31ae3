"""Several decision rules on the same scores, compared by several measures."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from labelrank_core.data.dataset import Dataset, Task
from labelrank_core.evaluation.decisions.rules import TARGETS, DecisionRule
from labelrank_core.evaluation.evaluate import prediction_for
from labelrank_core.explain.capabilities import HasVoteBar, Ranker
from labelrank_core.explain.predictions import Predictions, path_cases
from labelrank_core.methods import ModelChoice
from labelrank_core.metrics import METRICS
from labelrank_core.rankings import IntArray

# Columns of `trade_off`: the measures that rules are tuned for, the F1 that whole sets may be best
# for, and average precision.
MEASURES = (
    *(target.measure for target in TARGETS.values()),
    "samples_f1_score",
    "average_precision_score",
)


def trade_off(
    rules: Sequence[DecisionRule],
    scores: ArrayLike,
    relevance: ArrayLike,
    positions: ArrayLike | None = None,
) -> pd.DataFrame:
    """Measure the label sets and rankings that several rules derive from the same scores.

    Labels of one score keep the order of `positions`, else that of their indices.
    """
    truth = np.asarray(relevance, dtype=np.int64)
    rows = [
        {"rule": rule.key, "title": rule.title}
        | _measured(truth, rule.decide(scores), rule.rank(scores, positions))
        for rule in rules
    ]
    return pd.DataFrame(rows)


def zero_line_path(
    choice: ModelChoice, model: Ranker, dataset: Dataset, rows: IntArray
) -> pd.DataFrame | None:
    """Measure a fitted method at each value of its knob `Algorithm.zero_line`; None without one."""
    # `votes_needed` is the mean share of votes that a label needs; for rankings as targets there is
    # none, because their order counts too.
    knob = choice.algorithm.path_knobs.get(choice.algorithm.zero_line)
    if knob is None:
        return None
    # A knob that another one can switch off is measured where it counts.
    switch = {} if knob.depends_on is None else {knob.depends_on[0]: knob.depends_on[1][0]}
    path = path_cases(model, dataset.X[rows], **choice.path_limits)
    truth, binary = dataset.relevance[rows], dataset.task is Task.MULTILABEL
    table = []
    for value in knob.steps():
        point = path.at(**{**choice.path_params, **switch, knob.name: value})
        votes = []
        if binary and isinstance(point, HasVoteBar):
            votes = [point.bar(case) for case in range(len(truth))]
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
