"""What the neighbour methods cost, as ratios to the floor that no implementation can beat.

python tests/benchmarks/knn.py            all lines, a few minutes
python tests/benchmarks/knn.py yeast      only lines whose name contains the word

Floor and work run in turn, so that other load on the machine hits both; a ratio is the median of
the ratios of such pairs.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np
from sklearn.neighbors import NearestNeighbors
from sklearn.preprocessing import StandardScaler

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from labelrank_core import KNeighborsLabelRanker, KNeighborsMultilabelRanker, load_sample
from labelrank_core.aggregation import weighted_sums
from labelrank_core.metrics import hamming_loss
from labelrank_core.rankings import strict_positions

REPEATS = 7
N_ROWS, N_LABELS, K = 20_000, 20, 10
FIG_1_NEIGHBORS, FIG_1_VIRTUAL_LABELS = range(1, 50, 2), [2**i for i in range(8)]


@dataclass(frozen=True)
class Line:
    """One row of the table; without a floor the budget is in milliseconds."""

    name: str
    budget: float
    work: Callable[[], object]
    floor: Callable[[], object] | None = None


def seconds(run):
    start = perf_counter()
    run()
    return perf_counter() - start


def measure(line):
    """Median seconds of floor and work, and the median of their ratios."""
    line.work()
    if line.floor is None:
        own = median(seconds(line.work) for _ in range(REPEATS))
        return None, own, 1000 * own
    pairs = [(seconds(line.floor), seconds(line.work)) for _ in range(REPEATS)]
    floors, works = zip(*pairs, strict=True)
    return median(floors), median(works), median(work / floor for floor, work in pairs)


def features(kind, n_rows, n_features, rng):
    if kind == "integer":
        return rng.integers(0, 4, size=(n_rows, n_features)).astype(float)
    scale = {"continuous": 1.0, "unscaled": 1000.0}[kind]
    return scale * (rng.normal(size=(n_rows, n_features)) + (kind == "unscaled"))


def bare_searches(train, test, k):
    """The two bare searches, the faster one first."""
    names = ("brute", "auto")
    searches = [NearestNeighbors(n_neighbors=k, algorithm=name).fit(train) for name in names]
    return sorted((lambda one=one: one.kneighbors(test) for one in searches), key=seconds)


def prediction_lines() -> Iterator[Line]:
    for n_features in (10, 50):
        for kind in ("continuous", "integer", "unscaled"):
            rng = np.random.default_rng(n_features)
            train, test = (features(kind, N_ROWS, n_features, rng) for _ in range(2))
            rankings = strict_positions(rng.random((N_ROWS, N_LABELS)))
            model = KNeighborsLabelRanker(K).fit(train, rankings)
            yield Line(
                f"k-NN predict, {N_ROWS} + {N_ROWS} rows, {n_features} {kind} features",
                1.2,
                lambda model=model, test=test: model.predict(test),
                bare_searches(train, test, K)[0],
            )


def yeast():
    data = load_sample("yeast")
    scaler = StandardScaler().fit(data.X[~data.split])
    train, test = scaler.transform(data.X[~data.split]), scaler.transform(data.X[data.split])
    return train, data.relevance[~data.split], test, data.relevance[data.split]


def yeast_lines() -> Iterator[Line]:
    X, Y, queries, truth = yeast()
    model = KNeighborsMultilabelRanker().fit(X, Y)

    def one_case():
        path = model.path(queries[:1], n_neighbors=150)
        for k in range(1, 151):
            for p in FIG_1_VIRTUAL_LABELS:
                point = path.at(n_neighbors=k, n_virtual_labels=p)
                _ = point.prediction, point.scores

    def fig_1():
        path = KNeighborsMultilabelRanker().fit(X, Y).path(queries, n_neighbors=49)
        return [
            hamming_loss(truth, path.at(n_neighbors=k, n_virtual_labels=p).prediction)
            for k in FIG_1_NEIGHBORS
            for p in FIG_1_VIRTUAL_LABELS
        ]

    yield Line("one yeast case at 150 x 8 (k, p), in ms", 60, one_case)
    yield Line(
        "MLR-07 Fig. 1 on yeast: 25 k x 8 p, Hamming loss on 917 rows",
        3.0,
        fig_1,
        lambda: KNeighborsMultilabelRanker(49).fit(X, Y).predict(queries),
    )


def point_lines() -> Iterator[Line]:
    """Further path points of a batch against the consensus step alone."""
    for n_queries, title in ((1000, "running sums kept"), (N_ROWS, "too large to keep sums")):
        for k in (5, 40):
            rng = np.random.default_rng(k)
            X = rng.normal(size=(2000, 5))
            rankings = strict_positions(rng.random((2000, N_LABELS)))
            model = KNeighborsLabelRanker(50).fit(X, rankings)
            path = model.path(rng.normal(size=(n_queries, 5)), n_neighbors=50)
            table, rows = model._table.places, np.ascontiguousarray(path.rows[:, :k])
            yield Line(
                f"path point, {n_queries} rows, k = {k}, {title}",
                1.5,
                lambda path=path, k=k: path.at(n_neighbors=k).prediction,
                lambda table=table, rows=rows: strict_positions(weighted_sums(table, rows, None)),
            )


def main(word=""):
    sys.stdout.write(f"{'':<64}{'floor s':>9}{'work s':>9}{'ratio':>8}{'budget':>8}\n")
    for lines in (prediction_lines, yeast_lines, point_lines):
        for line in lines():
            if word in line.name:
                floor, work, ratio = measure(line)
                shown = "-" if floor is None else f"{floor:.4f}"
                sys.stdout.write(
                    f"{line.name:<64}{shown:>9}{work:>9.4f}{ratio:>8.2f}{line.budget:>8}\n"
                )
                sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
