"""Detection of too few predicted labels, and the number of virtual labels that helps."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelrank_core.aggregation.sums import weighted_sums
from labelrank_core.aggregation.virtual_labels import CalibratedTargets, leads_of, ranks_with
from labelrank_core.methods.few_labels import FewLabels
from labelrank_core.methods.nearest.base import inverse_distance_weights
from labelrank_core.methods.nearest.searches import Search
from labelrank_core.rankings import IntArray

# Up to this share of the neighbours on average, a label is predicted often enough.
_LOW_BAR = 0.75
# Fewer than this share of the labels that cases have are too few.
_FEW = 0.25
# A p with which fewer than this share of them is predicted is no remedy.
_NO_REMEDY = 0.05
# The largest p to suggest: the largest of Fig. 1 of [brinker2007].
MOST_VIRTUAL_LABELS = 128
# Training cases predicted without themselves, at even distances.
_MOST_CASES = 256


def few_labels(
    model: Any,
    search: Search,
    targets: CalibratedTargets,
    n_neighbors: int,
    n_virtual_labels: int,
    largest: int,
) -> FewLabels | None:
    """Predict some training cases without themselves; None: enough labels, or no p has more.

    The p suggested is a power of two up to `largest`: the one with the highest micro F1, of equally
    good ones the smallest.
    """
    n_samples, m, p = model.n_samples_fit_, model.n_labels_, n_virtual_labels
    mean_count = float(targets.relevance.sum(axis=1).mean())
    bar = (m - mean_count + p) / (m + 2 * p)
    if n_samples < 2 or mean_count == 0 or bar <= _LOW_BAR:
        return None
    cases = np.unique(np.linspace(0, n_samples - 1, _MOST_CASES).round().astype(np.int64))
    k = min(n_neighbors, n_samples - 1)
    neighbors = search.query_others(k, cases)
    weights = inverse_distance_weights(neighbors.distances) if model.weights == "distance" else None
    ranks = weighted_sums(targets.ranks, neighbors.rows, weights)
    slopes = weighted_sums(targets.slopes, neighbors.rows, weights)
    truth = targets.relevance[cases] == 1

    def predict(n_virtual: int) -> NDArray[np.bool_]:
        return leads_of(ranks_with(ranks, slopes, n_virtual)) > 0

    predicted = predict(p)
    if predicted.sum() >= _FEW * truth.sum():
        return None
    candidates = [2**i for i in range(1, int(largest).bit_length()) if p < 2**i <= largest]
    values = [_micro_f1(truth, predict(candidate)) for candidate in candidates]
    if not values or max(values) <= _micro_f1(truth, predicted):
        return None
    best = candidates[int(np.argmax(values))]
    predicted_count, true_count, best_count = (
        sets.sum() / len(cases) for sets in (predicted, truth, predict(best))
    )
    if best_count < _NO_REMEDY * true_count:
        return None
    return FewLabels(
        symptom=(
            f"A training case has {true_count:.2f} labels on average, "
            f"but {predicted_count:.2f} are predicted."
        ),
        reason=f"With p = {p}, about {bar:.0%} of the similar cases must have a label.",
        parameter="n_virtual_labels",
        value=best,
        effect=f"predict {best_count:.2f}",
    )


def _micro_f1(truth: NDArray[np.bool_], predicted: NDArray[np.bool_]) -> float:
    both: IntArray = (truth & predicted).sum()
    return float(2 * both / max(1, truth.sum() + predicted.sum()))
