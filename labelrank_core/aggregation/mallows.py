"""The Mallows model: the more label pairs of its centre a ranking reverses, the less probable.

``P(ranking) ~ exp(-theta * d)``, d = the number of label pairs that the ranking and the centre
order in opposite ways. A ranking can be drawn by inserting the m labels one after the other: the
j-th reverses i = 0 ... j - 1 pairs, independently of the others, with a probability proportional
to ``exp(-theta * i)``.

References
----------
.. [cheng2009] W. Cheng, J. Hühn, E. Hüllermeier: Decision tree and instance-based learning for
   label ranking. ICML 2009.
"""

from functools import lru_cache

import numpy as np

from labelrank_core.rankings import FloatArray, IntArray, strict_positions

# Values of exp(-theta) in the look-up table of spreads, and steps of the bisection.
_GRID, _HALVINGS = 4096, 60
# Below this theta, which rounding blurs, either label of a pair is ahead with probability 1/2.
_FLAT = 1e-6


def largest_distance(n_labels: int) -> int:
    """Return the number of pairs of labels."""
    return n_labels * (n_labels - 1) // 2


def distances(complete: IntArray, centres: IntArray) -> IntArray:
    """Count the pairs that strict rankings reverse, of shapes (n, k, m) and (n, m), (n, k)."""
    ordered = np.take_along_axis(complete, np.argsort(centres, axis=1)[:, None, :], axis=2)
    return sum(
        (ordered[:, :, :-gap] > ordered[:, :, gap:]).sum(axis=2)
        for gap in range(1, ordered.shape[2])
    )


def expected_distance(factors: FloatArray, n_labels: int) -> FloatArray:
    """Return the mean distance from the centre for values of exp(-theta), from 0 to 1."""
    powers = factors[..., None] ** np.arange(n_labels)
    weights = np.cumsum(powers, axis=-1)
    reversed_ = np.cumsum(powers * np.arange(n_labels), axis=-1)
    return (reversed_ / weights).sum(axis=-1)


def spread(mean_distances: FloatArray, n_labels: int) -> FloatArray:
    """Return the maximum-likelihood theta: infinite at distance 0, 0 at that of random rankings."""
    means = np.asarray(mean_distances, dtype=np.float64)
    low, high = np.zeros(means.shape), np.ones(means.shape)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        too_far = expected_distance(middle, n_labels) > means
        low, high = np.where(too_far, low, middle), np.where(too_far, middle, high)
    with np.errstate(divide="ignore"):
        theta: FloatArray = -np.log(np.where(means <= 0, 0.0, (low + high) / 2))
    return np.where(2 * means >= largest_distance(n_labels), 0.0, theta)


@lru_cache(maxsize=8)
def _looked_up(n_labels: int) -> tuple[FloatArray, FloatArray]:
    # Closer together towards 0, where theta changes fast.
    factors = np.linspace(0, 1, _GRID + 1)[1:] ** 3
    return expected_distance(factors, n_labels), -np.log(factors)


def rough_spread(mean_distances: FloatArray, n_labels: int) -> FloatArray:
    """Return `spread` to about 1e-5 by a look-up, finite everywhere, for many at once."""
    return np.interp(mean_distances, *_looked_up(n_labels))


def distance_probabilities(theta: float, n_labels: int) -> FloatArray:
    """Return the probability of each distance from the centre, 0, 1, ... to the largest."""
    probabilities = np.ones(1)
    for j in range(2, n_labels + 1):
        steps = np.exp(-theta * np.arange(j)) if np.isfinite(theta) else np.eye(1, j)[0]
        probabilities = np.convolve(probabilities, steps / steps.sum())
    return probabilities


def pair_probabilities(theta: FloatArray, centres: IntArray) -> FloatArray:
    """Return the probability of each label being ahead of each other, (n_models, m, m)."""
    n_labels = centres.shape[1]
    gaps = np.arange(1, n_labels + 1)
    # h(g) = g / (1 - exp(-theta g)); g places apart: h(g + 1) - h(g).
    h = gaps / -np.expm1(-np.maximum(theta, _FLAT)[:, None] * gaps)
    nearer = np.where(theta[:, None] > _FLAT, np.diff(h, axis=1), 0.5)
    by_gap = np.hstack([1 - nearer[:, ::-1], np.full((len(theta), 1), 0.5), nearer])
    apart = centres[:, None, :] - centres[:, :, None] + n_labels - 1
    flat = np.take_along_axis(by_gap, apart.reshape(len(theta), -1), axis=1)
    return flat.reshape(apart.shape)


def completed(positions: FloatArray, centres: IntArray) -> IntArray:
    """Return the most probable complete extension of each incomplete ranking [cheng2009]_."""
    # Labels that tie are ordered as in the centre. Each label that is not ranked goes where it
    # reverses the fewest pairs with ranked ones, as far ahead as that allows; labels inserted at
    # the same place are ordered as in the centre. No extension is nearer to the centre.
    n_labels = positions.shape[-1]
    missing = np.isnan(positions)
    keys = np.where(missing, np.inf, positions * (n_labels + 1) + centres)
    labels = np.argsort(keys, axis=-1, kind="stable")
    n_ranked = (~missing).sum(axis=-1)[..., None, None]
    # [..., label, place]: whether the label ranked at that place is ahead of the label in the
    # centre, and so should be ahead of it here.
    at_places = np.take_along_axis(centres, labels, axis=-1)[..., None, :]
    is_ranked = np.arange(n_labels) < n_ranked
    ahead = is_ranked & (at_places < centres[..., :, None])
    wrong = np.where(is_ranked, np.where(ahead, -1, 1), 0)
    # Moving one place on puts the label there ahead: one pair more is reversed, or one less.
    costs = np.zeros((*positions.shape, n_labels + 1), dtype=np.int64)
    np.cumsum(wrong, axis=-1, out=costs[..., 1:])
    costs[..., 1:][np.broadcast_to(~is_ranked, wrong.shape)] = n_labels + 1
    gaps = np.argmin(costs, axis=-1)
    index_of_label = np.argsort(labels, axis=-1)
    # Between two ranked labels come those inserted there, in the order of the centre.
    inserted = np.where(missing, 2 * gaps, 2 * index_of_label + 1) * (n_labels + 1) + centres
    flat = inserted.reshape(-1, n_labels)
    return strict_positions(flat).reshape(positions.shape)
