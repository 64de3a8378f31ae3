"""Time and memory of every method: rankings, label sets, and label sets of text.

python tests/benchmarks/methods.py              all sets
python tests/benchmarks/methods.py vowel rpc    only lines whose name contains all words
python tests/benchmarks/methods.py yeast --csv tests/benchmarks/methods.csv    kept in a file, too

Of vehicle, vowel and segment nine tenths are learnt and the last predicted; of yeast the published
training set; of Arts 1000 pages, and 1000 others are predicted. Parameters are the defaults.
The sets lie in the folder that LABELRANK_BENCHMARK_DATA names. Every line has a process of its own
and one thread; seconds are those of the processor, the memory is the peak beyond the inputs. The
last column is what the catalog estimates. Below a method stands the same of scikit-multilearn, if
it has it and an environment with it can be made.
"""

import argparse
import os
import platform
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

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
from tests.benchmarks.rival_work import MODELS
from tests.benchmarks.rivals import SCIKIT_MULTILEARN, python_of, run

SETS = {
    Task.LABEL_RANKING: ("vehicle", "vowel", "segment"),
    Task.MULTILABEL: ("yeast", "arts"),
}
FOLDS = KFold(10, shuffle=True, random_state=0)
COLUMNS = ("fit s", "predict s", "fit MB", "predict MB", "estimate s")
PLACE = ["data", "method", "library"]


def own_cost(name, key):
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


def rival_cost(name, key):
    """Return the same of scikit-multilearn, without an estimate, or the reason why not."""
    python, reason = python_of(*SCIKIT_MULTILEARN)
    if python is None:
        return reason
    X, Y, train, test = parted(name)
    with TemporaryDirectory() as folder:
        for each, rows in (("X", train), ("queries", test)):
            sparse.save_npz(Path(folder) / f"{each}.npz", sparse.csr_matrix(X[rows]))
        np.save(Path(folder) / "Y.npy", Y[train])
        return *run(python, key, folder), None


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


def keep(path, name, key, library, found):
    """Put a line into the file, in the place of an older one."""
    title = ALGORITHMS[key].title
    processor = next(
        (line.partition(":")[2].strip() for line in cpu_lines() if line.startswith("model name")),
        platform.machine(),
    )
    new = {
        **dict(zip(PLACE, (name, title, library), strict=True)),
        **dict(zip(COLUMNS[:4], map(rounded, found[:4], (3, 3, 1, 1)), strict=True)),
        "date": time.strftime("%Y-%m-%d"),
        "machine": f"{processor}, one thread",
    }
    frame = pd.DataFrame([new])
    if path.exists():
        frame = pd.concat([pd.read_csv(path), frame]).drop_duplicates(PLACE, keep="last")
    frame.sort_values(PLACE, key=lambda each: each.str.lower()).to_csv(path, index=False)


def rounded(value, digits):
    return None if value is None else round(value, digits)


def cpu_lines():
    try:
        return Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return []


def lines(words):
    """Name sets and methods of the lines that contain all words."""
    for task, sets in SETS.items():
        for name in sets:
            for key, each in ALGORITHMS.items():
                if task in each.tasks and all(word in f"{name} {key}" for word in words):
                    yield name, key


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--csv", type=Path)
    options = parser.parse_args()
    print(f"{'Methods':<42}" + "".join(f"{column:>12}" for column in COLUMNS))
    for name, key in lines(options.words):
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            found = {"LabelRank Lab": pool.submit(own_cost, name, key).result()}
        if key in MODELS:
            found["scikit-multilearn"] = rival_cost(name, key)
        for library, costs in found.items():
            print(f"{name + ' ' + key + f', {library}' * (key in MODELS):<42}{cells(costs)}")
            sys.stdout.flush()
            if options.csv and not isinstance(costs, str):
                keep(options.csv, name, key, library, costs)


def cells(costs):
    if isinstance(costs, str):
        return f"  not available: {costs}"
    return "".join(f"{'-' if value is None else f'{value:.3f}':>12}" for value in costs)


if __name__ == "__main__":
    main()
