"""What the figures of sensitivity cost, against one fit + predict of the method a fold.

python tests/benchmarks/sensitivity.py            all lines, a minute
python tests/benchmarks/sensitivity.py yeast      only lines whose name contains the word

The method is fitted as the figure needs it: with the most neighbours or trees. Deleted labels cost
one fit a level and fold, so there the floor is all these fits.
"""

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from labelrank_core import load_sample
from labelrank_core.data.splits import cross_validation, delete_labels
from labelrank_core.evaluation.sensitivity import missing_labels, sweep_parameters
from labelrank_core.evaluation.sensitivity.figures import figures_for
from labelrank_core.evaluation.sensitivity.sweep import fitting_measures
from labelrank_core.methods import ALGORITHMS, ModelChoice
from tests.benchmarks.measure import Line, Task, main

N_FOLDS = 10


def fits(data, choice, folds, share=None):
    for fold in folds:
        train, test = fold.split.train, fold.split.test
        learned = choice.algorithm.targets(data, train)
        learned = learned if share is None else delete_labels(learned, share, seed=0)
        choice.build().fit(data.X[train], learned).predict(data.X[test])


def figure(name, key, what, **params):
    """One figure with the measure its page opens with."""
    data, choice = load_sample(name), ModelChoice(key, tuple(params.items()))
    folds = cross_validation(data, n_folds=N_FOLDS)
    measures = [fitting_measures(data, choice)[0].key]
    (shown,) = (each for each in figures_for(ALGORITHMS[key]) if each.key == what)
    grid = shown.grid(min(len(fold.split.train) for fold in folds))
    if shown.kind == "missing":
        (shares,) = grid.values()

        def every_level():
            for share in shares:
                fits(data, choice, folds, share)

        return Task(
            lambda: missing_labels(data, choice, shares=shares, folds=folds, measures=measures),
            {"a fit + predict a level and fold": every_level},
        )
    largest = {n: max(grid[n]) for n in ("n_neighbors", "n_estimators") if n in grid}
    return Task(
        lambda: sweep_parameters(data, choice, grid=grid, folds=folds, measures=measures),
        {"fit + predict": partial(fits, data, choice.with_params(**largest), folds)},
    )


LINES = (
    ("k x p", "yeast", "mlr", "n_neighbors-n_virtual_labels"),
    ("k curve of MLR", "yeast", "mlr", "n_neighbors"),
    ("k curve of ML-kNN", "yeast", "mlknn", "n_neighbors"),
    ("alpha-beta map", "yeast", "mlls", "alpha-beta"),
    ("k curve", "vehicle", "knn", "n_neighbors"),
    ("k x consensus rule", "vehicle", "knn", "n_neighbors-aggregation"),
    ("trees", "vehicle", "forest", "n_estimators"),
    ("depth", "vehicle", "forest", "max_depth"),
    ("labels deleted, k-NN", "vehicle", "knn", "missing"),
    ("labels deleted, forest", "vehicle", "forest", "missing"),
)


def budget_lines() -> Iterator[Line]:
    for title, name, key, what in LINES:
        yield Line(
            f"sensitivity, {title}, {name}, {N_FOLDS} folds",
            partial(figure, name, key, what),
            clock="processor",
            fewest_pairs=1,
        )
    yield Line(
        f"sensitivity, alpha-beta map, thresholds 0, yeast, {N_FOLDS} folds",
        partial(figure, "yeast", "mlls", "alpha-beta", threshold="zero"),
        clock="processor",
    )


if __name__ == "__main__":
    sys.exit(main(budget_lines(), (), sys.argv[1:]))
