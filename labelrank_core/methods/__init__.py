"""The methods with their tasks, estimators, knobs and references, and the choice of one.

A method that `labelrank_core.methods.catalog` lists has its widgets, pages, comparisons and tests
without further code.
"""

from labelrank_core.methods.algorithm import Algorithm, Size
from labelrank_core.methods.catalog import ALGORITHMS
from labelrank_core.methods.choices import BASELINES, Baseline, ModelChoice

__all__ = [
    "ALGORITHMS",
    "BASELINES",
    "Algorithm",
    "Baseline",
    "ModelChoice",
    "Size",
]
