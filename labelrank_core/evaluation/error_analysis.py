"""The labels and the cases behind the numbers of an evaluation."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from labelrank_core.data.dataset import Dataset, Task
from labelrank_core.evaluation.evaluate import Evaluation, prediction_for
from labelrank_core.metrics import (
    METRICS,
    auc_score_per_label,
    f1_score_per_label,
    place_differences,
    precision_score_per_label,
    recall_score_per_label,
)
from labelrank_core.rankings import (
    FloatArray,
    calibrated_positions,
    equal_up_to_rounding,
    format_ranking,
    orderings_from_positions,
    place_ranges,
)


def label_frame(dataset: Dataset, evaluation: Evaluation) -> pd.DataFrame:
    """Tabulate the quality of each label's predictions, by set measures or by places.

    For rankings: the shares of cases in which the label comes first (ties included), and the means
    of its absolute and signed place differences, positive = predicted too far back. ``n_wrong`` is
    the number of cases that `label_cases` lists.
    """
    predicted, rows = evaluation.predictions, evaluation.rows
    columns: dict[str, Any] = {"label": pd.Series(dataset.label_names, dtype="str")}
    if predicted.relevance is not None:
        pair = dataset.relevance[rows], predicted.relevance
        columns["share"], columns["predicted_share"] = (part.mean(axis=0) for part in pair)
        columns["precision"] = precision_score_per_label(*pair)
        columns["recall"] = recall_score_per_label(*pair)
        columns["f1"] = f1_score_per_label(*pair)
        scores = prediction_for(METRICS["macro_auc_score"], predicted)
        if scores is not None:
            columns["auc"] = auc_score_per_label(pair[0], scores)
    if dataset.task.has_rankings and predicted.positions is not None:
        truth = dataset.rankings[rows]
        columns["first_share"] = (truth == 1).mean(axis=0)
        columns["predicted_first_share"] = (predicted.positions == 1).mean(axis=0)
        differences = place_differences(truth, predicted.positions)
        columns["mean_error"] = _means(np.abs(differences))
        columns["mean_shift"] = _means(differences)
    if dataset.task is Task.PAIR_PREFERENCES:
        n_known = dataset.preferences[rows].n_known_of_labels
        columns["known_pairs"] = n_known.sum(axis=0)
        columns["wrong_pairs"] = _errors(dataset, evaluation).sum(axis=0).astype(np.int64)
    columns["n_wrong"] = (_errors(dataset, evaluation) != 0).sum(axis=0)
    return pd.DataFrame(columns)


def worst_cases(dataset: Dataset, evaluation: Evaluation, key: str) -> pd.DataFrame:
    """List the cases farthest from the best value that their truth allows, without right ones."""
    if key not in evaluation.values:
        raise ValueError(
            f"Expected a measure of cases ({', '.join(evaluation.values)}), got {key!r}."
        )
    values, best = evaluation.values[key], METRICS[key].best(dataset, evaluation.rows)
    wrong = np.flatnonzero(~(np.isnan(values) | equal_up_to_rounding(values, best)))
    order = wrong[np.argsort(-np.abs(best - values)[wrong], kind="stable")]
    return _frame(evaluation, order, value=values)


def label_cases(dataset: Dataset, evaluation: Evaluation, label: int) -> pd.DataFrame:
    """List the cases in which one label is wrong, the worst first.

    For label sets ``value`` is 1 if the label is wrongly included and -1 if missed, the score
    farthest on the wrong side first; for known pairs in how many of them the label is wrong; else
    by how many places it is predicted too far back.
    """
    errors = _errors(dataset, evaluation)[:, label]
    size = np.abs(errors)
    scores = evaluation.predictions.scores
    if evaluation.predictions.relevance is not None and scores is not None:
        size = size * np.abs(scores[:, label])
    wrong = np.flatnonzero(errors)
    order = wrong[np.argsort(-size[wrong], kind="stable")]
    return _frame(evaluation, order, value=errors)


def case_texts(dataset: Dataset, evaluation: Evaluation, cases: ArrayLike) -> pd.DataFrame:
    """Write predictions and truth of some cases as `Dataset.targets_in_words` does."""
    indices = np.asarray(cases, dtype=np.int64)
    predicted, names = evaluation.predictions, dataset.label_names
    positions = None if predicted.positions is None else predicted.positions[indices]
    relevance = None if predicted.relevance is None else predicted.relevance[indices]
    with_line: list[str] | None = None
    if positions is not None and relevance is not None:
        lines = calibrated_positions(positions, relevance)
        with_line = [format_ranking(row, [*names, "zero line"]) for row in lines]
    columns: dict[str, Any] = {}
    if dataset.task is Task.MULTILABEL and relevance is not None:
        keys = -relevance if positions is None else positions
        columns["predicted"] = [
            ", ".join(names[int(label)] for label in order if row[label])
            for order, row in zip(orderings_from_positions(keys), relevance, strict=True)
        ]
    elif with_line is not None:
        columns["predicted"] = with_line
    elif positions is not None:
        columns["predicted"] = [format_ranking(row, names) for row in positions]
    columns["true"] = dataset.targets_in_words(evaluation.rows[indices])
    if dataset.task is Task.MULTILABEL and with_line is not None:
        columns["order"] = with_line
    return pd.DataFrame(columns).astype("str")


def _errors(dataset: Dataset, evaluation: Evaluation) -> FloatArray:
    """Return the signed error of every label in every case; 0 = right.

    Of known pairs, in how many of them a label is not ordered as the case says.
    """
    predicted, rows = evaluation.predictions, evaluation.rows
    if predicted.relevance is not None:
        return np.asarray(predicted.relevance - dataset.relevance[rows], dtype=np.float64)
    if dataset.task is Task.PAIR_PREFERENCES and predicted.positions is not None:
        return dataset.preferences[rows].n_wrong(predicted.positions).astype(np.float64)
    if not dataset.task.has_rankings or predicted.positions is None:
        return np.zeros((len(rows), dataset.n_labels))
    truth = dataset.rankings[rows]
    differences = np.nan_to_num(place_differences(truth, predicted.positions))
    # A label that ties with others may have any of the places that they fill.
    first, last = place_ranges(truth)
    return np.where(np.abs(differences) <= (last - first) / 2, 0.0, differences)


def _means(values: FloatArray) -> FloatArray:
    """Average columns, NaN left out; NaN for columns without a number."""
    counts = np.count_nonzero(~np.isnan(values), axis=0)
    return np.nansum(values, axis=0) / np.where(counts > 0, counts, np.nan)


def _frame(evaluation: Evaluation, order: Any, *, value: FloatArray) -> pd.DataFrame:
    columns = {"case": order, "row": evaluation.rows[order], "value": value[order]}
    return pd.DataFrame(columns)
