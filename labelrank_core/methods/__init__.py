"""Every method with its task, estimator, knobs and references, and how one is chosen.

A method listed in `labelrank_core.methods.catalog` gets its widgets, page, comparison and tests
without further code.
"""

from labelrank_core.methods.algorithm import Algorithm, Size
from labelrank_core.methods.catalog import ALGORITHMS, algorithms_for
from labelrank_core.methods.choices import BASELINES, Baseline, ModelChoice

__all__ = [
    "ALGORITHMS",
    "BASELINES",
    "Algorithm",
    "Baseline",
    "ModelChoice",
    "Size",
    "algorithms_for",
]
