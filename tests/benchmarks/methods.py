"""Time and memory of every method that ranks labels: fit on nine tenths, predict the last.

python tests/benchmarks/methods.py              vehicle, vowel and segment
python tests/benchmarks/methods.py vowel rpc    only lines whose name contains all words

The sets lie in the folder that LABELRANK_BENCHMARK_DATA names. Every line has a process of its own
and one thread; seconds are those of the processor, the memory is the peak beyond the inputs. The
last column is what the catalog estimates.
"""

import os
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from sklearn.model_selection import KFold
from threadpoolctl import threadpool_limits

from labelrank_core import Task
from labelrank_core.methods import ALGORITHMS, ModelChoice, Size
from tests.benchmarks.measure import seconds, with_peak

SETS = ("vehicle", "vowel", "segment")
COLUMNS = ("fit s", "predict s", "fit MB", "predict MB", "estimate s")


def run(key, name):
    """Return seconds and peaks of fit and predict, and the estimate."""
    path = Path(os.environ["LABELRANK_BENCHMARK_DATA"]) / "kebi" / f"{name}.csv"
    table = pd.read_csv(path)
    X = table.filter(regex="^A").to_numpy()
    Y = table.filter(regex="^L").to_numpy(dtype=float)
    train, test = next(KFold(10, shuffle=True, random_state=0).split(X))
    choice = ModelChoice(key)
    model = choice.build()
    with threadpool_limits(1):
        fit, fit_mb = with_peak(lambda: seconds(lambda: model.fit(X[train], Y[train]), "processor"))
        ask, ask_mb = with_peak(lambda: seconds(lambda: model.predict(X[test]), "processor"))
    estimate = choice.seconds(Size(len(train), len(test), X.shape[1], Y.shape[1]))
    return fit, ask, fit_mb, ask_mb, estimate


def main(words):
    keys = [key for key, each in ALGORITHMS.items() if Task.LABEL_RANKING in each.tasks]
    names = [f"{name} {key}" for name in SETS for key in keys]
    print(f"{'Methods':<30}" + "".join(f"{column:>12}" for column in COLUMNS))
    for name in names:
        if all(word in name for word in words):
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
                found = pool.submit(run, *reversed(name.split())).result()
            cells = "".join(f"{'-' if value is None else f'{value:.3f}':>12}" for value in found)
            print(f"{name:<30}{cells}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
