"""The computations behind the measures, on arrays of one shape with complete predictions."""

import numpy as np
from numpy.typing import NDArray

from labelrank_core.metrics._common import Array
from labelrank_core.rankings import (
    FloatArray,
    dense_positions,
    generalised_ranks,
    strict_positions,
)


def kendall_tau(truth: Array, prediction: Array) -> FloatArray:
    """Divide concordant minus discordant pairs by the pairs the truth orders."""
    agreement, comparable = _pair_counts(truth, prediction)
    return np.divide(agreement, np.where(comparable > 0, comparable, np.nan))


def kendall_distance(truth: Array, prediction: Array) -> FloatArray:
    """Count the discordant pairs and, half each, the predicted ties."""
    agreement, comparable = _pair_counts(truth, prediction)
    return np.where(comparable > 0, (comparable - agreement) / 2, np.nan)


def _pair_counts(truth: Array, prediction: Array) -> tuple[FloatArray, FloatArray]:
    """Count for every row concordant minus discordant pairs, and the pairs the truth orders."""
    keys, predicted = _small_keys(truth), _small_keys(prediction)
    # Two readings of an unranked label, between which no comparison with it can hold.
    missing = np.isnan(truth).T
    upper = np.where(missing, np.iinfo(keys.dtype).max, keys)
    lower = np.where(missing, keys.dtype.type(0), keys)
    n_labels, n_samples = keys.shape
    agreement, comparable = np.zeros(n_samples), np.zeros(n_samples)
    for label in range(n_labels - 1):
        rest = slice(label + 1, None)
        order = _signs(upper[label] < lower[rest], upper[rest] < lower[label])
        predicted_order = _signs(
            predicted[label] < predicted[rest], predicted[rest] < predicted[label]
        )
        comparable += np.abs(order).sum(axis=0, dtype=np.int32)
        agreement += (order * predicted_order).sum(axis=0, dtype=np.int32)
    return agreement, comparable


def _signs(ahead: NDArray[np.bool_], behind: NDArray[np.bool_]) -> NDArray[np.int8]:
    return ahead.view(np.int8) - behind.view(np.int8)


def _small_keys(positions: Array) -> Array:
    """Turn rows into columns of one- or two-byte integers in the same order; NaN into anything."""
    values = np.where(np.isnan(positions), 1, positions)
    with np.errstate(invalid="ignore"):
        keys = values.astype(np.uint8)
    if not (keys == values).all():
        keys = dense_positions(values).astype(np.uint8 if values.shape[1] < 256 else np.uint16)
    return np.ascontiguousarray(keys.T)


def spearman_rho(truth: Array, prediction: Array) -> FloatArray:
    """Scale the squared distance by its largest value, m(m²-1)/3, to [-1, 1]."""
    n_ranked = _n_ranked(truth)
    return 1 - 6 * spearman_distance(truth, prediction) / (n_ranked * (n_ranked**2 - 1))


def spearman_distance(truth: Array, prediction: Array) -> FloatArray:
    """Sum the squared rank differences."""
    difference = rank_differences(truth, prediction)
    return np.einsum("ij,ij->i", difference, difference)


