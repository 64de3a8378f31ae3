"""Naive criteria of ranking trees, from their definitions, one part at a time."""

from itertools import combinations, pairwise, permutations
from math import log

import numpy as np

from labelrank_core.aggregation.mallows import largest_distance, rough_spread
from labelrank_core.rankings import generalised_ranks


def label_sums(rankings):
    """Summed win shares; 1/2 where no ranking compares two labels."""
    n_labels = len(rankings[0])
    sums = [0.0] * n_labels
    for i in range(n_labels):
        for j in range(n_labels):
            if i != j:
                wins = sum(r[i] < r[j] for r in rankings)
                known = wins + sum(r[j] < r[i] for r in rankings)
                sums[i] += wins / known if known else 0.5
    return sums


def mallows_spread(rankings):
    """Theta of the mean share of reversed pairs, one imaginary random ranking counted besides."""
    sums = label_sums(rankings)
    pairs = list(combinations(range(len(sums)), 2))
    against, known = len(pairs) / 2, len(pairs)
    for i, j in pairs:
        for r in rankings:
            if r[i] < r[j] or r[j] < r[i]:
                known += 1
                lead = round(sums[i] - sums[j], 9)
                against += 0.5 if lead == 0 else float((r[i] < r[j]) != (lead > 0))
    m = len(sums)
    return float(rough_spread(against / known * largest_distance(m), m))


def spread_with_ties(rankings):
    """Theta of half of the least Kemeny distance, each pair decided by itself, and one besides."""
    m = len(rankings[0])
    pairs = list(combinations(range(m), 2))
    against, known = len(pairs) / 2, len(pairs)
    for i, j in pairs:
        outcomes = [np.sign(r[i] - r[j]) for r in rankings if not np.isnan(r[i] + r[j])]
        costs = [sum(abs(own - answer) for own in outcomes) / 2 for answer in (-1, 0, 1)]
        against, known = against + min(costs), known + len(outcomes)
    return float(rough_spread(against / known * largest_distance(m), m))


def minus_kemeny_distance(rankings):
    """Minus the mean distance of two rankings drawn with replacement / the largest one."""
    pairs = list(combinations(range(len(rankings[0])), 2))
    total = 0.0
    for i, j in pairs:
        outcomes = [np.sign(r[i] - r[j]) for r in rankings if not np.isnan(r[i] + r[j])]
        costs = [abs(one - other) for one in outcomes for other in outcomes]
        if costs:
            total += np.mean(costs) * len(outcomes) / len(rankings)
    return float(-total / len(pairs))


def mean_completion(ranking):
    """The mean rank of each label over all places that the labels not ranked may take."""
    m, known = len(ranking), [i for i, place in enumerate(ranking) if not np.isnan(place)]
    ranks = generalised_ranks([ranking])[0]
    completions = []
    for missing in permutations(range(m), m - len(known)):
        # The i-th ranked label takes the i-th place that is left, ties the mean of theirs.
        left = [place for place in range(1, m + 1) if place - 1 not in missing]
        whole = np.empty(m)
        whole[np.isnan(ranks)] = [place + 1 for place in missing]
        for label in known:
            same = [i for i in known if ranks[i] == ranks[label]]
            first = sum(ranks[i] < ranks[label] for i in known)
            whole[label] = np.mean(left[first : first + len(same)])
        completions.append(whole)
    return np.mean(completions, axis=0)


def rank_correlation(rankings):
    """Mean of Spearman's correlation of each ranking with the ranks of the mean ranks."""
    rankings = np.array([mean_completion(ranking) for ranking in rankings])
    means = np.round(np.mean(rankings, axis=0), 9)
    m = len(means)
    centre = [1 + sum(means < x) + (sum(means == x) - 1) / 2 for x in means]
    squares = [sum((np.array(r) - centre) ** 2) for r in rankings]
    return float(np.mean([1 - 6 * s / (m * (m * m - 1)) for s in squares]))


def minus_entropy(rankings):
    """Minus the entropy of the rankings times minus the log of their mean similarity."""
    rows = [tuple(r) for r in rankings]
    kinds = sorted(set(rows))
    entropy = -sum(rows.count(k) / len(rows) * log(rows.count(k) / len(rows)) for k in kinds)

    def similarity(one, other):
        pairs = list(combinations(range(len(one)), 2))
        tau = [np.sign((one[i] - one[j]) * (other[i] - other[j])) for i, j in pairs]
        return (np.mean(tau) + 1) / 2

    alike = np.mean([similarity(one, other) for one in kinds for other in rows])
    return entropy * log(max(alike, 1e-12))


def best_split(X, rankings, criterion):
    """The first feature and threshold that maximise the weighted mean of a criterion."""
    best = None
    for feature in range(X.shape[1]):
        values = np.unique(X[:, feature])
        for low, high in pairwise(values):
            left = X[:, feature] <= low
            value = sum(side.sum() * criterion(rankings[side]) for side in (left, ~left)) / len(X)
            if best is None or round(value, 9) > round(best[0], 9):
                best = (value, feature, (low + high) / 2)
    return best
