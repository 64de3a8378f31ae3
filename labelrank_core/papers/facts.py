"""Quantities that tables print of data sets, examples and statistics, computed again."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from labelrank_core.aggregation.virtual_labels import CalibratedTargets, ranks_with
from labelrank_core.comparison.results_tables import ResultTable, read_result_table
from labelrank_core.comparison.significance import average_ranks, critical_difference, friedman
from labelrank_core.data import Dataset
from labelrank_core.data.splits import holdout_split
from labelrank_core.evaluation.confidence.curves import (
    accuracy_after_rejecting,
    accuracy_by_confidence,
)
from labelrank_core.methods import ModelChoice
from labelrank_core.metrics import spearman_rho_score
from labelrank_core.rankings import FloatArray

_HALVES = 30
# Examples 1 to 6 of iris: the positions of the three labels.
_EXAMPLES = ((1, 2, 3), (2, 3, 1), (3, 2, 1), (3, 1, 2), (2, 1, 3), (2, 3, 1))
_NEIGHBOURS = ((1, 0, 0, 0, 0), (1, 0, 0, 0, 0), (0, 1, 0, 0, 0))


def sizes(dataset: Dataset | None, name: str) -> Mapping[str, float]:  # noqa: ARG001
    """Count instances, features and labels."""
    assert dataset is not None
    return {
        "#instances": dataset.n_samples,
        "#features": dataset.n_features,
        "#labels": dataset.n_labels,
    }


def page_counts(dataset: Dataset | None, name: str) -> Mapping[str, float]:  # noqa: ARG001
    """Count labels, words, pages, and the pages of the most and the least frequent label."""
    assert dataset is not None
    counts = dataset.relevance.sum(axis=0)
    return {
        "m": dataset.n_labels,
        "d": dataset.n_features,
        "N": dataset.n_samples,
        "MaxNPI": int(counts.max()),
        "MinNPI": int(counts.min()),
    }


def confident_halves(dataset: Dataset | None, name: str) -> Mapping[str, float]:  # noqa: ARG001
    """Average rank correlations by confidence, k-NN with Borda, k = 5, over 30 halves."""
    assert dataset is not None
    rows = []
    for seed in range(_HALVES):
        confidence, rho = _confidence_of_half(dataset, seed)
        top = accuracy_by_confidence(confidence, rho).iloc[-1]
        rejecting = accuracy_after_rejecting(confidence, rho, share=0.1)
        rows.append([rho.mean(), top["share_kept"], top["accuracy_at"], rejecting.accuracy_after])
    names = ("all", "share-at-1.0", "at-1.0", "without-10%")
    return dict(zip(names, np.mean(rows, axis=0).tolist(), strict=True))


def confident_curve(dataset: Dataset) -> pd.DataFrame:
    """Tabulate rank correlations by confidence, as Fig. 2 of Brinker and Hüllermeier, of a half."""
    return accuracy_by_confidence(*_confidence_of_half(dataset, 0))


def _confidence_of_half(dataset: Dataset, seed: int) -> tuple[FloatArray, FloatArray]:
    """Return confidence and rank correlation of a random half, predicted from the other half."""
    split = holdout_split(dataset, kind="random", test_share=0.5, seed=seed)
    model = ModelChoice("knn").with_params(n_neighbors=5).build()
    model.fit(dataset.X[split.train], dataset.rankings[split.train])
    queries = model[:-1].transform(dataset.X[split.test])
    predicted = model[-1].predict(queries)
    confidence = model[-1].predict_confidence(queries)
    return confidence, spearman_rho_score(dataset.rankings[split.test], predicted, average=None)


def worked_example(dataset: Dataset | None, name: str) -> Mapping[str, float]:  # noqa: ARG001
    """Return mean ranks with p virtual labels: {1}, {1} and {2} of five labels."""
    targets = CalibratedTargets.from_targets(_NEIGHBOURS)
    p = int(name.removeprefix("p="))
    mean = ranks_with(targets.ranks, targets.slopes, p).mean(axis=0) / 2
    return {"zero-line": float(mean[-1]), "label-1": float(mean[0])}


def top_label(dataset: Dataset | None, name: str) -> Mapping[str, float]:  # noqa: ARG001
    """Return the number of the label that an example of the paper ranks first."""
    ranking = _EXAMPLES[int(name.removeprefix("example-")) - 1]
    return {"top-label": ranking.index(1) + 1}


def printed_results(slug: str) -> ResultTable:
    """Read a printed table of scores and ranks, without lines that lack some."""
    text = Path(__file__).with_name("printed").joinpath(f"{slug}.txt").read_text(encoding="utf-8")
    lines = text.splitlines()
    complete = [line for line in lines[1:-1] if line.count("(") == len(lines[0].split()) - 1]
    return read_result_table("\n".join([lines[0], *complete, lines[-1]]))


def statistics(dataset: Dataset | None, name: str) -> Mapping[str, float]:  # noqa: ARG001
    """Compute F of Friedman's test from the printed values, and the critical difference."""
    table = printed_results(name.lower())
    n_sets, n_methods = table.scores.shape
    return {
        "F": friedman(average_ranks(table.scores)).f,
        "CD": critical_difference(n_sets, n_methods, test="bonferroni-dunn"),
    }
