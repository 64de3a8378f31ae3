"""Time and memory of every method: rankings, label sets, and label sets of text.

python tests/benchmarks/methods.py              all sets
python tests/benchmarks/methods.py vowel rpc    only lines whose name contains all words

Of vehicle, vowel and segment nine tenths are learnt and the last predicted; of yeast the published
training set; of Arts 1000 pages, and 1000 others are predicted.
The sets lie in the folder that LABELRANK_BENCHMARK_DATA names. Every line has a process of its own
and one thread; seconds are those of the processor, the memory is the peak beyond the inputs. The
last column is what the catalog estimates.
"""

import os
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import sparse

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from sklearn.model_selection import KFold
from threadpoolctl import threadpool_limits

from labelrank_core import Task, load_sample
from labelrank_core.data.splits import holdout_split
from labelrank_core.methods import ALGORITHMS, ModelChoice, Size
from labelrank_core.papers.data_sets import read_pages
from tests.benchmarks.measure import seconds, with_peak

SETS = {
    Task.LABEL_RANKING: ("vehicle", "vowel", "segment"),
    Task.MULTILABEL: ("yeast", "arts"),
}
FOLDS = KFold(10, shuffle=True, random_state=0)
COLUMNS = ("fit s", "predict s", "fit MB", "predict MB", "estimate s")


def run(key, name):
    """Return seconds and peaks of fit and predict, and the estimate."""
    X, Y, train, test = parted(name)
    choice, is_sparse = ModelChoice(key), sparse.issparse(X)
    model = choice.build(is_sparse=is_sparse)
    with threadpool_limits(1):
        fit, fit_mb = with_peak(lambda: seconds(lambda: model.fit(X[train], Y[train]), "processor"))
        ask, ask_mb = with_peak(lambda: seconds(lambda: model.predict(X[test]), "processor"))
    words = X.nnz / X.shape[0] if is_sparse else None
    estimate = choice.seconds(Size(len(train), len(test), X.shape[1], Y.shape[1], words))
    return fit, ask, fit_mb, ask_mb, estimate


def parted(name):
    """Return features and targets of a set, and which rows are learnt and predicted."""
    folder = Path(os.environ["LABELRANK_BENCHMARK_DATA"])
    if name == "yeast":
        data = load_sample("yeast")
        split = holdout_split(data)
        return data.X, data.relevance.astype(int), split.train, split.test
    if name == "arts":
        data = read_pages(folder / "yahoo" / "arts.svm.gz", "arts")
        order = np.random.default_rng(0).permutation(data.n_samples)
        return data.X, data.relevance.astype(int), order[:1000], order[1000:2000]
    table = pd.read_csv(folder / "kebi" / f"{name}.csv")
    X = table.filter(regex="^A").to_numpy()
    return X, table.filter(regex="^L").to_numpy(dtype=float), *next(FOLDS.split(X))


def main(words):
    names = [
        f"{name} {key}"
        for task, sets in SETS.items()
        for name in sets
        for key, each in ALGORITHMS.items()
        if task in each.tasks
    ]
    print(f"{'Methods':<30}" + "".join(f"{column:>12}" for column in COLUMNS))
    for name in names:
        if all(word in name for word in words):
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
                found = pool.submit(run, *reversed(name.split())).result()
            cells = "".join(f"{'-' if value is None else f'{value:.3f}':>12}" for value in found)
            print(f"{name:<30}{cells}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
