"""The catalog of methods, one module per kind: all that other rooms know of a method."""

from collections.abc import Mapping

from labelrank_core.methods.algorithm import Algorithm
from labelrank_core.methods.catalog import (
    boosting,
    classifiers,
    ensemble,
    label_sets,
    linear,
    neighbors,
    pairwise,
    probabilistic,
    subspaces,
    trees,
)

# The first method that learns a task is the default.
FAMILIES = (
    neighbors,
    trees,
    pairwise,
    subspaces,
    classifiers,
    label_sets,
    linear,
    boosting,
    probabilistic,
    ensemble,
)
ALGORITHMS: Mapping[str, Algorithm] = {
    algorithm.key: algorithm for family in FAMILIES for algorithm in family.METHODS
}
