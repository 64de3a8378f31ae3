"""Trees split by distances and boosted trees beside LRT, its bags and the forest.

Kendall's tau in 10-fold cross-validation on six of the sets of `test_lrrf_rivals`, with its folds.
No printed numbers of these methods are at hand. `pytest -m slow -s` prints a table.
"""

from functools import cache

import numpy as np
import pytest

from tests.published.test_lrrf_rivals import cross_validated

pytestmark = pytest.mark.slow

SETS = ("bodyfat", "glass", "housing", "iris", "vowel", "wine")
METHODS = {
    "LRT": ("lrt", {"criterion": "mallows"}),
    "LRT, Kemeny": ("lrt", {"criterion": "kemeny"}),
    "LRT, correlation": ("lrt", {"criterion": "correlation"}),
    "LRT+bag": ("lrt_bag", {"voting": "rankings"}),
    "LR boosting": ("lr_boost", {"loss": "share"}),
    "LR boosting, largest": ("lr_boost", {"loss": "largest"}),
    "LR boosting, sum": ("lr_boost", {"loss": "sum"}),
    "forest": ("forest", {"voting": "scores"}),
}


@cache
def table(folder, names=SETS):
    """The mean tau of each method (row) on each data set (column)."""
    taus = np.array(
        [
            [cross_validated(folder, name, key, 0.0, **params) for name in names]
            for key, params in METHODS.values()
        ]
    )
    for method, row in zip(METHODS, taus, strict=True):
        print(f"{method:22}", *(f"{tau:.3f}" for tau in row), f"{row.mean():.3f}")  # noqa: T201
    return dict(zip(METHODS, taus, strict=True))


def test_criteria_of_a_tree_are_about_equally_good(benchmark_data):
    taus = table(benchmark_data)
    for criterion in ("LRT, Kemeny", "LRT, correlation"):
        assert abs(taus[criterion].mean() - taus["LRT"].mean()) < 0.02


def test_boosting_is_ahead_of_a_single_tree_everywhere_and_about_as_good_as_bagging(benchmark_data):
    taus = table(benchmark_data)
    for loss in ("LR boosting", "LR boosting, largest", "LR boosting, sum"):
        assert (taus[loss] > taus["LRT"]).all()
        assert abs(taus[loss].mean() - taus["LRT+bag"].mean()) < 0.01
