"""The forest's definitions, naive and exact, on the trees scikit-learn has grown."""

from fractions import Fraction
from math import log2

import numpy as np

from tests.oracles import ranked_places


def leaf_rows(forest, X, x, depth=None, stop=None):
    """In-bag rows, with multiplicity, in the node of each tree where the case x ends."""
    X32, x32 = np.asarray(X, dtype=np.float32), np.asarray(x, dtype=np.float32)
    found = []
    for estimator, drawn in zip(forest.estimators_, forest.estimators_samples_, strict=True):
        tree, node, level, rows = estimator.tree_, 0, 0, [int(row) for row in drawn]
        while tree.children_left[node] != -1 and level != depth and not (stop and stop(rows)):
            feature, threshold = tree.feature[node], tree.threshold[node]
            left = bool(x32[feature] <= threshold)
            rows = [row for row in rows if bool(X32[row, feature] <= threshold) == left]
            node = tree.children_left[node] if left else tree.children_right[node]
            level += 1
        if depth is None and tree.children_left[node] == -1:
            own, all_leaves = estimator.apply(x32[None])[0], estimator.apply(X32)
            assert sorted(rows) == sorted(int(row) for row in drawn if all_leaves[row] == own)
        found.append(rows)
    return found


def strict(keys):
    """Positions by key, the lowest first, equal keys by label index."""
    order = sorted(range(len(keys)), key=lambda label: (keys[label], label))
    return [order.index(label) + 1 for label in range(len(keys))]


def mean_ranks(Y, rows):
    """Mean place of every label among some rankings."""
    places = [ranked_places(Y[row].tolist()) for row in rows]
    return [sum(column, Fraction(0)) / len(rows) for column in zip(*places, strict=True)]


def forest_consensus(Y, leaves, voting):
    """The predicted positions, and each label's mean rank over the trees."""
    votes = [mean_ranks(Y, rows) for rows in leaves]
    if voting == "rankings":
        votes = [strict(vote) for vote in votes]
    means = [Fraction(sum(column)) / len(votes) for column in zip(*votes, strict=True)]
    return strict(means), means


def forest_agreement(Y, leaves, positions):
    """1 - mean squared rank difference to the trees' strict rankings / the largest one."""
    m = len(positions)
    votes = [strict(mean_ranks(Y, rows)) for rows in leaves]
    losses = [sum((a - b) ** 2 for a, b in zip(vote, positions, strict=True)) for vote in votes]
    return 1 - Fraction(sum(losses), len(votes)) / Fraction(m * (m * m - 1), 3)


def top_label_entropy(Y, rows):
    """Entropy in bits of the first labels of some rankings, the lower index where some tie."""
    tops = [int(np.argmin(Y[row])) for row in rows]
    shares = [tops.count(top) / len(tops) for top in set(tops)]
    return -sum(share * log2(share) for share in shares)
