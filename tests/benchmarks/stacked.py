"""What the stacked ranker costs: its fit over a fit of its slowest candidate, and over all of them.

python tests/benchmarks/stacked.py              all sets, both lists of candidates
python tests/benchmarks/stacked.py vehicle      only lines whose name contains all words

Nine tenths of a set are learnt; at p0 = 0.6, 60 % of the labels are deleted from them. The sets lie
in the folder that LABELRANK_BENCHMARK_DATA names. Seconds are those of the processor, one thread.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from sklearn.base import clone
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from labelrank_core import StackedLabelRanker
from labelrank_core.data.splits import delete_labels
from labelrank_core.methods.ensemble._candidates import LABEL_RANKERS
from tests.benchmarks.measure import seconds
from tests.benchmarks.methods import parted

SETS = ("glass", "housing", "stock", "vehicle", "vowel", "segment")


def run(name, missing, preset):
    """Return the seconds of the stacked ranker, of its slowest candidate, and of all together."""
    X, Y, train, _ = parted(name)
    X = StandardScaler().fit_transform(X[train])
    Y = delete_labels(Y[train], missing, seed=0)
    with threadpool_limits(1):
        model = StackedLabelRanker(preset)
        whole = seconds(lambda: model.fit(X, Y), "processor")
        alone = []
        for entry in LABEL_RANKERS[preset]:
            estimator = clone(entry.candidate(len(X), X.shape[1], 0).estimator)
            alone.append(seconds(lambda each=estimator: each.fit(X, Y), "processor"))
    return whole, max(alone), sum(alone), whole / max(alone)


def main(words):
    columns = ("fit s", "slowest s", "all s", "x slowest")
    print(f"{'Stacked':<30}" + "".join(f"{column:>12}" for column in columns))
    for name in SETS:
        for missing in (0.0, 0.6):
            for preset in LABEL_RANKERS:
                line = f"{name} {missing} {preset}"
                if all(word in line for word in words):
                    found = run(name, missing, preset)
                    print(f"{line:<30}" + "".join(f"{value:>12.2f}" for value in found), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
