"""Thresholds that maximise F1 on the scores they are given; exact, by sorting once.

A cut lies midway between two different scores. Where cuts are equally good, the one with the
fewest relevant labels is taken.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from labelrank_core.rankings import FloatArray, IntArray

# Scores closer than this are the same: rounding decides nothing.
DECIMALS = 12
# How far beyond the lowest score the cut below all scores lies, at least.
_MARGIN = 1e-6


def _sorted_columns(scores: FloatArray, relevance: IntArray) -> tuple[FloatArray, IntArray]:
    """Sort the rounded scores of each column, highest first, and the relevance with them."""
    scores = np.round(scores, DECIMALS)
    order = np.argsort(-scores, axis=0, kind="stable")
    return np.take_along_axis(scores, order, 0), np.take_along_axis(relevance, order, 0)


def _cuts(ordered: FloatArray) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Return the cut after each of the sorted scores, and which of them separate scores."""
    margin = np.maximum((ordered[0] - ordered[-1]) / (2 * len(ordered)), _MARGIN)
    following = np.vstack([ordered[1:], ordered[-1:] - 2 * margin])
    return (ordered + following) / 2, ordered > following


def _f1_after(relevance: IntArray) -> FloatArray:
    """Return the F1 of each column when its first 1, 2, ... rows are taken as relevant."""
    taken = np.arange(1, len(relevance) + 1)[:, None]
    return 2 * relevance.cumsum(axis=0) / (taken + relevance.sum(axis=0))


def label_macro_f1(scores: FloatArray, relevance: IntArray) -> FloatArray:
    """Maximise every label's own F1, and so macro F1; 0 for labels that all or no rows have."""
    ordered, hits = _sorted_columns(scores, relevance)
    cuts, separating = _cuts(ordered)
    best = np.where(separating, _f1_after(hits), -1.0).argmax(axis=0)
    return np.where(_varies(relevance), np.take_along_axis(cuts, best[None], 0)[0], 0.0)


def label_micro_f1(scores: FloatArray, relevance: IntArray) -> FloatArray:
    """Maximise micro F1 with a threshold for each label; 0 for labels all or no rows have.

    Micro F1 is a ratio of sums over labels: the best ratio F is where the labels' separate best
    values of 2 TP - F (TP + FP) no longer raise it (Dinkelbach 1967).
    """
    varies = _varies(relevance)
    thresholds = np.zeros(scores.shape[1])
    if not varies.any():
        return thresholds
    relevance = relevance[:, varies]
    ordered, hits = _sorted_columns(scores[:, varies], relevance)
    cuts, separating = _cuts(ordered)
    above = ordered[:1] + np.maximum((ordered[0] - ordered[-1]) / (2 * len(ordered)), _MARGIN)
    cuts, separating = (
        np.vstack([above, cuts]),
        np.vstack([np.ones_like(separating[:1]), separating]),
    )
    hits = np.vstack([np.zeros_like(hits[:1]), hits.cumsum(axis=0)])
    taken = np.arange(len(hits))[:, None]
    ratio, improved = 0.0, -1.0
    while ratio > improved:
        improved = ratio
        best = np.where(separating, 2 * hits - ratio * taken, -np.inf).argmax(axis=0)[None]
        found = np.take_along_axis(hits, best, 0).sum()
        ratio = 2 * found / (best.sum() + relevance.sum())
    thresholds[varies] = np.take_along_axis(cuts, best, 0)[0]
    return thresholds


def global_micro_f1(scores: FloatArray, relevance: IntArray) -> FloatArray:
    """Maximise micro F1 with one threshold for all labels; 0 where all or none are relevant."""
    best = label_macro_f1(scores.reshape(-1, 1), relevance.reshape(-1, 1))
    return np.full(scores.shape[1], best[0])


def global_macro_f1(scores: FloatArray, relevance: IntArray) -> FloatArray:
    """Maximise macro F1 with one threshold for all labels; 0 where all or none are relevant."""
    if not _varies(relevance.reshape(-1, 1))[0]:
        return np.zeros(scores.shape[1])
    ordered, hits = _sorted_columns(scores, relevance)
    gains = np.diff(_f1_after(hits), axis=0, prepend=0.0)
    order = np.argsort(-ordered, axis=None, kind="stable")
    cuts, separating = _cuts(ordered.ravel()[order][:, None])
    totals = np.where(separating[:, 0], gains.ravel()[order].cumsum(), -1.0)
    # Sums of the same gains in another order differ in their last digits.
    best = int(np.argmax(totals >= totals.max() - 1e-12))
    return np.full(scores.shape[1], cuts[best, 0])


def zero(scores: FloatArray, relevance: IntArray) -> FloatArray:  # noqa: ARG001
    """Leave every threshold at 0, halfway between the targets."""
    return np.zeros(scores.shape[1])


def _varies(relevance: IntArray) -> NDArray[np.bool_]:
    return relevance.min(axis=0) < relevance.max(axis=0)


RULES: dict[str, Callable[[FloatArray, IntArray], FloatArray]] = {
    rule.__name__: rule
    for rule in (label_macro_f1, label_micro_f1, global_macro_f1, global_micro_f1, zero)
}
