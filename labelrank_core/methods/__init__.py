"""Every method with its task, estimator, knobs and references, and how one is chosen.

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
