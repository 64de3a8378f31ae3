"""What the neighbour methods cost, as ratios to the floor that no implementation can beat.

python tests/benchmarks/knn.py            all lines, some minutes
python tests/benchmarks/knn.py yeast      only lines whose name contains the word
python tests/benchmarks/knn.py large      1 000 000 + 2 000 rows x 20, 10 labels
"""

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
from sklearn.neighbors import NearestNeighbors
from sklearn.preprocessing import StandardScaler

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from labelrank_core import KNeighborsLabelRanker, KNeighborsMultilabelRanker, load_sample
from labelrank_core.aggregation.sums import weighted_sums
from labelrank_core.metrics import hamming_loss
from labelrank_core.rankings import strict_positions
from tests.benchmarks.measure import Line, Task, main

N_ROWS, N_LABELS, K = 20_000, 20, 10
FIG_1_NEIGHBORS, FIG_1_VIRTUAL_LABELS = range(1, 50, 2), [2**i for i in range(8)]


def searches(n_features):
    """Name scikit-learn's searches; from 16 features on, its own choice is brute force."""
    return ("brute", "auto") if n_features < 16 else ("brute",)


def features(kind, n_rows, n_features, rng):
    if kind == "integer":
        return rng.integers(0, 4, size=(n_rows, n_features)).astype(float)
    scale = {"continuous": 1.0, "unscaled": 1000.0}[kind]
    return scale * (rng.normal(size=(n_rows, n_features)) + (kind == "unscaled"))


def problem(kind, n_rows, n_features, n_labels):
    rng = np.random.default_rng(n_features)
    train, queries = (features(kind, n_rows, n_features, rng) for _ in range(2))
    return train, strict_positions(rng.random((n_rows, n_labels))), queries


def prediction(kind, n_features):
    train, rankings, queries = problem(kind, N_ROWS, n_features, N_LABELS)
    model = KNeighborsLabelRanker(K).fit(train, rankings)
    floors = {
        name: partial(
            NearestNeighbors(n_neighbors=K, algorithm=name).fit(train).kneighbors, queries
        )
        for name in searches(n_features)
    }
    return Task(lambda: model.predict(queries), floors)


def yeast():
    data = load_sample("yeast")
    scaler = StandardScaler().fit(data.X[~data.split])
    train, test = scaler.transform(data.X[~data.split]), scaler.transform(data.X[data.split])
    return train, data.relevance[~data.split], test, data.relevance[data.split]


def one_case():
    X, Y, queries, _ = yeast()
    model = KNeighborsMultilabelRanker().fit(X, Y)

    def work():
        path = model.path(queries[:1], n_neighbors=150)
        for k in range(1, 151):
            for p in FIG_1_VIRTUAL_LABELS:
                point = path.at(n_neighbors=k, n_virtual_labels=p)
                _ = point.prediction, point.scores

    return Task(work)


def fig_1():
    X, Y, queries, truth = yeast()

    def work():
        path = KNeighborsMultilabelRanker().fit(X, Y).path(queries, n_neighbors=49)
        return [
            hamming_loss(truth, path.at(n_neighbors=k, n_virtual_labels=p).prediction)
            for k in FIG_1_NEIGHBORS
            for p in FIG_1_VIRTUAL_LABELS
        ]

    fit_and_predict = lambda: KNeighborsMultilabelRanker(49).fit(X, Y).predict(queries)  # noqa: E731
    return Task(work, {"fit + predict": fit_and_predict})


def path_point(n_queries, k):
    """A further path point of a batch, and the consensus step alone."""
    rng = np.random.default_rng(k)
    X = rng.normal(size=(2000, 5))
    rankings = strict_positions(rng.random((2000, N_LABELS)))
    model = KNeighborsLabelRanker(50).fit(X, rankings)
    path = model.path(rng.normal(size=(n_queries, 5)), n_neighbors=50)
    table, rows = model._table.doubled, np.ascontiguousarray(path.rows[:, :k])
    return Task(
        lambda: path.at(n_neighbors=k).prediction,
        {"consensus": lambda: strict_positions(weighted_sums(table, rows, None))},
    )


def whole(n_rows, n_features, n_labels):
    """Fit and predict as many queries as training rows."""
    train, rankings, queries = problem("continuous", n_rows, n_features, n_labels)

    def search(algorithm):
        return NearestNeighbors(n_neighbors=K, algorithm=algorithm).fit(train).kneighbors(queries)

    return Task(
        lambda: KNeighborsLabelRanker(K).fit(train, rankings).predict(queries),
        {name: partial(search, name) for name in searches(n_features)},
    )


def large():
    rng = np.random.default_rng(0)
    train, queries = rng.normal(size=(1_000_000, 20)), rng.normal(size=(2_000, 20))
    rankings = strict_positions(rng.random((len(train), 10)))
    model = KNeighborsLabelRanker(K)
    return Task(lambda: model.fit(train, rankings).predict(queries))


def budget_lines() -> Iterator[Line]:
    for n_features in (10, 50):
        for kind in ("continuous", "integer", "unscaled"):
            yield Line(
                f"k-NN predict, {N_ROWS} + {N_ROWS} rows, {n_features} {kind} features",
                partial(prediction, kind, n_features),
                1.2,
            )
    yield Line("k-NN, one yeast case at 150 x 8 (k, p)", one_case, 60, "ms", clock="processor")
    yield Line("MLR-07 Fig. 1 on yeast: 25 k x 8 p, Hamming loss on 917 rows", fig_1, 3.0)
    for n_queries, title in ((1000, "running sums kept"), (N_ROWS, "too large to keep sums")):
        for k in (5, 40):
            yield Line(
                f"path point, {n_queries} rows, k = {k}, {title}",
                partial(path_point, n_queries, k),
                1.5,
            )


def growth_lines() -> Iterator[Line]:
    """From the middle size, each of n, d and m at three sizes; the largest has its own budget."""
    sizes = (
        *((n, 50, 100) for n in (12_500, 25_000, 50_000)),
        *((25_000, d, 100) for d in (10, 25)),
        *((25_000, 50, m) for m in (25, 50)),
    )
    for n, d, m in sizes:
        yield Line(
            f"k-NN fit + predict, {n} + {n} rows x {d}, {m} labels",
            partial(whole, n, d, m),
            megabytes=1000 if n == 50_000 else None,
            fewest_pairs=1,
        )
    # Inputs take 240 MB.
    name = "k-NN fit + predict, 1000000 + 2000 rows x 20, 10 labels"
    yield Line(name, large, megabytes=1000, fewest_pairs=1, large=True)


if __name__ == "__main__":
    sys.exit(main(budget_lines(), growth_lines(), sys.argv[1:]))
