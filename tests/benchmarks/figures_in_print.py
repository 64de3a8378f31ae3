"""The curves of three papers without printed numbers, measured: the page *Papers* draws them.

python tests/benchmarks/figures_in_print.py                          all of them
python tests/benchmarks/figures_in_print.py lr06-fig1 lr06-section5  only these

- lr06-fig1: seconds of pairwise machines and similar cases against the number of labels, in the
  synthetic setting of Brinker and Hüllermeier 2006, section 5.
- lr06-section5: in the same setting, the most frequent ranking of the similar cases against Median
  and Borda.
- mlls08-figs1and2: seconds against the number of training pages, as Figs 1 and 2 of Ji, Tang, Yu
  and Ye 2010, on the sets of web pages in the folder LABELRANK_BENCHMARK_DATA.
- lrrf-fig2, lrrf-fig3, lrrf-fig4: Kendall's tau of the forest of Zhou and Qiu 2018 against the
  probability of a missing label, the number of trees and their depth, on data sets of that folder.

Seconds are those of the processor on one thread, the least of up to three runs that take 20 s
together. The files of `labelrank_core/papers/measured_curves` are written anew.
"""

import datetime
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from labelrank_core import make_label_ranking
from labelrank_core.data.splits import cross_validation, delete_labels
from labelrank_core.methods import ModelChoice
from labelrank_core.metrics import METRICS
from labelrank_core.papers import find_table
from labelrank_core.papers.curves import CURVES, write_points
from labelrank_core.papers.reproduce import at_hand
from labelrank_core.version import __version__

N_CASES, N_FEATURES = 1000, 10
N_LABELS = (5, 10, 15, 20, 50, 100)
NEIGHBORS = (5, 11, 21)
N_DRAWS = 5
RULES = {"majority": "most frequent", "median": "median", "borda": "Borda"}
ACCURACIES = ("kendall_tau_score", "spearman_rho_score", "footrule_score")
N_PAGES = (250, 500, 1000, 2000, 4000)
MOST_RUNS, MOST_SECONDS = 3, 20.0
FOREST_DATA = ("glass", "housing", "iris", "wine")
FOREST_SPLITS = {"Whole rankings": "ranking", "Top label": "top_label"}
N_TREES, DEPTH = 50, 8
MISSING = tuple(i / 10 for i in range(1, 9))
TREES = (1, *range(5, 80, 5))
DEPTHS = tuple(range(1, 16))

Point = dict[str, Any]


def data_folder() -> Path:
    """Return the folder of the papers' data."""
    return Path(os.environ["LABELRANK_BENCHMARK_DATA"])


def least_seconds(run: Callable[[], object]) -> tuple[float, int]:
    """Return the least seconds of some runs, and how many there were."""
    taken: list[float] = []
    while len(taken) < MOST_RUNS and sum(taken) < MOST_SECONDS:
        start = process_time()
        run()
        taken.append(process_time() - start)
    return min(taken), len(taken)


def point(panel: str, line: str, x: float, value: float, n_runs: int, **more: str) -> Point:
    """Return a point of a curve; printed, so that one sees how far the work is."""
    print(f"{panel:24} {line:24} {x:6} {value:.4f}", flush=True)
    date = datetime.datetime.now(datetime.UTC).date().isoformat()
    return {
        "panel": panel, "measure": "seconds", "line": line, "x": x, "value": value,
        "n_runs": n_runs, "version": __version__, "date": date, **more,
    }  # fmt: skip


def synthetic(n_labels: int, seed: int) -> tuple[Any, Any, Any, Any]:
    """Draw 1000 training and 1000 test cases of the setting of section 5."""
    X, Y = make_label_ranking(
        2 * N_CASES, N_FEATURES, n_labels, utilities="expected", random_state=seed
    )
    return X[:N_CASES], Y[:N_CASES], X[N_CASES:], Y[N_CASES:]


