"""Small random problems full of what goes wrong: ties, duplicates, constants, extremes."""

import numpy as np

from labelrank_core import (
    Dataset,
    KNeighborsLabelRanker,
    MLkNNClassifier,
    PairwiseForestRanker,
    SharedSubspaceClassifier,
    Task,
)

# The Canberra distance between any two of these has a finite binary fraction, so ties are exact.
LEVELS = np.array([0.0, 1.0, 3.0, -1.0])
FEATURES = ("integer", "duplicated", "constant")
# What holds of ten trees holds of fifty.
FEW = {"n_estimators": 10, "n_chains": 3, "inner_folds": 2}
# Candidates of a blend, by whether it learns rankings.
CANDIDATES = {
    True: (("similar", KNeighborsLabelRanker(3)), ("trees", PairwiseForestRanker(5))),
    False: (
        ("similar", MLkNNClassifier(3)),
        ("kernel", SharedSubspaceClassifier(0.0, kernel="rbf", threshold="zero")),
    ),
}


def features(rng, kind, n_rows, n_features):
    if kind == "continuous":
        return rng.normal(size=(n_rows, n_features))
    X = LEVELS[rng.integers(0, 4, size=(n_rows, n_features))]
    if kind == "duplicated":
        return X[rng.integers(0, min(n_rows, 3), size=n_rows)]
    if kind == "constant":
        X[:, 0] = 3.0
    return X


def few(algorithm):
    """Parameters with which a method of the catalog is fitted fast."""
    few_of_each = {**FEW, "candidates": CANDIDATES[algorithm.learns_rankings]}
    return {
        knob.name: few_of_each[knob.name] for knob in algorithm.knobs if knob.name in few_of_each
    }


def positions(rng, n_rows, n_labels, *, tied=False):
    keys = rng.integers(0, n_labels, size=(n_rows, n_labels)) if tied else None
    keys = rng.random((n_rows, n_labels)) if keys is None else keys
    return np.array([np.unique(row, return_inverse=True)[1] + 1 for row in keys])


def relevance(rng, n_rows, n_labels):
    """A 0/1 matrix in which some rows have no label and some have all."""
    Y = (rng.random((n_rows, n_labels)) < rng.uniform(0.1, 0.9)).astype(int)
    kind = rng.random(n_rows)
    Y[kind < 0.1], Y[kind > 0.9] = 0, 1
    return Y


def calibrated(rng, n_rows, n_labels, *, tied=False):
    """Positions with the virtual label last; `tied` also ties labels to the line."""
    Y = positions(rng, n_rows, n_labels + 1, tied=tied)
    if (Y == 1).all():  # would be a 0/1 matrix
        Y[0] = np.arange(n_labels + 1) + 1
    return Y


def crowds(n_crowds, size):
    """Crowds of equal rows far from each other, and one query in the middle of each."""
    queries = 1000.0 * np.arange(n_crowds)[:, None]
    return np.repeat(queries, size, axis=0), queries


def signs(rng, n_rows, n_labels, *, tied=False):
    """Signs of pairs, of which a third is not known and some are in cycles."""
    known = [-1, 0, 1] if tied else [-1, 1]
    pairs = rng.choice(known, (n_rows, n_labels * (n_labels - 1) // 2)).astype(float)
    pairs[rng.random(pairs.shape) < 1 / 3] = np.nan
    return pairs


def targets(rng, task, n_rows, n_labels):
    """Targets of a task; of rankings about half have ties."""
    tied = bool(rng.random() < 0.5)
    if task == "multilabel":
        return relevance(rng, n_rows, n_labels)
    if task == "pair_preferences":
        return signs(rng, n_rows, n_labels, tied=tied)
    make = positions if task == "label_ranking" else calibrated
    return make(rng, n_rows, n_labels, tied=tied)


def sparse_label_sets(n_rows, *, seed=0, separable=False):
    """24 labels, about one per case: twelve groups of cases, of which 7 in 10 have the same one."""
    rng = np.random.default_rng(seed)
    groups = rng.integers(0, 12, size=n_rows)
    X = 8 * np.random.default_rng(0).normal(size=(12, 6))[groups] + rng.normal(size=(n_rows, 6))
    has_it = np.ones(n_rows, dtype=bool) if separable else rng.random(n_rows) < 0.7
    Y = np.zeros((n_rows, 24), dtype=int)
    Y[has_it, groups[has_it]] = 1
    if not separable:
        Y[np.arange(n_rows), rng.integers(0, 24, size=n_rows)] |= rng.random(n_rows) < 0.3
    return Dataset(
        X=X,
        Y=Y,
        task=Task.MULTILABEL,
        feature_names=[f"x{j}" for j in range(6)],
        label_names=[f"label {j}" for j in range(24)],
        name="sparse sets",
    )
