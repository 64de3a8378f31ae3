"""The parts of a profile, naive and exact: plain loops over plain rows, in fractions."""

from fractions import Fraction
from itertools import combinations, permutations, product
from math import isnan


def ahead(row, i, j):
    return row[i] < row[j]  # False where one of them is NaN


def position_counts(rows, n_labels):
    places = range(1, n_labels + 1)
    return [[sum(row[j] == place for row in rows) for place in places] for j in range(n_labels)]


def tied_counts(rows, n_labels):
    others = range(n_labels)
    return [
        sum(any(row[i] == row[j] for i in others if i != j) for row in rows)
        for j in range(n_labels)
    ]


def pair_counts(rows, n_labels):
    labels = range(n_labels)
    return [[sum(ahead(row, i, j) for row in rows) for j in labels] for i in labels]


def mean_rank(rows, label):
    """1 + the labels ahead + half of the other ones at the same position, where it is ranked."""
    ranks = [
        1
        + sum(other < row[label] for other in row)
        + Fraction(sum(other == row[label] for other in row) - 1, 2)
        for row in rows
        if not isnan(row[label])
    ]
    return sum(ranks) / len(ranks) if ranks else None


def beats(rows, n_labels):
    counts = pair_counts(rows, n_labels)
    return [[counts[i][j] > counts[j][i] for j in range(n_labels)] for i in range(n_labels)]


def shortest_cycle(rows, n_labels):
    """Length of a shortest cycle of majorities, by trying all; 0: there is none."""
    beat = beats(rows, n_labels)
    for length in range(3, n_labels + 1):
        for chain in permutations(range(n_labels), length):
            if all(beat[a][b] for a, b in zip(chain, (*chain[1:], chain[0]), strict=True)):
                return length
    return 0


def in_cycle(rows, n_labels):
    """Whether each majority has a way back."""
    beat = beats(rows, n_labels)
    reach = [list(line) for line in beat]
    for k, i, j in product(range(n_labels), repeat=3):
        reach[i][j] = reach[i][j] or (reach[i][k] and reach[k][j])
    labels = range(n_labels)
    return [[beat[i][j] and reach[j][i] for j in labels] for i in labels]


def all_rankings(n_labels, *, ties, partial):
    """Every ranking there is: positions 1, 2, ... without gaps, 0 = not ranked."""
    found = []
    for row in product(range(n_labels + 1), repeat=n_labels):
        ranked = [place for place in row if place]
        steps = sorted(ranked) if not ties else sorted(set(ranked))
        complete = len(ranked) == n_labels
        if steps == list(range(1, len(steps) + 1)) and (partial or complete):
            found.append(row)
    return found


def same(first, second):
    return all(a == b or (isnan(a) and isnan(b)) for a, b in zip(first, second, strict=True))


def contradicting(features, targets):
    return [
        any(
            same(x, other) and not same(y, target)
            for other, target in zip(features, targets, strict=True)
        )
        for x, y in zip(features, targets, strict=True)
    ]


def repeating(features, targets):
    rows = list(zip(features, targets, strict=True))
    return [
        any(same(x, other) and same(y, target) for other, target in rows[:i])
        for i, (x, y) in enumerate(rows)
    ]


def groups(features):
    """Lists of rows with equal features."""
    found = []
    for row, x in enumerate(features):
        own = next((group for group in found if same(features[group[0]], x)), None)
        if own is None:
            found.append([row])
        else:
            own.append(row)
    return found


def majority_bound(features, targets):
    """The mean of abs(weight for - weight against) over rows that order a pair; None: no row."""
    gain, counted = Fraction(0), 0
    for group in groups(features):
        weights = {}
        for row in (targets[index] for index in group):
            pairs = [(i, j) for i, j in permutations(range(len(row)), 2) if ahead(row, i, j)]
            counted += bool(pairs)
            for pair in pairs:
                weights[pair] = weights.get(pair, 0) + Fraction(1, len(pairs))
        for i, j in combinations(range(len(targets[0])), 2):
            gain += abs(weights.get((i, j), 0) - weights.get((j, i), 0))
    return gain / counted if counted else None


def minority_share(features, relevance):
    wrong = 0
    for group in groups(features):
        for label in range(len(relevance[0])):
            having = sum(relevance[row][label] for row in group)
            wrong += min(having, len(group) - having)
    return Fraction(wrong, len(relevance) * len(relevance[0]))
