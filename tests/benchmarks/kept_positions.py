"""The label-ranking forest on rankings with deleted labels, with and without kept positions.

python tests/benchmarks/kept_positions.py RESULTS.csv
python tests/benchmarks/kept_positions.py RESULTS.csv --record labelrank_core/papers/measured

MORE-PLR's program deletes an exact share of the positions of the training rows and leaves the other
positions as they are, so that a kept 5 still tells that four labels stand above. Here a forest
learns the same rows twice: the order of the labels that are left, and the positions that are kept.
Ten folds of the ledger's first repetition; the same command goes on where it was stopped. The sets
lie in the folder that LABELRANK_BENCHMARK_DATA names.
"""

import argparse
import csv
import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse
from sklearn.ensemble import RandomForestRegressor

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from threadpoolctl import threadpool_limits

from labelrank_core.data import Dataset
from labelrank_core.data.splits import Split
from labelrank_core.experiments import Unit
from labelrank_core.experiments.units import split_of
from labelrank_core.metrics import kendall_tau_score
from labelrank_core.papers import find_table
from labelrank_core.papers.ledger import Measured, measured_frame, merged, read_measured
from labelrank_core.papers.reproduce import plan
from labelrank_core.rankings import FloatArray, dense_positions, strict_positions
from labelrank_core.version import __version__

TABLE = find_table("moreplr", "Deleted labels")
PLACE = ["block", "data", "reading", "fold"]
HEAD = [*PLACE, "value"]
_DECIMALS = 12


def with_deleted(rankings: FloatArray, share: float, seed: list[int]) -> FloatArray:
    """Replace an exact share of all positions by NaN and leave the others as they are."""
    kept = rankings.copy()
    n_deleted = round(share * rankings.size)
    cells = np.random.default_rng(seed).permutation(rankings.size)[:n_deleted]
    kept.flat[cells] = np.nan
    return kept


def filled(positions: FloatArray) -> FloatArray:
    """Give the deleted labels of a row the mean of the positions that it does not have."""
    n_labels = positions.shape[1]
    total = n_labels * (n_labels + 1) / 2
    n_deleted = np.isnan(positions).sum(axis=1)
    mean = (total - np.nansum(positions, axis=1)) / np.maximum(n_deleted, 1)
    return np.where(np.isnan(positions), mean[:, None], positions)


def learn_order(
    unit: Unit, X: FloatArray, positions: FloatArray, queries: FloatArray
) -> NDArray[Any]:
    """Predict with our forest, which learns the order of the labels that are left."""
    return unit.method.choice.build().fit(X, dense_positions(positions)).predict(queries)


def learn_positions(
    unit: Unit, X: FloatArray, positions: FloatArray, queries: FloatArray
) -> NDArray[Any]:
    """Predict with a forest of as many trees that learns kept positions.

    Trees split by the filled positions; a leaf has the mean of each label's kept ones, of all
    trees together. A label without any has the middle position.
    """
    values = unit.method.choice.values
    forest = RandomForestRegressor(
        values["n_estimators"],
        max_features=min(X.shape[1], int(np.log2(X.shape[1])) + 1),
        random_state=unit.fold,
    ).fit(X, filled(positions))
    known = ~np.isnan(positions)
    sums, counts = np.zeros((2, len(queries), positions.shape[1]))
    for tree, rows in zip(forest.estimators_, forest.estimators_samples_, strict=True):
        leaves, places = np.unique(tree.apply(X[rows]), return_inverse=True)
        own = sparse.csr_matrix((np.ones(len(rows)), (places, np.arange(len(rows)))))
        reached = np.searchsorted(leaves, tree.apply(queries))
        sizes = np.asarray(own.sum(axis=1))
        sums += (own @ np.nan_to_num(positions[rows]) / sizes)[reached]
        counts += (own @ known[rows].astype(float) / sizes)[reached]
    middle = np.full(sums.shape, (positions.shape[1] + 1) / 2)
    means = np.divide(sums, counts, out=middle, where=counts > 0)
    return strict_positions(means.round(_DECIMALS))


LEARNERS = {"exact share": learn_order, "kept positions": learn_positions}


def value(unit: Unit, dataset: Dataset, split: Split, reading: str) -> float:
    """Return the mean tau of the test rows."""
    place = [unit.protocol.seed, unit.repeat, unit.fold]
    deleted = with_deleted(dataset.rankings[split.train], unit.missing, place)
    X, queries = dataset.X[split.train], dataset.X[split.test]
    predicted = LEARNERS[reading](unit, X, deleted, queries)
    return float(kendall_tau_score(dataset.rankings[split.test], predicted))


def run(path: Path) -> None:
    """Measure what the results lack."""
    is_new = not path.exists()
    done = set() if is_new else set(map(tuple, pd.read_csv(path)[PLACE].to_numpy().tolist()))
    folder = Path(os.environ["LABELRANK_BENCHMARK_DATA"])
    with path.open("a", encoding="utf-8", newline="") as file, threadpool_limits(1):
        writer = csv.DictWriter(file, HEAD)
        if is_new:
            writer.writeheader()
        for part in plan(TABLE, folder, repeats=1).parts:
            dataset = part.located.dataset
            for unit in part.units():
                split = split_of(unit.protocol, dataset, unit.repeat, unit.fold)
                for reading in LEARNERS:
                    place = (part.blocks[0].name, part.data, reading, unit.fold)
                    if place not in done:
                        found = round(value(unit, dataset, split, reading), 6)
                        writer.writerow(dict(zip(HEAD, (*place, found), strict=True)))
                        file.flush()


def measured(results: pd.DataFrame) -> list[Measured]:
    """Turn results of all ten folds into numbers of the ledger."""
    found = []
    for (block, data, reading), own in results.groupby(PLACE[:3], sort=False):
        if len(own) == TABLE.block(block).protocol.n_folds:
            mean, deviation = own["value"].mean(), own["value"].std(ddof=1)
            found.append(
                Measured(
                    block, data, TABLE.columns[0].name, reading, round(float(mean), 6),
                    round(float(deviation), 6), len(own), f"file {data}.csv",
                    f"{len(own)} folds; an exact share of the positions deleted", __version__,
                    time.strftime("%Y-%m-%d"),
                )
            )  # fmt: skip
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=Path)
    parser.add_argument("--record", type=Path, help="add the results to the ledger of this folder")
    options = parser.parse_args()
    if options.record is None:
        run(options.results)
    else:
        path = options.record / f"{TABLE.slug}.csv"
        new = measured_frame(measured(pd.read_csv(options.results)))
        merged(read_measured(path), new).to_csv(path, index=False)


if __name__ == "__main__":
    main()
