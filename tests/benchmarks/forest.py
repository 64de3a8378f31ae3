"""What the forest costs beside scikit-learn's growing the same trees, and how fast its path is.

python tests/benchmarks/forest.py          all lines, some minutes
python tests/benchmarks/forest.py predict  only lines whose name contains the word
python tests/benchmarks/forest.py large    1 000 000 x 20, 10 labels, 50 trees of depth 8
"""

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from labelrank_core import LabelRankingForest
from labelrank_core.methods.trees._targets import features_per_split, split_target
from labelrank_core.rankings import strict_positions
from tests.benchmarks.measure import Line, Task, main

SIZES = (
    (2_000, 18, 7, None, "borda"),
    (10_000, 20, 10, None, "borda"),
    (10_000, 50, 20, 8, "borda"),
    (10_000, 20, 10, 8, "top_label"),
)


def problem(n, d, m):
    random = np.random.default_rng(0)
    X = random.normal(size=(n, d)).astype(np.float32)
    scores = X @ random.normal(size=(d, m)).astype(np.float32)
    return X, strict_positions(scores + random.normal(size=(n, m)).astype(np.float32))


def bare_forest(model, X, Y):
    """Build scikit-learn's forest that grows the same trees, and its target."""
    target = split_target(2.0 * Y, model.split_on)
    names = ("n_estimators", "max_depth", "random_state", "n_jobs")
    same = {name: getattr(model, name) for name in names}
    same["max_features"] = features_per_split(model.max_features, X.shape[1])
    if model.split_on == "borda":
        return RandomForestRegressor(**same), target
    return RandomForestClassifier(criterion="entropy", **same), target


def fit(n, d, m, depth, split_on):
    X, Y = problem(n, d, m)
    model = LabelRankingForest(max_depth=depth, split_on=split_on)
    forest, target = bare_forest(model, X, Y)
    return Task(lambda: model.fit(X, Y), {"same trees": lambda: forest.fit(X, target)})


def predict(n, d, m, depth, split_on):
    X, Y = problem(2 * n, d, m)
    model = LabelRankingForest(max_depth=depth, split_on=split_on)
    forest, target = bare_forest(model, X[:n], Y[:n])
    model.fit(X[:n], Y[:n])
    forest.fit(X[:n], target)
    return Task(lambda: model.predict(X[n:]), {"same trees": lambda: forest.predict(X[n:])})


def fit_and_predict(n, d, m):
    X, Y = problem(n, d, m)
    model = LabelRankingForest(max_depth=8)
    forest, target = bare_forest(model, X, Y)
    return Task(
        lambda: model.fit(X, Y).predict(X), {"same trees": lambda: forest.fit(X, target).predict(X)}
    )


def one_case(work):
    """Send one case of a set as large as yeast down the trees, then do something with the path."""
    X, Y = problem(2417, 103, 14)
    model = LabelRankingForest().fit(X, Y)
    return Task(lambda: work(model.path(X[:1])))


def first_point(path):
    return path.at().prediction


def every_setting(path):
    settings = [(n, depth) for n in range(1, 51) for depth in range(1, 9)]
    return [path.at(n_estimators=n, max_depth=depth).prediction for n, depth in settings]


def explanation(path):
    return path.at().explain(0)


def large():
    X, Y = problem(1_000_000, 20, 10)
    model = LabelRankingForest(50, max_depth=8, n_jobs=-1)
    return Task(lambda: model.fit(X, Y).predict(X))


def budget_lines() -> Iterator[Line]:
    for size in SIZES:
        n, d, m, depth, split_on = size
        name = f"{n} x {d}, {m} labels, depth {depth}, {split_on}"
        yield Line(f"forest fit, {name}", partial(fit, *size), 1.1, clock="processor")
        yield Line(f"forest predict, {name}", partial(predict, *size), 1.5, clock="processor")
    for what, work in (
        ("first point", first_point),
        ("all 50 x 8 settings", every_setting),
        ("explanation", explanation),
    ):
        name = f"forest, one case of 2417 x 103, 14 labels: path and {what}"
        yield Line(name, partial(one_case, work), unit="ms", clock="processor")


def growth_lines() -> Iterator[Line]:
    """From the middle size, each of n, d and m at three sizes."""
    sizes = (
        *((n, 20, 10) for n in (5_000, 10_000, 20_000)),
        *((10_000, d, 10) for d in (10, 40)),
        *((10_000, 20, m) for m in (5, 20)),
    )
    for n, d, m in sizes:
        yield Line(
            f"forest fit + predict, depth 8, {n} x {d}, {m} labels",
            partial(fit_and_predict, n, d, m),
            clock="processor",
            fewest_pairs=1,
        )
    name = "forest fit + predict, 50 trees, depth 8, 1000000 x 20, 10 labels"
    yield Line(name, large, fewest_pairs=1, large=True)


if __name__ == "__main__":
    sys.exit(main(budget_lines(), growth_lines(), sys.argv[1:]))
