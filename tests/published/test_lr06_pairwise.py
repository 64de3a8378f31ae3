"""Table 1 of K. Brinker, E. Hüllermeier: Case-based label ranking (2006), rows PW-SVM.

10-fold cross-validation; C, and of the RBF kernel gamma, are tuned on the training part for the
measure that is reported, in three folds where the paper has ten and with every second gamma. The
sets are those of the KEBI repository, which were derived from the same UCI sets in the same way but
not by the authors: a number counts as met within two of the printed standard deviations.
"""

from itertools import product

import pandas as pd
import pytest
from sklearn.model_selection import KFold

from labelrank_core import PairwiseSVMRanker
from labelrank_core.metrics import METRICS
from tests.published.test_lr06_table1 import SETS, read

pytestmark = pytest.mark.slow

GRIDS = {
    "linear": [{"C": 2.0**power} for power in range(-2, 11, 2)],
    "rbf": [
        {"C": C, "gamma": 10.0**power}
        for C, power in product([0.5, 1, 5, 10, 50, 100, 1000], [-3, -2, -1, 1])
    ],
}
TABLE_1 = {
    ("footrule_score", "linear"): "0.767 .148  0.910 .088  0.827 .054  0.484 .040  0.788 .040",
    ("footrule_score", "rbf"): "0.967 .047  0.905 .083  0.842 .058  0.864 .021  0.857 .027",
    ("spearman_rho_score", "linear"): "0.867 .074  0.941 .055  0.923 .039  0.769 .028  0.892 .027",
    ("spearman_rho_score", "rbf"): "0.980 .023  0.958 .056  0.929 .037  0.962 .009  0.909 .019",
    ("kendall_tau_score", "linear"): "0.844 .082  0.933 .063  0.891 .044  0.673 .029  0.861 .024",
    ("kendall_tau_score", "rbf"): "0.978 .031  0.944 .053  0.899 .044  0.922 .014  0.896 .017",
}
MEASURES = sorted({measure for measure, _ in TABLE_1})


def scores(X, Y, train, test, kernel):
    """Every measure on the test part, by setting."""
    models = [PairwiseSVMRanker(kernel=kernel, **setting) for setting in GRIDS[kernel]]
    predicted = [model.fit(X[train], Y[train]).predict(X[test]) for model in models]
    return pd.DataFrame(
        {m: [METRICS[m].mean(Y[test], ranking) for ranking in predicted] for m in MEASURES}
    )


def nested_cross_validation(X, Y, kernel):
    """Mean test score of the setting that is tuned for it, by measure."""
    found = []
    for train, test in KFold(10, shuffle=True, random_state=0).split(X):
        folds = KFold(3, shuffle=True, random_state=1).split(train)
        inner = sum(scores(X, Y, train[fit], train[check], kernel) for fit, check in folds)
        outer = scores(X, Y, train, test, kernel)
        found.append({m: outer[m][inner[m].idxmax()] for m in MEASURES})
    return pd.DataFrame(found).mean()


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("kernel", GRIDS)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_table_1(name, kernel, benchmark_data):
    found = nested_cross_validation(*read(benchmark_data, name), kernel)
    for measure in MEASURES:
        row = [float(number) for number in TABLE_1[measure, kernel].split()]
        mean, deviation = row[2 * SETS.index(name)], row[2 * SETS.index(name) + 1]
        print(name, kernel, measure, f"{found[measure]:.3f} print {mean} {deviation}")  # noqa: T201
        # The printed deviation is that of the folds' values.
        assert abs(found[measure] - mean) <= 2 * deviation
