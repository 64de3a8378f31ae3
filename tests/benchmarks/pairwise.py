"""What methods that learn every pair of labels cost, as ratios to what no method can do without.

python tests/benchmarks/pairwise.py

All pairs of kernel ridge regression share one eigendecomposition of the kernel, all pairs of a
forest one multi-output forest of scikit-learn on the matrix of signs.
"""

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
from scipy import linalg
from sklearn.ensemble import RandomForestRegressor
from sklearn.metrics.pairwise import rbf_kernel

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from labelrank_core import KernelPairwiseRanker, PairwiseForestRanker
from labelrank_core.rankings import strict_positions
from tests.benchmarks.measure import Line, Task, main

KERNEL_BUDGET, FOREST_BUDGET = 2.0, 1.2


def problem(n, d, m):
    random = np.random.default_rng(n + d + m)
    X = random.normal(size=(n, d))
    return X, strict_positions(X @ random.normal(size=(d, m)) + random.normal(size=(n, m)))


def kernel(n, d, m, penalty):
    X, Y = problem(n, d, m)
    K = rbf_kernel(X, gamma=0.5 / d)
    model = KernelPairwiseRanker(penalty)
    decomposed = partial(linalg.eigh, K, driver="evd", check_finite=False)
    return Task(lambda: model.fit(X, Y), {"one eigendecomposition": decomposed})


def forest(n, d, m):
    X, Y = problem(n, d, m)
    first, second = np.triu_indices(m, 1)
    signs = np.sign(Y[:, second] - Y[:, first])
    bare = RandomForestRegressor(50, max_features=0.5, random_state=0)
    model = PairwiseForestRanker(50)
    return Task(lambda: model.fit(X, Y), {"multi-output forest": lambda: bare.fit(X, signs)})


def budget_lines() -> Iterator[Line]:
    for penalty, how in ((1.0, "one penalty"), (None, "penalty by leave-one-out")):
        for n, d, m in ((1000, 10, 10), (2000, 18, 7)):
            name = f"all pairs by kernel ridge, fit, {n} x {d}, {m} labels, {how}"
            yield Line(name, partial(kernel, n, d, m, penalty), KERNEL_BUDGET)
    for n, d, m in ((1000, 10, 10), (2000, 18, 7)):
        name = f"all pairs by a forest, fit, {n} x {d}, {m} labels"
        yield Line(name, partial(forest, n, d, m), FOREST_BUDGET, clock="processor")


if __name__ == "__main__":
    sys.exit(main(budget_lines(), (), sys.argv[1:]))
