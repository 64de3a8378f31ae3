"""Naive boosting of rules: every threshold of every feature is tried, every weight is a sum."""

from itertools import pairwise
from math import exp, log, sqrt


def midpoints(X):
    """All pairs of a feature and a threshold."""
    for feature in range(len(X[0])):
        values = sorted({x[feature] for x in X})
        for low, high in pairwise(values):
            yield feature, (low + high) / 2


def sums(D, Y, rows, label):
    """Weights of rows with a label, and of those without."""
    having = sum(D[i][label] for i in rows if Y[i][label] == 1)
    lacking = sum(D[i][label] for i in rows if Y[i][label] == 0)
    return having, lacking


def mixed(D, Y, rows):
    return 2 * sum(sqrt(a * b) for a, b in (sums(D, Y, rows, j) for j in range(len(Y[0]))))


def votes(D, Y, rows):
    least = 1 / (len(Y) * len(Y[0]))
    pairs = (sums(D, Y, rows, label) for label in range(len(Y[0])))
    return [log((having + least) / (lacking + least)) / 2 for having, lacking in pairs]


def weighed_again(D, Y, sides, cast):
    """Weights after votes on some sides, which again sum to 1."""
    D = [list(row) for row in D]
    for side, own in zip(sides, cast, strict=True):
        for i in side:
            for label, vote in enumerate(own):
                D[i][label] *= exp(-vote if Y[i][label] == 1 else vote)
    total = sum(map(sum, D))
    return [[weight / total for weight in row] for row in D]


def first_of_the_least(tried):
    """Return the first of what is tried whose criterion is the least, up to rounding."""
    tried = list(tried)
    least = min(criterion for criterion, _ in tried)
    return next(what for criterion, what in tried if criterion <= least + 1e-9)


def split(X, rows, feature, threshold):
    return (
        [i for i in rows if X[i][feature] <= threshold],
        [i for i in rows if X[i][feature] > threshold],
    )


def adaboost_mh(X, Y, n_rounds):
    """The rules of all rounds: feature, threshold, votes below and above."""
    n, m = len(Y), len(Y[0])
    D = [[1 / (n * m)] * m for _ in range(n)]
    rules = []
    for _ in range(n_rounds):
        tried = []
        for stump in midpoints(X):
            sides = split(X, range(n), *stump)
            tried.append((sum(mixed(D, Y, side) for side in sides), stump))
        stump = first_of_the_least(tried)
        sides = split(X, range(n), *stump)
        cast = [votes(D, Y, side) for side in sides]
        rules.append((*stump, *cast))
        D = weighed_again(D, Y, sides, cast)
    return rules


def scores_of_rounds(rules, x, m):
    total = [0.0] * m
    for feature, threshold, below, above in rules:
        cast = above if x[feature] > threshold else below
        total = [a + b for a, b in zip(total, cast, strict=True)]
    return total


def alternating_tree(X, Y, n_steps):
    """Nodes of the tree: the conditions that lead to them, as (feature, threshold, above), votes.

    Grown as ADTBoost.MH says: of all nodes and questions, the one that leaves the least weight
    mixed, weights elsewhere counting as they are.
    """
    n, m = len(Y), len(Y[0])
    D = [[1 / (n * m)] * m for _ in range(n)]
    nodes = [((), votes(D, Y, range(n)))]
    D = weighed_again(D, Y, [range(n)], [nodes[0][1]])
    for _ in range(n_steps):
        tried = []
        for conditions, _ in nodes:
            rows = ending_in(X, conditions)
            elsewhere = sum(sum(D[i]) for i in range(n) if i not in rows)
            for stump in midpoints(X):
                sides = split(X, rows, *stump)
                criterion = sum(mixed(D, Y, side) for side in sides) + elsewhere
                tried.append((criterion, (conditions, stump)))
        conditions, stump = first_of_the_least(tried)
        sides = split(X, ending_in(X, conditions), *stump)
        cast = [votes(D, Y, side) for side in sides]
        nodes += [
            ((*conditions, (*stump, above)), own)
            for above, own in zip((False, True), cast, strict=True)
        ]
        D = weighed_again(D, Y, sides, cast)
    return nodes


def meets(x, conditions):
    return all((x[feature] > threshold) == above for feature, threshold, above in conditions)


def ending_in(X, conditions):
    return [i for i, x in enumerate(X) if meets(x, conditions)]


def scores_of_tree(nodes, x, m):
    met = [cast for conditions, cast in nodes if meets(x, conditions)]
    return [sum(column) for column in zip(*met, strict=True)] if met else [0.0] * m