def times_by_labels() -> Iterator[Point]:
    """Time training and prediction for every number of labels."""
    methods = {
        "PW-SVM-LIN": ModelChoice("pairwise_svm", scaled=False).with_params(
            kernel="linear", C=1000.0
        )
    }
    for k in NEIGHBORS:
        methods[f"k-NN, k = {k}"] = ModelChoice("knn", scaled=False).with_params(
            n_neighbors=k, aggregation="median"
        )
    for n_labels in N_LABELS:
        X, Y, queries, _ = synthetic(n_labels, 0)
        for line, choice in methods.items():
            model = choice.build().fit(X, Y)
            # What k-NN stores does not depend on k.
            if line in ("PW-SVM-LIN", f"k-NN, k = {NEIGHBORS[0]}"):
                seconds = least_seconds(partial(model.fit, X, Y))
                yield point("Training", line.partition(",")[0], n_labels, *seconds)
            yield point(
                "Prediction", line, n_labels, *least_seconds(partial(model.predict, queries))
            )


def accuracy_by_rule() -> Iterator[Point]:
    """Measure the accuracy of three consensus rules for every k and number of labels."""
    for n_labels in N_LABELS:
        draws = [synthetic(n_labels, seed) for seed in range(N_DRAWS)]
        for rule, line in RULES.items():
            for k in (1, *NEIGHBORS):
                choice = ModelChoice("knn", scaled=False).with_params(
                    n_neighbors=k, aggregation=rule
                )
                predicted = [choice.build().fit(X, Y).predict(Q) for X, Y, Q, _ in draws]
                for measure in ACCURACIES:
                    value = np.mean(
                        [
                            METRICS[measure].function(draw[-1], own)
                            for draw, own in zip(draws, predicted, strict=True)
                        ]
                    )
                    yield point(
                        f"{n_labels} labels", line, k, float(value), N_DRAWS, measure=measure
                    )


def times_by_pages() -> Iterator[Point]:
    """Time training with fixed parameters for every number of pages."""
    table = find_table("mlls08", "III")
    columns = [each for each in table.columns if each.name in ("ML_LS", "SVM", "ASO_SVM")]
    for name, found in at_hand(table, table.data_sets, data_folder()).items():
        data = found.dataset
        order = np.random.default_rng(0).permutation(data.n_samples)
        for n_pages in N_PAGES:
            X, Y = data.X[order[:n_pages]], data.relevance[order[:n_pages]]
            for column in columns:
                choice = ModelChoice(column.key, scaled=False)
                choice = choice.with_params(threshold="zero", **dict(column.params))
                fit = partial(choice.build(is_sparse=True).fit, X, Y)
                panel = f"{name}, {data.n_labels} labels"
                yield point(panel, column.name, n_pages, *least_seconds(fit))


def forest_accuracy(parameter: str, values: Sequence[float]) -> Iterator[Point]:
    """Measure Kendall's tau of the forest for every value of a parameter, over ten folds.

    The parameter "missing" is the probability with which a training ranking loses a label.
    """
    table = find_table("lrrf", "4")
    score = METRICS["kendall_tau_score"].function
    for panel, split_on in FOREST_SPLITS.items():
        for data_name, found in at_hand(table, FOREST_DATA, data_folder()).items():
            dataset = found.dataset
            folds = cross_validation(dataset, n_folds=10)
            for value in values:
                params = {"n_estimators": N_TREES, "max_depth": DEPTH}
                if parameter in params:
                    params[parameter] = int(value)
                choice = ModelChoice("forest").with_params(
                    split_on=split_on, voting="rankings", **params
                )
                taus = []
                for fold in folds:
                    train, test = fold.split.train, fold.split.test
                    Y = dataset.rankings[train]
                    if parameter == "missing":
                        Y = delete_labels(Y, value, seed=fold.number)
                    model = choice.build().fit(dataset.X[train], Y)
                    taus.append(score(dataset.rankings[test], model.predict(dataset.X[test])))
                mean = float(np.mean(taus))
                yield point(panel, data_name, value, mean, len(folds), measure="kendall_tau_score")


FIGURES = {
    "lr06-fig1": times_by_labels,
    "lr06-section5": accuracy_by_rule,
    "mlls08-figs1and2": times_by_pages,
    "lrrf-fig2": partial(forest_accuracy, "missing", MISSING),
    "lrrf-fig3": partial(forest_accuracy, "n_estimators", TREES),
    "lrrf-fig4": partial(forest_accuracy, "max_depth", DEPTHS),
}


def main(names: list[str]) -> int:
    for name in names or FIGURES:
        with threadpool_limits(1):
            points = list(FIGURES[name]())
        write_points(pd.DataFrame(points), CURVES / f"{name}.csv")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
