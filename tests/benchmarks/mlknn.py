"""What ML-kNN costs, as ratios to the two bare neighbour searches that no implementation can beat.

python tests/benchmarks/mlknn.py          all lines, a few minutes
python tests/benchmarks/mlknn.py yeast    only lines whose name contains the word

Floor and work run in turn, so that other load on the machine hits both; a ratio is the median of
the ratios of such pairs. The floor takes the faster of brute force and scikit-learn's own choice,
for the training cases among themselves and for the queries.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np
from sklearn.neighbors import NearestNeighbors

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from labelrank_core import MLkNNClassifier, load_sample

REPEATS = 5
N_ROWS, K = 20_000, 10


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
    line.floor()
    pairs = [(seconds(line.floor), seconds(line.work)) for _ in range(REPEATS)]
    floors, works = zip(*pairs, strict=True)
    return median(floors), median(works), median(work / floor for floor, work in pairs)


def bare_searches(train, test, k):
    """Both searches, by the faster way, which the first call finds."""

    def search(algorithm):
        found = NearestNeighbors(n_neighbors=k, algorithm=algorithm).fit(train)
        return found.kneighbors(), found.kneighbors(test)

    @cache
    def fastest():
        return min(("brute", "auto"), key=lambda algorithm: seconds(lambda: search(algorithm)))

    return lambda: search(fastest())


def fit_and_predict_lines() -> Iterator[Line]:
    for n_features in (10, 50):
        for n_labels in (5, 20, 100):
            rng = np.random.default_rng(n_features)
            train, test = (rng.normal(size=(N_ROWS, n_features)) for _ in range(2))
            Y = (rng.random((N_ROWS, n_labels)) < 0.3).astype(int)
            yield Line(
                f"fit + predict, {N_ROWS} + {N_ROWS} rows, {n_features} features, "
                f"{n_labels} labels",
                1.2,
                lambda train=train, test=test, Y=Y: MLkNNClassifier(K).fit(train, Y).predict(test),
                bare_searches(train, test, K),
            )


def yeast_lines() -> Iterator[Line]:
    data = load_sample("yeast")
    X, Y, queries = data.X[~data.split], data.relevance[~data.split], data.X[data.split]
    model = MLkNNClassifier().fit(X, Y)

    def every_k(model, cases):
        path = model.path(cases, n_neighbors=150)
        for k in range(1, 151):
            point = path.at(n_neighbors=k)
            _ = point.prediction, point.scores, point.confidence

    yield Line("one yeast case at 150 k, in ms", 60, lambda: every_k(model, queries[:1]))
    yield Line(
        "yeast: fit, 917 rows at 150 k",
        3.0,
        lambda: every_k(MLkNNClassifier(150).fit(X, Y), queries),
        lambda: MLkNNClassifier(150).fit(X, Y).predict(queries),
    )


def main(word=""):
    sys.stdout.write(f"{'':<64}{'floor s':>9}{'work s':>9}{'ratio':>8}{'budget':>8}\n")
    for lines in (fit_and_predict_lines, yeast_lines):
        for line in lines():
            if word in line.name:
                floor, work, ratio = measure(line)
                shown = "-" if floor is None else f"{floor:.4f}"
                sys.stdout.write(
                    f"{line.name:<64}{shown:>9}{work:>9.4f}{ratio:>8.2f}{line.budget:>8}\n"
                )


if __name__ == "__main__":
    main(*sys.argv[1:2])