def footrule(truth: Array, prediction: Array) -> FloatArray:
    """Scale the absolute distance by its largest value, ⌊m²/2⌋, to [-1, 1]."""
    return 1 - 2 * footrule_distance(truth, prediction) / (_n_ranked(truth) ** 2 // 2)


def footrule_distance(truth: Array, prediction: Array) -> FloatArray:
    """Sum the absolute rank differences."""
    return np.abs(rank_differences(truth, prediction)).sum(axis=1)


def _n_ranked(truth: Array) -> FloatArray:
    """Count the labels the truth ranks; NaN where fewer than two."""
    counts = np.count_nonzero(~np.isnan(truth), axis=1)
    return np.where(counts > 1, counts, np.nan)


def rank_differences(truth: Array, prediction: Array) -> FloatArray:
    """Subtract ranks: 0 for labels not compared, NaN in rows where the truth orders no pair."""
    if _are_permutations(truth) and _are_permutations(prediction):
        return np.subtract(truth, prediction, dtype=np.float64)
    missing = np.isnan(truth)
    difference = generalised_ranks(truth)
    difference -= generalised_ranks(np.where(missing, np.nan, prediction))
    difference[missing] = 0
    difference[_orders_nothing(truth)] = np.nan
    return difference


def _orders_nothing(truth: Array) -> NDArray[np.bool_]:
    """Tell in which rows fewer than two labels are ranked, or all of them tie."""
    missing = np.isnan(truth)
    first = np.where(missing, np.inf, truth).min(axis=1)
    last = np.where(missing, -np.inf, truth).max(axis=1)
    return np.asarray(first >= last)


def _are_permutations(positions: Array) -> bool:
    """Tell whether ranking the rows anew would change nothing."""
    n_labels = positions.shape[1]
    return n_labels > 1 and bool((np.sort(positions, axis=1) == np.arange(1, n_labels + 1)).all())


def position_error(truth: Array, prediction: Array) -> FloatArray:
    """Find the best predicted place, from 0, of a truly first label among those ranked."""
    unranked = np.isnan(truth)
    best = np.where(unranked, np.inf, truth).min(axis=1, keepdims=True)
    places = _first_place(truth == best, np.where(unranked, np.inf, prediction))
    return np.where(_orders_nothing(truth), np.nan, places)


def first_relevant(truth: Array, scores: Array) -> FloatArray:
    """Find the best place, from 0, of a relevant label; 0 where there is none."""
    return np.where(truth.any(axis=1), _first_place(truth > 0, -scores.astype(np.float64)), 0.0)


def _first_place(targets: NDArray[np.bool_], keys: Array) -> FloatArray:
    """Rank labels by key, the lower index first of equal ones; find the first target, from 0."""
    places = np.where(targets, strict_positions(keys), np.inf)
    return places.min(axis=1) - 1


def coverage(truth: Array, scores: Array) -> FloatArray:
    """Count the labels scored at least as high as the worst relevant one, minus 1."""
    worst = np.where(truth > 0, scores, np.inf).min(axis=1, keepdims=True)
    reached = np.count_nonzero(scores >= worst, axis=1) - 1.0
    return np.where(truth.any(axis=1), reached, 0.0)


def ranking_loss(truth: Array, scores: Array) -> FloatArray:
    """Divide the pairs not in order by all relevant-irrelevant pairs."""
    relevant, n_all, n_relevant = _scored_at_least_as_high(truth, scores)
    errors = ((n_all - n_relevant) * relevant).sum(axis=1)
    totals = relevant.sum(axis=1)
    pairs = totals * (relevant.shape[1] - totals)
    return np.where(pairs > 0, errors / np.maximum(pairs, 1), 0.0)


def average_precision(truth: Array, scores: Array) -> FloatArray:
    """Average, over relevant labels, the relevant share of those scored as high or higher."""
    relevant, n_all, n_relevant = _scored_at_least_as_high(truth, scores)
    total = relevant.sum(axis=1)
    precision = (n_relevant / n_all * relevant).sum(axis=1) / np.maximum(total, 1)
    return np.where(total > 0, precision, 1.0)


def ndcg(truth: Array, scores: Array) -> FloatArray:
    """Divide the discounted gain, averaged over tied labels, by that of the best order."""
    relevant, n_all, _ = _scored_at_least_as_high(truth, scores)
    n_labels = relevant.shape[1]
    discounts = np.zeros(n_labels + 1)
    np.cumsum(1 / np.log2(np.arange(2, n_labels + 2)), out=discounts[1:])
    starts = np.zeros_like(n_all)
    starts[:, 1:] = np.where(n_all[:, 1:] > n_all[:, :-1], np.arange(1, n_labels), 0)
    starts = np.maximum.accumulate(starts, axis=1)
    gains = (discounts[n_all] - discounts[starts]) / (n_all - starts)
    total = relevant.sum(axis=1)
    best = discounts[total]
    found = (gains * relevant).sum(axis=1)
    return np.where(total > 0, found / np.where(total > 0, best, 1.0), 1.0)


def _scored_at_least_as_high(truth: Array, scores: Array) -> tuple[Array, Array, Array]:
    """Sort labels best first; for each count all, and the relevant, labels with scores >= its own.

    Returns the sorted relevance and the two counts, each of shape (n_samples, n_labels).
    """
    descending = np.argsort(-np.asarray(scores, dtype=np.float64), axis=1)
    relevant = np.take_along_axis(truth, descending, axis=1) > 0
    ordered = np.take_along_axis(scores, descending, axis=1)
    n_labels = relevant.shape[1]
    ends_bucket = np.ones(relevant.shape, dtype=bool)
    ends_bucket[:, :-1] = ordered[:, :-1] != ordered[:, 1:]
    place = np.where(ends_bucket, np.arange(1, n_labels + 1), n_labels)
    n_all = np.minimum.accumulate(place[:, ::-1], axis=1)[:, ::-1]
    n_relevant = np.take_along_axis(relevant.cumsum(axis=1), n_all - 1, axis=1)
    return relevant, n_all, n_relevant
