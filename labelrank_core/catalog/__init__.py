"""Every method with its task, estimator, knobs and references, and how one is chosen.

A method listed in `labelrank_core.catalog.methods` gets its widgets, page, comparison and tests
without further code.
"""

from labelrank_core.catalog.algorithm import Algorithm, Size
from labelrank_core.catalog.choices import BASELINES, Baseline, ModelChoice
from labelrank_core.catalog.methods import ALGORITHMS, algorithms_for

__all__ = [
    "ALGORITHMS",
    "BASELINES",
    "Algorithm",
    "Baseline",
    "ModelChoice",
    "Size",
    "algorithms_for",
]
