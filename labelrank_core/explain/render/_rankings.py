"""The rankings of data and explanations as they are drawn."""

from dataclasses import replace

import numpy as np

from labelrank_core.data import Dataset, Task
from labelrank_core.data.schema import decimal_text
from labelrank_core.explain.evidence import Explanation, LabelScores
from labelrank_core.explain.render.markup.ranked_labels import RankedLabels


def predicted_ranking(explanation: Explanation, title: str = "") -> RankedLabels:
    """Return the predicted ranking, the line named as the method calls it."""
    scores = explanation.find(LabelScores)
    line = "zero line" if scores is None else "line" if scores.bar is None else scores.bar_name
    return RankedLabels(explanation.buckets, title, explanation.n_relevant, line)


def with_scores(ranking: RankedLabels, explanation: Explanation) -> RankedLabels:
    """Add the scores that order the labels to a predicted ranking, where there are some."""
    scores = explanation.find(LabelScores)
    if scores is None or not np.array_equal(scores.positions, explanation.positions):
        return ranking
    numbers = {label: decimal_text(scores.values[label]) for label in ranking.order}
    return replace(ranking, numbers=numbers, numbers_title=scores.short_title)


def target_ranking(dataset: Dataset, row: int, title: str = "") -> RankedLabels:
    """Return the target of a row: its ranking, or of a set the relevant labels."""
    is_calibrated = dataset.task is Task.CALIBRATED_RANKING
    n_relevant = int(dataset.relevance[row].sum()) if is_calibrated else None
    return RankedLabels(dataset.label_buckets(row), title, n_relevant)


def true_ranking(dataset: Dataset, row: int, title: str, beside: RankedLabels) -> RankedLabels:
    """Return the true ranking of a row, tied labels in the order of the ranking beside it.

    Of a set, the relevant labels tie ahead of all others.
    """
    if dataset.task is not Task.MULTILABEL:
        return target_ranking(dataset, row, title).align(beside)
    relevance = dataset.relevance[row]
    return RankedLabels.from_positions(1 - relevance, title, int(relevance.sum())).align(beside)
