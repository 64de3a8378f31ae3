"""What ML-kNN costs, as ratios to the two bare neighbour searches that no implementation can beat.

python tests/benchmarks/mlknn.py          all lines, some minutes
python tests/benchmarks/mlknn.py yeast    only lines whose name contains the word

The bare searches are those of the training cases among themselves and of the queries.
"""

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
from sklearn.neighbors import NearestNeighbors

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from labelrank_core import MLkNNClassifier, load_sample
from tests.benchmarks.knn import searches
from tests.benchmarks.measure import Line, Task, main

N_ROWS, K = 20_000, 10


def whole(n_rows, n_features, n_labels):
    rng = np.random.default_rng(n_features)
    train, queries = (rng.normal(size=(n_rows, n_features)) for _ in range(2))
    Y = (rng.random((n_rows, n_labels)) < 0.3).astype(int)

    def both(algorithm):
        found = NearestNeighbors(n_neighbors=K, algorithm=algorithm).fit(train)
        return found.kneighbors(), found.kneighbors(queries)

    return Task(
        lambda: MLkNNClassifier(K).fit(train, Y).predict(queries),
        {name: partial(both, name) for name in searches(n_features)},
    )


def every_k(model, cases):
    path = model.path(cases, n_neighbors=150)
    for k in range(1, 151):
        point = path.at(n_neighbors=k)
        _ = point.prediction, point.scores, point.confidence


def yeast():
    data = load_sample("yeast")
    return data.X[~data.split], data.relevance[~data.split], data.X[data.split]


def one_case():
    X, Y, queries = yeast()
    model = MLkNNClassifier().fit(X, Y)
    return Task(lambda: every_k(model, queries[:1]))


def all_cases():
    X, Y, queries = yeast()
    return Task(
        lambda: every_k(MLkNNClassifier(150).fit(X, Y), queries),
        {"fit + predict": lambda: MLkNNClassifier(150).fit(X, Y).predict(queries)},
    )


def line(n, d, m, **judged):
    name = f"ML-kNN fit + predict, {n} + {n} rows x {d}, {m} labels"
    return Line(name, partial(whole, n, d, m), **judged)


def budget_lines() -> Iterator[Line]:
    for d, m in ((10, 5), (10, 20), (10, 100), (50, 20)):
        yield line(N_ROWS, d, m, budget=1.2)
    yield Line("ML-kNN, one yeast case at 150 k", one_case, 60, "ms", clock="processor")
    yield Line("ML-kNN, yeast: fit, 917 rows at 150 k", all_cases, 3.0)


def growth_lines() -> Iterator[Line]:
    """From the middle size, each of n, d and m at three sizes."""
    sizes = (
        *((n, 20, 20) for n in (5_000, 10_000, 20_000)),
        *((10_000, d, 20) for d in (10, 50)),
        *((10_000, 20, m) for m in (5, 100)),
    )
    for size in sizes:
        yield line(*size, fewest_pairs=1)


if __name__ == "__main__":
    sys.exit(main(budget_lines(), growth_lines(), sys.argv[1:]))
