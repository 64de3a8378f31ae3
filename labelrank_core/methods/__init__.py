"""The methods with their tasks, estimators, knobs and references, and the choice of one.

A method that `labelrank_core.methods.catalog` lists has its widgets, pages, comparisons and tests
without further code.

Weights of cases, ``fit(X, Y, sample_weight=...)``, are for `PairwiseLabelRanker`,
`LogLinearRanker`, `AdaBoostMHClassifier` and `ADTBoostMHClassifier`; blends, guarantees and
methods with a parameter `estimator` hand them on by scikit-learn's metadata routing. All others
count every case alike and have none.
"""

from labelrank_core.methods.algorithm import Algorithm, Size
from labelrank_core.methods.catalog import ALGORITHMS, FAMILY_IDEAS
from labelrank_core.methods.choices import BASELINES, Baseline, ModelChoice, tie_labels

__all__ = [
    "ALGORITHMS",
    "BASELINES",
    "FAMILY_IDEAS",
    "Algorithm",
    "Baseline",
    "ModelChoice",
    "Size",
    "tie_labels",
]
