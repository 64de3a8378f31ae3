"""What the forest costs beside scikit-learn's growing the same trees, and how fast its path is.

python tests/benchmarks/forest.py          ratios (budgets: fit 1.1, predict 1.5) and slider moves
python tests/benchmarks/forest.py large    1 000 000 x 20, 10 labels, 50 trees of depth 8

Ratios are medians over pairs of runs on one thread, in processor seconds, which other load on the
machine hardly changes.
"""

import gc
import resource
import sys
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

import numpy as np
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from labelrank_core import LabelRankingForest
from labelrank_core.rankings import strict_positions
from labelrank_core.trees._targets import split_target

SIZES = ((2_000, 18, 7, None), (20_000, 20, 10, None), (20_000, 50, 20, 8))
FIT_PAIRS, PREDICT_PAIRS = 3, 9


def problem(n, d, m, seed=0):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, d)).astype(np.float32)
    scores = X @ random.normal(size=(d, m)).astype(np.float32)
    return X, strict_positions(scores + random.normal(size=(n, m)).astype(np.float32))


def seconds(work, clock=perf_counter):
    gc.collect()
    start = clock()
    result = work()
    return clock() - start, result


def bare_forest(model, Y):
    """Build scikit-learn's forest that grows the same trees, and its target."""
    target = split_target(2.0 * Y, model.split_on)
    kind = RandomForestRegressor if model.split_on == "borda" else RandomForestClassifier
    names = ("n_estimators", "max_depth", "random_state", "n_jobs")
    same = {name: getattr(model, name) for name in names}
    forest = kind(max_features=model.forest_.estimators_[0].max_features_, **same)
    if kind is RandomForestClassifier:
        forest.set_params(criterion="entropy")
    return forest, target


def compare(n, d, m, depth, split_on):
    X, Y = problem(2 * n, d, m)
    train, test, known = X[:n], X[n:], Y[:n]
    model = LabelRankingForest(max_depth=depth, split_on=split_on).fit(train, known)
    ratios = {"fit": [], "predict": []}
    forest, target = bare_forest(model, known)
    for _ in range(FIT_PAIRS):
        bare, _ = seconds(lambda: forest.fit(train, target), process_time)
        own, _ = seconds(lambda: model.fit(train, known), process_time)
        ratios["fit"].append(own / bare)
    for _ in range(PREDICT_PAIRS):
        bare, _ = seconds(lambda: forest.predict(test), process_time)
        own, _ = seconds(lambda: model.predict(test), process_time)
        ratios["predict"].append(own / bare)
    found = "  ".join(f"{name} {median(values):.2f}" for name, values in ratios.items())
    print(f"{n:>7} x {d}, {m} labels, depth {depth}, {split_on:9}  ratio  {found}")


def sliders():
    X, Y = problem(2417, 103, 14)
    model = LabelRankingForest(50, n_jobs=-1).fit(X, Y)
    first, path = seconds(lambda: model.path(X[:1]))
    settings = [(n, depth) for n in range(1, 51) for depth in range(1, 9)]
    start, _ = seconds(lambda: path.at().prediction)
    moves, _ = seconds(
        lambda: [path.at(n_estimators=n, max_depth=d).prediction for n, d in settings]
    )
    why, _ = seconds(lambda: path.at().explain(0))
    again, _ = seconds(lambda: path.at(n_estimators=30, max_depth=5).explain(0))
    print(
        f"one case of 2417 x 103, 14 labels: path {1000 * (first + start):.0f} ms, all 50 x 8 "
        f"settings {1000 * moves:.0f} ms, explanation {1000 * why:.0f} ms, next {1000 * again:.0f}"
    )


def large():
    X, Y = problem(1_000_000, 20, 10)
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    model = LabelRankingForest(50, max_depth=8, n_jobs=-1)
    fit, _ = seconds(lambda: model.fit(X, Y))
    predict, _ = seconds(lambda: model.predict(X))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"1 000 000 x 20, 10 labels, 50 trees, depth 8: fit {fit:.0f} s, predict {predict:.0f} s")
    print(f"peak {peak / 2**20:.1f} GB, of which {held / 2**20:.1f} GB before the fit")


def main():
    if sys.argv[1:] == ["large"]:
        large()
        return
    for n, d, m, depth in SIZES:
        compare(n, d, m, depth, "borda")
    compare(20_000, 20, 10, 8, "top_label")
    sliders()


if __name__ == "__main__":
    main()
